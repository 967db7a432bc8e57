package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Parameter, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions.{Alias, Expression}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * Parses the definition of a property graph by recursive descent over Spark's own tokens:
 * {{{
 * graph       VERTEX TABLES ( vertex {, vertex} ) [EDGE TABLES ( edge {, edge} )]
 * vertex      table KEY ( names ) labels
 * edge        table [KEY ( names )] SOURCE end DESTINATION end labels
 * table       name {. name} [[AS] alias]
 * end         KEY ( names ) REFERENCES alias [( names )]
 * labels      [properties]  |  label {label}
 * label       LABEL name [properties]  |  DEFAULT LABEL [properties]
 * properties  NO PROPERTIES  |  PROPERTIES [ARE] ALL COLUMNS [EXCEPT ( names )]
 *             |  PROPERTIES ( expression [AS name] {, …} )
 * }}}
 * NODE stands for VERTEX and RELATIONSHIP for EDGE, as in SQL/PGQ.
 */
final private[parser] class PropertyGraphParser(
    sql: SqlTokens,
    first: Int,
    last: Int,
    parseExpression: String => Expression)
    extends TokenCursor(sql, first, last, parseExpression) {

  private val afterTable =
    Seq("KEY", "SOURCE", "DESTINATION", "LABEL", "DEFAULT", "NO", "PROPERTIES", "AS")

  def parse(): PropertyGraph = {
    if (!acceptVertexTables()) fail("expected VERTEX TABLES ( … )")
    val vertices = listed("VERTEX TABLES")(vertexTable())
    val edges =
      if (acceptEdgeTables()) listed("EDGE TABLES")(edgeTable()) else Nil
    if (!atEnd) fail("expected EDGE TABLES ( … ) or the end of the definition")
    PropertyGraph(vertices, edges)
  }

  /** What follows ADD: vertex tables, edge tables or both. */
  def additions(): PropertyGraph = {
    val vertices = if (acceptVertexTables()) listed("VERTEX TABLES")(vertexTable()) else Nil
    val edges = if (acceptEdgeTables()) listed("EDGE TABLES")(edgeTable()) else Nil
    if (vertices.isEmpty && edges.isEmpty) {
      fail("expected VERTEX TABLES ( … ) or EDGE TABLES ( … )")
    }
    if (!atEnd) fail("expected the end of the statement")
    PropertyGraph(vertices, edges)
  }

  /** What follows DROP: aliases of vertex tables, or of edge tables. */
  def removals(): (Seq[GraphName], Seq[GraphName]) = {
    def aliases = listed("TABLES")(name("the alias of an element table"))
    val found =
      if (acceptVertexTables()) (aliases, Nil)
      else if (acceptEdgeTables()) (Nil, aliases)
      else fail("expected VERTEX TABLES ( … ) or EDGE TABLES ( … )")
    if (!atEnd) fail("expected the end of the statement")
    found
  }

  private def acceptVertexTables(): Boolean =
    acceptAll("VERTEX", "TABLES") || acceptAll("NODE", "TABLES")

  private def acceptEdgeTables(): Boolean =
    acceptAll("EDGE", "TABLES") || acceptAll("RELATIONSHIP", "TABLES")

  private def vertexTable(): VertexTable = {
    val (table, alias) = tableAndAlias()
    if (!accept("KEY")) {
      fail("a vertex table needs KEY ( … ), the columns that together name a vertex")
    }
    val key = names("KEY")
    VertexTable(table, alias, key, labels(alias))
  }

  private def edgeTable(): EdgeTable = {
    val (table, alias) = tableAndAlias()
    val key = if (accept("KEY")) names("KEY") else Nil
    val source = edgeEnd("SOURCE")
    val destination = edgeEnd("DESTINATION")
    EdgeTable(table, alias, key, source, destination, labels(alias))
  }

  private def tableAndAlias(): (Seq[String], GraphName) = {
    val parts = mutable.ArrayBuffer(name("the name of a table"))
    while (accept(".")) parts += name("the next part of the table's name")
    val alias =
      if (accept("AS")) name("an alias")
      else if (!atEnd && sql.name(peek).isDefined && !afterTable.exists(is)) name("an alias")
      else parts.last
    (parts.map(_.text).toSeq, alias)
  }

  private def edgeEnd(end: String): EdgeEnd = {
    val form = s"expected $end KEY ( … ) REFERENCES a vertex table"
    expect(end, form)
    expect("KEY", form)
    val columns = names(s"$end KEY")
    expect("REFERENCES", form)
    val vertex = name("the alias of a vertex table")
    EdgeEnd(columns, vertex, if (is("(")) names("REFERENCES") else Nil)
  }

  private def labels(alias: GraphName): Seq[ElementLabel] = {
    val found = mutable.ArrayBuffer.empty[ElementLabel]
    var more = true
    while (more) {
      if (accept("LABEL")) found += ElementLabel(name("a label"), properties())
      else if (acceptAll("DEFAULT", "LABEL")) found += ElementLabel(alias, properties())
      else more = false
    }
    if (found.isEmpty) Seq(ElementLabel(alias, properties())) else found.toSeq
  }

  private def properties(): Properties =
    if (acceptAll("NO", "PROPERTIES")) {
      ListedProperties(Nil)
    } else if (!accept("PROPERTIES")) {
      AllColumns(Nil)
    } else if (is("(")) {
      ListedProperties(listed("PROPERTIES")(property()))
    } else {
      accept("ARE")
      if (!acceptAll("ALL", "COLUMNS")) fail("expected ( … ) or ALL COLUMNS after PROPERTIES")
      AllColumns(if (accept("EXCEPT")) names("EXCEPT") else Nil)
    }

  private def property(): Property = {
    val start = next
    val parsed = expressionUntil(skipTo(",", ")"), "a property")
    val text = sql.slice(sql.tokens(start).getStartIndex, previous.getStopIndex + 1)
    val at = sql.origin(sql.tokens(start), previous)
    parsed.find(_.isInstanceOf[Parameter]).foreach { _ =>
      throw WreathErrors.unsupportedSyntax(
        at,
        "a parameter in the definition of a graph",
        "Write the value itself.")
    }
    parsed match {
      case Alias(child, alias) => Property(GraphName(alias, at), child, text)
      case column: UnresolvedAttribute =>
        Property(GraphName(column.nameParts.last, at), column, text)
      case _ => throw WreathErrors.syntax(at, text, "an expression needs AS and a name")
    }
  }

  private def names(after: String): Seq[GraphName] = listed(after)(name("the name of a column"))

  private def name(what: String): GraphName = {
    val text = word(what)
    GraphName(text, sql.origin(previous))
  }
}
