package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors

/**
 * A place in the text of a motif, and the small steps of a parser that moves it. White space counts
 * for nothing.
 *
 * @param originOf where the characters [from, until) of the motif stand in what the user wrote
 */
private[parser] class MotifText(text: String, originOf: (Int, Int) => Origin) {

  private var at = 0

  /** Just past what was read last, before any white space. */
  private var end = 0

  /** The next place with something to read. */
  protected def here: Int = {
    while (at < text.length && Character.isWhitespace(text.charAt(at))) at += 1
    at
  }

  protected def atEnd: Boolean = here == text.length

  protected def is(symbol: String): Boolean = text.startsWith(symbol, here)

  protected def accept(symbol: String): Boolean = {
    val found = is(symbol)
    if (found) move(symbol.length)
    found
  }

  protected def expect(symbol: String, problem: String): Unit = if (!accept(symbol)) fail(problem)

  /** Letters and digits; none is a name, too. */
  protected def name(): String = run(isWord)

  protected def digits(): String = run(c => c >= '0' && c <= '9')

  /** What was read since `from`. */
  protected def since(from: Int): String = text.substring(from, math.max(from, end))

  protected def originSince(from: Int): Origin = originOf(from, math.max(from, end))

  /** What stands here is not what should. */
  protected def fail(problem: String): Nothing =
    if (atEnd) throw WreathErrors.syntax(originOf(end, end), "end of motif", problem)
    else {
      val from = here
      val word = text.substring(from).takeWhile(isWord)
      val until = from + (if (word.nonEmpty) word.length else symbolAt(from))
      throw WreathErrors.syntax(originOf(from, until), text.substring(from, until), problem)
    }

  /** What was read since `from` does not go. */
  protected def failSince(from: Int, problem: String): Nothing =
    throw WreathErrors.syntax(originSince(from), since(from), problem)

  private def run(isPart: Char => Boolean): String = {
    val found = text.substring(here).takeWhile(isPart)
    if (found.nonEmpty) move(found.length)
    found
  }

  private def move(length: Int): Unit = {
    at += length
    end = at
  }

  private def isWord(c: Char): Boolean = c == '_' || (c < 128 && Character.isLetterOrDigit(c))

  private def symbolAt(from: Int): Int =
    if (text.startsWith("->", from)) 2 else Character.charCount(text.codePointAt(from))
}
