package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  AttributeSet,
  Expression
}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, JoinHint, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, Inner, LeftOuter}
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

  def of(pattern: LogicalPattern): LogicalPlan = of(pattern, None)

  /** @param needed the columns that are read of it, if that is known */
  private def of(pattern: LogicalPattern, needed: Option[AttributeSet]): LogicalPlan = {
    val last = pattern.columns.map(readBy).orElse(needed)
    // What is read of the rows after each step.
    val after = pattern.steps.scanRight(last) { (step, later) =>
      later.map(columns => columns ++ readBy(step, columns))
    }
    val rows = pattern.rows match {
      case elements: PatternElements => joined(elements)
      case PatternLengths(alternatives, lengths, output, _) =>
        MatchLengths(alternatives.map(of), lengths, output)
    }
    val plan = pattern.steps.indices.foldLeft(rows) { (left, i) =>
      pattern.steps(i) match {
        case PatternStep.Where(condition) => Filter(condition, left)
        case PatternStep.Exists(other, on, isNegated, _) =>
          MatchExists(left, of(other, Some(readBy(on.toSeq))), on, isNegated)
        case PatternStep.Mark(other, on, found, _) =>
          val right = of(other, Some(readBy(on.toSeq)))
          Join(left, right, ExistenceJoin(found), on, JoinHint.NONE)
        case PatternStep.Optional(other, on, _) =>
          val right = of(other, after(i + 1).map(_ ++ readBy(on.toSeq)))
          Join(left, right, LeftOuter, on, JoinHint.NONE)
        case search: PatternStep.Search => searched(left, search, after(i), after(i + 1))
        case PatternStep.Columns(values) =>
          val read = values.filter(v => after(i + 1).forall(_.contains(v.toAttribute)))
          if (read.isEmpty) left else Project(left.output ++ read, left)
        case PatternStep.LookUp(table, on) =>
          // Each key is in the table, so that nothing is left out.
          val key = table.output.filter(on.references.contains)
          val isRead = after(i + 1).forall { columns =>
            table.output.exists(c => columns.contains(c) && !key.contains(c))
          }
          if (isRead) Join(left, table, Inner, Some(on), JoinHint.NONE) else left
      }
    }
    pattern.columns.map(Project(_, plan)).getOrElse(plan)
  }

  /** Nothing that nobody reads is kept beside a path, or told of it. */
  private def searched(
      left: LogicalPlan,
      step: PatternStep.Search,
      before: Option[AttributeSet],
      after: Option[AttributeSet]): LogicalPlan = {
    def isRead(a: Attribute): Boolean = after.forall(_.contains(a))
    val kept = left.output.filter(c => before.forall(_.contains(c)))
    val withEnds =
      if (step.ends.isEmpty && kept.size == left.output.size) left
      else Project(kept ++ step.ends, left)
    val columns = step.search.columns
    step.search.copy(
      child = withEnds,
      columns = PathColumns(
        columns.target,
        columns.length.filter(isRead),
        columns.cost.filter(isRead),
        columns.vertices.filter(isRead),
        columns.edges.filter(isRead)))
  }

  private def readBy(expressions: Seq[Expression]): AttributeSet =
    AttributeSet(expressions.flatMap(_.collect { case a: AttributeReference => a }))

  /** @param later what is read of the rows after it */
  private def readBy(step: PatternStep, later: AttributeSet): AttributeSet = step match {
    case PatternStep.Where(condition) => readBy(Seq(condition))
    case PatternStep.Exists(_, on, _, _) => readBy(on.toSeq)
    case PatternStep.Mark(_, on, _, _) => readBy(on.toSeq)
    case PatternStep.Optional(_, on, _) => readBy(on.toSeq)
    case PatternStep.Search(ends, search) =>
      readBy(ends ++ (search.source +: search.target.toSeq))
    case PatternStep.Columns(values) => readBy(values.filter(v => later.contains(v.toAttribute)))
    case PatternStep.LookUp(_, on) => readBy(Seq(on))
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
