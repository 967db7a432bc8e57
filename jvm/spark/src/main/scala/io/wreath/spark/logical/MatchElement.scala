package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{
  And,
  Attribute,
  AttributeSet,
  Expression,
  IsNotNull,
  NamedExpression
}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, UnaryNode}

/**
 * Which element of which pattern a [[MatchElement]] is.
 *
 * @param matchId one for each GRAPH_TABLE
 * @param variables the vertex at each end, in the user's words
 * @param hints what the hints around the pattern ask for
 */
final case class MatchMark(matchId: Long, variables: Seq[String], hints: MatchHints)

object MatchMark {
  def newMatchId(): Long = NamedExpression.newExprId.id
}

/**
 * A table as one element of a pattern, an edge or a vertex, reads it: the rows of `child` whose
 * ends are not NULL.
 *
 * It stands at the leaves of a pattern's joins from the analyzer until
 * [[io.wreath.spark.optimizer.ExtractWcoJoin]], which always removes it. Meanwhile it
 *
 *  - tells the rule which leaves belong to a pattern. Tags and hints on the joins would not:
 *    push-down and reordering build new joins. Joins written by hand have no such leaves;
 *  - keeps the table bare. Spark pushes no predicate through a node that it does not know, so
 *    `a.id = 42` stays above, and as all columns count as read, it prunes none: the index below is
 *    the same for every constant and found by every query, whatever columns that reads.
 */
sealed trait MatchElement extends UnaryNode {

  def mark: MatchMark

  /** The columns of `child` that name vertices: source and target of an edge, a vertex's key. */
  def ends: Seq[Attribute]

  override def output: Seq[Attribute] = child.output

  override lazy val references: AttributeSet = AttributeSet(child.output)

  /** In Spark's own words: a NULL end matches nothing. */
  def meaning: LogicalPlan =
    Filter(ends.map(e => IsNotNull(e): Expression).reduce(And(_, _)), child)
}

/** @param source the column of `child` that holds the edge's source; `target`, its target */
final case class MatchEdge(
    mark: MatchMark,
    source: Attribute,
    target: Attribute,
    child: LogicalPlan)
    extends MatchElement {

  override def ends: Seq[Attribute] = Seq(source, target)

  /** Two texts of one query are the same query, for Spark's cache and for reuse. */
  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case m: MatchEdge => m.copy(mark = MatchMark(0, Nil, MatchHints()))
      case other => other
    }

  override protected def withNewChildInternal(newChild: LogicalPlan): MatchEdge =
    copy(child = newChild)
}

/**
 * @param key the column of `child` that names the vertex; each value at most once
 * @param table the vertex table's name, for messages
 */
final case class MatchVertex(mark: MatchMark, key: Attribute, table: String, child: LogicalPlan)
    extends MatchElement {

  override def ends: Seq[Attribute] = Seq(key)

  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case m: MatchVertex => m.copy(mark = MatchMark(0, Nil, MatchHints()))
      case other => other
    }

  override protected def withNewChildInternal(newChild: LogicalPlan): MatchVertex =
    copy(child = newChild)
}
