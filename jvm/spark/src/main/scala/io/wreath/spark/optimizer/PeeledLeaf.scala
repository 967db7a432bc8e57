package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}

import io.wreath.spark.logical.Conjunction

/**
 * A leaf of a join tree without the predicates and projections that Spark put on top of it.
 *
 * @param base what is below them
 * @param columns what each column of the leaf is, in terms of the base
 * @param conditions that a row of the base must fulfil, in terms of the same
 */
final private[optimizer] case class PeeledLeaf(
    base: LogicalPlan,
    columns: AttributeMap[Attribute],
    conditions: Seq[Expression])

private[optimizer] object PeeledLeaf {

  /** @param mayPeel which predicates may be taken off */
  def of(leaf: LogicalPlan)(mayPeel: Expression => Boolean): PeeledLeaf =
    peel(PeeledLeaf(leaf, AttributeMap(leaf.output.map(a => a -> a)), Nil), mayPeel)

  private def peel(leaf: PeeledLeaf, mayPeel: Expression => Boolean): PeeledLeaf =
    leaf.base match {
      case Filter(condition, child) if mayPeel(condition) =>
        val conditions = leaf.conditions ++ Conjunction.conjuncts(condition)
        peel(leaf.copy(base = child, conditions = conditions), mayPeel)
      case Project(list, child) if list.forall(isRename) =>
        val definitions = AttributeMap(list.collect { case alias @ Alias(a: Attribute, _) =>
          alias.toAttribute -> a
        })
        def below(a: Attribute): Attribute = definitions.getOrElse(a, a)
        val renamed = PeeledLeaf(
          child,
          AttributeMap(leaf.columns.toSeq.map { case (a, b) => a -> below(b) }),
          leaf.conditions.map(_.transform { case a: Attribute => below(a) }))
        peel(renamed, mayPeel)
      case _ => leaf
    }

  /** Whether a column is passed on as it is, by its own name or another. */
  private def isRename(e: NamedExpression): Boolean = e match {
    case _: Attribute | Alias(_: Attribute, _) => true
    case _ => false
  }
}
