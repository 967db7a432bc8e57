package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{
  And,
  BinaryExpression,
  Expression,
  IsNotNull,
  Predicate,
  Unevaluable
}

/**
 * Says that both ends of an edge are there: a NULL end matches nothing.
 *
 * It means `source IS NOT NULL AND target IS NOT NULL` and is an expression of its own so that
 * Spark can neither simplify it nor evaluate it early: it keeps both columns of an edge alive in
 * the plan when the query reads only one, until [[io.wreath.spark.optimizer.ExtractWcoJoin]] has
 * seen them and replaces it by what it means.
 */
final case class EdgeEndpoints(left: Expression, right: Expression)
    extends BinaryExpression
    with Predicate
    with Unevaluable {

  override def nullable: Boolean = false

  override def prettyName: String = "edge_endpoints"

  def meaning: Expression = And(IsNotNull(left), IsNotNull(right))

  override protected def withNewChildrenInternal(
      newLeft: Expression,
      newRight: Expression): EdgeEndpoints = copy(newLeft, newRight)
}
