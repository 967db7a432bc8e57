package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * Who is reached along a route, and by how many steps at least, from up to 64 sources at once: as
 * [[LaneSearch]], through (vertex, state). A vertex is new when a walk first comes to it in a state that accepts.
 *
 * Memory: [[RouteLanes.bytes]], taken when the search is made. Not thread-safe: one for each task.
 *
 * @param interrupt runs several times a millisecond, and ends the search by throwing
 */
final class RouteLanes(route: Route, interrupt: Runnable = Pieces.NoInterrupt) {
  private[this] val n = route.vertexCount
  private[this] val pairs = route.pairCount.toInt
  private[this] val read = new ElementCounter(interrupt)

  private[this] val seen = new Array[Long](pairs)
  private[this] val frontier = new Array[Long](pairs)
  private[this] val next = new Array[Long](pairs)
  private[this] val active = new Array[Int](pairs)
  private[this] val reached = new Array[Int](pairs)
  private[this] var activeCount = 0
  private[this] val accepted = new Array[Long](n)
  private[this] val news = new Array[Long](n)
  private[this] val fresh = new Array[Int](n)
  private[this] var found = 0
  private[this] var depth = -1

  /** @param sources lane i begins at `sources(from + i)` */
  def open(sources: Array[Int], from: Int, count: Int): Unit = {
    if (count < 0 || count > LaneSearch.Lanes) {
      throw new IllegalArgumentException(s"$count sources do not fit ${LaneSearch.Lanes} lanes.")
    }
    Seq(seen, frontier, next, accepted, news).foreach(Arrays.fill(_, 0L))
    found = 0
    activeCount = 0
    depth = -1
    var i = 0
    while (i < count) {
      val pair = route.pair(sources(from + i), 0)
      if (seen(pair) == 0L) {
        active(activeCount) = pair
        activeCount += 1
      }
      seen(pair) |= 1L << i
      frontier(pair) |= 1L << i
      i += 1
    }
  }

  /** Goes on to the next level that has something new; false if there is none. */
  def advance(): Boolean = {
    found = 0
    while (found == 0 && activeCount > 0) {
      if (depth >= 0) push()
      depth += 1
      accept()
    }
    found > 0
  }

  /** The number of steps to all that is new. */
  def level: Int = depth

  def freshCount: Int = found

  def freshVertex(i: Int): Int = fresh(i)

  /** The lanes to which `freshVertex(i)` is new. */
  def freshLanes(i: Int): Long = news(fresh(i)) & accepted(fresh(i))

  private def push(): Unit = {
    var count = 0
    var i = 0
    while (i < activeCount) {
      val pair = active(i)
      val bits = frontier(pair)
      frontier(pair) = 0L
      var label = 0
      while (label < route.labelCount) {
        val to = route.automaton.move(pair / n, label)
        if (to >= 0) count = pushAlong(route.steps(label), pair % n, to * n, bits, count)
        label += 1
      }
      i += 1
    }
    activeCount = 0
    i = 0
    while (i < count) {
      val pair = reached(i)
      val bits = next(pair) & ~seen(pair)
      next(pair) = 0L
      if (bits != 0L) {
        seen(pair) |= bits
        frontier(pair) = bits
        active(activeCount) = pair
        activeCount += 1
      }
      i += 1
    }
    read.worked(count)
  }

  private def pushAlong(steps: Steps, v: Int, base: Int, bits: Long, from: Int): Int = {
    val (next, reached) = (this.next, this.reached)
    val list = steps.out.array(v)
    var k = steps.out.from(v)
    val end = steps.out.until(v)
    read.add(end - k + 1)
    var count = from
    while (k < end) {
      val to = base + list(k)
      val had = next(to)
      if (had == 0L) {
        reached(count) = to
        count += 1
      }
      next(to) = had | bits
      k += 1
    }
    count
  }

  /** Of what is active, the vertices in accepting states that some lane did not have so far. */
  private def accept(): Unit = {
    var i = 0
    while (i < activeCount) {
      val pair = active(i)
      if (route.automaton.accepts(pair / n)) {
        val v = pair % n
        val bits = frontier(pair) & ~accepted(v)
        if (bits != 0L) {
          // What is left there of an earlier level is accepted already.
          val more = news(v) & ~accepted(v)
          if (more == 0L) {
            fresh(found) = v
            found += 1
          }
          news(v) = more | bits
        }
      }
      i += 1
    }
    i = 0
    while (i < found) {
      val v = fresh(i)
      accepted(v) |= news(v)
      i += 1
    }
    read.worked(activeCount)
  }
}

object RouteLanes {

  def bytes(route: Route): Long = 32L * route.pairCount + 20L * route.vertexCount
}
