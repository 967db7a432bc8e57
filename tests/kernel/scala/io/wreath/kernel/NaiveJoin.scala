package io.wreath.kernel

import io.wreath.pattern.{Comparison, ComparisonOp, GraphPattern, PatternEdge}

/** The oracle: nested loops over edge lists, one loop a pattern edge, with bag semantics. */
object NaiveJoin {

  type Edges = Vector[(Long, Long)]

  /** How often each binding, in the order of the variables, is a row of the answer. */
  def apply(relations: Vector[Edges], p: GraphPattern): Map[Vector[Long], Long] = {
    def extend(row: Map[Int, Long], rest: List[PatternEdge]): Iterator[Map[Int, Long]] =
      rest match {
        case Nil => Iterator(row)
        case e :: others =>
          for {
            (s, t) <- relations(e.relation).iterator
            if row.getOrElse(e.source, s) == s
            bound = row + (e.source -> s)
            if bound.getOrElse(e.target, t) == t
            full <- extend(bound + (e.target -> t), others)
          } yield full
      }
    val rows = extend(Map.empty, p.edges.toList).filter(r => p.comparisons.forall(holds(r, _)))
    rows.toVector
      .groupMapReduce(r => Vector.tabulate(p.variableCount)(r))(_ => 1L)(_ + _)
  }

  def holds(row: Int => Long, c: Comparison): Boolean = c.op match {
    case ComparisonOp.Less => row(c.left) < row(c.right)
    case ComparisonOp.LessOrEqual => row(c.left) <= row(c.right)
    case ComparisonOp.NotEqual => row(c.left) != row(c.right)
    case ComparisonOp.Equal => row(c.left) == row(c.right)
  }
}
