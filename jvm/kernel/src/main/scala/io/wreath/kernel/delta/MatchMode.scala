package io.wreath.kernel.delta

/** Which elements of a graph one match may use more than once. */
sealed trait MatchMode

object MatchMode {

  /** Vertices and edges may repeat, as in a join. */
  case object Repeatable extends MatchMode

  /**
   * Each pattern edge stands for another row of its relation. Two pattern edges on the same pair
   * of vertices that m parallel rows join give m(m - 1) matches, and none if there is one row.
   */
  case object DifferentEdges extends MatchMode

  /** All variables are bound to different vertices. */
  case object DifferentVertices extends MatchMode
}

/**
 * The order of the ids behind codes that do not keep it; see [[DeltaIds]].
 *
 * Thread-safety: implementations are safe for concurrent readers.
 */
trait VertexOrder {

  /** Below, equal to or above zero as the id of code `a` is below, equal to or above that of `b`. */
  def compare(a: Int, b: Int): Int
}
