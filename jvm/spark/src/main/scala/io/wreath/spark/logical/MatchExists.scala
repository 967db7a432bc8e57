package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{BinaryNode, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}

/**
 * The rows of `left` for which `right` has a row that fulfils `condition`, or has none: `EXISTS { … }`
 * and `NOT EXISTS { … }`.
 *
 * A semi join of Spark's would be pushed down onto one of the pattern's elements, which would then be
 * lost to the WcoJoin. Spark does not know this node and leaves it where it is, until
 * [[io.wreath.spark.optimizer.ExtractWcoJoin]] asks the index in its place, or makes it the join that
 * it stands for.
 */
final case class MatchExists(
    left: LogicalPlan,
    right: LogicalPlan,
    condition: Option[Expression],
    isNegated: Boolean)
    extends BinaryNode {

  override def output: Seq[Attribute] = left.output

  def meaning: LogicalPlan =
    Join(
      left,
      right,
      if (isNegated) LeftAnti else LeftSemi,
      condition.orElse(Some(Literal.TrueLiteral)),
      JoinHint.NONE)

  override protected def withNewChildrenInternal(
      newLeft: LogicalPlan,
      newRight: LogicalPlan): MatchExists = copy(left = newLeft, right = newRight)
}
