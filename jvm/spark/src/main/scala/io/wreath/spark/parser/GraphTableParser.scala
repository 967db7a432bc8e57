package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.Parameter
import org.apache.spark.sql.catalyst.expressions.{Expression, SubqueryExpression}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{
  ClauseParameter,
  EdgePattern,
  MatchClause,
  PathPattern,
  VertexPattern
}
import org.antlr.v4.runtime.Token

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
 * vertex   ( [name] [label] )
 * edge     -[ [name] [label] ]->  |  ->  |  <-[ [name] [label] ]-  |  <-
 * label    IS name  |  : name
 * }}}
 * Syntax of the language that is not there yet is recognised and refused by its name.
 *
 * @param parseExpression Spark's own parser, for what stands in WHERE and COLUMNS
 */
final private[parser] class GraphTableParser(
    sql: SqlTokens,
    island: GraphTableIsland,
    parseExpression: String => Expression) {

  private val markers = mutable.ArrayBuffer.empty[(Int, Int)]
  private var next = island.first + 2

  def parse(): ParsedClause = {
    val graphFirst = peek
    val graph = graphName()
    val graphUntil = sql.tokens(next - 1).getStopIndex + 1
    if (is("OPTIONAL")) unsupported("OPTIONAL MATCH", "Use a LEFT JOIN of two GRAPH_TABLEs.")
    expect("MATCH", "a graph's name is followed by MATCH")
    matchMode()
    val paths = mutable.ArrayBuffer(path())
    while (accept(",")) paths += path()
    val where = if (accept("WHERE")) Some(whereExpression()) else None
    val columns = if (accept("COLUMNS")) Some(columnItems()) else None
    if (next != island.last) fail(where, columns)
    val clause = MatchClause(
      graph,
      paths.toSeq,
      where,
      columns,
      sql.origin(sql.tokens(island.first), sql.tokens(island.last)))
    ParsedClause(clause, graphFirst.getStartIndex, graphUntil, markers.toSeq)
  }

  private def fail(where: Option[_], columns: Option[_]): Nothing = {
    val problem =
      if (columns.isDefined) "nothing may follow COLUMNS (…)"
      else if (where.isDefined) "expected COLUMNS or the end of the clause"
      else "expected an edge, a comma, WHERE, COLUMNS or the end of the clause"
    throw WreathErrors.syntax(sql.origin(peek), sql.textOf(peek), problem)
  }

  private def graphName(): String = {
    if (is("(")) {
      unsupported("a subquery as a graph", "Name it with WITH, or make a temporary view of it.")
    }
    val first = peek
    word("the name of a graph or of an edge table")
    while (accept(".")) word("the next part of the graph's name")
    sql.slice(first.getStartIndex, sql.tokens(next - 1).getStopIndex + 1)
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
    if (edges.isEmpty) {
      throw WreathErrors.unsupportedSyntax(
        vertices.head.origin,
        "a pattern of a single vertex",
        "Add an edge, or select the vertices from the table itself.")
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
    val (name, label) = element()
    if (startsEdge) unsupported("a parenthesised sub-path", "Write the path out.")
    expect(")", "the vertex is closed by ')'")
    VertexPattern(name, label, sql.origin(first, sql.tokens(next - 1)))
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
        val (n, l) = element()
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
    val at = sql.origin(first, sql.tokens(next - 1))
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

  /** `[name] [IS label | : label]`, inside a vertex or an edge. */
  private def element(): (Option[String], Option[String]) = {
    val name =
      if (is("IS") || is("WHERE")) None
      else sql.name(peek).map { n => next += 1; n }
    val label = if (accept("IS") || accept(":")) {
      val l = word("a label")
      if (Seq("|", "&", "!", "%").exists(is)) {
        unsupported("a label expression", "Leave the label out.")
      }
      Some(l)
    } else {
      None
    }
    if (is("WHERE")) {
      unsupported("WHERE inside a vertex or an edge", "Move it to the WHERE after the pattern.")
    }
    (name, label)
  }

  private def refuseQuantifier(): Unit = {
    if (Seq("{", "*", "+", "?").exists(is)) {
      unsupported(
        s"the quantifier ${sql.textOf(peek)}",
        "Write the path out edge by edge.")
    }
  }

  private def whereExpression(): Expression = {
    val first = next
    next = skipUntil(i => sql.isWord(sql.tokens(i), "COLUMNS") && isParenthesis(i + 1))
    expression(first, next, "a condition")
  }

  private def columnItems(): Seq[Expression] = {
    expect("(", "COLUMNS is followed by ( … )")
    val items = mutable.ArrayBuffer.empty[Expression]
    do {
      val first = next
      next = skipUntil(i => Seq(",", ")").exists(sql.isWord(sql.tokens(i), _)))
      items += expression(first, next, "a column")
    } while (accept(","))
    expect(")", "COLUMNS is closed by ')'")
    items.toSeq
  }

  /** The next token outside any bracket that `stop` holds for, or the end of the clause. */
  private def skipUntil(stop: Int => Boolean): Int = {
    var depth = 0
    var i = next
    while (i < island.last && (depth > 0 || !stop(i))) {
      if (Seq("(", "[").exists(sql.isWord(sql.tokens(i), _))) depth += 1
      if (Seq(")", "]").exists(sql.isWord(sql.tokens(i), _))) depth -= 1
      i += 1
    }
    i
  }

  /**
   * Lets Spark parse tokens [first, last). All that stands before them is blanked rather than cut,
   * so that the line, column and offset of every error are those of the user's own text.
   */
  private def expression(first: Int, last: Int, what: String): Expression = {
    if (first >= last) {
      throw WreathErrors.syntax(sql.origin(peek), sql.textOf(peek), s"expected $what")
    }
    val from = sql.tokens(first).getStartIndex
    val until = sql.tokens(last - 1).getStopIndex + 1
    val parsed = parseExpression(Blanks.before(sql.codePoints, from, until))
    parsed.find(_.isInstanceOf[SubqueryExpression]).foreach { subquery =>
      throw WreathErrors.unsupportedSyntax(
        subquery.origin.copy(sqlText = Some(sql.text)),
        "a subquery inside the clause",
        "Put the condition into the WHERE of the query around GRAPH_TABLE.")
    }
    val offsets = parsed.collect { case p: Parameter => p.origin.startIndex.get }.distinct.sorted
    val base = markers.size
    offsets.foreach { offset =>
      val i = sql.tokens.indexWhere(_.getStartIndex == offset)
      val end = if (sql.isWord(sql.tokens(i), ":")) sql.tokens(i + 1) else sql.tokens(i)
      markers += ((offset, end.getStopIndex + 1))
    }
    parsed.transform { case p: Parameter =>
      ClauseParameter(base + offsets.indexOf(p.origin.startIndex.get))
    }
  }

  private def isParenthesis(i: Int): Boolean =
    i < sql.tokens.length && sql.isWord(sql.tokens(i), "(")

  private def peek: Token = sql.tokens(next)

  private def is(text: String): Boolean = next <= island.last && sql.isWord(peek, text)

  private def isAt(ahead: Int, text: String): Boolean =
    next + ahead <= island.last && sql.isWord(sql.tokens(next + ahead), text)

  private def accept(text: String): Boolean = {
    val found = next < island.last && is(text)
    if (found) next += 1
    found
  }

  private def expect(text: String, problem: String): Unit =
    if (!accept(text)) throw WreathErrors.syntax(sql.origin(peek), sql.textOf(peek), problem)

  private def word(what: String): String =
    sql.name(peek) match {
      case Some(n) if next < island.last =>
        next += 1
        n
      case _ => throw WreathErrors.syntax(sql.origin(peek), sql.textOf(peek), s"expected $what")
    }

  private def unsupported(feature: String, wayOut: String): Nothing =
    throw WreathErrors.unsupportedSyntax(sql.origin(peek), feature, wayOut)
}
