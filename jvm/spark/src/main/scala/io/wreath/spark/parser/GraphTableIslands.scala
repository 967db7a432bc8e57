package io.wreath.spark.parser

import io.wreath.spark.WreathErrors

/**
 * One `GRAPH_TABLE ( … )` of a statement.
 *
 * @param first index of the token GRAPH_TABLE
 * @param last index of the parenthesis that closes it; past the last token where none does
 */
final private[parser] case class GraphTableIsland(first: Int, last: Int)

/** Finds the GRAPH_TABLE clauses of a statement by its tokens. */
private[parser] object GraphTableIslands {

  private val Keyword = "GRAPH_TABLE"

  /** Whether it is worth looking: most statements have no such word, and must cost nothing. */
  def mayHave(text: String): Boolean = mayHave(text, Keyword)

  /** Whether a word that begins with `word`, and so with a G, stands anywhere in the text. */
  def mayHave(text: String, word: String): Boolean = {
    val last = text.length - word.length
    var i = 0
    while (i <= last) {
      val c = text.charAt(i)
      if ((c == 'G' || c == 'g') && text.regionMatches(true, i, word, 0, word.length) &&
        (i == 0 || !isInsideWord(text.charAt(i - 1)))) {
        return true
      }
      i += 1
    }
    false
  }

  /** Not `customer_demographics`. */
  private def isInsideWord(before: Char): Boolean =
    before == '_' || (before < 128 && Character.isLetterOrDigit(before))

  def find(sql: SqlTokens): Seq[GraphTableIsland] = {
    val found = Seq.newBuilder[GraphTableIsland]
    var i = 0
    while (i < sql.tokens.length - 1) {
      if (sql.isWord(sql.tokens(i), Keyword) && sql.isWord(sql.tokens(i + 1), "(") &&
        isClause(sql, i)) {
        val last = closing(sql, i + 1)
        found += GraphTableIsland(i, last)
        i = last
      }
      i += 1
    }
    found.result()
  }

  /**
   * Not a table, a function or a column of that name: `INSERT INTO graph_table (x)`. After FROM it can be
   * nothing else, whatever is inside, and a mistake there is ours to explain.
   */
  private def isClause(sql: SqlTokens, at: Int): Boolean =
    (at > 0 && BeforeTable.exists(sql.isWord(sql.tokens(at - 1), _))) || hasPattern(sql, at + 1)

  private val BeforeTable = Seq("FROM", "JOIN", "LATERAL", "USING")

  /** Whether what stands in a parenthesis is `graph … MATCH` and no list of columns. */
  private def hasPattern(sql: SqlTokens, open: Int): Boolean = {
    val inside = open + 1 until sql.closing(open).getOrElse(sql.tokens.length)
    var depth = 0
    inside.exists { i =>
      if (sql.isWord(sql.tokens(i), "(")) depth += 1
      if (sql.isWord(sql.tokens(i), ")")) depth -= 1
      depth == 0 && i > inside.head && !sql.isWord(sql.tokens(i - 1), ",") &&
      Seq("MATCH", "MOTIF").exists(sql.isWord(sql.tokens(i), _))
    }
  }

  private def closing(sql: SqlTokens, open: Int): Int =
    sql.closing(open).getOrElse(sql.tokens.length)

  /** Once nothing inside the clause was found to be wrong: only then is it the end that is missing. */
  def unclosed(sql: SqlTokens): Throwable =
    WreathErrors.syntax(
      sql.originAfter(sql.tokens.last),
      "end of statement",
      "the ')' that closes GRAPH_TABLE is missing; note that '--' starts a comment, so an edge is " +
        "written '->' or '-[]->', not '-->'")
}
