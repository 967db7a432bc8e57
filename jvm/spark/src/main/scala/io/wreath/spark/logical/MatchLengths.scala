package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}

/**
 * A pattern with quantified edges: the joins of one pattern for each combination of their lengths,
 * all with the same columns. Its rows are those of all of them.
 *
 * Spark does not know this node and leaves what stands above it there, until
 * [[io.wreath.spark.optimizer.ExtractLengths]] hands it to each pattern and makes one [[WcoJoin]] of
 * them. In a union of Spark's each pattern would be optimized apart, and which belong together would
 * be lost.
 *
 * @param lengths of each quantified edge, for EXPLAIN
 */
final case class MatchLengths(children: Seq[LogicalPlan], lengths: Seq[String])
    extends LogicalPlan {

  /** The columns of the first, which may be NULL where those of any may. */
  override lazy val output: Seq[Attribute] = meaning.output

  override lazy val references: AttributeSet = AttributeSet(children.flatMap(_.output))

  def meaning: LogicalPlan = if (children.size == 1) children.head else Union(children)

  /** Two texts of one query are the same query, for Spark's cache and for reuse. */
  override protected def doCanonicalize(): LogicalPlan =
    MatchLengths(children.map(_.canonicalized), Nil)

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): MatchLengths = copy(children = newChildren)
}
