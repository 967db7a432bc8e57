package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.quoteIfNeeded

/** A name in the user's words, with its place in their text. */
final case class GraphName(text: String, origin: Origin)

/** The name of a graph, maybe after that of its schema, with its place in the user's text. */
final case class GraphPath(parts: Seq[String], origin: Origin) {

  def text: String = parts.mkString(".")
}

/** What CREATE PROPERTY GRAPH says: which rows of which tables are vertices and edges. */
final case class PropertyGraph(vertices: Seq[VertexTable], edges: Seq[EdgeTable]) {

  def elements: Seq[ElementTable] = vertices ++ edges
}

/** A table, or view, whose rows are elements of a graph. */
sealed trait ElementTable {

  /** The parts of the table's name. */
  def table: Seq[String]

  /** What the table is called in the graph; each of a graph's tables differently. */
  def alias: GraphName

  /** At least one. */
  def labels: Seq[ElementLabel]

  /** The columns that name vertices, in the order in which a [[MatchElement]] has them. */
  def endColumns: Seq[GraphName]

  def withTable(table: Seq[String]): ElementTable

  def tableName: String = table.map(quoteIfNeeded).mkString(".")

  /** Whether all columns are properties, by some label. */
  def hasAllColumns: Boolean = labels.exists(_.properties.isInstanceOf[AllColumns])

  /** The properties that are written out, each name once. */
  def listedProperties: Seq[Property] =
    labels.map(_.properties).collect { case ListedProperties(p) => p }.flatten
      .foldLeft(Vector.empty[Property]) { (kept, p) =>
        if (kept.exists(_.name.text.equalsIgnoreCase(p.name.text))) kept else kept :+ p
      }
}

/** @param key the columns that together name a vertex: each combination at most once */
final case class VertexTable(
    table: Seq[String],
    alias: GraphName,
    key: Seq[GraphName],
    labels: Seq[ElementLabel])
    extends ElementTable {

  override def endColumns: Seq[GraphName] = key

  override def withTable(table: Seq[String]): VertexTable = copy(table = table)
}

/** @param key the columns that name an edge; empty where none are said */
final case class EdgeTable(
    table: Seq[String],
    alias: GraphName,
    key: Seq[GraphName],
    source: EdgeEnd,
    destination: EdgeEnd,
    labels: Seq[ElementLabel])
    extends ElementTable {

  override def endColumns: Seq[GraphName] = source.columns ++ destination.columns

  override def withTable(table: Seq[String]): EdgeTable = copy(table = table)
}

/**
 * `KEY (columns) REFERENCES vertex (references)`
 *
 * @param vertex the alias of a vertex table
 * @param references columns of its key; empty means the key as it was declared
 */
final case class EdgeEnd(
    columns: Seq[GraphName],
    vertex: GraphName,
    references: Seq[GraphName])

final case class ElementLabel(name: GraphName, properties: Properties)

/** What a label lets one see of its rows. */
sealed trait Properties

final case class AllColumns(except: Seq[GraphName]) extends Properties

/** Empty means NO PROPERTIES. */
final case class ListedProperties(properties: Seq[Property]) extends Properties

/**
 * @param expression over the table's columns, unresolved
 * @param sql the same in the user's words
 */
final case class Property(name: GraphName, expression: Expression, sql: String)
