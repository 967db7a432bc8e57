package io.wreath.spark.catalog

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.analysis.NoSuchDatabaseException
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.execution.command.CreateViewCommand
import org.apache.spark.sql.execution.wreath.SparkInternals

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{GraphPath, PropertyGraph}

/**
 * Property graphs that outlive the session, as long as the catalog does.
 *
 * Spark's session catalog knows tables, views and functions, and nothing else. So a graph is a view
 * with a reserved property, which holds the definition in pieces, for some catalogs keep no longer
 * ones. Who selects from the view is told that it is a graph.
 */
final private[wreath] class StoredPropertyGraphs(session: SparkSession) {
  import StoredPropertyGraphs._

  private val classic = SparkInternals.classic(session)

  private def catalog = classic.sessionState.catalog

  private val codec = new PropertyGraphCodec(classic.sessionState.sqlParser.parseExpression)

  /** A graph by its name: one part, or a schema and one, maybe after the session catalog's name. */
  def get(name: Seq[String]): Option[PropertyGraph] =
    identifier(name).flatMap(table).flatMap(of)

  /** Whether there is one of a name, of whatever version its definition is. */
  def has(name: Seq[String]): Boolean = identifier(name).flatMap(table).exists(isGraph)

  /** The graph that a view is, if it is one. */
  def of(view: CatalogTable): Option[PropertyGraph] = definition(view).map { text =>
    codec.read(text).getOrElse(throw WreathErrors.graphVersion(view.identifier.table))
  }

  def put(name: GraphPath, graph: PropertyGraph, replace: Boolean): Unit = {
    if (identifier(name.parts).isEmpty) {
      throw WreathErrors.unsupportedFeature(
        name.origin,
        "a property graph in another catalog than Spark's own",
        "Create it in spark_catalog, or a temporary one.")
    }
    val text = codec.write(graph)
    val pieces = text.grouped(PieceLength).zipWithIndex.map { case (piece, i) =>
      s"${literal(s"$Property.$i")} = ${literal(piece)}"
    }.toSeq
    val message = s"${name.text} is a property graph: match over it with GRAPH_TABLE."
    val verb = if (replace) "CREATE OR REPLACE VIEW" else "CREATE VIEW"
    session.sql(
      s"$verb ${sqlName(name.parts)} TBLPROPERTIES (${literal(Property)} = '${pieces.size}', " +
        s"${pieces.mkString(", ")}) AS SELECT raise_error(${literal(message)}) AS property_graph")
  }

  /** Whether there was one. */
  def drop(name: Seq[String]): Boolean = {
    val found = get(name).isDefined
    if (found) {
      // Not DROP VIEW, which is refused for graphs.
      identifier(name).foreach(catalog.dropTable(_, ignoreIfNotExists = true, purge = false))
    }
    found
  }

  /** The names of those in the current schema, in their order. */
  def names: Seq[String] = {
    val views = catalog.listViews(catalog.getCurrentDatabase, "*").filter(_.database.isDefined)
    views.filter(v => table(v).exists(isGraph)).map(_.table).sorted
  }

  /** Those of some stored views, each a schema and a name, that are graphs. */
  def among(views: Seq[(String, String)]): Set[(String, String)] =
    catalog
      .getTablesByName(views.map { case (schema, name) => TableIdentifier(name, Some(schema)) })
      .filter(isGraph)
      .map(t => (t.database, t.identifier.table))
      .toSet

  private def identifier(name: Seq[String]): Option[TableIdentifier] = name match {
    case Seq(table) if inSessionCatalog => Some(TableIdentifier(table))
    case Seq(schema, table) if inSessionCatalog => Some(TableIdentifier(table, Some(schema)))
    case Seq(SessionCatalog, schema, table) => Some(TableIdentifier(table, Some(schema)))
    case _ => None
  }

  private def inSessionCatalog: Boolean =
    classic.sessionState.catalogManager.currentCatalog.name() == SessionCatalog

  /** A temporary view of the name hides the stored one, as it hides a table. */
  private def table(name: TableIdentifier): Option[CatalogTable] =
    try {
      if (catalog.isTempView(name) || !catalog.tableExists(name)) None
      else Some(catalog.getTableMetadata(name))
    } catch { case _: NoSuchDatabaseException => None }

  private def definition(table: CatalogTable): Option[String] =
    table.properties.get(Property).map { pieces =>
      (0 until pieces.toInt).map(i => table.properties(s"$Property.$i")).mkString
    }
}

private[wreath] object StoredPropertyGraphs {

  /** Whether the catalog keeps a graph as this view. */
  def isGraph(view: CatalogTable): Boolean = view.properties.contains(Property)

  /** Whether a view is created to keep a graph. */
  def isGraph(command: CreateViewCommand): Boolean = command.properties.contains(Property)

  private val SessionCatalog = "spark_catalog"
  private val Property = "wreath.propertyGraph"

  /** Metastores keep properties in columns of 4,000 characters. */
  private val PieceLength = 3500

  private def literal(text: String): String =
    "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

  private def sqlName(parts: Seq[String]): String = parts.map(quoteIdentifier).mkString(".")
}
