package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Parameter, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions.Expression

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * Parses one graph pattern by recursive descent over Spark's own tokens:
 * {{{
 * part        [mode] path {, path} [WHERE expression]
 * mode        REPEATABLE ELEMENTS | DIFFERENT EDGES | DIFFERENT VERTICES | UNIQUE SUBGRAPHS
 * }}}
 * What a path is, [[PathParser]] says. Syntax of the language that is not there yet is recognised and refused
 * by its name.
 *
 * @param parseExpression Spark's own parser, for what stands in WHERE
 * @param markers offsets [from, until) of the parameter markers, as they are found
 * @param refusals what is there in the language and not here, as it is found
 */
private[parser] class PatternParser(
    sql: SqlTokens,
    first: Int,
    last: Int,
    parseExpression: String => Expression,
    markers: mutable.Buffer[(Int, Int)],
    refusals: Refusals = new Refusals)
    extends PathParser(sql, first, last, parseExpression, refusals) {

  /** All tokens, as what stands inside `EXISTS { … }`. */
  def inside(): MatchPart = {
    accept("MATCH")
    val found = part(isOptional = false)
    if (!atEnd) {
      throwRefusals()
      fail("expected an edge, a comma, WHERE or the '}' that closes EXISTS")
    }
    found
  }

  /** The MATCH, whose word has been read, then each OPTIONAL MATCH. */
  protected def parts(): Seq[MatchPart] = {
    val found = mutable.ArrayBuffer(part(isOptional = false))
    while (acceptAll("OPTIONAL", "MATCH")) found += part(isOptional = true)
    if (is("MATCH")) {
      unsupported("a second MATCH", "Write its paths after a comma, or OPTIONAL MATCH.")
    }
    found.toSeq
  }

  /** What is left after the last part belongs nowhere, or to what is refused before it. */
  protected def failAfter(last: MatchPart, hasColumns: Boolean, whole: String): Nothing = {
    if (is("RETURN")) {
      val wayOut = "what is returned is written COLUMNS (a.id AS x, …)"
      refusals.add(sql.origin(peek), "RETURN", s"${wayOut.capitalize}.", Some(problem(wayOut)))
    }
    throwRefusals()
    fail(
      if (hasColumns) "nothing may follow COLUMNS (…)"
      else if (is("(")) {
        "between two vertices stands an edge or a comma, and columns are written COLUMNS (…)"
      } else if (last.where.isDefined)
        s"expected OPTIONAL MATCH, COLUMNS or the end of the $whole"
      else s"expected an edge, a comma, WHERE, OPTIONAL MATCH, COLUMNS or the end of the $whole")
  }

  protected def columnItems(): Seq[Expression] = {
    expect("(", "COLUMNS is followed by ( … )")
    val items = itemList()
    expect(")", "COLUMNS is closed by ')'")
    items
  }

  protected def itemList(): Seq[Expression] = {
    val items = mutable.ArrayBuffer.empty[Expression]
    do {
      items += expression(skipTo(",", ")"), "a column")
    } while (accept(","))
    items.toSeq
  }

  private def part(isOptional: Boolean): MatchPart = {
    val start = peek
    val mode = matchMode()
    val paths = mutable.ArrayBuffer(path(0))
    while (accept(",")) paths += path(paths.size)
    val where = if (accept("WHERE")) Some(expression(endOfWhere, "a condition")) else None
    MatchPart(
      isOptional,
      mode,
      paths.toSeq.flatMap(_.joined),
      where,
      sql.origin(start, previous),
      paths.toSeq.flatMap(_.searches))
  }

  private def endOfWhere: Int = skipUntil { i =>
    (sql.isWord(sql.tokens(i), "COLUMNS") && isWordAt(i + 1, "(")) ||
    (sql.isWord(sql.tokens(i), "OPTIONAL") && isWordAt(i + 1, "MATCH")) || isReturn(i)
  }

  /** The word of another language, and no column of that name: it stands after a whole condition. */
  private def isReturn(i: Int): Boolean =
    isWordAt(i, "RETURN") && isAfterExpression(i) && i + 1 < last &&
      sql.name(sql.tokens(i + 1)).isDefined

  protected def matchMode(): MatchMode = {
    def elements(after: String, plural: String, singular: String): Unit =
      if (!accept(plural) && !accept(singular)) fail(s"$after is followed by $plural")
    if (accept("REPEATABLE")) {
      elements("REPEATABLE", "ELEMENTS", "ELEMENT")
      MatchMode.RepeatableElements
    } else if (accept("DIFFERENT")) {
      if (accept("EDGES") || accept("EDGE") || accept("RELATIONSHIPS")) MatchMode.DifferentEdges
      else if (accept("VERTICES") || accept("VERTEX") || accept("NODES")) {
        MatchMode.DifferentVertices
      } else fail("DIFFERENT is followed by EDGES or VERTICES")
    } else if (accept("UNIQUE")) {
      elements("UNIQUE", "SUBGRAPHS", "SUBGRAPH")
      MatchMode.UniqueSubgraphs
    } else {
      MatchMode.RepeatableElements
    }
  }

  /**
   * The expression until token `end`. Parameter markers are noted; `EXISTS { … }`, which Spark's
   * parser does not know, is parsed here, and a name stands in its place meanwhile.
   */
  override protected def expression(end: Int, what: String): Expression = {
    val points = sql.codePoints.clone()
    val exists = existsBefore(end).map { case (from, open, close) =>
      val part =
        new PatternParser(sql, open + 1, close, parseExpression, markers, refusals).inside()
      val at = sql.tokens(from).getStartIndex
      val name = freshName(at)
      (at to sql.tokens(close).getStopIndex).foreach(i => points(i) = Blanks.of(points(i)))
      name.indices.foreach(i => points(at + i) = name.charAt(i))
      name -> PatternExists(part)
    }.toMap
    val parsed = expressionUntil(end, what, points)
    parsed.foreach {
      case p: Parameter =>
        val offset = p.origin.startIndex.get
        if (!markers.exists(_._1 == offset)) {
          val i = sql.tokens.indexWhere(_.getStartIndex == offset)
          val marker = if (sql.isWord(sql.tokens(i), ":")) sql.tokens(i + 1) else sql.tokens(i)
          markers += ((offset, marker.getStopIndex + 1))
        }
      case _ =>
    }
    parsed.transform {
      case p: Parameter => ClauseParameter(p.origin.startIndex.get)
      case UnresolvedAttribute(Seq(name)) if exists.contains(name) => exists(name)
    }
  }

  /** `EXISTS { … }` from here until token `end`: the word, the brace and the one that closes it. */
  private def existsBefore(end: Int): Seq[(Int, Int, Int)] = {
    val found = mutable.ArrayBuffer.empty[(Int, Int, Int)]
    var i = next
    while (i + 1 < end) {
      if (sql.isWord(sql.tokens(i), "EXISTS") && sql.isWord(sql.tokens(i + 1), "{")) {
        val close = sql
          .closing(i + 1, "{", "}")
          .filter(_ < end)
          .getOrElse(
            throw WreathErrors.syntax(
              sql.originAfter(sql.tokens(end - 1)),
              sql.textOf(sql.tokens(end - 1)),
              "the '}' that closes EXISTS is missing after it"))
        found += ((i, i + 1, close))
        i = close
      }
      i += 1
    }
    found.toSeq
  }

  private def freshName(at: Int): String =
    Iterator("_x", "_q", "_k", "_j")
      .map(_ + at)
      .find(!sql.text.contains(_))
      .getOrElse(throw new IllegalStateException("no name is free for EXISTS"))
}
