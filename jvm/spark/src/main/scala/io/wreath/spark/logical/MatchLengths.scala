package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project, Union}

/**
 * A pattern with quantified edges: the joins of one pattern for each combination of their lengths,
 * all with the same columns. Its rows are those of all of them.
 *
 * Spark does not know this node and leaves what stands above it there, until
 * [[io.wreath.spark.optimizer.ExtractLengths]] hands it to each pattern and makes one [[WcoJoin]] of
 * them. In a union of Spark's each pattern would be optimized apart, and which belong together would
 * be lost.
 *
 * Its columns are its own, and stand for those of each child in the same place. They cannot be those
 * of a child: where a path has no edges both its ends are one column there, and Spark, which sees
 * that an alias of a column with the same name says nothing new, makes one of two.
 *
 * @param lengths of each quantified edge, for EXPLAIN
 */
final case class MatchLengths(
    children: Seq[LogicalPlan],
    lengths: Seq[String],
    output: Seq[Attribute])
    extends LogicalPlan
    with MultiInstanceRelation {

  override lazy val references: AttributeSet = AttributeSet(children.flatMap(_.output))

  override def producedAttributes: AttributeSet = outputSet

  override def newInstance(): MatchLengths = copy(output = output.map(_.newInstance()))

  /** In Spark's own words. */
  def meaning: LogicalPlan = MatchLengths.named(MatchLengths.unionOf(children), output)

  /** Two texts of one query are the same query, for Spark's cache and for reuse. */
  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case m: MatchLengths => m.copy(lengths = Nil)
      case other => other
    }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): MatchLengths = copy(children = newChildren)
}

object MatchLengths {

  /** Columns that stand for those of each alternative in the same place. */
  def outputOf(alternatives: Seq[Seq[Attribute]]): Seq[Attribute] =
    Union(alternatives.map(LocalRelation(_))).output.map(_.newInstance())

  /**
   * The rows of all plans; a column that one of them has twice is two columns here. They get names that
   * no column below has: for Spark an alias of the same name says nothing new, and two such would
   * be one column again, which a union must not have.
   */
  def unionOf(plans: Seq[LogicalPlan]): LogicalPlan =
    if (plans.size == 1) plans.head
    else Union(plans.map(p => Project(p.output.map(c => Alias(c, s"${c.name} of length")()), p)))

  /** A plan with its columns under other names. */
  def named(plan: LogicalPlan, output: Seq[Attribute]): LogicalPlan =
    Project(
      plan.output.zip(output).map { case (c, o) => Alias(c, o.name)(exprId = o.exprId) },
      plan)
}
