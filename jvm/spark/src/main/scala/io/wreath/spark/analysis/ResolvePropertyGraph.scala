package io.wreath.spark.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.analysis.{AnalysisContext, UnresolvedRelation}
import org.apache.spark.sql.catalyst.plans.logical.{CreateView, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.quoteIdentifier

import io.wreath.spark.WreathErrors
import io.wreath.spark.catalog.{PropertyGraphCatalog, PropertyGraphs, StoredPropertyGraphs}
import io.wreath.spark.logical.{PropertyGraph, UnresolvedGraphMatch, UnresolvedPropertyGraph}

/**
 * Puts the tables of a property graph in the place of its name.
 *
 * It runs twice. Before Spark looks up any table it sees every name that is no common table
 * expression, and refuses one that is a graph's and also a table's or a view's. Inside a view, whose
 * names mean what they meant where it was created, it waits until Spark found no such table.
 */
final private[wreath] case class ResolvePropertyGraph(
    session: SparkSession,
    beforeTables: Boolean)
    extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val inView = AnalysisContext.get.catalogAndNamespace.nonEmpty
    val temporary = if (inView == beforeTables) plan else resolveTemporary(plan, inView)
    // A stored graph is a view to Spark, so it is looked up before any.
    if (beforeTables) resolveStored(temporary)
    else {
      refuseUnknown(temporary)
      temporary
    }
  }

  /** Spark has looked for the table, and would say so in words that know of no graphs. */
  private def refuseUnknown(plan: LogicalPlan): Unit = plan.foreach {
    case UnresolvedGraphMatch(_, _, _, u @ UnresolvedRelation(parts, _, _)) =>
      throw PropertyGraphs.unknown(session, u.origin, parts)
    case _ =>
  }

  private def resolveTemporary(plan: LogicalPlan, inView: Boolean): LogicalPlan = {
    refuseInStoredView(plan)
    plan.resolveOperatorsUp { case m @ GraphByName(name, graph) =>
      if (!inView && session.catalog.tableExists(quoteIdentifier(name))) {
        throw WreathErrors.graphNameIsTable(m.clause.origin, name)
      }
      BindElementTables(m, name, UnresolvedPropertyGraph(graph), conf.resolver)
    }
  }

  private def resolveStored(plan: LogicalPlan): LogicalPlan = {
    lazy val stored = new StoredPropertyGraphs(session)
    plan.resolveOperatorsUp {
      case m @ UnresolvedGraphMatch(_, _, _, UnresolvedRelation(parts, _, false)) =>
        stored.get(inItsSchema(parts)).map { graph =>
          BindElementTables(
            m,
            parts.mkString("."),
            UnresolvedPropertyGraph(graph),
            conf.resolver)
        }.getOrElse(m)
    }
  }

  /** Inside a view a name means what it meant where the view was created. */
  private def inItsSchema(parts: Seq[String]): Seq[String] =
    if (parts.size == 1) AnalysisContext.get.catalogAndNamespace ++ parts else parts

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
    def unapply(m: UnresolvedGraphMatch): Option[(String, PropertyGraph)] = m.child match {
      case UnresolvedRelation(Seq(name), _, false) =>
        PropertyGraphCatalog.of(session).get(name).map(name -> _)
      case _ => None
    }
  }
}
