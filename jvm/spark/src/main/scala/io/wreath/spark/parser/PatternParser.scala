package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Parameter, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

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
 * @param refusals what is there in the language and not here, as it is found
 */
private[parser] class PatternParser(
    sql: SqlTokens,
    first: Int,
    last: Int,
    parseExpression: String => Expression,
    markers: mutable.Buffer[(Int, Int)],
    refusals: Refusals = new Refusals)
    extends TokenCursor(sql, first, last, parseExpression) {

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
    val paths = mutable.ArrayBuffer(path())
    while (accept(",")) paths += path()
    val where = if (accept("WHERE")) Some(expression(endOfWhere, "a condition")) else None
    MatchPart(isOptional, mode, paths.toSeq, where, sql.origin(start, previous))
  }

  private def endOfWhere: Int = skipUntil { i =>
    (sql.isWord(sql.tokens(i), "COLUMNS") && isWordAt(i + 1, "(")) ||
    (sql.isWord(sql.tokens(i), "OPTIONAL") && isWordAt(i + 1, "MATCH")) || isReturn(i)
  }

  /** The word of another language, and no column of that name: it stands after a whole condition. */
  private def isReturn(i: Int): Boolean = {
    def isEnd(word: String): Boolean =
      word == ")" || word == "]" || word.last == '\'' || word.last == '"' ||
        (word.forall(c => c == '_' || Character.isLetterOrDigit(c)) &&
          !Seq("AND", "OR", "NOT").exists(_.equalsIgnoreCase(word)))
    sql.isWord(sql.tokens(i), "RETURN") && i > next && isEnd(sql.textOf(sql.tokens(i - 1))) &&
    i + 1 < last && sql.name(sql.tokens(i + 1)).isDefined
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
    val vertices = mutable.ArrayBuffer(place())
    val edges = mutable.ArrayBuffer.empty[EdgePattern]
    while (startsEdge) {
      edges += edge()
      vertices += place()
    }
    PathPattern(vertices.toSeq, edges.toSeq)
  }

  /** A vertex, or what is refused in place of one or beside it. */
  private def place(): VertexPattern = {
    val start = peek
    if (skipSubPaths() && !(!atEnd && is("("))) {
      VertexPattern(None, None, None, sql.origin(start, previous))
    } else {
      val found = vertex()
      skipSubPaths()
      found
    }
  }

  /** `((a)->(b)){2}`: read for what else is refused in it, and left out. */
  private def skipSubPaths(): Boolean = {
    val start = next
    while (!atEnd && is("(") && isAt(1, "(")) {
      refuse("a parenthesised sub-path", "Write the path out.")
      next += 1
      path()
      if (accept("WHERE")) expression(skipTo(")"), "a condition")
      expect(")", "the sub-path is closed by ')'")
      quantifier()
    }
    next > start
  }

  private def refusePathPrefix(): Unit = {
    if (!atEnd && sql.name(peek).isDefined && isAt(1, "=")) {
      refuse("a path variable", "Name the vertices and edges instead.")
      next += 2
    }
    while (!atEnd && PatternParser.PathPrefixes.keys.exists(is)) {
      val word = sql.textOf(peek).toUpperCase()
      refuse(s"the path prefix $word", PatternParser.PathPrefixes(word))
      next += 1
      while (!atEnd && (number().isDefined || accept("GROUPS") || accept("GROUP"))) {}
    }
  }

  /** For what can be read over, so that all of a clause is refused at once. */
  private def refuse(feature: String, wayOut: String, at: Origin = sql.origin(peek)): Unit =
    refusals.add(at, feature, wayOut)

  protected def throwRefusals(): Unit = refusals.throwAll()

  override protected def unsupported(feature: String, wayOut: String): Nothing = {
    refuse(feature, wayOut)
    throwRefusals()
    fail(feature)
  }

  private def vertex(): VertexPattern = {
    val start = peek
    expect("(", "a vertex is written (name) or ()")
    val (name, label, where) = element(")")
    if (startsEdge) unsupported("a parenthesised sub-path", "Write the path out.")
    refuseMap(name)
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
        refuseMap(name)
        if (is("*")) {
          refuse(
            "a length inside an edge",
            "Write it after the edge: -[e]->{1,3} for one to three edges.")
          next = skipTo("]")
        }
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
      refuse(
        "<-[]->",
        "Other products read it as an edge in any direction, or as edges in both directions: " +
          "write -[]- for the first and two patterns for the second.",
        at)
    }
    val direction =
      if (right) EdgeDirection.Right
      else if (left) EdgeDirection.Left
      else EdgeDirection.Either
    EdgePattern(name, label, direction, quantifier(), where, at)
  }

  /** `{id: 1}` of other languages. */
  private def refuseMap(name: Option[String]): Unit =
    if (is("{")) {
      val variable = name.getOrElse("a")
      val property = if (isAt(2, ":")) sql.textOf(sql.tokens(next + 1)) else "id"
      refuse(
        "properties in braces",
        s"Write a condition: $variable WHERE $variable.$property = ….")
      sql.closing(next, "{", "}").filter(_ < last) match {
        case Some(close) => next = close + 1
        case None => throwRefusals()
      }
    }

  /** `[name] [IS labels | : labels] [WHERE condition]`, inside a vertex or an edge. */
  private def element(
      closing: String): (Option[String], Option[LabelExpression], Option[Expression]) = {
    val name =
      if (is("IS") || is("WHERE")) None
      else sql.name(peek).map { n => next += 1; n }
    val label =
      if (accept("IS") || accept(":")) {
        val at = peek
        Some(ClauseLimits.check(labels(), sql.origin(at, previous)))
      } else None
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
    else if (Seq("*", "+").exists(is)) {
      refuseUnbounded(sql.origin(peek), sql.textOf(peek))
      next += 1
      None
    } else if (accept("?")) Some(Quantifier(0, 1))
    else if (accept("{")) {
      val open = previous
      val least = number()
      val most = if (accept(",")) number() else least
      expect("}", "a quantifier is written {n}, {n,m} or {,m}")
      val at = sql.origin(open, previous)
      val text = sql.slice(open.getStartIndex, previous.getStopIndex + 1)
      if (most.isEmpty) {
        if (least.isEmpty) throw WreathErrors.syntax(at, text, "a quantifier needs a number")
        refuseUnbounded(at, text)
      } else if (most.get < least.getOrElse(0)) {
        throw WreathErrors.syntax(at, text, "the least number of edges comes first")
      }
      if (most.exists(_ > PatternParser.LongestPath)) {
        refuse(
          s"a quantifier of more than ${PatternParser.LongestPath} edges",
          "Give it a smaller bound.",
          at)
      }
      most.map(Quantifier(least.getOrElse(0), _))
    } else None

  private def number(): Option[Int] = {
    val text = sql.textOf(peek)
    if (atEnd || !text.forall(Character.isDigit)) None
    else {
      next += 1
      Some(if (text.length > 9) Int.MaxValue else text.toInt)
    }
  }

  private def refuseUnbounded(at: Origin, text: String): Unit =
    refusals.add(
      at,
      s"the quantifier $text",
      "Give a path an upper bound, such as {1,5}.",
      Some(WreathErrors.unboundedQuantifier(at, text)))

  /**
   * The expression until token `end`. Parameter markers are noted; `EXISTS { … }`, which Spark's
   * parser does not know, is parsed here, and a name stands in its place meanwhile.
   */
  protected def expression(end: Int, what: String): Expression = {
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

private[parser] object PatternParser {

  /** What the rows would be without each, if they would be the same. */
  private val PathPrefixes: Map[String, String] = {
    val none = "Nothing else returns the same rows yet."
    Map(
      "WALK" -> "WALK is the default: leave it out.",
      "TRAIL" -> "Of a single path, MATCH DIFFERENT EDGES returns the same rows.",
      "ACYCLIC" -> "Of a single path, MATCH DIFFERENT VERTICES returns the same rows.",
      "SIMPLE" -> none,
      "ANY" -> none,
      "ALL" -> none,
      "SHORTEST" -> none,
      "CHEAPEST" -> none)
  }

  /** A path is written out as joins; beyond this Spark's planning would take too long. */
  val LongestPath = 32
}
