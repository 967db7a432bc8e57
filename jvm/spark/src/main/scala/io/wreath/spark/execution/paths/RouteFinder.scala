package io.wreath.spark.execution.paths

import io.wreath.kernel.path._

/** Least costs, from one source after the other. */
final private[paths] class CheapestFinder(
    search: CheapestSearch,
    costs: EdgeCosts,
    hops: Hops,
    wantsPath: Boolean,
    comesBack: Boolean,
    vertexCount: Int)
    extends PathFinder {
  private[this] val walk = new VertexPath
  private[this] val walked = new WalkedPath(walk) {
    override def copy(i: Int): Int = costs.cheapest(position(walk(i), walk(i + 1)))
  }
  // A path costs a pass over the edges after each vertex that is settled: so all are settled before.
  private[this] val settled = if (wantsPath) new Array[Int](vertexCount) else null
  private[this] var settledCount = 0
  private[this] var at = 0
  private[this] var asks: PathAsks = _
  private[this] var source = -1
  private[this] var left = 0
  private[this] var found = 0
  private[this] var vertex = 0

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    source = -1
    settledCount = 0
    at = 0
    left = 0
  }

  override def next(): Boolean = {
    var isFound = false
    var isOpen = asks.sourceCount > 0
    while (isOpen && !isFound) {
      if (source >= 0 && advance()) {
        found = asks.askOf(source, vertex)
        isFound = found >= 0 && (comesBack || vertex != asks.sources(source))
      } else isOpen = nextSource()
    }
    if (isFound && wantsPath) search.path(vertex, walk)
    isFound
  }

  private def nextSource(): Boolean = {
    source += 1
    source < asks.sourceCount && {
      search.open(asks.sources(source), hops)
      left = asks.targetCount(source)
      if (wantsPath) {
        settledCount = 0
        at = 0
        while (settle()) {
          settled(settledCount) = search.vertex
          settledCount += 1
        }
      }
      true
    }
  }

  /** Settles the next vertex, unless all that are asked for are. */
  private def settle(): Boolean =
    left > 0 && search.advance() && {
      if (asks.isBound && asks.askOf(source, search.vertex) >= 0) left -= 1
      true
    }

  private def advance(): Boolean =
    if (!wantsPath) {
      val isThere = settle()
      vertex = search.vertex
      isThere
    } else if (at < settledCount) {
      vertex = settled(at)
      at += 1
      true
    } else false

  private def position(v: Int, w: Int): Int =
    io.wreath.kernel.lists.GallopingSearch.find(
      costs.steps.out.array(v),
      costs.steps.out.from(v),
      costs.steps.out.until(v),
      w)

  override def ask: Int = found
  override def target: Int = vertex
  override def length: Int = walk.size - 1
  override def longCost: Long = search.longCost(vertex)
  override def doubleCost: Double = search.doubleCost(vertex)
  override def path: RoutePath = walked
}

/** All paths of a mode. */
final private[paths] class EnumerationFinder(paths: PathEnumerator, hops: Hops)
    extends PathFinder {
  private[this] var asks: PathAsks = _
  private[this] var at = 0
  private[this] var aim = EnumerationFinder.Nowhere

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    at = -1
  }

  override def next(): Boolean = {
    var isFound = at >= 0 && at < asks.count && paths.next()
    while (!isFound && at + 1 < asks.count) {
      at += 1
      if (aim != asks.target(at)) {
        aim = EnumerationFinder.Nowhere
        paths.aim(asks.target(at))
        aim = asks.target(at)
      }
      paths.open(asks.source(at), hops)
      isFound = paths.next()
    }
    isFound
  }

  override def ask: Int = at
  override def target: Int = paths.vertex(paths.length)
  override def length: Int = paths.length
  override def path: RoutePath = paths
}

private object EnumerationFinder {
  final val Nowhere = -2
}

/** Some of the shortest paths, to targets that are given. */
final private[paths] class ShortestFinder(routes: ShortestRoutes) extends PathFinder {
  private[this] var asks: PathAsks = _
  private[this] var at = 0
  private[this] var aim = -1

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    at = -1
    aim = -1
  }

  override def next(): Boolean = {
    var isFound = at >= 0 && at < asks.count && routes.next()
    while (!isFound && at + 1 < asks.count) {
      at += 1
      if (aim != asks.target(at)) {
        aim = asks.target(at)
        routes.aim(aim)
      }
      routes.open(asks.source(at))
      isFound = routes.next()
    }
    isFound
  }

  override def ask: Int = at
  override def target: Int = aim
  override def length: Int = routes.length
  override def path: RoutePath = routes
}

/**
 * Some of the shortest paths to all targets.
 *
 * @param routes where whole groups of paths are wanted, over the reversed route: one search back from the source
 *   serves all targets. Else the first ones are wanted as they are from the source on, so each target is searched for
 * @param reach of the sources, where targets are searched for one by one
 */
final private[paths] class AllShortestFinder(
    routes: ShortestRoutes,
    isReversed: Boolean,
    reach: Option[RouteLanes],
    vertexCount: Int,
    interrupt: Runnable)
    extends PathFinder {
  private[this] val reversed = new ReversedPath(routes)
  private[this] val reached = new java.util.BitSet
  private[this] var asks: PathAsks = _
  private[this] var at = 0
  private[this] var vertex = 0

  override def open(asks: PathAsks): Unit = {
    this.asks = asks
    at = -1
    vertex = vertexCount
  }

  override def next(): Boolean = {
    var isFound = vertex < vertexCount && routes.next()
    while (!isFound && at < asks.count) {
      vertex += 1
      if (vertex >= vertexCount) nextSource()
      else if (reach.isEmpty || reached.get(vertex)) {
        if (isReversed) routes.open(vertex)
        else {
          routes.aim(vertex)
          routes.open(asks.source(at))
        }
        isFound = routes.next()
      }
      if ((vertex & AllShortestFinder.BetweenLooks) == 0) interrupt.run()
    }
    isFound
  }

  private def nextSource(): Unit = {
    at += 1
    if (at < asks.count) {
      vertex = -1
      val source = asks.source(at)
      if (isReversed) routes.aim(source)
      reach.foreach { lanes =>
        reached.clear()
        lanes.open(Array(source), 0, 1)
        while (lanes.advance()) {
          var i = 0
          while (i < lanes.freshCount) {
            reached.set(lanes.freshVertex(i))
            i += 1
          }
        }
      }
    }
  }

  override def ask: Int = at
  override def target: Int = vertex
  override def length: Int = routes.length
  override def path: RoutePath = if (isReversed) reversed else routes
}

private object AllShortestFinder {
  final val BetweenLooks = (1 << 10) - 1
}

/** A path that was found from its end on. */
final private class ReversedPath(path: RoutePath) extends RoutePath {
  override def length: Int = path.length
  override def vertex(i: Int): Int = path.vertex(path.length - i)
  override def label(i: Int): Int = path.label(path.length - 1 - i)
  override def copy(i: Int): Int = path.copy(path.length - 1 - i)
}
