package io.wreath.kernel.csr

import io.wreath.kernel.dictionary.Translation
import io.wreath.kernel.lists.Pieces

/** Lists over the codes of another dictionary. Thread-safety: no state. */
object TranslatedLists {

  /**
   * The lists of `csr` over other codes. Lists stay sorted and keep their order, and so every edge
   * keeps its position: what is stored beside an edge needs no translation.
   *
   * Cost: one pass over the edges and the new vertices; shares the multiplicities.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def of(
      csr: Csr,
      vertices: Translation,
      neighbours: Translation,
      interrupt: Runnable): Csr =
    if (vertices.isIdentity && neighbours.isIdentity) csr
    else {
      val offsets = new Array[Int](vertices.size + 1)
      var v = 0
      var next = 0
      while (v < csr.vertexCount) {
        val code = vertices(v)
        while (next <= code) {
          if (Pieces.isStart(next)) interrupt.run()
          offsets(next) = csr.offsets(v)
          next += 1
        }
        v += 1
      }
      while (next <= vertices.size) {
        if (Pieces.isStart(next)) interrupt.run()
        offsets(next) = csr.neighbours.length
        next += 1
      }
      val lists =
        if (neighbours.isIdentity) csr.neighbours
        else {
          val translated = new Array[Int](csr.neighbours.length)
          Pieces.foreach(translated.length, interrupt) { (from, until) =>
            var i = from
            while (i < until) {
              translated(i) = neighbours(csr.neighbours(i))
              i += 1
            }
          }
          translated
        }
      new Csr(offsets, lists, csr.mult)
    }

  /** Both directions of it. */
  def of(
      graph: CsrGraph,
      sources: Translation,
      targets: Translation,
      interrupt: Runnable = Pieces.NoInterrupt): CsrGraph =
    if (sources.isIdentity && targets.isIdentity) graph
    else {
      new CsrGraph(
        of(graph.forward, sources, targets, interrupt),
        of(graph.reverse, targets, sources, interrupt))
    }
}
