package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * Breadth-first search from one source, level by level as [[LaneSearch]]: for few sources, and for paths.
 *
 * All vertices found stand in one queue, in which a level is a range. A level with many edges is found
 * from the other side: each vertex that is not yet found looks for a source in the level before.
 *
 * Where paths are asked for, all levels push. Then the queue is in the order of the paths, vertex by
 * vertex, for lists ascend; so whoever finds a vertex first gives it, of all shortest paths, the one
 * with the smallest codes.
 *
 * Memory: [[BreadthSearch.bytes]], taken when the search is made. Not thread-safe: one for each task.
 *
 * @param withPaths whether [[path]] may be called
 * @param interrupt runs several times a millisecond, and ends the search by throwing
 */
final class BreadthSearch(
    steps: Steps,
    withPaths: Boolean = false,
    interrupt: Runnable = Pieces.NoInterrupt) {

  import BreadthSearch._

  private[this] val out = steps.out
  private[this] val in = steps.in
  private[this] val n = steps.vertexCount
  private[this] val read = new ElementCounter(interrupt)
  private[this] val edges = LaneSearch.elements(steps, read)

  private[this] val distances = new Array[Int](n)
  Arrays.fill(distances, Unreached)
  private[this] val queue = new Array[Int](n)
  // Where in the queue the vertex stands from which the one at a place was found.
  private[this] val parents = if (withPaths) new Array[Int](n) else null
  private[this] val places = if (withPaths) new Array[Int](n) else null
  private[this] val isActive = if (withPaths) null else new Array[Long]((n + 63) >>> 6)
  private[this] var source = 0
  private[this] var begin = 0
  private[this] var end = 0
  // What the first level pushes from is no vertex that was found where a path must have a step.
  private[this] var isSourceFound = false
  private[this] var most = 0
  private[this] var depth = -1
  private[this] var unread = 0L
  private[this] var isPulling = false

  /** @param hops with a lower bound of 0 or 1; with 1 the source is found only if a cycle leads back */
  def open(source: Int, hops: Hops): Unit = {
    if (hops.least > 1) {
      throw new IllegalArgumentException(
        s"Paths of at least ${hops.least} steps may visit a vertex again on the way to it.")
    }
    var i = 0
    while (i < end) {
      if (Pieces.isStart(i)) interrupt.run()
      distances(queue(i)) = Unreached
      i += 1
    }
    if (isActive != null) Arrays.fill(isActive, 0L)
    this.source = source
    isSourceFound = hops.least == 0
    most = hops.most
    depth = -1
    begin = 0
    end = 0
    unread = edges
    isPulling = false
    if (isSourceFound) {
      queue(0) = source
      distances(source) = 0
      if (withPaths) {
        parents(0) = NoParent
        places(source) = 0
      }
      end = 1
    }
  }

  /** Goes on to the next level that has vertices; false if there is none. */
  def advance(): Boolean = {
    if (depth < 0 && isSourceFound) depth = 0
    else if (depth < 0) {
      depth = 1
      if (most > 0) pushFrom(source, NoParent)
    } else if (depth >= most) begin = end
    else {
      val (from, until) = (begin, end)
      begin = end
      depth += 1
      val active = edgesOf(from, until)
      isPulling = !withPaths &&
        (if (isPulling) until - from >= n / PushShare else active > unread / PullShare)
      if (isPulling) pull(from, until) else push(from, until)
      unread -= active
    }
    begin < end
  }

  /** The number of steps to all that is new. */
  def level: Int = depth

  def freshCount: Int = end - begin

  def freshVertex(i: Int): Int = queue(begin + i)

  /** Steps to `v`, as far as the levels have come, or -1. */
  def distance(v: Int): Int = distances(v)

  /** List elements that were read, by all searches so far. */
  def elementsRead: Long = read.elements

  /** Of the shortest paths to a vertex that was found, the one with the smallest codes. */
  def path(target: Int, into: VertexPath): Unit = {
    into.clear()
    var place = places(target)
    while (place != NoParent) {
      into.add(queue(place))
      place = parents(place)
    }
    if (!isSourceFound) into.add(source)
    into.reverse(0)
  }

  private def edgesOf(from: Int, until: Int): Long = {
    var sum = 0L
    var i = from
    while (i < until) {
      sum += out.degree(queue(i))
      i += 1
    }
    read.worked(until - from)
    sum
  }

  private def push(from: Int, until: Int): Unit = {
    var i = from
    while (i < until) {
      pushFrom(queue(i), i)
      i += 1
    }
  }

  private def pushFrom(v: Int, place: Int): Unit = {
    val (distances, queue, depth) = (this.distances, this.queue, this.depth)
    val list = out.array(v)
    var k = out.from(v)
    val stop = out.until(v)
    read.add(stop - k)
    var found = end
    while (k < stop) {
      val u = list(k)
      if (distances(u) < 0) {
        distances(u) = depth
        queue(found) = u
        if (withPaths) {
          parents(found) = place
          places(u) = found
        }
        found += 1
      }
      k += 1
    }
    end = found
  }

  private def pull(from: Int, until: Int): Unit = {
    val (in, distances, queue, isActive) = (this.in, this.distances, this.queue, this.isActive)
    var i = from
    while (i < until) {
      isActive(queue(i) >>> 6) |= 1L << queue(i)
      i += 1
    }
    val depth = this.depth
    var found = end
    var work = 0
    var v = 0
    while (v < n) {
      if (distances(v) < 0) {
        val list = in.array(v)
        val start = in.from(v)
        val stop = in.until(v)
        var k = start
        while (k < stop && (isActive(list(k) >>> 6) >>> list(k) & 1L) == 0L) k += 1
        work += k - start
        if (k < stop) {
          distances(v) = depth
          queue(found) = v
          found += 1
          // For whoever opens the search again after an interrupt.
          end = found
        }
      }
      work += 1
      if (work >= BetweenLooks) {
        read.add(work)
        work = 0
      }
      v += 1
    }
    read.add(work)
    i = from
    while (i < until) {
      isActive(queue(i) >>> 6) = 0L
      i += 1
    }
  }
}

object BreadthSearch {

  /** All that a search holds. */
  def bytes(vertexCount: Int, withPaths: Boolean): Long =
    8L * vertexCount + (if (withPaths) 8L * vertexCount else vertexCount / 8 + 8L)

  final private val Unreached = -1
  final private val NoParent = -1

  /** Begin to pull when the level has more than this share of the edges that are not yet read … */
  final private val PullShare = 4

  /** … and push again when it has less than this share of all vertices. */
  final private val PushShare = 18

  final private val BetweenLooks = 1 << 14
}
