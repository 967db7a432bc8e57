package io.wreath.kernel.csr

import java.util.Arrays

import io.wreath.kernel.lists.Pieces

/** A graph whose edges are read both ways, from the lists that lead one way and the other. */
object Undirected {

  /**
   * The neighbours of a vertex by an edge of either direction. A neighbour by edges of both is there
   * once, as often as by the one and by the other together; an edge from a vertex to itself is one
   * edge.
   *
   * Requires: sources and targets share their codes.
   * Cost: one pass over both directions. Forward and reverse lists of the result are one object.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def of(graph: CsrGraph, interrupt: Runnable = Pieces.NoInterrupt): CsrGraph = {
    val (out, in) = (graph.forward, graph.reverse)
    if (out.vertexCount != in.vertexCount) {
      throw new IllegalArgumentException(
        s"Edges can be read both ways only between vertices of one kind, but there are " +
          s"${out.vertexCount} sources and ${in.vertexCount} targets.")
    }
    val size = out.edgeCount.toLong + in.edgeCount
    if (size > Int.MaxValue - 8) {
      throw new ArithmeticException(s"$size list elements are more than an array can hold.")
    }
    val offsets = new Array[Int](out.vertexCount + 1)
    val lists = new Array[Int](size.toInt)
    val counts = new Array[Int](size.toInt)
    var repeats = false
    var n = 0
    var v = 0
    while (v < out.vertexCount) {
      if (Pieces.isStart(v)) interrupt.run()
      var i = out.offsets(v)
      var j = in.offsets(v)
      val (iEnd, jEnd) = (out.offsets(v + 1), in.offsets(v + 1))
      while (i < iEnd || j < jEnd) {
        if (Pieces.isStart(n)) interrupt.run()
        val a = if (i < iEnd) out.neighbours(i) else Int.MaxValue
        val b = if (j < jEnd) in.neighbours(j) else Int.MaxValue
        var count = 0
        if (a <= b) {
          count += occurrences(out, i)
          i += 1
        }
        if (b <= a) {
          // Of an edge to itself the lists of both directions tell.
          if (b != v) count += occurrences(in, j)
          j += 1
        }
        lists(n) = Math.min(a, b)
        counts(n) = count
        repeats |= count > 1
        n += 1
      }
      offsets(v + 1) = n
      v += 1
    }
    val both = new Csr(
      offsets,
      Arrays.copyOf(lists, n),
      if (repeats) Arrays.copyOf(counts, n) else null)
    new CsrGraph(both, both)
  }

  private def occurrences(csr: Csr, position: Int): Int =
    if (csr.mult == null) 1 else csr.mult(position)
}
