package io.wreath.spark.parser

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.parser.{ParseException, PositionMapper, SqlBaseLexer}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.catalyst.util.SparkParserUtils

import io.wreath.spark.WreathParseException
import org.antlr.v4.runtime.{CharStreams, Token}

/**
 * The tokens of a statement as Spark's own lexer cuts them, so that comments, string literals and
 * quoted names end where Spark thinks they do.
 *
 * Offsets are code points, as ANTLR counts them, not UTF-16 units: an emoji is one of them.
 * Token types are never compared: their numbers change with Spark's version. Texts are.
 *
 * @param isShown whether the text is the user's, so that errors show it
 */
final private[parser] class SqlTokens(val text: String, isShown: Boolean = true) {

  val codePoints: Array[Int] = text.codePoints().toArray

  /** Without comments and white space. */
  val tokens: IndexedSeq[Token] = {
    val lexer = new SqlBaseLexer(new UpperCaseChars(CharStreams.fromString(text)))
    // A text that Spark cannot lex is for Spark to refuse, in its own words.
    lexer.removeErrorListeners()
    lexer.getAllTokens.asScala.filter(_.getChannel == Token.DEFAULT_CHANNEL).toIndexedSeq
  }

  /** The user's characters of a token. */
  def textOf(t: Token): String = slice(t.getStartIndex, t.getStopIndex + 1)

  /** The user's characters from one offset to before another. */
  def slice(from: Int, until: Int): String = new String(codePoints, from, until - from)

  def isWord(t: Token, word: String): Boolean = textOf(t).equalsIgnoreCase(word)

  /** A plain or back-quoted name. Any word will do: what is a keyword differs between versions. */
  def name(t: Token): Option[String] = {
    val s = textOf(t)
    if (s.length > 1 && s.startsWith("`") && s.endsWith("`")) {
      Some(s.substring(1, s.length - 1).replace("``", "`"))
    } else if (s.forall(c => c == '_' || Character.isLetterOrDigit(c)) &&
      !Character.isDigit(s.head)) {
      Some(s)
    } else {
      None
    }
  }

  /** What a string literal in quotation marks says. */
  def string(t: Token): Option[String] = {
    val s = textOf(t)
    if (s.length > 1 && (s.head == '\'' || s.head == '"') && s.last == s.head) {
      Some(SparkParserUtils.unescapeSQLString(s))
    } else None
  }

  /** The index of the parenthesis, or other bracket, that closes the one at `open`, if it is closed. */
  def closing(open: Int, left: String = "(", right: String = ")"): Option[Int] = {
    var depth = 1
    var i = open
    while (depth > 0 && i + 1 < tokens.length) {
      i += 1
      if (isWord(tokens(i), left)) depth += 1
      if (isWord(tokens(i), right)) depth -= 1
    }
    if (depth == 0) Some(i) else None
  }

  /** Line and column count code points as Spark's do; the indices are UTF-16, for substrings. */
  def origin(first: Token, last: Token): Origin =
    if (!isShown) Origin()
    else Origin(
      line = Some(first.getLine),
      startPosition = Some(first.getCharPositionInLine),
      startIndex = Some(utf16(first.getStartIndex)),
      stopIndex = Some(utf16(last.getStopIndex + 1) - 1),
      sqlText = Some(text),
      objectType = around.objectType,
      objectName = around.objectName)

  /** Just past a token, where something is missing. */
  def originAfter(t: Token): Origin = {
    val at = origin(t)
    at.copy(
      startPosition = at.startPosition.map(_ + t.getStopIndex + 1 - t.getStartIndex),
      startIndex = at.stopIndex)
  }

  /** Of the characters [from, until), counted in UTF-16 as a string is; none of them is a place, too. */
  def originAt(from: Int, until: Int): Origin =
    if (!isShown) Origin()
    else {
      val before = text.substring(0, from)
      val lineStart = before.lastIndexOf('\n') + 1
      Origin(
        line = Some(before.count(_ == '\n') + 1),
        startPosition = Some(before.codePointCount(lineStart, from)),
        startIndex = Some(math.max(math.min(from, until - 1), 0)),
        stopIndex = Some(math.max(until - 1, 0)),
        sqlText = Some(text),
        objectType = around.objectType,
        objectName = around.objectName)
    }

  /**
   * The places of what a string literal says. Where it has escapes, all are that of the literal: what
   * it says is no part of the text then.
   */
  def originWithin(literal: Token): (Int, Int) => Origin = {
    val first = utf16(literal.getStartIndex) + 1
    if (string(literal).contains(textOf(literal).drop(1).dropRight(1))) { (from, until) =>
      originAt(first + from, first + until)
    } else (_, _) => origin(literal)
  }

  /** From the first token to the last. */
  def wholeOrigin: Origin =
    if (tokens.isEmpty) Origin(sqlText = Some(text)) else origin(tokens.head, tokens.last)

  /** The same, which a call wrote: the user has never seen it. */
  def notShown: SqlTokens = new SqlTokens(text, isShown = false)

  /** The view, say, whose text this is. */
  private val around = CurrentOrigin.get

  def origin(t: Token): Origin = origin(t, t)

  /**
   * Parses a text in which each token is where it is in the user's: what is made of it remembers its
   * place in the user's text, and errors show that.
   *
   * @param words the user's, for what an error says
   */
  def inPlace[T](parse: => T, words: String => String = identity): T =
    try CurrentOrigin.withOrigin(around.copy(positionMapper = Some(userText)))(parse)
    catch {
      case ours: WreathParseException => throw ours
      case e: ParseException =>
        throw new ParseException(
          e.command.map(_ => text),
          e.start,
          e.getCondition,
          e.messageParameters.map { case (key, value) => key -> words(value) },
          e.getQueryContext)
    }

  private lazy val userText = new PositionMapper(text, text, Nil) {
    override def mapToOriginal(codePoint: Int): Int = utf16(codePoint)
  }

  private def utf16(codePoint: Int): Int =
    text.offsetByCodePoints(0, math.min(codePoint, codePoints.length))
}
