package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.logical._

/**
 * Parses vertices and edges:
 * {{{
 * vertex      ( element )
 * edge        -[ element ]->  |  ->  |  <-[ element ]-  |  <-  |  -[ element ]-  |  -
 * element     [name] [IS labels | : labels] [WHERE expression] [COST expression]      COST of an edge
 * labels      both { | both }        both  not { & not }        not  ! not | % | name | ( labels )
 * }}}
 */
abstract private[parser] class ElementParser(
    sql: SqlTokens,
    first: Int,
    last: Int,
    parseExpression: String => Expression,
    refusals: Refusals)
    extends TokenCursor(sql, first, last, parseExpression) {

  /** The expression until token `end`, with what Spark does not know in it. */
  protected def expression(end: Int, what: String): Expression

  import ElementParser.Element

  /** For what can be read over, so that all of a clause is refused at once. */
  protected def refuse(
      feature: String,
      wayOut: String,
      at: Origin = sql.origin(peek)): Unit = refusals.add(at, feature, wayOut)

  protected def throwRefusals(): Unit = refusals.throwAll()

  override protected def unsupported(feature: String, wayOut: String): Nothing = {
    refuse(feature, wayOut)
    throwRefusals()
    fail(feature)
  }

  protected def vertex(): VertexPattern = {
    val start = peek
    expect("(", "a vertex is written (name) or ()")
    val inside = element(")")
    if (Seq("-", "->", "<", "<-", "~", "<~").exists(is)) {
      unsupported("a parenthesised sub-path", "Write the path out.")
    }
    refuseMap(inside.name)
    expect(")", "the vertex is closed by ')'")
    VertexPattern(inside.name, inside.label, inside.where, sql.origin(start, previous))
  }

  /** An edge, without the quantifier that may follow. */
  protected def edge(): EdgePattern = {
    val start = peek
    val left = accept("<")
    var inside = Element(None, None, None, None)
    var right = false
    if (accept("->")) {
      right = true
    } else {
      expect("-", "an edge is written ->, <-, -, -[]->, <-[]- or -[]-")
      if (accept("[")) {
        inside = element("]")
        refuseMap(inside.name)
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
    EdgePattern(inside.name, inside.label, direction, None, inside.where, at, inside.cost)
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

  /** What stands inside a vertex or an edge. */
  private def element(closing: String): Element = {
    val mayCost = closing == "]"
    val name =
      if (is("IS") || is("WHERE") || (mayCost && startsCost(next))) None
      else sql.name(peek).map { n => next += 1; n }
    val label =
      if (accept("IS") || accept(":")) {
        val at = peek
        Some(ClauseLimits.check(labels(), sql.origin(at, previous)))
      } else None
    // It may name any variable of the pattern, so it means what it would mean after the pattern.
    val where =
      if (accept("WHERE")) {
        val end = skipUntil(i =>
          isWordAt(i, closing) || (mayCost && i > next && startsCost(i) && isAfterExpression(i)))
        Some(expression(end, "a condition"))
      } else None
    val cost =
      if (mayCost && !atEnd && startsCost(next) && accept("COST")) {
        Some(expression(skipTo(closing), "what the edge costs"))
      } else None
    Element(name, label, where, cost)
  }

  /** The word, and no name: an expression follows. */
  private def startsCost(i: Int): Boolean =
    isWordAt(i, "COST") && i + 1 < last &&
      (isWordAt(i + 1, "(") || {
        val following = sql.tokens(i + 1)
        val text = sql.textOf(following)
        (sql.name(following).isDefined && !Seq("IS", "WHERE").exists(_.equalsIgnoreCase(text))) ||
        Character.isDigit(text.head)
      })

  protected def isWordAt(i: Int, word: String): Boolean =
    i < last && sql.isWord(sql.tokens(i), word)

  /** Whether what stands before a token can be the end of an expression. */
  protected def isAfterExpression(i: Int): Boolean = i > next && {
    val word = sql.textOf(sql.tokens(i - 1))
    word == ")" || word == "]" || word.last == '\'' || word.last == '"' || word.last == '`' ||
    (word.forall(c => c == '_' || c == '.' || Character.isLetterOrDigit(c)) && word != "." &&
      !Seq("AND", "OR", "NOT").exists(_.equalsIgnoreCase(word)))
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
}

private[parser] object ElementParser {

  final private case class Element(
      name: Option[String],
      label: Option[LabelExpression],
      where: Option[Expression],
      cost: Option[Expression])
}
