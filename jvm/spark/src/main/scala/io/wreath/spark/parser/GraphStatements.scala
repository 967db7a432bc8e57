package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.VariableSubstitution

import io.wreath.spark.commands._
import io.wreath.spark.logical.GraphName

/**
 * Statements that are ours as a whole:
 * {{{
 * CREATE [OR REPLACE] TEMPORARY PROPERTY GRAPH [IF NOT EXISTS] name VERTEX TABLES … EDGE TABLES …
 * DROP PROPERTY GRAPH [IF EXISTS] name
 * SHOW PROPERTY GRAPHS
 * DESCRIBE PROPERTY GRAPH name
 * SHOW GRAPH INDEXES
 * CACHE GRAPH INDEX name
 * UNCACHE GRAPH INDEX name
 * }}}
 */
private[parser] object GraphStatements {

  private val mayBe = """(?i)\bGRAPHS?\b""".r

  /**
   * None: not one of ours.
   *
   * @param parseExpression Spark's own parser
   */
  def parse(text: String, parseExpression: String => Expression): Option[LogicalPlan] =
    if (mayBe.findFirstIn(text).isEmpty) {
      None
    } else {
      val sql = new SqlTokens(new VariableSubstitution().substitute(text))
      val length = sql.tokens.lastIndexWhere(!sql.isWord(_, ";")) + 1
      new GraphStatements(sql, length, parseExpression).statement()
    }
}

final private class GraphStatements(
    sql: SqlTokens,
    length: Int,
    parseExpression: String => Expression)
    extends TokenCursor(sql, 0, length, parseExpression) {

  def statement(): Option[LogicalPlan] =
    if (acceptAll("SHOW", "GRAPH", "INDEXES")) {
      ended(ShowGraphIndexesCommand())
    } else if (acceptAll("SHOW", "PROPERTY", "GRAPHS")) {
      ended(ShowPropertyGraphsCommand())
    } else if (acceptAll("CACHE", "GRAPH", "INDEX")) {
      ended(CacheGraphIndexCommand(tableName()))
    } else if (acceptAll("UNCACHE", "GRAPH", "INDEX")) {
      ended(UncacheGraphIndexCommand(tableName()))
    } else if (acceptAll("DESCRIBE", "PROPERTY", "GRAPH") ||
      acceptAll("DESC", "PROPERTY", "GRAPH")) {
      ended(DescribePropertyGraphCommand(graphName()))
    } else if (acceptAll("DROP", "PROPERTY", "GRAPH")) {
      val ifExists = acceptAll("IF", "EXISTS")
      ended(DropPropertyGraphCommand(graphName(), ifExists))
    } else if (is("CREATE")) {
      create()
    } else {
      None
    }

  private def create(): Option[LogicalPlan] = {
    accept("CREATE")
    val replace = acceptAll("OR", "REPLACE")
    val temporary = accept("TEMPORARY") || accept("TEMP")
    if (!acceptAll("PROPERTY", "GRAPH")) {
      None
    } else {
      if (!temporary) {
        next -= 2
        unsupported(
          "a property graph that outlives the session",
          "Write CREATE TEMPORARY PROPERTY GRAPH.")
      }
      val ifNotExists = acceptAll("IF", "NOT", "EXISTS")
      if (replace && ifNotExists) fail("OR REPLACE and IF NOT EXISTS exclude each other")
      val name = graphName()
      val graph = new PropertyGraphParser(sql, next, length, parseExpression).parse()
      Some(CreatePropertyGraphCommand(name, graph, replace, ifNotExists))
    }
  }

  private def ended(statement: LogicalPlan): Option[LogicalPlan] = {
    if (!atEnd) fail("expected the end of the statement")
    Some(statement)
  }

  private def tableName(): Seq[String] = {
    val parts = mutable.ArrayBuffer(word("the name of a table"))
    while (accept(".")) parts += word("the next part of the table's name")
    parts.toSeq
  }

  private def graphName(): GraphName = {
    val name = word("the name of a graph")
    val at = sql.origin(previous)
    if (is(".")) fail("the name of a temporary property graph has one part")
    GraphName(name, at)
  }
}
