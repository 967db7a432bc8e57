package io.wreath.kernel.csr

import java.util.Arrays

import io.wreath.kernel.lists.Pieces

/** Leaves of a graph the edges between two sets of vertices. Codes stay what they are. */
object ConfinedLists {

  /**
   * Cost: one pass over the vertices, one over the lists of the sources or of the targets that are left,
   * whichever are shorter together, and one to transpose what is found.
   *
   * @param sources bit c of word c / 64; null for all vertices
   * @param targets the same
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def of(
      graph: CsrGraph,
      sources: Array[Long],
      targets: Array[Long],
      interrupt: Runnable = Pieces.NoInterrupt): CsrGraph = {
    val (forward, reverse) = (graph.forward, graph.reverse)
    if (sources == null && targets == null) graph
    else if (elements(forward, sources) <= elements(reverse, targets)) {
      val left = select(forward, sources, targets, interrupt)
      new CsrGraph(left, CsrBuilder.transpose(left, reverse.vertexCount, interrupt))
    } else {
      val left = select(reverse, targets, sources, interrupt)
      new CsrGraph(CsrBuilder.transpose(left, forward.vertexCount, interrupt), left)
    }
  }

  /** List elements of the vertices in a set. */
  private def elements(csr: Csr, set: Array[Long]): Long =
    if (set == null) csr.edgeCount
    else {
      var sum = 0L
      var v = 0
      while (v < csr.vertexCount) {
        if (has(set, v)) sum += csr.degree(v)
        v += 1
      }
      sum
    }

  private def has(set: Array[Long], v: Int): Boolean =
    set == null || (set(v >>> 6) >>> v & 1L) != 0L

  /** What of `kept` the lists of the vertices in `set` have; the other lists are empty. */
  private def select(
      csr: Csr,
      set: Array[Long],
      kept: Array[Long],
      interrupt: Runnable): Csr = {
    val offsets = new Array[Int](csr.vertexCount + 1)
    val lists = new Array[Int](elements(csr, set).toInt)
    val counts = if (csr.mult == null) null else new Array[Int](lists.length)
    var repeats = false
    var read = 0
    var n = 0
    var v = 0
    while (v < csr.vertexCount) {
      if (Pieces.isStart(v)) interrupt.run()
      if (has(set, v)) {
        var i = csr.offsets(v)
        while (i < csr.offsets(v + 1)) {
          if (Pieces.isStart(read)) interrupt.run()
          read += 1
          val to = csr.neighbours(i)
          if (has(kept, to)) {
            lists(n) = to
            if (counts != null) {
              counts(n) = csr.mult(i)
              repeats |= counts(n) > 1
            }
            n += 1
          }
          i += 1
        }
      }
      offsets(v + 1) = n
      v += 1
    }
    new Csr(
      offsets,
      if (n == lists.length) lists else Arrays.copyOf(lists, n),
      if (!repeats) null else Arrays.copyOf(counts, n))
  }
}
