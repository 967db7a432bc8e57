package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.expressions.Expression

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.PropertyGraph

/**
 * One `PROPERTY GRAPH ( … )` in a WITH, parsed.
 *
 * @param first index of the token PROPERTY
 * @param last index of the parenthesis that closes it
 */
final private[parser] case class PropertyGraphIsland(first: Int, last: Int, graph: PropertyGraph)

/** Finds the graphs that a statement defines for itself: `WITH g AS PROPERTY GRAPH ( … )`. */
private[parser] object PropertyGraphIslands {

  private val opening = Seq("AS", "PROPERTY", "GRAPH", "(")

  def find(sql: SqlTokens, parseExpression: String => Expression): Seq[PropertyGraphIsland] =
    sql.tokens.indices
      .filter(i => opening.indices.forall(k => isWord(sql, i + k, opening(k))))
      .map { i =>
        val last = sql
          .closing(i + 3)
          .getOrElse(
            throw WreathErrors.syntax(
              sql.origin(sql.tokens(i + 1)),
              "PROPERTY GRAPH",
              "the definition is not closed"))
        val graph = new PropertyGraphParser(sql, i + 4, last, parseExpression).parse()
        PropertyGraphIsland(i + 1, last, graph)
      }

  private def isWord(sql: SqlTokens, i: Int, word: String): Boolean =
    i < sql.tokens.length && sql.isWord(sql.tokens(i), word)
}
