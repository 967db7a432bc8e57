package io.wreath.pattern

/**
 * A directed edge of a pattern.
 *
 * @param source   variable of the edge's source
 * @param target   variable of the edge's target; equal to `source` for a self-loop
 * @param relation index into the array of graphs that the join is given
 * @param matchesOnce whether the caller tells parallel edges apart: the edge then matches once, however
 *   often it occurs, and does not weigh
 */
final case class PatternEdge(
    source: Int,
    target: Int,
    relation: Int = 0,
    matchesOnce: Boolean = false)

/** How two variables compare. On vertex codes, which keep the order of the ids. */
sealed trait ComparisonOp

object ComparisonOp {
  case object Less extends ComparisonOp
  case object LessOrEqual extends ComparisonOp
  case object NotEqual extends ComparisonOp
  case object Equal extends ComparisonOp
}

/** The condition `left op right` between two variables. */
final case class Comparison(left: Int, op: ComparisonOp, right: Int)

/**
 * A graph pattern: variables `0 until variableCount`, the edges that must exist between them, and
 * the comparisons that must hold.
 *
 * Two variables may be bound to the same vertex unless a comparison forbids it. Each edge stands
 * for one occurrence of its relation, so an edge written twice squares the multiplicity of the
 * rows it matches. Self-loops and patterns in several unconnected parts are allowed.
 */
final case class GraphPattern(
    variableCount: Int,
    edges: IndexedSeq[PatternEdge],
    comparisons: IndexedSeq[Comparison] = Vector.empty) {

  require(variableCount > 0, s"A pattern needs at least one variable, but has $variableCount.")
  edges.foreach { e =>
    requireVariable(e.source, s"the source of edge $e")
    requireVariable(e.target, s"the target of edge $e")
    require(e.relation >= 0, s"The relation of edge $e must not be negative.")
  }
  comparisons.foreach { c =>
    requireVariable(c.left, s"the left side of $c")
    requireVariable(c.right, s"the right side of $c")
  }
  // A variable without an edge would range over all codes, and which ids have a code is the
  // business of the dictionary: the answer would depend on how the index was built.
  (0 until variableCount).foreach { v =>
    require(
      edges.exists(e => e.source == v || e.target == v),
      s"Variable $v occurs in no edge of the pattern.")
  }

  /** One more than the largest relation index. */
  val relationCount: Int = edges.iterator.map(_.relation).max + 1

  private def requireVariable(v: Int, where: String): Unit =
    require(
      v >= 0 && v < variableCount,
      s"Variable $v, $where, is not one of the $variableCount variables of the pattern.")

  private def require(condition: Boolean, message: => String): Unit =
    if (!condition) throw new IllegalArgumentException(message)
}
