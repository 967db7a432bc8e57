package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, JoinHint, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftOuter}
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.logical._

/**
 * Writes a pattern over tables as the joins that a user would write by hand.
 *
 * {{{
 *   MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c) WHERE a < b COLUMNS (a.id AS a)
 *
 *   Project [e0.src AS a]
 *   +- Filter (e0.src < e0.dst)
 *      +- MatchJoin (e0.dst = e1.src), (e0.src = e2.src), (e1.dst = e2.dst)
 *         :- e0: MatchEdge (a)->(b) +- Project [src, dst] +- <edge table>
 *         :- e1: …
 *         +- e2: …
 * }}}
 * `OPTIONAL MATCH` is a left outer join with the joins of its pattern, `EXISTS { … }` a
 * [[MatchExists]], a pattern with quantified edges a [[MatchLengths]].
 *
 * From here on Spark treats it as its own: push-down, pruning, subqueries and caching all work.
 * The [[MatchElement]]s at the leaves are how the optimizer knows them again.
 *
 * @param isOneNode whether the elements of a pattern are under one [[MatchJoin]], or under Spark's joins
 */
final private[analysis] class PatternJoins(isOneNode: Boolean) {

  def of(pattern: LogicalPattern): LogicalPlan = {
    val rows = pattern.rows match {
      case elements: PatternElements => joined(elements)
      case PatternLengths(alternatives, lengths, output, _) =>
        MatchLengths(alternatives.map(of), lengths, output)
    }
    val plan = pattern.steps.foldLeft(rows) {
      case (left, PatternStep.Where(condition)) => Filter(condition, left)
      case (left, PatternStep.Exists(other, on, isNegated, _)) =>
        MatchExists(left, of(other), on, isNegated)
      case (left, PatternStep.Mark(other, on, found, _)) =>
        Join(left, of(other), ExistenceJoin(found), on, JoinHint.NONE)
      case (left, PatternStep.Optional(other, on, _)) =>
        Join(left, of(other), LeftOuter, on, JoinHint.NONE)
    }
    pattern.columns.map(Project(_, plan)).getOrElse(plan)
  }

  private def joined(pattern: PatternElements): LogicalPlan = {
    val isNode = isOneNode && pattern.elements.size > 1
    // A condition without columns is none of the join's.
    val (inside, above) =
      if (isNode) pattern.modeConditions.partition(_.references.nonEmpty)
      else (Nil, pattern.modeConditions)
    val join = MatchJoin(pattern.elements, pattern.equalEnds ++ inside)
    filtered(above ++ pattern.conditions, if (isNode) join else join.meaning)
  }

  private def filtered(conditions: Seq[Expression], plan: LogicalPlan): LogicalPlan =
    Conjunction.of(conditions).map(Filter(_, plan)).getOrElse(plan)
}

private[analysis] object PatternJoins {

  /** Whether there is to be one node: where Spark's joins are wanted, Spark optimizes them. */
  def isOneNode(m: UnresolvedGraphMatch): Boolean =
    !m.child.isStreaming && !m.hints.declined && SQLConf.get.getConf(WreathConf.ENABLED) &&
      SQLConf.get.getConf(WreathConf.JOIN_MODE) != "binary"
}
