package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{BinaryNode, LogicalPlan, UnaryNode}

/**
 * What the hints around a pattern ask for.
 *
 * @param order names of variables, the first to be bound first
 * @param declined whether NO_WCO_JOIN stands there
 */
final case class MatchHints(order: Seq[String] = Nil, declined: Boolean = false)

/**
 * A stream of changes to edges of which some are there before it begins: `changes STARTING FROM
 * snapshot`. It stands between the parser and
 * [[io.wreath.spark.analysis.desugaring.ResolveGraphMatch]], which takes the two apart.
 */
final case class StreamStart(left: LogicalPlan, right: LogicalPlan) extends BinaryNode {

  override def output: Seq[Attribute] = left.output

  override protected def withNewChildrenInternal(
      newLeft: LogicalPlan,
      newRight: LogicalPlan): StreamStart = copy(left = newLeft, right = newRight)
}

/**
 * A GRAPH_TABLE clause over its edge table, before its names are looked up.
 *
 * The edge table is an ordinary child, so common table expressions, temporary views and catalogs
 * resolve it as they resolve any other.
 *
 * @param parameters what stands at the parameter markers inside the clause, in the order of the
 *   text; the clause refers to them by [[ClauseParameter]]
 */
final case class UnresolvedGraphMatch(
    clause: MatchClause,
    parameters: Seq[Expression],
    hints: MatchHints,
    child: LogicalPlan)
    extends UnaryNode {

  override lazy val resolved: Boolean = false

  override def output: Seq[Attribute] = Nil

  /** What is matched over, without what a stream starts from. */
  def graph: LogicalPlan = child match {
    case StreamStart(changes, _) => changes
    case other => other
  }

  def withGraph(graph: LogicalPlan): UnresolvedGraphMatch = child match {
    case start: StreamStart => copy(child = start.copy(left = graph))
    case _ => copy(child = graph)
  }

  override def simpleString(maxFields: Int): String =
    s"UnresolvedGraphMatch ${clause.graph}, " +
      s"${clause.parts.flatMap(_.paths).map(_.edges.size).sum} edges"

  override protected def withNewChildInternal(newChild: LogicalPlan): UnresolvedGraphMatch =
    copy(child = newChild)
}

/** What a clause is matched over, whether or not a stream starts from something. */
object MatchOver {
  def unapply(m: UnresolvedGraphMatch): Some[LogicalPlan] = Some(m.graph)
}
