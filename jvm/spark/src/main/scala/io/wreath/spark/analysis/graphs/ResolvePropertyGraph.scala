package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.analysis.{AnalysisContext, UnresolvedRelation}
import org.apache.spark.sql.catalyst.plans.logical.{CreateView, LogicalPlan, SubqueryAlias, View}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.execution.wreath.SparkInternals

import io.wreath.spark.WreathErrors
import io.wreath.spark.catalog.{PropertyGraphCatalog, PropertyGraphs, StoredPropertyGraphs}
import io.wreath.spark.logical.{
  MatchOver,
  PropertyGraph,
  UnresolvedGraphMatch,
  UnresolvedPropertyGraph
}

/**
 * Puts the tables of a property graph in the place of its name.
 *
 * It runs twice. Before Spark looks up any table it sees every name that is no common table
 * expression, and refuses one that is a temporary graph's and also a table's or a view's. After Spark
 * has looked, the view that a stored graph is stands in the place of its name, as it does inside
 * another view. A name that is left then is a temporary graph's where the first run did not see it:
 * inside a view, whose names mean what they meant where it was created, and in a session with
 * Hive, in which no rule runs before Spark's.
 */
final private[wreath] case class ResolvePropertyGraph(
    session: SparkSession,
    beforeTables: Boolean)
    extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val inView = AnalysisContext.get.catalogAndNamespace.nonEmpty
    if (beforeTables) {
      if (inView) plan else resolveTemporary(plan)
    } else {
      if (!inView) refuseAmbiguous(plan)
      val resolved = resolveTemporary(resolveStored(plan))
      refuseUnknown(resolved)
      resolved
    }
  }

  private def resolveTemporary(plan: LogicalPlan): LogicalPlan = {
    refuseInStoredView(plan)
    plan.resolveOperatorsUp { case m @ GraphByName(name, graph) =>
      if (beforeTables && session.catalog.tableExists(quoteIdentifier(name))) {
        throw WreathErrors.graphNameIsTable(m.clause.origin, name)
      }
      BindElementTables(m, name, UnresolvedPropertyGraph(graph), conf.resolver)
    }
  }

  private def resolveStored(plan: LogicalPlan): LogicalPlan = {
    lazy val stored = new StoredPropertyGraphs(session)
    plan.resolveOperatorsUp {
      case m @ MatchOver(SubqueryAlias(_, view: View)) =>
        stored.of(view.desc).map { graph =>
          BindElementTables(m, m.clause.graph, UnresolvedPropertyGraph(graph), conf.resolver)
        }.getOrElse(m)
    }
  }

  /** What the first run would have refused: Spark has found a table by the name of a graph. */
  private def refuseAmbiguous(plan: LogicalPlan): Unit = plan.foreach {
    case m @ MatchOver(SubqueryAlias(name, child))
        if !m.clause.isCall && (name.qualifier.nonEmpty || child.isInstanceOf[View]) =>
      val words = SparkInternals.classic(
        session).sessionState.sqlParser.parseMultipartIdentifier(m.clause.graph)
      if (words.size == 1 && PropertyGraphCatalog.of(session).get(words.head).isDefined) {
        throw WreathErrors.graphNameIsTable(m.clause.origin, words.head)
      }
    case _ =>
  }

  /** Spark has looked for the table, and would say so in words that know of no graphs. */
  private def refuseUnknown(plan: LogicalPlan): Unit = plan.foreach {
    case MatchOver(u @ UnresolvedRelation(parts, _, _)) =>
      throw PropertyGraphs.unknown(session, u.origin, parts)
    case _ =>
  }

  /** As Spark refuses a temporary view there. */
  private def refuseInStoredView(plan: LogicalPlan): Unit = plan.foreach {
    case view: CreateView =>
      view.query.foreachWithSubqueries {
        case m @ GraphByName(name, _) =>
          throw WreathErrors.temporaryGraphInView(m.clause.origin, name)
        case _ =>
      }
    case _ =>
  }

  private object GraphByName {
    def unapply(m: UnresolvedGraphMatch): Option[(String, PropertyGraph)] = m.graph match {
      case UnresolvedRelation(Seq(name), _, false) =>
        PropertyGraphCatalog.of(session).get(name).map(name -> _)
      case _ => None
    }
  }
}
