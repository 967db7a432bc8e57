package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.wreath.spark.logical.{Conjunction, MatchEdge, MatchElement, MatchMark}

/**
 * One element of a pattern as the optimizer finds it again: a leaf of a join tree over a
 * [[MatchElement]], with the predicates and projections that Spark put on top of it.
 *
 * @param columns what each column of the leaf is, in terms of the element's table
 * @param conditions that this element must fulfil by itself, in terms of the same
 */
final private[optimizer] case class ElementAtom(
    leaf: LogicalPlan,
    element: MatchElement,
    columns: AttributeMap[Attribute],
    conditions: Seq[Expression]) {

  def mark: MatchMark = element.mark

  def ends: Seq[Attribute] = element.ends

  def isEdge: Boolean = ends.size == 2

  def table: LogicalPlan = element.child

  def isUndirected: Boolean = edge.exists(_.isUndirected)

  /** The column that says which row of the table an edge is, where it is asked. */
  def row: Option[Attribute] = edge.flatMap(_.row)

  private def edge: Option[MatchEdge] = element match {
    case e: MatchEdge => Some(e)
    case _ => None
  }

  /** Equal for elements that read the same rows by the same ends. */
  lazy val identity: (LogicalPlan, Seq[Int]) =
    (table.canonicalized, ends.map(position))

  /** Where a column stands in the table. */
  def position(column: Attribute): Int = table.output.indexWhere(_.exprId == column.exprId)
}

private[optimizer] object ElementAtom {

  def unapply(leaf: LogicalPlan): Option[ElementAtom] =
    PeeledLeaf.of(leaf)(_.deterministic) match {
      case PeeledLeaf(element: MatchElement, columns, conditions) =>
        Some(ElementAtom(leaf, element, columns, conditions))
      case _ => None
    }

  def conjuncts(condition: Expression): Seq[Expression] = Conjunction.conjuncts(condition)
}
