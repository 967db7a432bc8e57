package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, JoinHint, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.{Cross, Inner}

import io.wreath.spark.logical.{MatchExists, MatchJoin}

/**
 * A maximal tree of inner joins, flattened: its leaves in order, all conditions of its joins and of
 * the filters between them, and the patterns that have to be there or must not be. All of these only
 * drop rows, so that their order does not matter.
 */
final private[optimizer] case class JoinTree(
    leaves: Seq[LogicalPlan],
    conditions: Seq[Expression],
    tests: Seq[MatchExists] = Nil)

private[optimizer] object JoinTree {

  /** Matches at a join or at what stands right above one; joins with hints are left alone. */
  def unapply(plan: LogicalPlan): Option[JoinTree] = {
    val tree = flatten(plan)
    if (tree.leaves.size > 1 || tree.tests.nonEmpty) Some(tree) else None
  }

  /** Any plan as a tree, be it of one leaf. */
  def of(plan: LogicalPlan): JoinTree = flatten(plan)

  private def flatten(plan: LogicalPlan): JoinTree = plan match {
    case Join(left, right, Inner | Cross, condition, JoinHint.NONE) =>
      val (l, r) = (flatten(left), flatten(right))
      JoinTree(
        l.leaves ++ r.leaves,
        l.conditions ++ r.conditions ++ condition.toSeq.flatMap(ElementAtom.conjuncts),
        l.tests ++ r.tests)
    case MatchJoin(elements, conditions) => JoinTree(elements, conditions)
    case test: MatchExists =>
      val tree = flatten(test.left)
      tree.copy(tests = tree.tests :+ test)
    // A filter or a pruning projection over a single leaf belongs to the leaf.
    case Filter(condition, child) if condition.deterministic && isTree(child) =>
      val tree = flatten(child)
      tree.copy(conditions = tree.conditions ++ ElementAtom.conjuncts(condition))
    case Project(list, child) if list.forall(_.isInstanceOf[Attribute]) && isTree(child) =>
      flatten(child)
    case leaf => JoinTree(Seq(leaf), Nil)
  }

  private def isTree(plan: LogicalPlan): Boolean = plan match {
    case Join(_, _, Inner | Cross, _, JoinHint.NONE) => true
    case _: MatchExists | _: MatchJoin => true
    case Filter(condition, child) => condition.deterministic && isTree(child)
    case Project(list, child) => list.forall(_.isInstanceOf[Attribute]) && isTree(child)
    case _ => false
  }

}
