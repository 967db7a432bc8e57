package io.wreath.spark.parser

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{
  UnresolvedAttribute,
  UnresolvedRelation,
  UnresolvedTableValuedFunction
}
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Expression,
  FunctionTableSubqueryArgumentExpression,
  Literal,
  NamedArgumentExpression,
  ScalarSubquery
}
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.internal.VariableSubstitution
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.UnresolvedGraphFunction

/**
 * Table functions over a whole graph, such as `GRAPH_COMPONENTS(TABLE edges)`.
 *
 * Spark's parser wants the table in parentheses: without them the word TABLE is blanked, and the name
 * parses as a column. Its analyzer would call the function once for each row of the table: so a call
 * becomes a node of ours before.
 */
private[parser] object GraphFunctions {

  private val Names =
    Seq("GRAPH_COMPONENTS", "GRAPH_PAGERANK", "GRAPH_REACHABLE", "GRAPH_SHORTEST_PATHS")

  /** Arguments that are tables, beside the first. */
  private val NamedTables = Seq("vertices", "sources", "targets", "pairs")

  /** What is computed of each edge: a table of one column over the edges, so that Spark knows its names. */
  private val OverEdges = "cost"

  /** An argument by which a method of Graph says that the call is its own. */
  private val ByGraph = "wreath_call"

  def parse[T <: AnyRef](sqlText: String)(parse: String => T): T =
    if (!Names.exists(GraphTableIslands.mayHave(sqlText, _))) parse(sqlText)
    else {
      val sql = new SqlTokens(new VariableSubstitution().substitute(sqlText))
      val calls = callsIn(sql)
      val blanked = withoutWords(sql, calls)
      val originals = calls.map { case (first, last) =>
        val from = sql.tokens(first).getStartIndex
        val until = sql.tokens(last).getStopIndex + 1
        (sql.slice(from, until), new String(blanked, from, until - from))
      }.filter { case (before, after) => before != after }
      ParsedTree.replace(sql.inPlace(parse(new String(blanked, 0, blanked.length)))) {
        case f: UnresolvedTableValuedFunction if f.name.size == 1 && isOurs(f.name.head) =>
          call(f)
        case s: String =>
          originals.foldLeft(s) { case (t, (before, after)) => t.replace(after, before) }
      }
    }

  private def isOurs(name: String): Boolean = Names.exists(_.equalsIgnoreCase(name))

  /** By the first and the last token of each. */
  private def callsIn(sql: SqlTokens): Seq[(Int, Int)] = for {
    i <- 0 until sql.tokens.length - 1
    if sql.name(sql.tokens(i)).exists(isOurs) && sql.isWord(sql.tokens(i + 1), "(")
    last <- sql.closing(i + 1)
  } yield (i, last)

  /** The text without the words TABLE before names, as code points. */
  private def withoutWords(sql: SqlTokens, calls: Seq[(Int, Int)]): Array[Int] = {
    val points = sql.codePoints.clone()
    for {
      (first, last) <- calls
      at <- first + 2 until last
      if sql.isWord(sql.tokens(at), "TABLE") && sql.name(sql.tokens(at + 1)).isDefined
      if sql.isWord(sql.tokens(at - 1), "(") || sql.isWord(sql.tokens(at - 1), ",") ||
        sql.isWord(sql.tokens(at - 1), "=>")
      i <- sql.tokens(at).getStartIndex to sql.tokens(at).getStopIndex
    } points(i) = ' '
    points
  }

  private def call(f: UnresolvedTableValuedFunction): UnresolvedGraphFunction = {
    val function = f.name.head.toUpperCase(Locale.ROOT)
    val all = f.functionArgs.map {
      case NamedArgumentExpression(name, value) => (name, value)
      case value => ("", value)
    }
    val (own, named) = all.partition(_._1 == ByGraph)
    val at = if (own.isEmpty) f.origin else Origin()
    val arguments = named.zipWithIndex.map { case ((name, value), i) =>
      val table =
        if (i == 0 || NamedTables.contains(name)) asTable(value)
        else if (name == OverEdges) asTable(named.head._2).map(overEdges(value, _))
        else tableIn(value)
      (name, value, table)
    }
    arguments.foreach(a => refusePartitions(a._2, function, at))
    val tables = arguments.collect { case (name, _, Some(table)) => (name, table) }
    val values = arguments.collect { case (name, value, None) => (name, value) }
    if (!arguments.headOption.exists(a => a._1.isEmpty && a._3.isDefined)) {
      throw WreathErrors.functionArgument(
        at,
        function,
        s"Its first argument is the table of edges: $function(TABLE edges).")
    }
    CurrentOrigin.withOrigin(at) {
      UnresolvedGraphFunction(
        function,
        own.nonEmpty,
        tables.map(_._2),
        tables.map { case (name, table) => (name, inWords(table)) },
        values.map(_._1),
        values.map(_._2))
    }
  }

  /** A method of Graph has it as text. */
  private def overEdges(value: Expression, edges: LogicalPlan): LogicalPlan = {
    val written = value match {
      case Literal(text: UTF8String, _: StringType) =>
        CatalystSqlParser.parseExpression(text.toString)
      case other => other
    }
    CurrentOrigin.withOrigin(value.origin)(Project(Seq(Alias(written, OverEdges)()), edges))
  }

  private def tableIn(value: Expression): Option[LogicalPlan] = value match {
    case t: FunctionTableSubqueryArgumentExpression => Some(t.plan)
    case _ => None
  }

  private def asTable(value: Expression): Option[LogicalPlan] = value match {
    case name: UnresolvedAttribute =>
      Some(CurrentOrigin.withOrigin(name.origin)(UnresolvedRelation(name.nameParts)))
    // A query in parentheses, without the word TABLE.
    case query: ScalarSubquery => Some(query.plan)
    case _ => tableIn(value)
  }

  private def refusePartitions(value: Expression, function: String, at: Origin): Unit =
    value match {
      case t: FunctionTableSubqueryArgumentExpression
          if t.partitionByExpressions.nonEmpty || t.orderByExpressions.nonEmpty ||
            t.withSinglePartition =>
        throw WreathErrors.functionArgument(
          at,
          function,
          "A graph is read whole. Leave out PARTITION BY, ORDER BY and WITH SINGLE PARTITION.")
      case _ =>
    }

  private def inWords(table: LogicalPlan): String = table match {
    case r: UnresolvedRelation => r.multipartIdentifier.map(quoteIfNeeded).mkString(".")
    case _ => "the table"
  }
}
