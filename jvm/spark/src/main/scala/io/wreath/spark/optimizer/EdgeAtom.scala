package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}

import io.wreath.spark.index.RelationPlan
import io.wreath.spark.logical.{MatchEdge, MatchMark}

/**
 * One edge of a pattern as the optimizer finds it again: a leaf of a join tree over a
 * [[MatchEdge]], with the predicates and projections that Spark put on top of it.
 *
 * @param columns what each column of the leaf is, in terms of the edge table's columns
 * @param conditions that this edge must fulfil by itself, in terms of the same
 */
final private[optimizer] case class EdgeAtom(
    leaf: LogicalPlan,
    edge: MatchEdge,
    columns: AttributeMap[Attribute],
    conditions: Seq[Expression]) {

  def mark: MatchMark = edge.mark

  def source: Attribute = edge.source

  def target: Attribute = edge.target

  /** The bare edge table: exactly two columns, source and target. */
  lazy val relation: LogicalPlan = RelationPlan(Seq(source, target), edge.child)
}

private[optimizer] object EdgeAtom {

  def unapply(leaf: LogicalPlan): Option[EdgeAtom] =
    peel(leaf, AttributeMap(leaf.output.map(a => a -> a)), Nil).map {
      case (edge, columns, conditions) => EdgeAtom(leaf, edge, columns, conditions)
    }

  private def peel(
      plan: LogicalPlan,
      columns: AttributeMap[Attribute],
      conditions: Seq[Expression])
      : Option[(MatchEdge, AttributeMap[Attribute], Seq[Expression])] = plan match {
    case edge: MatchEdge => Some((edge, columns, conditions))
    case Filter(condition, child) if condition.deterministic =>
      peel(child, columns, conditions ++ conjuncts(condition))
    case Project(list, child) if list.forall(isRename) =>
      val definitions = AttributeMap(list.collect { case alias @ Alias(a: Attribute, _) =>
        alias.toAttribute -> a
      })
      peel(
        child,
        AttributeMap(columns.toSeq.map { case (a, b) => a -> definitions.getOrElse(b, b) }),
        conditions.map(_.transform { case a: Attribute => definitions.getOrElse(a, a) }))
    case _ => None
  }

  /** Whether a column is passed on as it is, by its own name or another. */
  def isRename(e: NamedExpression): Boolean = e match {
    case _: Attribute | Alias(_: Attribute, _) => true
    case _ => false
  }

  def conjuncts(condition: Expression): Seq[Expression] = condition match {
    case And(l, r) => conjuncts(l) ++ conjuncts(r)
    case other => Seq(other)
  }
}
