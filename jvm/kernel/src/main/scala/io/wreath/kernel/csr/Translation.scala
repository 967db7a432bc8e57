package io.wreath.kernel.csr

/**
 * Codes of one dictionary as codes of another that has all its ids. Keeps the order, as both
 * dictionaries do.
 *
 * Thread-safety: immutable.
 *
 * @param codes by code, or null where the translation is just a shift
 * @param size codes of the dictionary that is translated to
 */
final class Translation private (
    private[wreath] val codes: Array[Int],
    private[wreath] val shift: Int,
    val sourceSize: Int,
    val size: Int)
    extends Serializable {

  def apply(code: Int): Int = if (codes == null) code + shift else codes(code)

  def isIdentity: Boolean = codes == null && shift == 0 && sourceSize == size

  def sizeInBytes: Long = if (codes == null) 0L else 4L * codes.length
}

object Translation {

  def identity(size: Int): Translation = shifted(0, size, size)

  /** Dense dictionaries differ in where they begin. */
  def shifted(by: Int, sourceSize: Int, size: Int): Translation =
    new Translation(null, by, sourceSize, size)

  /** Requires: `codes` strictly ascending, in `0 until size`. */
  def of(codes: Array[Int], size: Int): Translation =
    if (codes.length == size) identity(size) else new Translation(codes, 0, codes.length, size)

  /**
   * The lists of `csr` over other codes. Lists stay sorted and keep their order, and so every edge
   * keeps its position: what is stored beside an edge needs no translation.
   *
   * Cost: one pass over the edges and the new vertices; shares the multiplicities.
   */
  def translate(csr: Csr, vertices: Translation, neighbours: Translation): Csr =
    if (vertices.isIdentity && neighbours.isIdentity) csr
    else {
      val offsets = new Array[Int](vertices.size + 1)
      var v = 0
      var next = 0
      while (v < csr.vertexCount) {
        val code = vertices(v)
        while (next <= code) {
          offsets(next) = csr.offsets(v)
          next += 1
        }
        v += 1
      }
      while (next <= vertices.size) {
        offsets(next) = csr.neighbours.length
        next += 1
      }
      val lists =
        if (neighbours.isIdentity) csr.neighbours
        else {
          val translated = new Array[Int](csr.neighbours.length)
          var i = 0
          while (i < translated.length) {
            translated(i) = neighbours(csr.neighbours(i))
            i += 1
          }
          translated
        }
      new Csr(offsets, lists, csr.mult)
    }

  /** Both directions of [[translate]]. */
  def translate(graph: CsrGraph, sources: Translation, targets: Translation): CsrGraph =
    if (sources.isIdentity && targets.isIdentity) graph
    else {
      new CsrGraph(
        translate(graph.forward, sources, targets),
        translate(graph.reverse, targets, sources))
    }
}
