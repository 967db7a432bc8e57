package io.wreath.kernel.partition

import io.wreath.kernel.csr.{Adjacency, CsrGraph}
import io.wreath.kernel.join.JoinProgram

/**
 * Estimates what a vertex of the first variable costs, in list elements.
 *
 * The cost of a code that has all lists the pattern asks of the first variable is the lengths of
 * these lists, and of the lists that the vertices in the shortest of them have in turn: what the
 * second and third variable will read. Any other code costs [[WorkEstimate.Idle]].
 *
 * Cost: one neighbour list of each vertex.
 * Not thread-safe.
 */
final private[partition] class WorkEstimate(program: JoinProgram, graphs: Array[CsrGraph]) {
  private[this] val lists: Array[Adjacency] = {
    val level = program.levels(0)
    Array.tabulate(level.neededRelation.length) { i =>
      graphs(level.neededRelation(i)).direction(level.neededForward(i))
    }
  }

  def of(v: Int): Double =
    if (lists.length == 0 || !lists.forall(_.degree(v) > 0)) WorkEstimate.Idle
    else {
      var sum = WorkEstimate.Idle
      var shortest = lists(0)
      var i = 0
      while (i < lists.length) {
        sum += lists(i).degree(v)
        if (lists(i).degree(v) < shortest.degree(v)) shortest = lists(i)
        i += 1
      }
      val list = shortest.array(v)
      val end = shortest.until(v)
      i = shortest.from(v)
      while (i < end) {
        sum += onward(shortest, list(i))
        i += 1
      }
      sum
    }

  /** Length of the list that a second vertex goes on with; of its own kind, it may have none. */
  private def onward(from: Adjacency, v: Int): Int =
    if (v < from.vertexCount) from.degree(v) else 0
}

private[partition] object WorkEstimate {

  /** Cost of passing over a code without edges, in list elements. */
  final val Idle = 0.25
}
