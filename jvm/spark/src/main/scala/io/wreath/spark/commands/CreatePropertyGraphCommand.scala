package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, SubqueryAlias}
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.{AnalysisException, Row, SparkSession}

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.{CheckPropertyGraph, ElementRelation, VertexKeyTypes}
import io.wreath.spark.catalog.PropertyGraphCatalog
import io.wreath.spark.logical._

/** CREATE TEMPORARY PROPERTY GRAPH: everything that can be wrong with it is said here, at once. */
final case class CreatePropertyGraphCommand(
    name: GraphName,
    graph: PropertyGraph,
    replace: Boolean,
    ifNotExists: Boolean)
    extends LeafRunnableCommand {

  override def run(session: SparkSession): Seq[Row] = {
    val graphs = PropertyGraphCatalog.of(session)
    val exists = graphs.get(name.text).isDefined
    if (exists && !replace && !ifNotExists) {
      throw WreathErrors.graphAlreadyExists(name.origin, name.text)
    }
    if (!exists || replace) {
      if (session.catalog.tableExists(quoteIdentifier(name.text))) {
        throw WreathErrors.graphNameIsTable(name.origin, name.text)
      }
      graphs.put(name.text, checked(session))
    }
    Nil
  }

  private def checked(session: SparkSession): PropertyGraph = {
    val resolver = SparkInternals.classic(session).sessionState.conf.resolver
    val sound = new CheckPropertyGraph(graph, resolver).checked
    val elements = sound.elements.map { e =>
      val found = e.withTable(qualified(session, e))
      checkColumns(session, found)
      found
    }
    val ends =
      elements.map(e => e -> ElementRelation.ends(e, analyze(session, ElementRelation(e))))
    val vertices = elements.collect { case v: VertexTable => v }
    vertices.foreach(VertexKeyTypes(name.text, _, ends, resolver))
    PropertyGraph(vertices, elements.collect { case e: EdgeTable => e })
  }

  /** The table's full name, so that the graph means the same after USE; a temporary view has none. */
  private def qualified(session: SparkSession, e: ElementTable): Seq[String] =
    CurrentOrigin.withOrigin(e.alias.origin) {
      analyze(session, UnresolvedRelation(e.table)) match {
        case SubqueryAlias(identifier, _) => identifier.qualifier :+ identifier.name
        case _ => e.table
      }
    }

  /** Names that are not there are Spark's own errors, with its suggestions, at their place. */
  private def checkColumns(session: SparkSession, e: ElementTable): Unit = {
    val excepted = e.labels.map(_.properties).collect { case AllColumns(names) => names }.flatten
    val edgeKey = e match {
      case edge: EdgeTable => edge.key
      case _ => Nil
    }
    val Project(list, relation) = ElementRelation(e): @unchecked
    val columns = (excepted ++ edgeKey).map(ElementRelation.column)
    def refused: Throwable =
      WreathErrors.unsupportedFeature(
        e.alias.origin,
        "a property that is not a function of one row",
        "Compute it in a view, and make the view an element table.")
    val analyzed =
      try analyze(session, Project(list ++ columns, relation))
      catch { case x: AnalysisException if x.getCondition == "MISSING_GROUP_BY" => throw refused }
    analyzed match {
      case Project(resolved, _: SubqueryAlias) if resolved.forall(_.deterministic) =>
      case _ => throw refused
    }
  }

  private def analyze(session: SparkSession, plan: LogicalPlan): LogicalPlan = {
    val execution = SparkInternals.classic(session).sessionState.executePlan(plan)
    execution.assertAnalyzed()
    execution.analyzed
  }
}
