package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression

import io.wreath.spark.logical.{ExpiryClause, MatchClause, MatchPart, StreamClause}

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
 *         GRAPH_TABLE ( name MOTIF 'string' )
 * stream  [KEY ( column {, column} )] [EXPIRING column AFTER 'interval']
 *         [STARTING FROM name [WITH MATCHES]]
 * }}}
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
    if (is("MOTIF")) {
      ParsedClause(motif(graph), graphFirst.getStartIndex, graphUntil, None, Nil)
    } else {
      val (stream, snapshot) = streamClause()
      val clause = patterns(graph).copy(stream = stream)
      ParsedClause(clause, graphFirst.getStartIndex, graphUntil, snapshot, markers.toSeq.sorted)
    }
  }

  /** What is said of a stream, and where the name of the table that it starts from stands. */
  private def streamClause(): (Option[StreamClause], Option[(Int, Int)]) = {
    val first = peek
    val key = if (accept("KEY")) keyColumns() else Nil
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
    val column = word("the column that says when an edge happened")
    expect("AFTER", "EXPIRING and a column are followed by AFTER")
    val text = if (atEnd) None else sql.string(peek)
    val micros = text.flatMap(ExpiryClause.microsOf).getOrElse(
      fail("AFTER is followed by how long an edge lives, such as '1 day' or '90 minutes'"))
    next += 1
    ExpiryClause(column, micros)
  }

  private def keyColumns(): Seq[String] = {
    expect("(", "KEY is followed by ( … )")
    val names = mutable.ArrayBuffer(word("a column"))
    while (accept(",")) names += word("a column")
    expect(")", "KEY is closed by ')'")
    names.toSeq
  }

  private def motif(graph: String): MatchClause = {
    accept("MOTIF")
    val at = sql.origin(peek)
    val text = if (atEnd) None else sql.string(peek)
    next += 1
    if (text.isEmpty || !atEnd) {
      next -= 1
      fail("MOTIF is followed by a string, and nothing else")
    }
    val clauses = new MotifParser(graph, text.get, at).parse()
    clauses.head.copy(shorter = clauses.tail)
  }

  private def patterns(graph: String): MatchClause = {
    if (is("OPTIONAL")) fail("OPTIONAL MATCH follows a MATCH")
    expect(
      "MATCH",
      "a graph's name is followed by MATCH, or over a stream by KEY, EXPIRING or STARTING FROM")
    val parts = mutable.ArrayBuffer(part(isOptional = false))
    while (acceptAll("OPTIONAL", "MATCH")) parts += part(isOptional = true)
    if (is("MATCH")) {
      unsupported("a second MATCH", "Write its paths after a comma, or OPTIONAL MATCH.")
    }
    val columns = if (accept("COLUMNS")) Some(columnItems()) else None
    if (!atEnd) failAtEnd(parts.last, columns.isDefined)
    MatchClause(
      graph,
      parts.toSeq,
      columns,
      markers.toSeq.map(_._1).sorted,
      sql.origin(sql.tokens(island.first), sql.tokens(island.last)))
  }

  private def failAtEnd(last: MatchPart, hasColumns: Boolean): Nothing =
    fail(
      if (hasColumns) "nothing may follow COLUMNS (…)"
      else if (last.where.isDefined) "expected OPTIONAL MATCH, COLUMNS or the end of the clause"
      else "expected an edge, a comma, WHERE, OPTIONAL MATCH, COLUMNS or the end of the clause")

  private def graphName(): String = {
    if (is("(")) {
      unsupported("a subquery as a graph", "Name it with WITH, or make a temporary view of it.")
    }
    tableName("the name of a graph or of an edge table")
  }

  private def tableName(what: String): String = {
    val first = peek
    word(what)
    while (accept(".")) word("the next part of the name")
    sql.slice(first.getStartIndex, previous.getStopIndex + 1)
  }

  private def columnItems(): Seq[Expression] = {
    expect("(", "COLUMNS is followed by ( … )")
    val items = mutable.ArrayBuffer.empty[Expression]
    do {
      items += expression(skipTo(",", ")"), "a column")
    } while (accept(","))
    expect(")", "COLUMNS is closed by ')'")
    items.toSeq
  }
}
