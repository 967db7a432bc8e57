package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.wreath.spark.WreathErrors
import io.wreath.spark.commands.{
  CacheGraphIndexCommand,
  ShowGraphIndexesCommand,
  UncacheGraphIndexCommand
}

/**
 * Statements that are ours as a whole:
 * {{{
 * SHOW GRAPH INDEXES
 * CACHE GRAPH INDEX name
 * UNCACHE GRAPH INDEX name
 * }}}
 */
private[parser] object GraphStatements {

  private val mayBe = """(?is)\bGRAPH\s+INDEX""".r

  /** None: not one of ours. */
  def parse(text: String): Option[LogicalPlan] =
    if (mayBe.findFirstIn(text).isEmpty) None else statement(new SqlTokens(text))

  private def statement(sql: SqlTokens): Option[LogicalPlan] = {
    val tokens = sql.tokens.reverse.dropWhile(sql.isWord(_, ";")).reverse
    def starts(words: String*): Boolean =
      tokens.size >= words.size &&
        words.indices.forall(i => sql.isWord(tokens(i), words(i)))
    def name(from: Int): Seq[String] = {
      val parts = tokens.drop(from)
      val good = parts.nonEmpty && parts.indices.forall { i =>
        if (i % 2 == 0) sql.name(parts(i)).isDefined else sql.isWord(parts(i), ".")
      }
      if (!good || parts.size % 2 == 0) {
        val at = parts.lastOption.getOrElse(tokens.last)
        throw WreathErrors.syntax(sql.origin(at), sql.textOf(at), "expected the name of a table")
      }
      parts.indices.by(2).map(i => sql.name(parts(i)).get)
    }
    if (starts("SHOW", "GRAPH", "INDEXES") && tokens.size == 3) Some(ShowGraphIndexesCommand())
    else if (starts("CACHE", "GRAPH", "INDEX")) Some(CacheGraphIndexCommand(name(3)))
    else if (starts("UNCACHE", "GRAPH", "INDEX")) Some(UncacheGraphIndexCommand(name(3)))
    else None
  }
}
