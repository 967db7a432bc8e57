package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.{ParameterContext, ParserInterface}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.{FunctionIdentifier, TableIdentifier}
import org.apache.spark.sql.internal.VariableSubstitution
import org.apache.spark.sql.types.{DataType, StructType}

import io.wreath.spark.WreathErrors

/**
 * Spark's parser with GRAPH_TABLE: islands first, all else to the delegate.
 *
 * {{{
 *   SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b) WHERE a.id > :p) WHERE b < 9
 *                 |  GraphTableIslands finds it, GraphTableParser parses it
 *                 v
 *   SELECT * FROM _w0( TABLE( edges)                            ,:p) WHERE b < 9
 *                 |  the delegate (Spark, Delta, …) parses this
 *                 v
 *   the table function _w0 in the plan becomes UnresolvedGraphMatch(edges) again
 * }}}
 * Functions over a whole graph, `GRAPH_COMPONENTS(TABLE edges)`, Spark parses by itself (GraphFunctions).
 *
 * A graph that the statement defines for itself, `WITH g AS PROPERTY GRAPH (…)`, goes the same way: a
 * query of a table function stands for it, so that g is known where any other name of a WITH is.
 *
 * The placeholder is as long as the clause, has its line breaks, and leaves the graph's name and
 * the parameter markers where they are. So positions of errors are right without being mapped,
 * and names and parameters mean what they mean anywhere else in the statement.
 */
final private[wreath] class GraphSqlParser(delegate: ParserInterface) extends ParserInterface {

  override def parsePlan(sqlText: String): LogicalPlan =
    statement(sqlText)(delegate.parsePlan)

  override def parsePlanWithParameters(sqlText: String, context: ParameterContext): LogicalPlan =
    statement(sqlText)(delegate.parsePlanWithParameters(_, context))

  override def parseQuery(sqlText: String): LogicalPlan =
    withIslands(sqlText)(delegate.parseQuery)

  /** An expression may hold a subquery, and that a GRAPH_TABLE. */
  override def parseExpression(sqlText: String): Expression =
    withIslands(sqlText)(delegate.parseExpression)

  override def parseTableIdentifier(sqlText: String): TableIdentifier =
    delegate.parseTableIdentifier(sqlText)

  override def parseFunctionIdentifier(sqlText: String): FunctionIdentifier =
    delegate.parseFunctionIdentifier(sqlText)

  override def parseMultipartIdentifier(sqlText: String): Seq[String] =
    delegate.parseMultipartIdentifier(sqlText)

  override def parseRoutineParam(sqlText: String): StructType =
    delegate.parseRoutineParam(sqlText)

  override def parseTableSchema(sqlText: String): StructType = delegate.parseTableSchema(sqlText)

  override def parseDataType(sqlText: String): DataType = delegate.parseDataType(sqlText)

  /** Spark says likewise of its own part of a statement: FAILED_TO_PARSE_TOO_COMPLEX. */
  private def notTooDeep[T](sql: SqlTokens)(parse: => T): T =
    try parse
    catch {
      case _: StackOverflowError =>
        throw WreathErrors.tooComplex(
          sql.wholeOrigin,
          "parts that are nested too deeply",
          "Write fewer EXISTS, parentheses or labels inside each other.")
    }

  /** One look for the letters settles most statements: they must cost nothing more. */
  private def statement(sqlText: String)(parse: String => LogicalPlan): LogicalPlan =
    if (!GraphTableIslands.mayHave(sqlText, GraphStatements.Word)) parse(sqlText)
    else {
      GraphStatements.parse(sqlText, parseExpression).getOrElse(withIslands(sqlText)(parse))
    }

  private def withIslands[T <: AnyRef](sqlText: String)(parse: String => T): T =
    GraphFunctions.parse(sqlText)(withClauses(_)(parse))

  private def withClauses[T <: AnyRef](sqlText: String)(parse: String => T): T = {
    if (!GraphTableIslands.mayHave(sqlText)) {
      parse(sqlText)
    } else {
      // Spark expands ${…} before it parses; done after us it would move what follows.
      val text = new VariableSubstitution().substitute(sqlText)
      val sql = new SqlTokens(text)
      val islands = GraphTableIslands.find(sql)
      if (islands.isEmpty) {
        parse(sqlText)
      } else {
        val clauses = notTooDeep(sql) {
          islands.map(new GraphTableParser(sql, _, parseExpression).parse())
        }
        val isCall = clauses.exists(_.clause.isCall)
        val graphs =
          PropertyGraphIslands.find(if (isCall) sql.notShown else sql, parseExpression)
        val placeholders = Placeholders(sql, islands, clauses, graphs)
        placeholders.restore(sql.inPlace(parse(placeholders.text), placeholders.words))
      }
    }
  }
}
