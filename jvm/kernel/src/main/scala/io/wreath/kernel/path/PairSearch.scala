package io.wreath.kernel.path

import io.wreath.kernel.lists.{ElementCounter, GallopingSearch, Pieces}

/**
 * The shortest path between two vertices, searched from both at once: always the side that has less to
 * read goes one level on, until a vertex is found by both.
 *
 * The queue of the source's side is in the order of the paths (as in [[BreadthSearch]]). So of all
 * vertices by which both sides meet, the one that stands first in it begins the path with the smallest
 * codes; from there each step takes the smallest code that comes nearer to the target.
 *
 * Memory: [[PairSearch.bytes]], taken when the search is made; a pair costs what it reads and no pass over
 * all vertices. Not thread-safe: one for each task.
 *
 * @param interrupt runs several times a millisecond, and ends the search by throwing
 */
final class PairSearch(steps: Steps, interrupt: Runnable = Pieces.NoInterrupt) {

  import PairSearch._

  private[this] val out = steps.out
  private[this] val in = steps.in
  private[this] val n = steps.vertexCount
  private[this] val read = new ElementCounter(interrupt)

  // Places in the queue, from 1 on; 0 where the source's side has not been.
  private[this] val places = new Array[Int](n)
  private[this] val queue = new Array[Int](n)
  private[this] val parents = new Array[Int](n)
  private[this] var found = 0
  // Steps to the target, one more; 0 where the target's side has not been.
  private[this] val toTarget = new Array[Int](n)
  private[this] val targetQueue = new Array[Int](n)
  private[this] var targetFound = 0

  private[this] var meeting = None

  /**
   * The least number of steps from `source` to `target`, or -1 if there is none within the bounds.
   *
   * @param hops with a lower bound of 0 or 1; with 1 the path from a vertex to itself is a cycle
   */
  def distance(source: Int, target: Int, hops: Hops): Int = search(source, target, hops, null)

  /** The same, with the vertices of the shortest path that has the smallest codes. */
  def path(source: Int, target: Int, hops: Hops, into: VertexPath): Int =
    search(source, target, hops, into)

  /** List elements that were read, by all searches so far. */
  def elementsRead: Long = read.elements

  private def search(source: Int, target: Int, hops: Hops, into: VertexPath): Int = {
    if (hops.least > 1) {
      throw new IllegalArgumentException(
        s"Paths of at least ${hops.least} steps may visit a vertex again on the way to it.")
    }
    clear()
    if (into != null) into.clear()
    meeting = None
    places(source) = 1
    queue(0) = source
    parents(0) = None
    found = 1
    toTarget(target) = 1
    targetQueue(0) = target
    targetFound = 1
    if (source == target && hops.least == 0) {
      if (into != null) into.add(source)
      0
    } else if (source == target && hops.most > 0 && hasLoop(source)) {
      if (into != null) {
        into.add(source)
        into.add(source)
      }
      1
    } else {
      val length = meet(hops.most, source == target, into != null)
      if (length > 0 && into != null) write(into)
      length
    }
  }

  private def meet(most: Int, isCycle: Boolean, wantsFirst: Boolean): Int = {
    var begin = 0
    var targetBegin = 0
    var edges = out.degree(queue(0)).toLong
    var targetEdges = in.degree(targetQueue(0)).toLong
    var length = 0
    while (meeting == None && length < most && begin < found && targetBegin < targetFound) {
      length += 1
      // Of a cycle each side has seen its one end from the start: both must take a step to meet.
      val isSourcesTurn =
        if (isCycle && length <= 2) length == 1 else edges <= targetEdges
      if (isSourcesTurn) {
        val end = found
        edges = fromSource(begin, end)
        begin = end
      } else {
        val end = targetFound
        targetEdges = fromTarget(targetBegin, end, wantsFirst)
        targetBegin = end
      }
    }
    if (meeting == None) -1 else length
  }

  /** One level on; the number of list elements of the next. The first meeting is the first of all. */
  private def fromSource(begin: Int, end: Int): Long = {
    val (places, queue, parents, toTarget, out) =
      (this.places, this.queue, this.parents, this.toTarget, this.out)
    var edges = 0L
    var i = begin
    while (i < end) {
      val v = queue(i)
      val list = out.array(v)
      var k = out.from(v)
      val stop = out.until(v)
      read.add(stop - k)
      while (k < stop) {
        val u = list(k)
        if (places(u) == 0) {
          queue(found) = u
          parents(found) = i
          found += 1
          places(u) = found
          if (toTarget(u) != 0) {
            meeting = u
            return 0L
          }
          edges += out.degree(u)
        }
        k += 1
      }
      i += 1
    }
    edges
  }

  /** One level on from the target's side; of the meetings the one that the source's queue has first. */
  private def fromTarget(begin: Int, end: Int, wantsFirst: Boolean): Long = {
    val (places, targetQueue, toTarget, in) =
      (this.places, this.targetQueue, this.toTarget, this.in)
    val steps = toTarget(targetQueue(begin)) + 1
    var edges = 0L
    var i = begin
    while (i < end) {
      val v = targetQueue(i)
      val list = in.array(v)
      var k = in.from(v)
      val stop = in.until(v)
      read.add(stop - k)
      while (k < stop) {
        val u = list(k)
        if (toTarget(u) == 0) {
          toTarget(u) = steps
          targetQueue(targetFound) = u
          targetFound += 1
          if (places(u) != 0) {
            if (meeting == None || places(u) < places(meeting)) meeting = u
            if (!wantsFirst) return 0L
          }
          edges += in.degree(u)
        }
        k += 1
      }
      i += 1
    }
    edges
  }

  private def write(into: VertexPath): Unit = {
    var place = places(meeting) - 1
    while (place != None) {
      into.add(queue(place))
      place = parents(place)
    }
    into.reverse(0)
    var v = meeting
    var left = toTarget(v)
    while (left > 1) {
      val list = out.array(v)
      var k = out.from(v)
      while (toTarget(list(k)) != left - 1) k += 1
      read.add(k - out.from(v) + 1)
      v = list(k)
      into.add(v)
      left -= 1
    }
  }

  private def hasLoop(v: Int): Boolean =
    GallopingSearch.find(out.array(v), out.from(v), out.until(v), v) >= 0

  private def clear(): Unit = {
    var i = 0
    while (i < found) {
      places(queue(i)) = 0
      i += 1
    }
    i = 0
    while (i < targetFound) {
      toTarget(targetQueue(i)) = 0
      i += 1
    }
    read.worked(found + targetFound)
    found = 0
    targetFound = 0
  }
}

object PairSearch {

  /** All that a search holds: five numbers for each vertex. */
  def bytes(vertexCount: Int): Long = 20L * vertexCount

  final private val None = -1
}
