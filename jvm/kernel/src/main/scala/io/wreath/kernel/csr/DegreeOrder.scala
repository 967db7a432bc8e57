package io.wreath.kernel.csr

import io.wreath.kernel.lists.Pieces

/** Names the vertices of a graph anew, so that the code 0 has the longest list. */
private[csr] object DegreeOrder {

  /**
   * The same graph but for the codes, which descend with the degrees. It counts the matches of a
   * pattern whose comparisons do not care which order they mean, and at less cost: what comes after a
   * vertex has shorter lists than its own.
   *
   * Requires: a symmetric graph without parallel edges.
   * Cost: three passes over the lists. Forward and reverse lists of the result are one object.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def of(graph: CsrGraph, interrupt: Runnable): RankedGraph = {
    val csr = graph.forward
    val n = csr.vertexCount
    val byRank = descending(csr, interrupt)
    val rankOf = new Array[Int](n)
    val offsets = new Array[Int](n + 1)
    Pieces.foreach(n, interrupt) { (from, until) =>
      var r = from
      while (r < until) {
        rankOf(byRank(r)) = r
        offsets(r + 1) = offsets(r) + csr.degree(byRank(r))
        r += 1
      }
    }
    // Whoever has a vertex in its list is in the list of that: taken in order, the lists come sorted.
    val next = java.util.Arrays.copyOf(offsets, n)
    val lists = new Array[Int](csr.edgeCount)
    var r = 0
    var read = 0
    while (r < n) {
      if (Pieces.isStart(r)) interrupt.run()
      val v = byRank(r)
      var i = csr.offsets(v)
      while (i < csr.offsets(v + 1)) {
        if (Pieces.isStart(read)) interrupt.run()
        read += 1
        val to = rankOf(csr.neighbours(i))
        lists(next(to)) = r
        next(to) += 1
        i += 1
      }
      r += 1
    }
    val ranked = new Csr(offsets, lists, null)
    new RankedGraph(new CsrGraph(ranked, ranked), rankOf)
  }

  /** The vertices from the highest degree to the lowest, by counting how many have each. */
  private def descending(csr: Csr, interrupt: Runnable): Array[Int] = {
    val n = csr.vertexCount
    val first = new Array[Int](csr.maxDegree + 2)
    Pieces.foreach(n, interrupt) { (from, until) =>
      var v = from
      while (v < until) {
        first(csr.maxDegree - csr.degree(v) + 1) += 1
        v += 1
      }
    }
    var d = 0
    while (d <= csr.maxDegree) {
      first(d + 1) += first(d)
      d += 1
    }
    val order = new Array[Int](n)
    Pieces.foreach(n, interrupt) { (from, until) =>
      var v = from
      while (v < until) {
        val at = csr.maxDegree - csr.degree(v)
        order(first(at)) = v
        first(at) += 1
        v += 1
      }
    }
    order
  }
}

/**
 * A graph over codes that descend with the degrees.
 *
 * @param rankOf by code of the graph that it was made of, the code here
 */
final class RankedGraph(val graph: CsrGraph, val rankOf: Array[Int])
