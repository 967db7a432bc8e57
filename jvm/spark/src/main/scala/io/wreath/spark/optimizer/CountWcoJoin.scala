package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  AggregateExpression,
  Complete,
  Count,
  Sum
}
import org.apache.spark.sql.catalyst.plans.logical.{
  Aggregate,
  Join,
  Limit,
  LogicalPlan,
  Project,
  Union
}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftAnti, LeftSemi}
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
 *
 *   Join LeftSemi, (a = x)                  Join LeftSemi, (a = x)
 *   :- …                              ==>   :- …
 *   +- WcoJoin (x)->(y), …                  +- WcoJoin (x)->(y), …, any row by x
 * }}}
 * A task returns one number for a group instead of its rows, and need not enumerate the other
 * variables. The sum fails on overflow instead of wrapping around. Columns of edges are not groups:
 * they would have to be read row by row. In a union each join counts its own.
 */
private[optimizer] object CountWcoJoin extends AliasHelper {

  def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case a @ Aggregate(grouping, _, Projected(join: WcoJoin, list), _)
        if join.goal == JoinGoal.Rows && grouping.forall(_.deterministic) =>
      val kept = keptBy(grouping, list)
      val read = AttributeSet(kept).toSeq
      if (!onlyCounts(a, list) || !leavesVariables(join, read)) a
      else if (hasCounts(a)) {
        val rows = newRows()
        summing(a, rows).copy(child = Project(kept :+ rows, counted(join, read, rows)))
      } else if (grouping.nonEmpty && read.nonEmpty)
        a.copy(child = Project(kept, any(join, read)))
      else a
    // Whether a row is there is all that these ask of their right side: EXISTS { … } over a long tail.
    case j @ Join(
          _,
          Projected(join: WcoJoin, list),
          LeftSemi | LeftAnti | ExistenceJoin(_),
          on,
          _)
        if join.goal == JoinGoal.Rows && list.forall(_.deterministic) =>
      val kept = keptBy(on.toSeq, list)
      val read = AttributeSet(kept).toSeq
      if (kept.isEmpty) j.copy(right = Limit(Literal(1), j.right))
      else if (read.isEmpty || !(leavesVariables(join, read) || areVariables(join, read))) j
      else j.copy(right = Project(kept, any(join, read)))
    case a @ Aggregate(grouping, _, Projected(union: Union, list), _)
        if union.children.exists(isJoin) && grouping.forall(_.deterministic) &&
          hasCounts(a) && onlyCounts(a, list) =>
      val kept = keptBy(grouping, list)
      val rows = newRows()
      summing(a, rows).copy(child =
        Project(kept :+ rows, countedEach(union, AttributeSet(kept).toSeq, rows)))
  }

  /** The join of which only the bindings of some columns are wanted. */
  private def any(join: WcoJoin, read: Seq[Attribute]): WcoJoin =
    returning(join, read).copy(
      goal = JoinGoal.Exists,
      asJoins = new SparksJoins(Project(read, join.asJoins.plan)))

  private def newRows(): AttributeReference =
    AttributeReference("rows", LongType, nullable = false)()

  private def keptBy(
      grouping: Seq[Expression],
      list: Seq[NamedExpression]): Seq[NamedExpression] =
    list.filter(c => AttributeSet(grouping).contains(c.toAttribute))

  private def hasCounts(a: Aggregate): Boolean =
    a.aggregateExpressions.exists(_.exists(_.isInstanceOf[AggregateExpression]))

  private def onlyCounts(a: Aggregate, list: Seq[NamedExpression]): Boolean = {
    val columns = AttributeSet(list.map(_.toAttribute))
    a.aggregateExpressions.forall(onlyCounts(_, columns, a.groupingExpressions))
  }

  private def summing(a: Aggregate, rows: Attribute): Aggregate =
    a.copy(aggregateExpressions = a.aggregateExpressions.map(_.transformUp {
      case _: AggregateExpression => summed(rows)
    }.asInstanceOf[NamedExpression]))

  private def counted(join: WcoJoin, read: Seq[Attribute], rows: Attribute): WcoJoin =
    returning(join, read).copy(
      goal = JoinGoal.Count(rows),
      asJoins = new SparksJoins(counting(join.asJoins.plan, read, rows)),
      output = read :+ rows)

  private def isJoin(plan: LogicalPlan): Boolean = plan match {
    case Projected(join: WcoJoin, _) => join.goal == JoinGoal.Rows
    case _ => false
  }

  /** A union of numbers of rows: what is not a join of ours has one row for each. */
  private def countedEach(union: Union, read: Seq[Attribute], rows: Attribute): LogicalPlan = {
    val places = read.map(a => union.output.indexWhere(_.exprId == a.exprId))
    val each = Union(union.children.map {
      case child @ Projected(join: WcoJoin, list) if isJoin(child) =>
        val kept = places.map(list)
        val own = newRows()
        Project(kept :+ own, counted(join, AttributeSet(kept).toSeq, own))
      case other => Project(places.map(other.output) :+ Alias(Literal(1L), rows.name)(), other)
    })
    Project(
      each.output.zip(read :+ rows).map { case (c, o) => Alias(c, o.name)(exprId = o.exprId) },
      each)
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

  /** Whether columns are read off the variables alone, so that parallel edges only repeat them. */
  private def areVariables(join: WcoJoin, read: Seq[Attribute]): Boolean =
    returning(join, read).patterns.forall { p =>
      AttributeSet(p.values).forall(a => p.variables.exists(_.exprId == a.exprId))
    }

  /** A join or a union under projections, with what they make of its columns. */
  private object Projected {
    def unapply(plan: LogicalPlan): Option[(LogicalPlan, Seq[NamedExpression])] = plan match {
      case _: WcoJoin | _: Union => Some((plan, plan.output))
      case Project(list, Projected(source, below)) if list.forall(_.deterministic) =>
        val made = getAliasMap(below)
        Some((source, list.map(replaceAliasButKeepName(_, made))))
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
