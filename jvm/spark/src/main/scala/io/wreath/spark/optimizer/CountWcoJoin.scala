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

import io.wreath.spark.logical.{SparksJoins, WcoJoin}

/**
 * Lets a [[WcoJoin]] whose rows are only counted count them itself:
 * {{{
 *   Aggregate [count(1) AS n]          Aggregate [coalesce(sum(rows), 0) AS n]
 *   +- WcoJoin (a)->(b), …       ==>   +- WcoJoin (a)->(b), …, counted as rows
 * }}}
 * Each task returns one number instead of its rows, and need not enumerate the last variables.
 * The sum fails on overflow instead of wrapping around.
 */
private[optimizer] object CountWcoJoin {

  def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case a @ Aggregate(Nil, expressions, Counted(join, columns), _)
        if join.counted.isEmpty && expressions.forall(onlyCounts(_, columns)) =>
      val rows = AttributeReference("rows", LongType, nullable = false)()
      val total = Sum(rows, NumericEvalContext(EvalMode.ANSI)).toAggregateExpression()
      a.copy(
        aggregateExpressions = expressions.map(_.transformUp { case _: AggregateExpression =>
          Coalesce(Seq(total, Literal(0L)))
        }.asInstanceOf[NamedExpression]),
        child = join.copy(
          counted = Some(rows),
          asJoins = new SparksJoins(counting(join.asJoins.plan, rows)),
          output = Seq(rows)))
  }

  private def counting(joins: LogicalPlan, rows: Attribute): LogicalPlan = {
    val count = Count(Literal(1)).toAggregateExpression()
    Aggregate(Nil, Seq(Alias(count, rows.name)(exprId = rows.exprId)), joins)
  }

  /** A join under renaming projections, with the columns that it has there. */
  private object Counted {
    def unapply(plan: LogicalPlan): Option[(WcoJoin, AttributeSet)] = plan match {
      case join: WcoJoin => Some((join, AttributeSet(join.output)))
      case Project(list, child) if list.forall(ElementAtom.isRename) =>
        unapply(child).map { case (join, _) => (join, AttributeSet(list.map(_.toAttribute))) }
      case _ => None
    }
  }

  /** Counting a column that is never NULL, such as a vertex, is counting rows. */
  private def onlyCounts(e: Expression, columns: AttributeSet): Boolean = e match {
    case AggregateExpression(Count(counted), Complete, false, None, _) =>
      counted.forall {
        case Literal(value, _) => value != null
        case a: Attribute => columns.contains(a) && !a.nullable
        case _ => false
      }
    case _: AggregateExpression | _: Attribute => false
    case other => other.children.forall(onlyCounts(_, columns))
  }
}
