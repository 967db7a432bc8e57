package io.wreath.kernel.csr

import java.util.Arrays

import io.wreath.kernel.lists.Pieces

/** Leaves of a graph the edges that have a row in a set of rows. */
object CsrFilter {

  /**
   * Rows are numbered in the order of the forward lists, parallel ones side by side. An edge stays
   * with as many rows as are in the set, and goes if none is.
   *
   * Cost: one pass over the edges, and one to transpose what is left.
   *
   * @param rows bit r of word r / 64
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def apply(
      graph: CsrGraph,
      rows: Array[Long],
      interrupt: Runnable = Pieces.NoInterrupt): CsrGraph = {
    val forward = graph.forward
    val mult = forward.mult
    val offsets = new Array[Int](forward.vertexCount + 1)
    val kept = new Array[Int](forward.edgeCount)
    val counts = if (mult == null) null else new Array[Int](forward.edgeCount)
    var repeats = false
    var n = 0
    var row = 0
    var v = 0
    while (v < forward.vertexCount) {
      if (Pieces.isStart(v)) interrupt.run()
      var i = forward.offsets(v)
      val end = forward.offsets(v + 1)
      while (i < end) {
        val until = row + (if (mult == null) 1 else mult(i))
        var count = 0
        while (row < until) {
          if (Pieces.isStart(row)) interrupt.run()
          count += (rows(row >>> 6) >>> row & 1L).toInt
          row += 1
        }
        if (count > 0) {
          kept(n) = forward.neighbours(i)
          if (counts != null) counts(n) = count
          repeats |= count > 1
          n += 1
        }
        i += 1
      }
      offsets(v + 1) = n
      v += 1
    }
    val left = new Csr(
      offsets,
      Arrays.copyOf(kept, n),
      if (repeats) Arrays.copyOf(counts, n) else null)
    new CsrGraph(left, CsrBuilder.transpose(left, graph.reverse.vertexCount, interrupt))
  }
}
