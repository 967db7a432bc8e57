package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.logical.{ExpiryClause, MatchClause, StreamClause, TablesOfCall}

/**
 * A parsed clause with what the placeholder in the statement needs.
 *
 * @param graphFrom offset of the graph's name
 * @param graphUntil offset after it
 * @param snapshot offsets [from, until) of the name of the table that a stream starts from
 * @param markers offsets [from, until) of the parameter markers, in the order of the text
 */
final private[parser] case class ParsedClause(
    clause: MatchClause,
    graphFrom: Int,
    graphUntil: Int,
    snapshot: Option[(Int, Int)],
    markers: Seq[(Int, Int)])

/**
 * Parses the inside of one GRAPH_TABLE:
 * {{{
 * clause  GRAPH_TABLE ( name [stream] MATCH part {OPTIONAL MATCH part} [COLUMNS ( item {, item} )] )
 *         GRAPH_TABLE ( name [stream] MOTIF 'string' )
 *         GRAPH_TABLE ( name [stream] CALL MOTIF 'string' )
 *         GRAPH_TABLE ( name [stream] CALL [mode] 'pattern' [WHERE 'condition']
 *                       [COLUMNS ( 'items' {, 'items'} )] )
 * stream  [KEY ( column {, column} )] [EXPIRING column AFTER 'interval']
 *         [STARTING FROM name [WITH MATCHES]]
 * }}}
 * CALL is what the methods of `Graph` write, in Python and in Scala ([[CallParser]]).
 *
 * @param parseExpression Spark's own parser, for what stands in WHERE and COLUMNS
 */
final private[parser] class GraphTableParser private (
    sql: SqlTokens,
    island: GraphTableIsland,
    parseExpression: String => Expression,
    markers: mutable.Buffer[(Int, Int)])
    extends PatternParser(sql, island.first + 2, island.last, parseExpression, markers) {

  def this(sql: SqlTokens, island: GraphTableIsland, parseExpression: String => Expression) =
    this(sql, island, parseExpression, mutable.ArrayBuffer.empty[(Int, Int)])

  def parse(): ParsedClause = {
    val graphFirst = peek
    val graph = graphName()
    val graphUntil = previous.getStopIndex + 1
    val (stream, snapshot) = streamClause()
    val clause = ClauseLimits.check {
      if (is("MOTIF")) motif(graph)
      else if (is("CALL")) call()
      else patterns(graph)
    }
    if (island.last == sql.tokens.length) throw GraphTableIslands.unclosed(sql)
    ParsedClause(
      clause.copy(stream = if (clause.isCall) stream.map(ofCall) else stream),
      graphFirst.getStartIndex,
      graphUntil,
      snapshot,
      markers.toSeq.sorted)
  }

  private def ofCall(stream: StreamClause): StreamClause =
    stream.copy(snapshot = stream.snapshot.map(_ => TablesOfCall.Snapshot), origin = Origin())

  /** What is said of a stream, and where the name of the table that it starts from stands. */
  private def streamClause(): (Option[StreamClause], Option[(Int, Int)]) = {
    val first = peek
    val key = if (accept("KEY")) listed("KEY")(columnName("a column")) else Nil
    val expiry = if (accept("EXPIRING")) Some(expiryClause()) else None
    val start =
      if (acceptAll("STARTING", "FROM")) {
        val from = peek.getStartIndex
        Some((tableName("the name of a table of edges"), from, previous.getStopIndex + 1))
      } else None
    val isEmitted = start.isDefined && acceptAll("WITH", "MATCHES")
    if (key.isEmpty && expiry.isEmpty && start.isEmpty) (None, None)
    else {
      val clause =
        StreamClause(key, expiry, start.map(_._1), isEmitted, sql.origin(first, previous))
      (Some(clause), start.map { case (_, from, until) => (from, until) })
    }
  }

  private def expiryClause(): ExpiryClause = {
    val column = columnName("the column that says when an edge happened")
    expect("AFTER", "EXPIRING and a column are followed by AFTER")
    val text = if (atEnd) None else sql.string(peek)
    val micros = text.flatMap(ExpiryClause.microsOf).getOrElse(
      fail("AFTER is followed by how long an edge lives, such as '1 day' or '90 minutes'"))
    next += 1
    ExpiryClause(column, micros)
  }

  /** A call writes a name as a string literal. */
  private def columnName(what: String): String = {
    val literal = if (atEnd) None else sql.string(peek)
    if (literal.isDefined) next += 1
    literal.getOrElse(word(what))
  }

  /** What follows is one string literal. */
  private def text(after: String): String = {
    val found = if (atEnd) None else sql.string(peek)
    if (found.isEmpty) fail(s"$after is followed by a string")
    next += 1
    found.get
  }

  private def call(): MatchClause = {
    accept("CALL")
    val clause =
      if (accept("MOTIF")) CallParser.motif(text("MOTIF"))
      else {
        val mode = if (sql.string(peek).isEmpty) Some(matchMode()) else None
        val pattern = text("CALL")
        val where = if (accept("WHERE")) Some(text("WHERE")) else None
        val columns = mutable.ArrayBuffer.empty[String]
        if (accept("COLUMNS")) {
          expect("(", "COLUMNS is followed by ( … )")
          do columns += text("COLUMNS (") while (accept(","))
          expect(")", "COLUMNS is closed by ')'")
        }
        CallParser.parse(pattern, mode, where, columns.toSeq, parseExpression)
      }
    if (!atEnd) fail("nothing may follow a call")
    clause
  }

  private def motif(graph: String): MatchClause = {
    accept("MOTIF")
    val literal = peek
    val text = if (atEnd) None else sql.string(peek)
    next += 1
    if (text.isEmpty || !atEnd) {
      next -= 1
      fail("MOTIF is followed by a string, and nothing else")
    }
    val clauses =
      new MotifParser(graph, text.get, sql.origin(literal), sql.originWithin(literal)).parse()
    clauses.head.copy(shorter = clauses.tail)
  }

  private def patterns(graph: String): MatchClause = {
    if (is("OPTIONAL")) fail("OPTIONAL MATCH follows a MATCH")
    expect(
      "MATCH",
      "a graph's name is followed by MATCH, or over a stream by KEY, EXPIRING or STARTING FROM")
    val found = parts()
    val columns = if (accept("COLUMNS")) Some(columnItems()) else None
    if (!atEnd) failAfter(found.last, columns.isDefined, "clause")
    throwRefusals()
    MatchClause(
      graph,
      found,
      columns,
      markers.toSeq.map(_._1).sorted,
      sql.origin(
        sql.tokens(island.first),
        sql.tokens(math.min(island.last, sql.tokens.length - 1))))
  }

  private def graphName(): String = {
    if (is("(")) {
      unsupported("a subquery as a graph", "Name it with WITH, or make a temporary view of it.")
    }
    val name = tableName("the name of a graph or of an edge table")
    if (is("(") && skipTo("MATCH", "MOTIF") < island.last) {
      unsupported(
        "a table function as a graph",
        "Name it with WITH, or make a temporary view of it.")
    }
    name
  }

  private def tableName(what: String): String = {
    val first = peek
    word(what)
    while (accept(".")) word("the next part of the name")
    sql.slice(first.getStartIndex, previous.getStopIndex + 1)
  }
}
