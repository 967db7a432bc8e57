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
 * path        vertex { edge [quantifier] vertex }
 * vertex      ( element )
 * edge        -[ element ]->  |  ->  |  <-[ element ]-  |  <-  |  -[ element ]-  |  -
 * element     [name] [IS labels | : labels] [WHERE expression]
 * labels      both { | both }        both  not { & not }        not  ! not | % | name | ( labels )
 * quantifier  {n} | {n,m} | {,m} | ?
 * }}}
 * Syntax of the language that is not there yet is recognised and refused by its name.
 *
 * @param parseExpression Spark's own parser, for what stands in WHERE
 * @param markers offsets [from, until) of the parameter markers, as they are found
 */
private[parser] class PatternParser(
    sql: SqlTokens,
    first: Int,
    last: Int,
    parseExpression: String => Expression,
    markers: mutable.Buffer[(Int, Int)])
    extends TokenCursor(sql, first, last, parseExpression) {

  /** All tokens, as what stands inside `EXISTS { … }`. */
  def whole(): MatchPart = {
    accept("MATCH")
    val found = part(isOptional = false)
    if (!atEnd) fail("expected an edge, a comma, WHERE or the '}' that closes EXISTS")
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

  /** What is left after the last part belongs nowhere. */
  protected def failAfter(last: MatchPart, hasColumns: Boolean, whole: String): Nothing =
    fail(
      if (hasColumns) "nothing may follow COLUMNS (…)"
      else if (last.where.isDefined) s"expected OPTIONAL MATCH, COLUMNS or the end of the $whole"
      else s"expected an edge, a comma, WHERE, OPTIONAL MATCH, COLUMNS or the end of the $whole")

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
    val paths = mutable.ArrayBuffer(path())
    while (accept(",")) paths += path()
    val where = if (accept("WHERE")) Some(expression(endOfWhere, "a condition")) else None
    MatchPart(isOptional, mode, paths.toSeq, where, sql.origin(start, previous))
  }

  private def endOfWhere: Int = skipUntil { i =>
    (sql.isWord(sql.tokens(i), "COLUMNS") && isWordAt(i + 1, "(")) ||
    (sql.isWord(sql.tokens(i), "OPTIONAL") && isWordAt(i + 1, "MATCH"))
  }

  private def isWordAt(i: Int, word: String): Boolean =
    i < last && sql.isWord(sql.tokens(i), word)

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

  private def path(): PathPattern = {
    refusePathPrefix()
    val vertices = mutable.ArrayBuffer(vertex())
    val edges = mutable.ArrayBuffer.empty[EdgePattern]
    while (startsEdge) {
      edges += edge()
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
    val start = peek
    expect("(", "a vertex is written (name) or ()")
    if (is("(")) unsupported("a parenthesised sub-path", "Write the path out.")
    val (name, label, where) = element(")")
    if (startsEdge) unsupported("a parenthesised sub-path", "Write the path out.")
    expect(")", "the vertex is closed by ')'")
    VertexPattern(name, label, where, sql.origin(start, previous))
  }

  private def startsEdge: Boolean =
    !atEnd && Seq("-", "->", "<", "<-", "~", "<~").exists(is)

  private def edge(): EdgePattern = {
    val start = peek
    val left = accept("<")
    var name = Option.empty[String]
    var label = Option.empty[LabelExpression]
    var where = Option.empty[Expression]
    var right = false
    if (accept("->")) {
      right = true
    } else {
      expect("-", "an edge is written ->, <-, -, -[]->, <-[]- or -[]-")
      if (accept("[")) {
        val (n, l, w) = element("]")
        name = n
        label = l
        where = w
        expect("]", "the edge is closed by ']'")
        if (accept("->")) right = true
        else {
          expect("-", "an edge is written -[]->, <-[]- or -[]-")
          right = accept(">")
        }
      }
    }
    val at = sql.origin(start, previous)
    if (left && right) {
      throw WreathErrors.unsupportedSyntax(
        at,
        "<-[]->",
        "Other products read it as an edge in any direction, or as edges in both directions: " +
          "write -[]- for the first and two patterns for the second.")
    }
    val direction =
      if (right) EdgeDirection.Right
      else if (left) EdgeDirection.Left
      else EdgeDirection.Either
    EdgePattern(name, label, direction, quantifier(), where, at)
  }

  /** `[name] [IS labels | : labels] [WHERE condition]`, inside a vertex or an edge. */
  private def element(
      closing: String): (Option[String], Option[LabelExpression], Option[Expression]) = {
    val name =
      if (is("IS") || is("WHERE")) None
      else sql.name(peek).map { n => next += 1; n }
    val label = if (accept("IS") || accept(":")) Some(labels()) else None
    // It may name any variable of the pattern, so it means what it would mean after the pattern.
    val where =
      if (accept("WHERE")) Some(expression(skipTo(closing), "a condition")) else None
    (name, label, where)
  }

  private def labels(): LabelExpression = {
    var found = bothLabels()
    while (accept("|")) found = EitherLabel(found, bothLabels())
    found
  }

  private def bothLabels(): LabelExpression = {
    var found = notLabel()
    while (accept("&")) found = BothLabels(found, notLabel())
    found
  }

  private def notLabel(): LabelExpression =
    if (accept("!")) NotLabel(notLabel())
    else if (accept("%")) AnyLabel
    else if (accept("(")) {
      val inside = labels()
      expect(")", "the labels are closed by ')'")
      inside
    } else {
      val name = word("a label")
      LabelName(name, sql.origin(previous))
    }

  private def quantifier(): Option[Quantifier] =
    if (atEnd) None
    else if (Seq("*", "+").exists(is)) throw unbounded(peek)
    else if (accept("?")) Some(Quantifier(0, 1))
    else if (accept("{")) {
      val open = previous
      val least = number()
      val most = if (accept(",")) number() else least
      expect("}", "a quantifier is written {n}, {n,m} or {,m}")
      val at = sql.origin(open, previous)
      val text = sql.slice(open.getStartIndex, previous.getStopIndex + 1)
      if (most.isEmpty) {
        if (least.isEmpty) throw WreathErrors.syntax(at, text, "a quantifier needs a number")
        throw WreathErrors.unboundedQuantifier(at, text)
      }
      if (most.get < least.getOrElse(0)) {
        throw WreathErrors.syntax(at, text, "the least number of edges comes first")
      }
      if (most.get > PatternParser.LongestPath) {
        throw WreathErrors.unsupportedSyntax(
          at,
          s"a quantifier of more than ${PatternParser.LongestPath} edges",
          "Give it a smaller bound.")
      }
      Some(Quantifier(least.getOrElse(0), most.get))
    } else None

  private def number(): Option[Int] = {
    val text = sql.textOf(peek)
    if (atEnd || !text.forall(Character.isDigit)) None
    else {
      next += 1
      Some(if (text.length > 9) Int.MaxValue else text.toInt)
    }
  }

  private def unbounded(token: org.antlr.v4.runtime.Token): Throwable =
    WreathErrors.unboundedQuantifier(sql.origin(token), sql.textOf(token))

  /**
   * The expression until token `end`. Parameter markers are noted; `EXISTS { … }`, which Spark's
   * parser does not know, is parsed here, and a name stands in its place meanwhile.
   */
  protected def expression(end: Int, what: String): Expression = {
    val points = sql.codePoints.clone()
    val exists = existsBefore(end).map { case (from, open, close) =>
      val part =
        new PatternParser(sql, open + 1, close, parseExpression, markers).whole()
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
              sql.origin(sql.tokens(i)),
              "EXISTS",
              "the pattern is not closed by '}'"))
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

private[parser] object PatternParser {

  /** A path is written out as joins; beyond this Spark's planning would take too long. */
  val LongestPath = 32
}
