package io.wreath.kernel.csr

import io.wreath.kernel.lists.{Adjacency, Pieces}

/**
 * Sums over the degrees of a graph's vertices.
 *
 * @param sources    vertices with an outgoing edge
 * @param targets    vertices with an incoming edge
 * @param outSquares sum of out(v) * out(v)
 * @param inSquares  sum of in(v) * in(v)
 * @param inOut      sum of in(v) * out(v), the number of directed 2-paths
 */
final case class DegreeMoments(
    sources: Long,
    targets: Long,
    outSquares: Double,
    inSquares: Double,
    inOut: Double)

private[kernel] object DegreeMoments {

  /** Cost: one pass over the offsets. */
  def of(forward: Adjacency, reverse: Adjacency, interrupt: Runnable): DegreeMoments = {
    var sources = 0L
    var targets = 0L
    var outSquares = 0.0
    var inSquares = 0.0
    var inOut = 0.0
    // Ends of two kinds have codes of their own, and in and out degrees that never meet.
    val oneKind = forward.vertexCount == reverse.vertexCount
    var v = 0
    while (v < Math.max(forward.vertexCount, reverse.vertexCount)) {
      if (Pieces.isStart(v)) interrupt.run()
      val out = if (v < forward.vertexCount) forward.degree(v).toDouble else 0.0
      val in = if (v < reverse.vertexCount) reverse.degree(v).toDouble else 0.0
      if (out > 0) sources += 1
      if (in > 0) targets += 1
      outSquares += out * out
      inSquares += in * in
      if (oneKind) inOut += in * out
      v += 1
    }
    DegreeMoments(sources, targets, outSquares, inSquares, inOut)
  }
}
