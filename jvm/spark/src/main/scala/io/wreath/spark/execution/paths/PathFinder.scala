package io.wreath.spark.execution.paths

import io.wreath.kernel.path._

/**
 * Finds the paths that a batch of rows asks for, one at a call of [[next]]. Not thread-safe: one for each task.
 */
private[paths] trait PathFinder {

  /** Begins anew. */
  def open(asks: PathAsks): Unit

  /** Goes on to the next path; false if there is none. */
  def next(): Boolean

  /** What it answers. */
  def ask: Int

  /** The code of the vertex at its end. */
  def target: Int

  def length: Int

  /** Where costs are longs. */
  def longCost: Long = 0L

  /** Where they are doubles. */
  def doubleCost: Double = 0.0

  /** Its vertices and edges, where a finder has been made for them. */
  def path: RoutePath = null
}

/** Finds who is reached level by level, from up to 64 sources at once. */
private[paths] trait Lanes {
  def open(sources: Array[Int], count: Int): Unit
  def advance(): Boolean
  def level: Int
  def freshCount: Int
  def freshVertex(i: Int): Int
  def freshLanes(i: Int): Long
}

private[paths] object Lanes {

  def of(search: LaneSearch, hops: Hops): Lanes = new Lanes {
    override def open(sources: Array[Int], count: Int): Unit =
      search.open(sources, 0, count, hops)
    override def advance(): Boolean = search.advance()
    override def level: Int = search.level
    override def freshCount: Int = search.freshCount
    override def freshVertex(i: Int): Int = search.freshVertex(i)
    override def freshLanes(i: Int): Long = search.freshLanes(i)
  }

  def of(search: RouteLanes): Lanes = new Lanes {
    override def open(sources: Array[Int], count: Int): Unit = search.open(sources, 0, count)
    override def advance(): Boolean = search.advance()
    override def level: Int = search.level
    override def freshCount: Int = search.freshCount
    override def freshVertex(i: Int): Int = search.freshVertex(i)
    override def freshLanes(i: Int): Long = search.freshLanes(i)
  }

  /** One source at a time, in less memory: a batch has one then. */
  def of(search: BreadthSearch, hops: Hops): Lanes = new Lanes {
    override def open(sources: Array[Int], count: Int): Unit = {
      require(count <= 1, "one source at a time")
      if (count == 1) search.open(sources(0), hops)
    }
    override def advance(): Boolean = search.advance()
    override def level: Int = search.level
    override def freshCount: Int = search.freshCount
    override def freshVertex(i: Int): Int = search.freshVertex(i)
    override def freshLanes(i: Int): Long = 1L
  }
}

/** @param comesBack whether a path may end where it began */
final private[paths] class LaneFinder(lanes: Lanes, comesBack: Boolean) extends PathFinder {
  private[this] var asks: PathAsks = _
  private[this] var fresh = 0
  private[this] var bits = 0L
  private[this] var found = 0
  private[this] var answered = 0
  private[this] var vertex = 0

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    lanes.open(asks.sources, asks.sourceCount)
    fresh = -1
    bits = 0L
    answered = 0
    found = 0
  }

  override def next(): Boolean = {
    var isFound = false
    while (!isFound && (bits != 0L || goOn())) {
      val lane = java.lang.Long.numberOfTrailingZeros(bits)
      bits &= bits - 1
      if (comesBack || asks.sources(lane) != vertex) {
        found = if (asks.isBound) asks.find(lane, vertex) else lane
        isFound = found >= 0
      }
    }
    if (isFound) answered += 1
    isFound
  }

  /** Goes on to the next vertex that somebody may have asked for. */
  private def goOn(): Boolean = {
    var isOpen = asks.sourceCount > 0
    while (isOpen && bits == 0L) {
      fresh += 1
      if (fresh == 0 || fresh >= lanes.freshCount) {
        fresh = 0
        isOpen = !(asks.isBound && answered == asks.count) && lanes.advance()
      }
      if (isOpen) {
        vertex = lanes.freshVertex(fresh)
        if (asks.isWanted(vertex)) bits = lanes.freshLanes(fresh)
      }
    }
    isOpen
  }

  override def ask: Int = found
  override def target: Int = vertex
  override def length: Int = lanes.level
}

/** From one source after the other, with paths. */
final private[paths] class BreadthFinder(search: BreadthSearch, hops: Hops, comesBack: Boolean)
    extends PathFinder {
  private[this] val walk = new VertexPath
  private[this] val walked = new WalkedPath(walk)
  private[this] var asks: PathAsks = _
  private[this] var source = -1
  private[this] var isInLevel = false
  private[this] var fresh = 0

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    source = -1
    isInLevel = false
  }

  override def next(): Boolean = {
    var isFound = false
    while (!isFound && source < asks.sourceCount) {
      fresh += 1
      if (isInLevel && fresh < search.freshCount) {
        isFound = comesBack || target != asks.sources(source)
      } else if (source >= 0 && search.advance()) {
        isInLevel = true
        fresh = -1
      } else {
        isInLevel = false
        source += 1
        if (source < asks.sourceCount) search.open(asks.sources(source), hops)
      }
    }
    if (isFound) search.path(target, walk)
    isFound
  }

  override def ask: Int = source
  override def target: Int = search.freshVertex(fresh)
  override def length: Int = search.level
  override def path: RoutePath = walked
}

/** From both ends, a pair after the other. */
final private[paths] class PairFinder(
    search: PairSearch,
    hops: Hops,
    wantsPath: Boolean,
    comesBack: Boolean)
    extends PathFinder {
  private[this] val walk = new VertexPath
  private[this] val walked = new WalkedPath(walk)
  private[this] var asks: PathAsks = _
  private[this] var at = 0
  private[this] var steps = 0

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    at = -1
  }

  override def next(): Boolean = {
    var isFound = false
    while (!isFound && at + 1 < asks.count) {
      at += 1
      val (s, t) = (asks.source(at), asks.target(at))
      steps =
        if (!comesBack && s == t && hops.least > 0) -1
        else if (wantsPath) search.path(s, t, hops, walk)
        else search.distance(s, t, hops)
      isFound = steps >= 0
    }
    isFound
  }

  override def ask: Int = at
  override def target: Int = asks.target(at)
  override def length: Int = steps
  override def path: RoutePath = walked
}

/** From both ends, or as lanes where these read less. */
final private[paths] class PairOrLaneFinder(pairs: => PathFinder, lanes: => PathFinder)
    extends PathFinder {
  private[this] lazy val byPair = pairs
  private[this] lazy val byLane = lanes
  private[this] var chosen: PathFinder = _

  override def open(asks: PathAsks): Unit = {
    chosen =
      if (asks.count < PairOrLaneFinder.TargetsWorthALane * asks.sourceCount) byPair
      else byLane
    chosen.open(asks)
  }

  override def next(): Boolean = chosen.next()
  override def ask: Int = chosen.ask
  override def target: Int = chosen.target
  override def length: Int = chosen.length
}

private object PairOrLaneFinder {

  /** A lane reads all that a source reaches; a pair little of it. */
  final val TargetsWorthALane = 8L
}

/** The vertices of a path along one label. */
private[paths] class WalkedPath(walk: VertexPath) extends RoutePath {
  override def length: Int = walk.size - 1
  override def vertex(i: Int): Int = walk(i)
  override def label(i: Int): Int = 0
  override def copy(i: Int): Int = 0
}
