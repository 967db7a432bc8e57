package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * Breadth-first search from up to 64 sources at once, a bit for each: what two sources have in common
 * is read once.
 *
 * Level by level: each call of [[advance]] goes on to the next level that has something new, and between
 * two calls `fresh…` tell which vertices it reached first, from which sources. So rows leave as they are
 * found, and whoever has enough rows stops calling.
 *
 * A vertex is new at the least number of steps, within the bounds, by which a path leads to it. Below
 * the lower bound nothing is remembered, for a path may come back to where it was; from there on a path
 * that comes back is no news. So with a lower bound of 1 a source is reached only if a cycle leads back.
 *
 * Few active vertices push their bits along their lists. Many are worth a look from the other side: each
 * vertex that still lacks a bit reads its sources until it lacks none.
 *
 * Memory: [[LaneSearch.bytes]], all of it taken when the search is made; opening it again takes none.
 * Not thread-safe: one for each task.
 *
 * @param interrupt runs several times a millisecond, and ends the search by throwing
 */
final class LaneSearch(steps: Steps, interrupt: Runnable = Pieces.NoInterrupt) {
  private[this] val out = steps.out
  private[this] val in = steps.in
  private[this] val n = steps.vertexCount
  private[this] val read = new ElementCounter(interrupt)
  private[this] val edges = LaneSearch.elements(steps, read)

  private[this] val seen = new Array[Long](n)
  // Zero but at active vertices, and zero between levels.
  private[this] var frontier = new Array[Long](n)
  private[this] var next = new Array[Long](n)
  private[this] var active = new Array[Int](n)
  private[this] var reached = new Array[Int](n)
  private[this] var activeCount = 0
  private[this] var activeEdges = 0L
  private[this] var lanes = 0L
  private[this] var least = 0
  private[this] var most = 0
  private[this] var depth = -1

  /**
   * Begins anew.
   *
   * @param sources lane i begins at `sources(from + i)`; two lanes may begin at one vertex
   * @param count how many, 64 at most
   */
  def open(sources: Array[Int], from: Int, count: Int, hops: Hops): Unit = {
    if (count < 0 || count > LaneSearch.Lanes) {
      throw new IllegalArgumentException(s"$count sources do not fit ${LaneSearch.Lanes} lanes.")
    }
    clearFrontier()
    if (depth == LaneSearch.Broken) {
      Arrays.fill(next, 0L)
      Arrays.fill(frontier, 0L)
    }
    Arrays.fill(seen, 0L)
    lanes = if (count == 64) -1L else (1L << count) - 1
    least = hops.least
    most = hops.most
    depth = -1
    activeCount = 0
    activeEdges = 0L
    var i = 0
    while (i < count) {
      val v = sources(from + i)
      if (frontier(v) == 0L) {
        active(activeCount) = v
        activeCount += 1
        activeEdges += out.degree(v)
      }
      frontier(v) |= 1L << i
      if (least == 0) seen(v) |= 1L << i
      i += 1
    }
  }

  /** Goes on to the next level within the bounds that has new vertices; false if there is none. */
  def advance(): Boolean = {
    if (depth == LaneSearch.Broken)
      throw new IllegalStateException("This search was interrupted.")
    if (depth < 0) depth = 0 else step()
    while (depth < least && activeCount > 0) step()
    activeCount > 0
  }

  /** The number of steps to all that is new. */
  def level: Int = depth

  /** How many vertices are new, from some source. */
  def freshCount: Int = activeCount

  def freshVertex(i: Int): Int = active(i)

  /** The lanes to which `freshVertex(i)` is new. */
  def freshLanes(i: Int): Long = frontier(active(i))

  /** List elements that were read, by all searches so far. */
  def elementsRead: Long = read.elements

  private def step(): Unit = {
    if (depth >= most || activeCount == 0) clearFrontier()
    else {
      val now = depth + 1
      depth = LaneSearch.Broken
      if (activeEdges > edges / LaneSearch.PullShare) pull(now) else push(now)
      depth = now
    }
  }

  private def clearFrontier(): Unit = {
    var i = 0
    while (i < activeCount) {
      frontier(active(i)) = 0L
      i += 1
    }
    activeCount = 0
    activeEdges = 0L
  }

  private def push(now: Int): Unit = {
    val (out, seen, frontier, next) = (this.out, this.seen, this.frontier, this.next)
    val (active, reached) = (this.active, this.reached)
    var found = 0
    var i = 0
    while (i < activeCount) {
      val v = active(i)
      val bits = frontier(v)
      frontier(v) = 0L
      val list = out.array(v)
      var k = out.from(v)
      val end = out.until(v)
      read.add(end - k)
      while (k < end) {
        val u = list(k)
        val had = next(u)
        if (had == 0L) {
          reached(found) = u
          found += 1
        }
        next(u) = had | bits
        k += 1
      }
      i += 1
    }
    read.worked(found)
    val remembers = now >= least
    var kept = 0
    var sum = 0L
    i = 0
    while (i < found) {
      val u = reached(i)
      val before = seen(u)
      val fresh = next(u) & ~before
      next(u) = 0L
      if (fresh != 0L) {
        if (remembers) seen(u) = before | fresh
        frontier(u) = fresh
        active(kept) = u
        kept += 1
        sum += out.degree(u)
      }
      i += 1
    }
    activeCount = kept
    activeEdges = sum
  }

  private def pull(now: Int): Unit = {
    val (out, in, seen, frontier, next) = (this.out, this.in, this.seen, this.frontier, this.next)
    val (reached, lanes) = (this.reached, this.lanes)
    val remembers = now >= least
    var found = 0
    var sum = 0L
    var work = 0
    var v = 0
    while (v < n) {
      val before = seen(v)
      if (before != lanes) {
        val list = in.array(v)
        val start = in.from(v)
        val end = in.until(v)
        var k = start
        var bits = before
        while (k < end && bits != lanes) {
          bits |= frontier(list(k))
          k += 1
        }
        work += k - start
        val fresh = bits & ~before
        if (fresh != 0L) {
          if (remembers) seen(v) = bits
          next(v) = fresh
          reached(found) = v
          found += 1
          sum += out.degree(v)
        }
      }
      work += 1
      if (work >= LaneSearch.BetweenLooks) {
        read.add(work)
        work = 0
      }
      v += 1
    }
    read.add(work)
    clearFrontier()
    this.next = frontier
    this.frontier = next
    this.reached = active
    this.active = reached
    activeCount = found
    activeEdges = sum
  }
}

object LaneSearch {

  /** How many sources one search takes. */
  final val Lanes = 64

  /** All that a search holds: three words and two numbers for each vertex. */
  def bytes(vertexCount: Int): Long = 32L * vertexCount

  /** Pull when the active vertices have more than this share of all edges. */
  final private val PullShare = 20

  final private val BetweenLooks = 1 << 14

  /** The depth while a level is made: a search that was interrupted has left bits anywhere. */
  final private val Broken = -2

  /** List elements of all vertices. */
  private[path] def elements(steps: Steps, read: ElementCounter): Long = {
    var sum = 0L
    var v = 0
    while (v < steps.vertexCount) {
      if (Pieces.isStart(v)) read.worked(ElementCounter.BetweenChecks)
      sum += steps.out.degree(v)
      v += 1
    }
    sum
  }
}
