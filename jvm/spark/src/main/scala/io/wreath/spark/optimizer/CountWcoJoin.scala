package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count}
import org.apache.spark.sql.catalyst.plans.logical.{
  Aggregate,
  Filter,
  Join,
  Limit,
  LogicalPlan,
  Project,
  Union
}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftAnti, LeftSemi}
import org.apache.spark.sql.types.LongType

import io.wreath.spark.logical.{JoinGoal, JoinPattern, SparksJoins, WcoJoin}

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
 * variables. The sum fails on overflow instead of wrapping around. Other aggregates of what belongs to a
 * variable or an edge are made of the numbers of its groups ([[WeighedAggregate]]). In a union each join
 * counts its own.
 */
private[optimizer] object CountWcoJoin extends AliasHelper {

  def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case a @ Aggregate(grouping, _, Projected(join: WcoJoin, list), _)
        if join.goal == JoinGoal.Rows && grouping.forall(_.deterministic) =>
      val rows = newRows()
      weighedBy(a, list, rows).fold[LogicalPlan](a) { weighed =>
        val kept = keptBy(grouping, weighed, list)
        val read = AttributeSet(kept).toSeq
        val isOfVertices = weighed.forall(_.reads.isEmpty) && readsNoEdge(join, read)
        if (!leavesVariables(join, read) || !(isOfVertices || isGroupable(join, read))) a
        else if (weighed.exists(_.weighs))
          over(a, rows).copy(child =
            Project(kept :+ rows, some(counted(join, read, rows), read, rows, a, weighed)))
        else if (read.nonEmpty && (grouping.nonEmpty || weighed.nonEmpty))
          a.copy(child = Project(kept, any(join, read)))
        else a
      }
    // Whether a row is there is all that these ask of their right side: EXISTS { … } over a long tail.
    case j @ Join(
          _,
          Projected(join: WcoJoin, list),
          LeftSemi | LeftAnti | ExistenceJoin(_),
          on,
          _)
        if join.goal == JoinGoal.Rows && list.forall(_.deterministic) =>
      val kept = keptBy(on.toSeq, Nil, list)
      val read = AttributeSet(kept).toSeq
      if (kept.isEmpty) j.copy(right = Limit(Literal(1), j.right))
      else if (read.isEmpty || isAllRead(join, read)) j
      else j.copy(right = Project(kept, any(join, read)))
    case a @ Aggregate(grouping, _, Projected(union: Union, list), _)
        if union.children.exists(isJoin) && grouping.forall(_.deterministic) =>
      val rows = newRows()
      weighedBy(a, list, rows)
        .filter(w => w.exists(_.weighs) && w.forall(_.reads.isEmpty))
        .fold[LogicalPlan](a) { weighed =>
          val kept = keptBy(grouping, weighed, list)
          val each = countedEach(union, AttributeSet(kept).toSeq, rows, some(_, _, _, a, weighed))
          over(a, rows).copy(child = Project(kept :+ rows, each))
        }
  }

  /**
   * Without a row that stands for none: a number of all rows may be 0, and is no group then, nor a value of
   * what reads constants alone. A count knows it by itself.
   */
  private def some(
      counted: LogicalPlan,
      read: Seq[Attribute],
      rows: Attribute,
      a: Aggregate,
      weighed: Seq[WeighedAggregate]): LogicalPlan =
    if (read.nonEmpty || (a.groupingExpressions.isEmpty && weighed.forall(_.isCount))) counted
    else Filter(GreaterThan(rows, Literal(0L)), counted)

  /** The join of which only the bindings of some columns are wanted. */
  private def any(join: WcoJoin, read: Seq[Attribute]): WcoJoin =
    returning(join, read).copy(
      goal = JoinGoal.Exists,
      asJoins = new SparksJoins(Project(read, join.asJoins.plan)))

  private def newRows(): AttributeReference =
    AttributeReference("rows", LongType, nullable = false)()

  private def keptBy(
      grouping: Seq[Expression],
      weighed: Seq[WeighedAggregate],
      list: Seq[NamedExpression]): Seq[NamedExpression] = {
    val read = AttributeSet(grouping) ++ AttributeSet(weighed.flatMap(_.reads))
    list.filter(c => read.contains(c.toAttribute))
  }

  /** The aggregates over rows that stand for several; None where one of them cannot be had so. */
  private def weighedBy(
      a: Aggregate,
      list: Seq[NamedExpression],
      rows: Attribute): Option[Seq[WeighedAggregate]] = {
    val all = a.aggregateExpressions.flatMap(_.collect { case e: AggregateExpression => e })
    val weighed = all.map(WeighedAggregate.of(_, rows))
    val isWhole = a.aggregateExpressions.forall(isOfGroups(_, a.groupingExpressions))
    val isRead = AttributeSet(list.map(_.toAttribute))
    Option.when(isWhole && weighed.forall(_.exists(_.reads.subsetOf(isRead))))(weighed.flatten)
  }

  private def over(a: Aggregate, rows: Attribute): Aggregate =
    a.copy(aggregateExpressions = a.aggregateExpressions.map(_.transformUp {
      case e: AggregateExpression => WeighedAggregate.of(e, rows).fold[Expression](e)(_.made)
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
  private def countedEach(
      union: Union,
      read: Seq[Attribute],
      rows: Attribute,
      some: (LogicalPlan, Seq[Attribute], Attribute) => LogicalPlan): LogicalPlan = {
    val places = read.map(a => union.output.indexWhere(_.exprId == a.exprId))
    val each = Union(union.children.map {
      case child @ Projected(join: WcoJoin, list) if isJoin(child) =>
        val kept = places.map(list)
        val own = newRows()
        val ofKept = AttributeSet(kept).toSeq
        Project(kept :+ own, some(counted(join, ofKept, own), ofKept, own))
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
      needed(p).size < p.variables.size
    }

  /**
   * Whether a number for each group may be had without going through rows: of one variable, or of two that an
   * edge joins. Rows of an edge that is compared with another element have to be told apart.
   */
  private def isGroupable(join: WcoJoin, read: Seq[Attribute]): Boolean =
    returning(join, read).patterns.forall { p =>
      val groups = needed(p)
      val edges = atomsOf(p, AttributeSet(p.values)).filter(p.atoms(_).isEdge)
      val differing = p.atoms.zipWithIndex.flatMap { case (a, i) =>
        if (a.differentFrom.isEmpty) Nil else i +: a.differentFrom
      }
      val between = (p.predicates ++ p.lastPredicates)
        .map(e => atomsOf(p, e.references))
        .filter(_.sizeIs > 1)
      (groups.size < 2 || p.atoms.exists(a =>
        a.isEdge && groups.toSet == a.variables.toSet)) &&
      edges.forall(e => !differing.contains(e) && !between.exists(_.contains(e)))
    }

  /** Whether groups are of vertices alone: any number of them may be bound, whatever is asked of edges. */
  private def readsNoEdge(join: WcoJoin, read: Seq[Attribute]): Boolean =
    returning(join, read).patterns.forall { p =>
      !atomsOf(p, AttributeSet(p.values)).exists(p.atoms(_).isEdge)
    }

  private def atomsOf(p: JoinPattern, read: AttributeSet): Seq[Int] =
    p.columns.filter(c => read.contains(c.column)).map(_.atom).distinct

  /** The variables that have to be bound for what a pattern returns. */
  private def needed(p: JoinPattern): Seq[Int] =
    AttributeSet(p.values).toSeq.flatMap { a =>
      val variable = p.variables.indexWhere(_.exprId == a.exprId)
      if (variable >= 0) Seq(variable)
      else
        p.columns
          .find(_.column.exprId == a.exprId)
          .fold(p.variables.indices: Seq[Int])(c => p.atoms(c.atom).variables)
    }.distinct

  /** Whether all variables are bound for what is read, and a row of each edge is: none repeats another. */
  private def isAllRead(join: WcoJoin, read: Seq[Attribute]): Boolean =
    !leavesVariables(join, read) && returning(join, read).patterns.forall { p =>
      val edges = p.atoms.indices.filter(p.atoms(_).isEdge)
      edges.forall(atomsOf(p, AttributeSet(p.values)).contains)
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

  /** Whether an output is of groups, of aggregates, or made of them. */
  private def isOfGroups(e: Expression, groups: Seq[Expression]): Boolean =
    groups.exists(_.semanticEquals(e)) || (e match {
      case _: AggregateExpression => true
      case _: Attribute => false
      case other => other.deterministic && other.children.forall(isOfGroups(_, groups))
    })
}
