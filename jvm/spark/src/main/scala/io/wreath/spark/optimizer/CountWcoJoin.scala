package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  AggregateExpression,
  Complete,
  Count,
  Sum
}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project}
import org.apache.spark.sql.types.LongType

import io.wreath.spark.logical.{JoinGoal, SparksJoins, WcoJoin}

/**
 * Lets a [[WcoJoin]] whose rows are only counted, or only asked whether there are any, do that itself:
 * {{{
 *   Aggregate [count(1) AS n]               Aggregate [coalesce(sum(rows), 0) AS n]
 *   +- WcoJoin (a)->(b), …            ==>   +- WcoJoin (a)->(b), …, counted
 *
 *   Aggregate [a], [a, count(1) AS n]       Aggregate [a], [a, coalesce(sum(rows), 0) AS n]
 *   +- WcoJoin (a)->(b), …            ==>   +- WcoJoin (a)->(b), …, counted by a
 *
 *   Aggregate [a], [a]                      Aggregate [a], [a]
 *   +- WcoJoin (a)->(b), …            ==>   +- WcoJoin (a)->(b), …, any row by a
 * }}}
 * A task returns one number for a group instead of its rows, and need not enumerate the other
 * variables. The sum fails on overflow instead of wrapping around. Columns of edges are not groups:
 * they would have to be read row by row.
 */
private[optimizer] object CountWcoJoin extends AliasHelper {

  def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case a @ Aggregate(grouping, expressions, Projected(join, list), _)
        if join.goal == JoinGoal.Rows && grouping.forall(_.deterministic) =>
      val columns = AttributeSet(list.map(_.toAttribute))
      val kept = list.filter(c => AttributeSet(grouping).contains(c.toAttribute))
      val read = AttributeSet(kept).toSeq
      if (!expressions.forall(onlyCounts(_, columns, grouping)) || !leavesVariables(join, read)) a
      else if (expressions.exists(_.exists(_.isInstanceOf[AggregateExpression]))) {
        val rows = AttributeReference("rows", LongType, nullable = false)()
        a.copy(
          aggregateExpressions = expressions.map(_.transformUp { case _: AggregateExpression =>
            summed(rows)
          }.asInstanceOf[NamedExpression]),
          child = Project(
            kept :+ rows,
            returning(join, read).copy(
              goal = JoinGoal.Count(rows),
              asJoins = new SparksJoins(counting(join.asJoins.plan, read, rows)),
              output = read :+ rows)))
      } else if (grouping.nonEmpty && read.nonEmpty) {
        val any = new SparksJoins(Project(read, join.asJoins.plan))
        a.copy(child =
          Project(kept, returning(join, read).copy(goal = JoinGoal.Exists, asJoins = any)))
      } else a
  }

  /** The join with some of its columns. */
  private def returning(join: WcoJoin, read: Seq[Attribute]): WcoJoin = {
    val places = read.map(a => join.output.indexWhere(_.exprId == a.exprId))
    join.copy(
      patterns = join.patterns.map(p => p.copy(values = places.map(p.values))),
      output = read)
  }

  private def summed(rows: Attribute): Expression = {
    val total = Sum(rows, NumericEvalContext(EvalMode.ANSI)).toAggregateExpression()
    Coalesce(Seq(total, Literal(0L)))
  }

  private def counting(
      joins: LogicalPlan,
      groups: Seq[Attribute],
      rows: Attribute): LogicalPlan = {
    val count = Count(Literal(1)).toAggregateExpression()
    Aggregate(groups, groups :+ Alias(count, rows.name)(exprId = rows.exprId), joins)
  }

  /** Whether something is left to count when what `read` needs is bound. */
  private def leavesVariables(join: WcoJoin, read: Seq[Attribute]): Boolean =
    read.isEmpty || returning(join, read).patterns.exists { p =>
      val needed = AttributeSet(p.values).toSeq.map { a =>
        val variable = p.variables.indexWhere(_.exprId == a.exprId)
        if (variable >= 0) Seq(variable)
        else
          p.columns
            .find(_.column.exprId == a.exprId)
            .map(c => p.atoms(c.atom))
            .filterNot(_.isEdge)
            .fold(p.variables.indices: Seq[Int])(_.variables)
      }
      needed.flatten.distinct.size < p.variables.size
    }

  /** A join under projections, with what they make of its columns. */
  private object Projected {
    def unapply(plan: LogicalPlan): Option[(WcoJoin, Seq[NamedExpression])] = plan match {
      case join: WcoJoin => Some((join, join.output))
      case Project(list, Projected(join, below)) if list.forall(_.deterministic) =>
        val made = getAliasMap(below)
        Some((join, list.map(replaceAliasButKeepName(_, made))))
      case _ => None
    }
  }

  /** Counting a column that is never NULL, such as a vertex, is counting rows. */
  private def onlyCounts(
      e: Expression,
      columns: AttributeSet,
      groups: Seq[Expression]): Boolean =
    groups.exists(_.semanticEquals(e)) || (e match {
      case AggregateExpression(Count(counted), Complete, false, None, _) =>
        counted.forall {
          case Literal(value, _) => value != null
          case a: Attribute => columns.contains(a) && !a.nullable
          case _ => false
        }
      case _: AggregateExpression | _: Attribute => false
      case other => other.deterministic && other.children.forall(onlyCounts(_, columns, groups))
    })
}
