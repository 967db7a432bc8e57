package io.wreath.pattern

import io.wreath.kernel.csr.CsrGraph

/**
 * Degree moments of one edge relation: all that the planner knows of it.
 *
 * @param edges      distinct edges
 * @param sources    vertices with an outgoing edge
 * @param targets    vertices with an incoming edge
 * @param outSquares sum of out(v) * out(v)
 * @param inSquares  sum of in(v) * in(v)
 * @param inOut      sum of in(v) * out(v), the number of directed 2-paths
 * @param isSymmetric whether each edge has its opposite, so that both directions have the same lists
 */
final case class RelationStatistics(
    edges: Long,
    sources: Long,
    targets: Long,
    outSquares: Double,
    inSquares: Double,
    inOut: Double,
    isSymmetric: Boolean = false) {

  /** Vertices whose list in this direction is not empty. */
  def active(forward: Boolean): Double = (if (forward) sources else targets).toDouble

  /** Mean length of the non-empty lists of this direction. */
  def meanLength(forward: Boolean): Double =
    if (edges == 0) 0.0 else edges / active(forward)

  /**
   * Mean length of the lists of direction `forward` over vertices that were themselves reached
   * along this relation, in the direction `reachedForward`. A vertex of high degree is reached
   * often, so this is more than [[meanLength]] on a skewed graph.
   */
  def reachedLength(forward: Boolean, reachedForward: Boolean): Double =
    if (edges == 0) 0.0
    else if (forward != reachedForward) (if (forward) outSquares else inSquares) / edges
    else inOut / edges
}

/** What [[VariableOrderPlanner]] decides by. `relations` has one entry per graph of the join. */
final case class PatternStatistics(
    vertices: Long,
    relations: IndexedSeq[RelationStatistics])

object PatternStatistics {

  /** Cost: one pass over the offsets of each graph. */
  def of(graphs: Array[CsrGraph]): PatternStatistics =
    PatternStatistics(
      graphs.headOption.fold(0L)(_.vertexCount.toLong),
      graphs.toIndexedSeq.map(relation))

  private def relation(g: CsrGraph): RelationStatistics = {
    val forward = g.forward
    val reverse = g.reverse
    var sources = 0L
    var targets = 0L
    var outSquares = 0.0
    var inSquares = 0.0
    var inOut = 0.0
    val oneKind = forward.vertexCount == reverse.vertexCount
    var v = 0
    // Ends of two kinds have codes of their own, and in and out degrees that never meet.
    while (v < Math.max(forward.vertexCount, reverse.vertexCount)) {
      val out = if (v < forward.vertexCount) forward.degree(v).toDouble else 0.0
      val in = if (v < reverse.vertexCount) reverse.degree(v).toDouble else 0.0
      if (out > 0) sources += 1
      if (in > 0) targets += 1
      outSquares += out * out
      inSquares += in * in
      if (oneKind) inOut += in * out
      v += 1
    }
    RelationStatistics(
      forward.edgeCount.toLong,
      sources,
      targets,
      outSquares,
      inSquares,
      inOut,
      g.isSymmetric)
  }
}
