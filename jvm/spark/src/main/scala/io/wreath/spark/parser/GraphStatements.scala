package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.VariableSubstitution

import io.wreath.spark.WreathErrors
import io.wreath.spark.commands._
import io.wreath.spark.logical.{GraphPath, PropertyGraph}

/**
 * Statements that are ours as a whole:
 * {{{
 * CREATE [OR REPLACE] [TEMPORARY] PROPERTY GRAPH [IF NOT EXISTS] name VERTEX TABLES … EDGE TABLES …
 * ALTER PROPERTY GRAPH name ADD [VERTEX TABLES …] [EDGE TABLES …]
 * ALTER PROPERTY GRAPH name DROP VERTEX|EDGE TABLES ( alias, … )
 * DROP PROPERTY GRAPH [IF EXISTS] name
 * SHOW PROPERTY GRAPHS
 * DESCRIBE PROPERTY GRAPH name
 * SHOW GRAPH INDEXES
 * CACHE GRAPH INDEX name [COLUMNS ( column, … )]
 * UNCACHE GRAPH INDEX name
 * }}}
 */
private[parser] object GraphStatements {

  /** No statement of ours is without it. */
  val Word = "GRAPH"

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
      val table = indexedTable()
      ended(CacheGraphIndexCommand(
        table,
        if (accept("COLUMNS")) listed("COLUMNS")(word("a column")) else Nil))
    } else if (acceptAll("UNCACHE", "GRAPH", "INDEX")) {
      ended(UncacheGraphIndexCommand(indexedTable()))
    } else if (isNamed(3) && (acceptAll("DESCRIBE", "PROPERTY", "GRAPH") ||
        acceptAll("DESC", "PROPERTY", "GRAPH"))) {
      ended(DescribePropertyGraphCommand(graphName()))
    } else if (acceptAll("DROP", "PROPERTY", "GRAPH")) {
      val ifExists = acceptAll("IF", "EXISTS")
      ended(DropPropertyGraphCommand(graphName(), ifExists))
    } else if (acceptAll("ALTER", "PROPERTY", "GRAPH")) {
      Some(alter())
    } else if (is("CREATE")) {
      create()
    } else {
      None
    }

  /** After the table of a call stands CALL: nobody knows its name. */
  private def indexedTable(): IndexedTable = {
    val name = tableName()
    IndexedTable(name, isCall = accept("CALL"))
  }

  /** Without a name, `DESCRIBE property graph` is about a column of a table. */
  private def isNamed(at: Int): Boolean = at < length && sql.name(sql.tokens(at)).isDefined

  private def create(): Option[LogicalPlan] = {
    accept("CREATE")
    val replace = acceptAll("OR", "REPLACE")
    val temporary = accept("TEMPORARY") || accept("TEMP")
    if (!acceptAll("PROPERTY", "GRAPH")) {
      None
    } else {
      val ifNotExists = acceptAll("IF", "NOT", "EXISTS")
      if (replace && ifNotExists) fail("OR REPLACE and IF NOT EXISTS exclude each other")
      val name = graphName()
      if (temporary && name.parts.size > 1) {
        throw WreathErrors.syntax(
          name.origin,
          name.text,
          "the name of a temporary property graph has one part")
      }
      val graph = definition().parse()
      Some(CreatePropertyGraphCommand(name, graph, temporary, replace, ifNotExists))
    }
  }

  private def definition(): PropertyGraphParser =
    new PropertyGraphParser(sql, next, length, parseExpression)

  private def alter(): LogicalPlan = {
    val name = graphName()
    if (accept("ADD")) {
      AlterPropertyGraphCommand(name, definition().additions(), Nil, Nil)
    } else if (accept("DROP")) {
      val (vertices, edges) = definition().removals()
      AlterPropertyGraphCommand(name, PropertyGraph(Nil, Nil), vertices, edges)
    } else {
      fail("expected ADD or DROP, and VERTEX TABLES ( … ) or EDGE TABLES ( … )")
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

  private def graphName(): GraphPath = {
    val first = peek
    val parts = mutable.ArrayBuffer(word("the name of a graph"))
    while (accept(".")) parts += word("the next part of the graph's name")
    GraphPath(parts.toSeq, sql.origin(first, previous))
  }
}
