package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{And, Expression, PredicateHelper}

/** Many conditions as one and back. */
private[spark] object Conjunction extends PredicateHelper {

  /**
   * None of no conditions. The tree is as low as can be: of a thousand conditions a chain of ANDs
   * overflows the stack.
   */
  def of(conditions: Seq[Expression]): Option[Expression] =
    if (conditions.isEmpty) None else Some(buildBalancedPredicate(conditions, And(_, _)))

  /** Appends in place, so that a thousand conditions are walked once. */
  def conjuncts(condition: Expression): Seq[Expression] =
    splitConjunctivePredicates(condition)
}
