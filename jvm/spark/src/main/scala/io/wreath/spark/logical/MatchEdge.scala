package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, IsNotNull, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, UnaryNode}

/**
 * Which edge of which pattern a [[MatchEdge]] is.
 *
 * @param matchId one for each GRAPH_TABLE
 * @param sourceName the vertex at the source, in the user's words
 * @param targetName the vertex at the target
 * @param hints what the hints around the pattern ask for
 */
final case class MatchMark(
    matchId: Long,
    sourceName: String,
    targetName: String,
    hints: MatchHints)

object MatchMark {
  def newMatchId(): Long = NamedExpression.newExprId.id
}

/**
 * The edge table as one edge of a pattern reads it: the rows of `child` with both ends.
 *
 * It stands at the leaves of a pattern's joins from the analyzer until
 * [[io.wreath.spark.optimizer.ExtractWcoJoin]], which always removes it. Meanwhile it
 *
 *  - tells the rule which leaves belong to a pattern. Tags and hints on the joins would not:
 *    push-down and reordering build new joins. Joins written by hand have no such leaves;
 *  - keeps the edge table bare. Spark pushes no predicate through a node that it does not know, so
 *    `a.id = 42` stays above, and the index below is the same for every constant;
 *  - keeps both ends in the plan where a query reads only one of them.
 *
 * @param source the column of `child` that holds the edge's source
 * @param target the column of `child` that holds its target
 */
final case class MatchEdge(
    mark: MatchMark,
    source: Attribute,
    target: Attribute,
    child: LogicalPlan)
    extends UnaryNode {

  override def output: Seq[Attribute] = child.output

  /** In Spark's own words: a NULL end matches nothing. */
  def meaning: LogicalPlan = Filter(And(IsNotNull(source), IsNotNull(target)), child)

  /** Two texts of one query are the same query, for Spark's cache and for reuse. */
  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case m: MatchEdge => m.copy(mark = MatchMark(0, "", "", MatchHints()))
      case other => other
    }

  override protected def withNewChildInternal(newChild: LogicalPlan): MatchEdge =
    copy(child = newChild)
}
