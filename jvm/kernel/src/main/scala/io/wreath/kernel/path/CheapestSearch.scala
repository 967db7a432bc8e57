package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * Cheapest paths from one source. Each call of [[advance]] settles one vertex more, whose cost is final
 * then, so that whoever has enough stops calling. Costs of vertices that follow one another ascend, but for less
 * than the least cost of an edge.
 *
 * Of cheapest paths to one vertex the first has the fewest steps, and of those the smallest codes. It is
 * found by going breadth first, once a source, along those edges that some cheapest path takes.
 *
 * Memory: [[CheapestSearch.bytes]], taken when the search is made. Not thread-safe: one for each task.
 *
 * @param withPaths whether [[path]] may be called
 * @param interrupt runs several times a millisecond, and ends the search by throwing
 */
final class CheapestSearch(
    costs: EdgeCosts,
    withPaths: Boolean = false,
    interrupt: Runnable = Pieces.NoInterrupt) {

  private[this] val lists = costs.lists
  private[this] val n = lists.vertexCount
  private[this] val read = new ElementCounter(interrupt)

  private[this] val waiting = CostQueue.of(costs)
  private[this] var current = -1
  private[this] val tree = if (withPaths) new Array[Int](n) else null
  private[this] val parents = if (withPaths) new Array[Int](n) else null
  private[this] val places = if (withPaths) new Array[Int](n) else null
  private[this] var source = 0
  private[this] var isSourceFound = false
  private[this] var treeCount = 0
  private[this] var treeOf = -1

  /** @param hops [[Hops.any]], or [[Hops.some]]: then the source is found only if a cycle leads back */
  def open(source: Int, hops: Hops): Unit = {
    if (hops.least > 1 || hops.most != Hops.Unbounded) {
      throw new IllegalArgumentException(
        s"Cheapest paths are sought by their cost, whatever their length, but not within " +
          s"{${hops.least},${hops.most}} steps.")
    }
    read.worked(waiting.size)
    waiting.clear()
    this.source = source
    isSourceFound = hops.least == 0
    treeOf = -1
    current = -1
    if (isSourceFound) waiting.start(source) else relax(source, 0L)
  }

  /** Settles the next vertex; false if there is none. */
  def advance(): Boolean = if (waiting.isEmpty) {
    current = -1
    false
  } else {
    val v = waiting.take()
    current = v
    relax(v, waiting.keys(v))
    true
  }

  /** The vertex that was settled last. */
  def vertex: Int = current

  def isSettled(v: Int): Boolean = waiting.wasTaken(v)

  /** The cost of a settled vertex, of costs that are longs. */
  def longCost(v: Int): Long = waiting.keys(v)

  /** The cost of a settled vertex, of costs that are doubles. */
  def doubleCost(v: Int): Double = java.lang.Double.longBitsToDouble(waiting.keys(v))

  /** List elements that were read, by all searches so far. */
  def elementsRead: Long = read.elements

  private def relax(v: Int, here: Long): Unit = {
    val (keys, steps, list) = (waiting.keys, costs.keys, lists.neighbours)
    var k = lists.from(v)
    val end = lists.until(v)
    read.add(end - k)
    while (k < end) {
      val u = list(k)
      val key = costs.sum(here, steps(k))
      // Whoever is settled has a key that no sum is below, and whoever is new one that every sum is below.
      if (java.lang.Long.compareUnsigned(key, keys(u)) < 0) {
        costs.check(key)
        waiting.lower(u, key)
      }
      k += 1
    }
  }

  /** The first of the cheapest paths to a settled vertex. */
  def path(target: Int, into: VertexPath): Unit = {
    if (treeOf != waiting.taken) makeTree()
    into.clear()
    var place = places(target)
    while (place >= 0) {
      into.add(tree(place))
      place = parents(place)
    }
    if (!isSourceFound) into.add(source)
    into.reverse(0)
  }

  /** Breadth first along edges that make the cost of their end, among settled vertices. */
  private def makeTree(): Unit = {
    Arrays.fill(places, -1)
    treeCount = 0
    if (isSourceFound) plant(source, -1) else branch(source, 0L, -1)
    var i = 0
    while (i < treeCount) {
      branch(tree(i), waiting.keys(tree(i)), i)
      i += 1
    }
    treeOf = waiting.taken
  }

  private def branch(v: Int, here: Long, place: Int): Unit = {
    var k = lists.from(v)
    val end = lists.until(v)
    read.add(end - k)
    while (k < end) {
      val u = lists.neighbours(k)
      if (waiting.wasTaken(u) && places(u) < 0 &&
        waiting.keys(u) == costs.sum(here, costs.keys(k))) plant(u, place)
      k += 1
    }
  }

  private def plant(v: Int, parent: Int): Unit = {
    places(v) = treeCount
    parents(treeCount) = parent
    tree(treeCount) = v
    treeCount += 1
  }
}

object CheapestSearch {

  /** All that a search holds, beside the costs of the edges. */
  def bytes(vertexCount: Int, withPaths: Boolean): Long =
    CostQueue.bytes(vertexCount) + (if (withPaths) 12L * vertexCount else 0L)
}
