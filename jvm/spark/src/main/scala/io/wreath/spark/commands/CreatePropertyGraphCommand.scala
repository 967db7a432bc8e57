package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, SubqueryAlias}
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.{AnalysisException, Row, SparkSession}

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{CheckPropertyGraph, ElementRelation, VertexKeyTypes}
import io.wreath.spark.catalog.{PropertyGraphCatalog, PropertyGraphs, StoredPropertyGraphs}
import io.wreath.spark.logical._

/** CREATE PROPERTY GRAPH: everything that can be wrong with it is said here, at once. */
final case class CreatePropertyGraphCommand(
    name: GraphPath,
    graph: PropertyGraph,
    isTemporary: Boolean,
    replace: Boolean,
    ifNotExists: Boolean)
    extends LeafRunnableCommand {

  override def run(session: SparkSession): Seq[Row] = {
    val temporary = PropertyGraphCatalog.of(session)
    val stored = new StoredPropertyGraphs(session)
    val isTemporaryName = name.parts.size == 1 && temporary.get(name.text).isDefined
    val exists = if (isTemporary) isTemporaryName else stored.get(name.parts).isDefined
    if ((exists && !replace && !ifNotExists) || (!isTemporary && isTemporaryName)) {
      throw WreathErrors.graphAlreadyExists(name.origin, name.text)
    }
    if (!exists || replace) {
      val isStored = exists && !isTemporary
      if (!isStored && session.catalog.tableExists(
          name.parts.map(quoteIdentifier).mkString("."))) {
        throw WreathErrors.graphNameIsTable(name.origin, name.text)
      }
      val sound = new CompletePropertyGraph(session, name.text, isTemporary).of(graph)
      if (isTemporary) temporary.put(name.text, sound) else stored.put(name, sound, replace)
    }
    Nil
  }
}

/**
 * ALTER PROPERTY GRAPH: the graph as it is defined after tables were added to it or dropped, checked
 * like a new one.
 *
 * @param added tables to be added
 * @param dropped aliases of tables to be dropped
 */
final case class AlterPropertyGraphCommand(
    name: GraphPath,
    added: PropertyGraph,
    droppedVertices: Seq[GraphName],
    droppedEdges: Seq[GraphName])
    extends LeafRunnableCommand {

  override def run(session: SparkSession): Seq[Row] = {
    val resolver = SparkInternals.classic(session).sessionState.conf.resolver
    val (graph, isTemporary) = PropertyGraphs.get(session, name)
    def without[T <: ElementTable](tables: Seq[T], dropped: Seq[GraphName]): Seq[T] = {
      dropped.find(d => !tables.exists(t => resolver(t.alias.text, d.text))).foreach { d =>
        throw WreathErrors.unknownElementTable(d.origin, d.text, tables.map(_.alias.text))
      }
      tables.filterNot(t => dropped.exists(d => resolver(t.alias.text, d.text)))
    }
    val vertices = without(graph.vertices, droppedVertices)
    val edges = without(graph.edges, droppedEdges)
    for (d <- droppedVertices; e <- edges; end <- Seq(e.source, e.destination)) {
      if (resolver(end.vertex.text, d.text)) {
        throw WreathErrors.vertexTableInUse(d.origin, d.text, e.alias.text)
      }
    }
    val altered = PropertyGraph(vertices ++ added.vertices, edges ++ added.edges)
    val sound = new CompletePropertyGraph(session, name.text, isTemporary).of(altered)
    if (isTemporary) PropertyGraphCatalog.of(session).put(name.text, sound)
    else new StoredPropertyGraphs(session).put(name, sound, replace = true)
    Nil
  }
}

/**
 * Checks the definition of a graph against its tables, and gives these their full names.
 *
 * @param name of the graph, for messages
 */
final private class CompletePropertyGraph(
    session: SparkSession,
    name: String,
    isTemporary: Boolean) {

  def of(graph: PropertyGraph): PropertyGraph = {
    val resolver = SparkInternals.classic(session).sessionState.conf.resolver
    val sound = new CheckPropertyGraph(graph, resolver).checked
    val elements = sound.elements.map { e =>
      val found = e.withTable(qualified(e))
      checkColumns(found)
      found
    }
    val ends =
      elements.map(e => e -> ElementRelation.ends(e, analyze(ElementRelation(e))))
    val vertices = elements.collect { case v: VertexTable => v }
    vertices.foreach(VertexKeyTypes(name, _, ends, resolver))
    PropertyGraph(vertices, elements.collect { case e: EdgeTable => e })
  }

  /** The table's full name, so that the graph means the same after USE; a temporary view has none. */
  private def qualified(e: ElementTable): Seq[String] =
    CurrentOrigin.withOrigin(e.alias.origin) {
      analyze(UnresolvedRelation(e.table)) match {
        case SubqueryAlias(identifier, _) if isTemporary || identifier.qualifier.nonEmpty =>
          identifier.qualifier :+ identifier.name
        case _ if !isTemporary =>
          throw WreathErrors.temporaryViewInGraph(e.alias.origin, name, e.tableName)
        case _ => e.table
      }
    }

  /** Names that are not there are Spark's own errors, with its suggestions, at their place. */
  private def checkColumns(e: ElementTable): Unit = {
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
      try analyze(Project(list ++ columns, relation))
      catch { case x: AnalysisException if x.getCondition == "MISSING_GROUP_BY" => throw refused }
    analyzed match {
      case Project(resolved, _: SubqueryAlias) if resolved.forall(_.deterministic) =>
      case _ => throw refused
    }
  }

  private def analyze(plan: LogicalPlan): LogicalPlan = {
    val execution = SparkInternals.classic(session).sessionState.executePlan(plan)
    execution.assertAnalyzed()
    execution.analyzed
  }
}
