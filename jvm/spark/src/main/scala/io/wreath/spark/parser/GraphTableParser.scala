package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.Parameter
import org.apache.spark.sql.catalyst.expressions.{And, Expression}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{
  ClauseParameter,
  EdgePattern,
  MatchClause,
  PathPattern,
  VertexPattern
}

/**
 * A parsed clause with what the placeholder in the statement needs.
 *
 * @param graphFrom offset of the graph's name
 * @param graphUntil offset after it
 * @param markers offsets [from, until) of the parameter markers, in the order of the text
 */
final private[parser] case class ParsedClause(
    clause: MatchClause,
    graphFrom: Int,
    graphUntil: Int,
    markers: Seq[(Int, Int)])

/**
 * Parses the inside of one GRAPH_TABLE by recursive descent over Spark's own tokens:
 * {{{
 * clause   GRAPH_TABLE ( name MATCH [REPEATABLE ELEMENTS] path {, path}
 *                        [WHERE expression] [COLUMNS ( item {, item} )] )
 * path     vertex { edge vertex }
 * vertex   ( element )
 * edge     -[ element ]->  |  ->  |  <-[ element ]-  |  <-
 * element  [name] [IS label | : label] [WHERE expression]
 * }}}
 * Syntax of the language that is not there yet is recognised and refused by its name.
 *
 * @param parseExpression Spark's own parser, for what stands in WHERE and COLUMNS
 */
final private[parser] class GraphTableParser(
    sql: SqlTokens,
    island: GraphTableIsland,
    parseExpression: String => Expression)
    extends TokenCursor(sql, island.first + 2, island.last, parseExpression) {

  private val markers = mutable.ArrayBuffer.empty[(Int, Int)]

  /** The conditions inside vertices and edges, and the one after the pattern. */
  private val conditions = mutable.ArrayBuffer.empty[Expression]

  def parse(): ParsedClause = {
    val graphFirst = peek
    val graph = graphName()
    val graphUntil = previous.getStopIndex + 1
    if (is("OPTIONAL")) unsupported("OPTIONAL MATCH", "Use a LEFT JOIN of two GRAPH_TABLEs.")
    expect("MATCH", "a graph's name is followed by MATCH")
    matchMode()
    val paths = mutable.ArrayBuffer(path())
    while (accept(",")) paths += path()
    val hasWhere = accept("WHERE")
    if (hasWhere) conditions += whereExpression()
    val columns = if (accept("COLUMNS")) Some(columnItems()) else None
    if (next != island.last) failAtEnd(hasWhere, columns.isDefined)
    val clause = MatchClause(
      graph,
      paths.toSeq,
      conditions.reduceOption(And(_, _)),
      columns,
      sql.origin(sql.tokens(island.first), sql.tokens(island.last)))
    ParsedClause(clause, graphFirst.getStartIndex, graphUntil, markers.toSeq)
  }

  private def failAtEnd(hasWhere: Boolean, hasColumns: Boolean): Nothing =
    fail(
      if (hasColumns) "nothing may follow COLUMNS (…)"
      else if (hasWhere) "expected COLUMNS or the end of the clause"
      else "expected an edge, a comma, WHERE, COLUMNS or the end of the clause")

  private def graphName(): String = {
    if (is("(")) {
      unsupported("a subquery as a graph", "Name it with WITH, or make a temporary view of it.")
    }
    val first = peek
    word("the name of a graph or of an edge table")
    while (accept(".")) word("the next part of the graph's name")
    sql.slice(first.getStartIndex, previous.getStopIndex + 1)
  }

  private def matchMode(): Unit = {
    // REPEATABLE ELEMENTS is what a pattern means without it.
    if (is("REPEATABLE") && !isAt(1, "(")) {
      next += 1
      if (!accept("ELEMENTS")) expect("ELEMENT", "REPEATABLE is followed by ELEMENTS")
    } else if (is("DIFFERENT")) {
      unsupported(
        "match mode DIFFERENT " + sql.textOf(sql.tokens(next + 1)).toUpperCase(),
        "Compare the variables with <> in WHERE.")
    }
  }

  private def path(): PathPattern = {
    refusePathPrefix()
    val vertices = mutable.ArrayBuffer(vertex())
    val edges = mutable.ArrayBuffer.empty[EdgePattern]
    while (startsEdge) {
      edges += edge()
      refuseQuantifier()
      vertices += vertex()
    }
    PathPattern(vertices.toSeq, edges.toSeq)
  }

  private def refusePathPrefix(): Unit = {
    if (Seq("ANY", "ALL", "SHORTEST", "WALK", "TRAIL", "ACYCLIC", "SIMPLE").exists(is)) {
      unsupported(s"the path prefix ${sql.textOf(peek).toUpperCase()}", "Leave it out.")
    }
    if (sql.name(peek).isDefined && isAt(1, "=")) {
      unsupported("a path variable", "Name the vertices and edges instead.")
    }
  }

  private def vertex(): VertexPattern = {
    val first = peek
    expect("(", "a vertex is written (name) or ()")
    if (is("(")) unsupported("a parenthesised sub-path", "Write the path out.")
    val (name, label) = element(")")
    if (startsEdge) unsupported("a parenthesised sub-path", "Write the path out.")
    expect(")", "the vertex is closed by ')'")
    VertexPattern(name, label, sql.origin(first, previous))
  }

  private def startsEdge: Boolean = Seq("-", "->", "<", "<-", "~", "<~").exists(is)

  private def edge(): EdgePattern = {
    val first = peek
    val left = accept("<")
    var name, label = Option.empty[String]
    var right = false
    if (accept("->")) {
      right = true
    } else {
      expect("-", "an edge is written ->, <-, -[]-> or <-[]-")
      if (accept("[")) {
        val (n, l) = element("]")
        name = n
        label = l
        expect("]", "the edge is closed by ']'")
        if (accept("->")) right = true
        else {
          expect("-", "an edge is written -[]-> or <-[]-")
          right = accept(">")
        }
      }
    }
    val at = sql.origin(first, previous)
    if (left && right) {
      throw WreathErrors.unsupportedSyntax(
        at,
        "<-[]->",
        "Other products read it as an edge in any direction, or as edges in both directions: " +
          "write -[]- for the first and two patterns for the second.")
    }
    if (!left && !right) {
      throw WreathErrors.unsupportedSyntax(
        at,
        "an edge without a direction",
        "Match over a view that holds each edge in both directions.")
    }
    EdgePattern(name, label, leftToRight = right, at)
  }

  /** `[name] [IS label | : label] [WHERE condition]`, inside a vertex or an edge. */
  private def element(closing: String): (Option[String], Option[String]) = {
    val name =
      if (is("IS") || is("WHERE")) None
      else sql.name(peek).map { n => next += 1; n }
    val label = if (accept("IS") || accept(":")) Some(elementLabel()) else None
    // It may name any variable of the pattern, so it means what it would mean after the pattern.
    if (accept("WHERE")) conditions += expression(skipTo(closing), "a condition")
    (name, label)
  }

  private def elementLabel(): String = {
    def refuse(): Unit = if (Seq("|", "&", "!", "%", "(").exists(is)) {
      unsupported("a label expression", "Name one label, or leave it out.")
    }
    refuse()
    val label = word("a label")
    refuse()
    label
  }

  private def refuseQuantifier(): Unit = {
    if (Seq("{", "*", "+", "?").exists(is)) {
      unsupported(
        s"the quantifier ${sql.textOf(peek)}",
        "Write the path out edge by edge.")
    }
  }

  private def whereExpression(): Expression =
    expression(
      skipUntil(i => sql.isWord(sql.tokens(i), "COLUMNS") && isParenthesis(i + 1)),
      "a condition")

  private def columnItems(): Seq[Expression] = {
    expect("(", "COLUMNS is followed by ( … )")
    val items = mutable.ArrayBuffer.empty[Expression]
    do {
      items += expression(skipTo(",", ")"), "a column")
    } while (accept(","))
    expect(")", "COLUMNS is closed by ')'")
    items.toSeq
  }

  /** The expression until token `end`, its parameter markers noted and numbered. */
  private def expression(end: Int, what: String): Expression = {
    val parsed = expressionUntil(end, what)
    val offsets = parsed.collect { case p: Parameter => p.origin.startIndex.get }.distinct.sorted
    val base = markers.size
    offsets.foreach { offset =>
      val i = sql.tokens.indexWhere(_.getStartIndex == offset)
      val marker = if (sql.isWord(sql.tokens(i), ":")) sql.tokens(i + 1) else sql.tokens(i)
      markers += ((offset, marker.getStopIndex + 1))
    }
    parsed.transform { case p: Parameter =>
      ClauseParameter(base + offsets.indexOf(p.origin.startIndex.get))
    }
  }

  private def isParenthesis(i: Int): Boolean =
    i < sql.tokens.length && sql.isWord(sql.tokens(i), "(")
}
