package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * The elements of one pattern, joined: rows of all of them that fulfil the conditions.
 *
 * It stands for a tree of inner joins, from the analyzer until
 * [[io.wreath.spark.optimizer.ExtractWcoJoin]], which always removes it. What Spark's rules do to such
 * a tree, pushing, inferring and reordering, takes time that grows with the square and the cube of
 * its depth, and a WcoJoin has no use for it. Of this node no rule of theirs knows anything.
 *
 * @param elements each with columns of its own; a leaf shares a vertex with one before it, if it can
 * @param conditions over columns of several elements; none of them is constant
 */
final case class MatchJoin(elements: Seq[LogicalPlan], conditions: Seq[Expression])
    extends LogicalPlan {

  override def children: Seq[LogicalPlan] = elements

  override lazy val output: Seq[Attribute] = elements.flatMap(_.output)

  /** What is read of the elements is found when the join is built, so nothing is pruned before. */
  override lazy val references: AttributeSet = AttributeSet(output)

  /** In Spark's own words: each condition at the first join that has its columns. */
  def meaning: LogicalPlan = {
    val (first, own) = conditions.partition(_.references.subsetOf(elements.head.outputSet))
    val start = (filtered(elements.head, first), elements.head.outputSet, own)
    val (joined, _, _) = elements.tail.foldLeft(start) { case ((left, known, later), right) =>
      val both = known ++ right.outputSet
      val (here, rest) = later.partition(_.references.subsetOf(both))
      (Join(left, right, Inner, Conjunction.of(here), JoinHint.NONE), both, rest)
    }
    joined
  }

  private def filtered(plan: LogicalPlan, conditions: Seq[Expression]): LogicalPlan =
    Conjunction.of(conditions).map(Filter(_, plan)).getOrElse(plan)

  override def simpleString(maxFields: Int): String =
    s"MatchJoin ${elements.size} elements, ${conditions.size} conditions"

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): MatchJoin = copy(elements = newChildren)
}
