package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

import io.wreath.pattern.{Comparison, PatternEdge}

/**
 * One pattern that a stream of edge changes is matched against.
 *
 * @param edges the pattern over variables 0 until variables.length, all of one relation
 * @param variables the column of each variable
 * @param edgeColumns for each edge of the pattern, the columns that stand for
 *   [[StreamingEdges.properties]] of that edge, in the same order; none where the edge has no name
 * @param comparisons between variables, decided inside the join
 * @param predicates over variables and edge columns that need the values themselves
 * @param diff the column that holds by how many rows a match changes
 * @param result what is returned for each changed match, over the columns above; as many as the
 *   join has output columns
 */
final case class StreamingPattern(
    edges: Seq[PatternEdge],
    variables: Seq[Attribute],
    edgeColumns: Seq[Seq[Attribute]],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    diff: Attribute,
    result: Seq[Expression]) {

  /** The columns that [[predicates]] and [[result]] are over. */
  def columns: Seq[Attribute] = (variables ++ edgeColumns.flatten) :+ diff
}

/**
 * Where a stream of changes has what, by position among its columns: rules that rename columns need
 * not know of it.
 *
 * @param properties the rest of an edge's row, which tells parallel edges apart
 * @param change what a row does: a text (insert, delete, update_preimage, update_postimage), or a
 *   number of rows that come (or go, if below zero); without it every row comes
 */
final case class StreamingEdges(
    source: Int,
    target: Int,
    properties: Seq[Int],
    change: Option[Int]) {

  /** What is kept of an edge. */
  def row: Seq[Int] = source +: target +: properties
}

/**
 * Maintains patterns over a stream of changes to one edge table: each micro-batch yields the
 * matches that it adds or takes away, with the number of rows in the column `diff`.
 *
 * All patterns share one state and one index. Their own columns are nobody else's business:
 * `output` is what [[StreamingPattern.result]] is called outside.
 */
final case class StreamingWcoJoin(
    changes: StreamingEdges,
    patterns: Seq[StreamingPattern],
    output: Seq[Attribute],
    child: LogicalPlan)
    extends UnaryNode {

  override def producedAttributes: AttributeSet = AttributeSet(output)

  /** All columns of the child are state: whatever a query reads, none may be pruned. */
  override lazy val references: AttributeSet = AttributeSet(child.output)

  override def simpleString(maxFields: Int): String =
    s"StreamingWcoJoin ${patterns.map(p =>
        WcoJoin.describe(p.edges.map(e => Seq(e.source, e.target)), p.variables)).mkString("; ")}"

  override protected def withNewChildInternal(newChild: LogicalPlan): StreamingWcoJoin =
    copy(child = newChild)
}
