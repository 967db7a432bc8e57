package io.wreath.spark.analysis.streams

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.spark.logical.{StaticTable, StreamingPattern, StreamingWcoJoin}

/**
 * Makes one join of the branches of a UNION ALL over the same stream: the edges are read once, kept
 * once and indexed once.
 *
 * {{{
 *   SELECT 'triangle' AS pattern, … FROM GRAPH_TABLE (s MATCH …)
 *   UNION ALL
 *   SELECT 'square' AS pattern, … FROM GRAPH_TABLE (s MATCH …)
 * }}}
 * A constant column `pattern` names a branch, by which it is known again after a restart. In the
 * analyzer, since Spark counts the sources of a query before it optimizes: each branch would be
 * one.
 */
private[wreath] object MergeStreamingMatches extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case u: Union if u.resolved && u.isStreaming => merged(u)
    case p: Project if p.resolved && p.isStreaming => named(p)
  }

  private def merged(u: Union): LogicalPlan = {
    val joins = u.children.flatMap(branch)
    val isOne = joins.combinations(2).forall(p => isSameStream(p.head, p.last))
    if (joins.size < u.children.size || !isOne) u
    else {
      val all = joins.foldLeft(joins.head.copy(patterns = Nil))(added)
      val patterns = all.patterns.zipWithIndex.map { case (p, i) =>
        if (p.isNamed) p else p.copy(name = StreamingPattern.Unnamed + i)
      }
      if (patterns.map(_.name).distinct.size < patterns.size) u
      else all.copy(patterns = patterns, output = u.output)
    }
  }

  /** The first join with the patterns of the other, and with its tables. */
  private def added(all: StreamingWcoJoin, more: StreamingWcoJoin): StreamingWcoJoin = {
    val fresh = more.statics.indices.filterNot(i => all.tables.contains(more.tables(i)))
    val names = all.tables ++ fresh.map(more.tables)
    def moved(relation: Int): Int =
      if (relation == 0) 0 else 1 + names.indexOf(more.tables(relation - 1))
    all.copy(
      patterns = all.patterns ++ more.patterns.map { p =>
        p.copy(edges = p.edges.map(e => e.copy(relation = moved(e.relation))))
      },
      statics = all.statics ++ fresh.map(more.statics),
      tables = names)
  }

  /** A single pattern may have a name too, so that others can be added to it later. */
  private def named(p: Project): LogicalPlan =
    branch(p).filter(_.patterns.forall(_.isNamed)).getOrElse(p)

  private def isSameStream(a: StreamingWcoJoin, b: StreamingWcoJoin): Boolean =
    a.changes == b.changes && a.child.sameResult(b.child) &&
      a.snapshot.map(_.canonicalized) == b.snapshot.map(_.canonicalized) &&
      a.tables.intersect(b.tables).forall { table =>
        tableOf(a, table).sameResult(tableOf(b, table))
      }

  private def tableOf(j: StreamingWcoJoin, table: StaticTable): LogicalPlan =
    j.statics(j.tables.indexOf(table))

  /** A branch as a join that returns what the branch does. */
  private def branch(plan: LogicalPlan): Option[StreamingWcoJoin] = plan match {
    case j: StreamingWcoJoin => Some(j)
    case SubqueryAlias(_, child) => branch(child)
    case Filter(condition, child) if isEvaluable(condition) =>
      branch(child).filter(_.patterns.size == 1).map { j =>
        val p = j.patterns.head
        // The text has the WHERE of the clause itself, which stands right above the join.
        val isOwn = child.isInstanceOf[StreamingWcoJoin] && !p.isNamed
        val text = if (isOwn) p.text else p.text.and(new StreamText(j).textOf(condition))
        j.copy(patterns =
          Seq(p.copy(lastPredicates = p.lastPredicates :+ j.overPattern(condition), text = text)))
      }
    case Project(list, child) if list.forall(isEvaluable) =>
      branch(child).filter(_.patterns.size == 1).map { j =>
        val p = j.patterns.head
        val result = list.map {
          case Alias(e, _) => j.overPattern(e)
          case e => j.overPattern(e)
        }
        j.copy(
          patterns = Seq(p.copy(name = nameOf(list).getOrElse(p.name), result = result)),
          output = list.map(_.toAttribute))
      }
    case _ => None
  }

  /** What has another value in each batch is put in by Spark, which does not look into patterns. */
  private def isEvaluable(e: Expression): Boolean =
    e.deterministic && !SubqueryExpression.hasSubquery(e) && !e.containsPattern(CURRENT_LIKE) &&
      !e.exists {
        case _: With | _: CommonExpressionDef | _: CommonExpressionRef | _: Attribute => false
        case _: RuntimeReplaceable => false
        case other => other.isInstanceOf[Unevaluable]
      }

  private def nameOf(list: Seq[NamedExpression]): Option[String] = list.collectFirst {
    case Alias(Literal(name: UTF8String, _), c) if c.equalsIgnoreCase("pattern") => name.toString
  }
}
