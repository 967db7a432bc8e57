package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.lists.Adjacency

/**
 * Counts houses by their 4-cycles. Let t(e) be the number of triangles on an edge e. On each edge of a
 * cycle (a, b, c, d) a roof can be put in t ways, but for those that are a vertex of the cycle itself:
 * {{{
 *   all roofs on all cycles                       the sum of t over the edges of every cycle
 *   less: roof of (a, b) is c, or is d            two triangles on one edge, that is a diamond; each
 *                                                 diamond's outer cycle is met so for its four edges
 *   houses = sum of t over cycles' edges - 4 * sum of C(t, 2) over edges
 * }}}
 * A cycle is met at the least of its codes, a, as n paths of two edges from there to c; of them each
 * two make a cycle. A path whose edges have s triangles is in n - 1 of the cycles, so that all
 * edges together have (n - 1) * (the sum of s over the paths).
 *
 * Cost: O(paths of two edges that start at their least code), twelve bytes for each vertex.
 * Not thread-safe.
 *
 * @param weight how often each house counts
 */
final private[join] class HouseCounts(state: JoinState, graph: Relation, weight: Int) {
  private[this] val lists: Adjacency = graph.forward
  private[this] var triangles: Array[Int] = _

  // By code, the paths that end there and the triangles on their edges; and where any path ends.
  private[this] val paths = new Array[Int](lists.vertexCount)
  private[this] val sums = new Array[Long](lists.vertexCount)
  private[this] val ends = new Array[Int](lists.vertexCount + 1) // written before it is judged

  /** Houses whose cycle has the current binding of level 0 as its least code, weighed. */
  def count(): Long = {
    if (triangles == null) {
      triangles = graph.triangles.get(state.read)
    }
    val a = state.codes(0)
    val list = lists.array(a)
    val from = lists.after(a)
    val until = lists.until(a)
    var endCount = 0
    var taken = 0L
    var i = from
    while (i < until) {
      val t = triangles(i)
      taken = Math.addExact(taken, 2L * t * (t - 1))
      endCount = walk(list(i), a, t, endCount)
      i += 1
    }
    var total = 0L
    i = 0
    while (i < endCount) {
      val c = ends(i)
      total = Math.addExact(total, Math.multiplyExact(paths(c) - 1L, sums(c)))
      paths(c) = 0
      sums(c) = 0L
      i += 1
    }
    Math.multiplyExact(total - taken, weight.toLong)
  }

  /** Goes on from `b` to all that comes after `a`. */
  private def walk(b: Int, a: Int, t: Int, endsBefore: Int): Int = {
    var e = endsBefore
    val list = lists.array(b)
    val from = lists.from(b)
    // Lists are walked from their end: codes before a are not looked for.
    var i = lists.until(b) - 1
    while (i >= from && list(i) > a) {
      val c = list(i)
      val before = paths(c)
      paths(c) = before + 1
      sums(c) += t + triangles(i)
      ends(e) = c
      e += (before - 1) >>> 31 // one if there was none before
      i -= 1
    }
    state.read.add(lists.until(b) - 1 - i)
    e
  }
}
