package io.wreath.pattern

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.lists.Pieces

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

  /**
   * Cost: one pass over the offsets of each graph, and over its lists while both directions are alike, the first time.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def of(
      graphs: Array[_ <: Relation],
      interrupt: Runnable = Pieces.NoInterrupt): PatternStatistics =
    PatternStatistics(
      graphs.headOption.fold(0L)(_.forward.vertexCount.toLong),
      graphs.toIndexedSeq.map(relation(_, interrupt)))

  private def relation(g: Relation, interrupt: Runnable): RelationStatistics = {
    val moments = g.moments(interrupt)
    RelationStatistics(
      g.edgeCount.toLong,
      moments.sources,
      moments.targets,
      moments.outSquares,
      moments.inSquares,
      moments.inOut,
      g.isSymmetric(interrupt))
  }
}
