package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  LeafExpression,
  Predicate,
  Unevaluable
}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}

/**
 * What a hint asks for of joins that were not written as a pattern. It is a condition of the joins below
 * the hint, and always true: wherever Spark pushes it, it stays with them. A rule takes it away again
 * before anything is planned, and nothing ever evaluates it.
 *
 * @param isWanted whether they are to be a pattern, or are not to be one
 */
final case class JoinsWish(isWanted: Boolean) extends LeafExpression with Predicate
    with Unevaluable {
  override def nullable: Boolean = false
}

object JoinsWish {

  /** What is asked for anywhere in a plan. */
  def in(plan: LogicalPlan): Seq[JoinsWish] =
    plan.collect { case p => among(p.expressions) }.flatten

  def among(conditions: Seq[Expression]): Seq[JoinsWish] =
    conditions.flatMap(_.collect { case w: JoinsWish => w })

  /** The plan without it. */
  def removed(plan: LogicalPlan): LogicalPlan =
    if (!plan.exists(p => p.expressions.exists(isIn))) plan
    else
      plan.transform {
        case f: Filter if isIn(f.condition) =>
          without(f.condition).map(c => f.copy(condition = c)).getOrElse(f.child)
        case j: Join if j.condition.exists(isIn) =>
          j.copy(condition = j.condition.flatMap(without))
      }

  private def isIn(e: Expression): Boolean = e.exists(_.isInstanceOf[JoinsWish])

  private def without(condition: Expression): Option[Expression] =
    Conjunction.of(Conjunction.conjuncts(condition).filterNot(_.isInstanceOf[JoinsWish]))
}
