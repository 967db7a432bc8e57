package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedFunction}
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  LambdaFunction,
  SemiStructuredExtract,
  SubqueryExpression
}
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import org.antlr.v4.runtime.Token

/**
 * A place among the tokens of a statement, and the small steps of a parser that moves it.
 *
 * @param next index of the token that is read next
 * @param last index of the first token that is not to be read
 * @param parseExpression Spark's own parser, for what is an expression
 */
private[parser] class TokenCursor(
    protected val sql: SqlTokens,
    protected var next: Int,
    last: Int,
    parseExpression: String => Expression) {

  /** At the end of the text: the last token, so that an error has a place. */
  protected def peek: Token = sql.tokens(math.min(next, sql.tokens.length - 1))

  protected def previous: Token = sql.tokens(next - 1)

  protected def atEnd: Boolean = next >= last

  protected def is(text: String): Boolean = isAt(0, text)

  protected def isAt(ahead: Int, text: String): Boolean =
    next + ahead <= last && next + ahead < sql.tokens.length &&
      sql.isWord(sql.tokens(next + ahead), text)

  protected def accept(text: String): Boolean = {
    val found = !atEnd && is(text)
    if (found) next += 1
    found
  }

  /** `( item {, item} )` after a word. */
  protected def listed[T](after: String)(item: => T): Seq[T] = {
    expect("(", s"$after is followed by ( … )")
    val items = mutable.ArrayBuffer(item)
    while (accept(",")) items += item
    expect(")", s"expected a comma, or the ')' that closes $after")
    items.toSeq
  }

  /** All of the words, or none. */
  protected def acceptAll(words: String*): Boolean = {
    val found = next + words.size <= last && words.indices.forall(i => isAt(i, words(i)))
    if (found) next += words.size
    found
  }

  protected def expect(text: String, problem: String): Unit =
    if (!accept(text)) fail(problem)

  protected def word(what: String): String =
    sql.name(peek) match {
      case Some(n) if !atEnd =>
        next += 1
        n
      case _ => fail(s"expected $what")
    }

  protected def fail(reason: String): Nothing = throw problem(reason)

  /** The error of a syntax that is wrong at the next token. */
  protected def problem(reason: String): Throwable = {
    val isPast = next >= sql.tokens.length
    WreathErrors.syntax(
      if (isPast) sql.originAfter(peek) else sql.origin(peek),
      if (isPast) s"end of $whole" else sql.textOf(peek),
      reason)
  }

  /** What the text is, for messages. */
  protected def whole: String = "statement"

  protected def unsupported(feature: String, wayOut: String): Nothing =
    throw WreathErrors.unsupportedSyntax(sql.origin(peek), feature, wayOut)

  /** The next token outside any bracket that is one of `stops`, or the end. */
  protected def skipTo(stops: String*): Int =
    skipUntil(i => stops.exists(sql.isWord(sql.tokens(i), _)))

  protected def skipUntil(stop: Int => Boolean): Int = {
    var depth = 0
    var i = next
    while (i < last && (depth > 0 || !stop(i))) {
      if (Seq("(", "[", "{").exists(sql.isWord(sql.tokens(i), _))) depth += 1
      if (Seq(")", "]", "}").exists(sql.isWord(sql.tokens(i), _))) depth -= 1
      i += 1
    }
    i
  }

  /**
   * Lets Spark parse the tokens from here until `end`, and moves there. All that stands before them
   * is blanked rather than cut, so that the line, column and offset of every error are those of
   * the user's own text.
   *
   * @param points the text, maybe with something else in the place of what Spark does not know
   */
  protected def expressionUntil(
      end: Int,
      what: String,
      points: Array[Int] = sql.codePoints): Expression = {
    if (next >= end) fail(s"expected $what")
    val from = sql.tokens(next).getStartIndex
    val until = sql.tokens(end - 1).getStopIndex + 1
    val parsed =
      try sql.inPlace(parseExpression(Blanks.before(points, from, until)))
      catch {
        case e: ParseException if e.getMessageParameters.get("error") == "'->'" =>
          throw pathAsCondition(e.start.copy(sqlText = Some(sql.text)))
      }
    parsed.foreach {
      case SemiStructuredExtract(UnresolvedAttribute(Seq(variable)), path) =>
        throw WreathErrors.unsupportedSyntax(
          parsed.origin,
          "a label as a condition",
          s"Write the label into the pattern: ($variable IS ${path.stripPrefix("$.")}).")
      case _ =>
    }
    parsed.find(_.isInstanceOf[SubqueryExpression]).foreach { subquery =>
      throw WreathErrors.unsupportedSyntax(
        subquery.origin,
        "a subquery inside the clause",
        "Put the condition into the WHERE of the query around GRAPH_TABLE.")
    }
    pathIn(parsed).foreach(path => throw pathAsCondition(path.origin))
    next = end
    parsed
  }

  private def pathAsCondition(at: Origin): Throwable =
    WreathErrors.unsupportedSyntax(
      at,
      "a path as a condition",
      "Write EXISTS { (a)->(b) }, with braces.")

  /** Spark's parser takes `(a)->(b)` for a function without a name, which only another may take. */
  private def pathIn(e: Expression): Option[Expression] = e match {
    case lambda: LambdaFunction => Some(lambda)
    case call: UnresolvedFunction =>
      call.children.map {
        case lambda: LambdaFunction => lambda.function
        case other => other
      }.flatMap(pathIn).headOption
    case other => other.children.flatMap(pathIn).headOption
  }
}
