package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.internal.VariableSubstitution

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{MatchClause, MatchMode, MatchPart, TablesOfCall}

/**
 * Parses one argument of a call, such as the `where` of `Graph.match`, by itself.
 *
 * A call writes its arguments into the statement as string literals, so that none of them can
 * end the clause that it is put into, whatever it says, and so that an error shows the argument
 * rather than a statement that the user has never seen.
 */
final private[parser] class CallParser private (
    argument: String,
    sql: SqlTokens,
    parseExpression: String => Expression,
    markers: mutable.Buffer[(Int, Int)])
    extends PatternParser(sql, 0, sql.tokens.length, parseExpression, markers) {

  override protected def whole: String = argument

  /** `part {OPTIONAL MATCH part} [COLUMNS ( item {, item} )]`, the first part in the mode given. */
  private def pattern(mode: Option[MatchMode]): (Seq[MatchPart], Option[Seq[Expression]]) = {
    if (mode.isDefined && Seq("REPEATABLE", "DIFFERENT", "UNIQUE").exists(is)) {
      fail("the mode is an argument of the call already")
    }
    val own = parts()
    val found = own.head.copy(mode = mode.getOrElse(own.head.mode)) +: own.tail
    val columns = if (accept("COLUMNS")) Some(columnItems()) else None
    if (!atEnd) failAfter(found.last, columns.isDefined, "pattern")
    (found, columns)
  }

  private def condition(): Expression = expression(sql.tokens.length, "a condition")

  private def items(): Seq[Expression] = {
    val found = itemList()
    if (!atEnd) fail(s"expected a comma or the end of $argument")
    found
  }

  /** What stands at a marker is an argument of `spark.sql`, and a call has none. */
  private def withoutMarkers[T](parse: => T): T = {
    if (sql.tokens.isEmpty) {
      throw WreathErrors.syntax(sql.wholeOrigin, sql.text, s"$argument is empty")
    }
    val parsed = parse
    throwRefusals()
    markers.headOption.foreach { case (from, until) =>
      val marker = sql.tokens.find(_.getStartIndex == from).get
      throw WreathErrors.syntax(
        sql.origin(marker),
        sql.slice(from, until),
        "a call has no parameters; write the value")
    }
    parsed
  }
}

private[parser] object CallParser {

  def parse(
      pattern: String,
      mode: Option[MatchMode],
      where: Option[String],
      columns: Seq[String],
      parseExpression: String => Expression): MatchClause = {
    def parser(argument: String, text: String): CallParser =
      new CallParser(argument, tokens(argument, text), parseExpression, mutable.ArrayBuffer.empty)

    val inPattern = parser("pattern", pattern)
    val (parts, ownColumns) = inPattern.withoutMarkers(inPattern.pattern(mode))
    val condition = where.map { text =>
      val inWhere = parser("where", text)
      inWhere.withoutMarkers {
        if (parts.last.where.isDefined) {
          inWhere.fail("the pattern ends in a WHERE already; write both conditions there")
        }
        inWhere.condition()
      }
    }
    val items = columns.flatMap { text =>
      val inColumns = parser("columns", text)
      inColumns.withoutMarkers {
        if (ownColumns.isDefined) {
          inColumns.fail("the pattern ends in COLUMNS already; name all columns there")
        }
        inColumns.items()
      }
    }
    MatchClause(
      TablesOfCall.Edges,
      parts.init :+ parts.last.copy(where = parts.last.where.orElse(condition)),
      ownColumns.orElse(if (columns.isEmpty) None else Some(items)),
      markers = Nil,
      inPattern.sql.wholeOrigin,
      isCall = true)
  }

  def motif(text: String): MatchClause = {
    val sql = tokens("motif", text)
    val clauses =
      new MotifParser(TablesOfCall.Edges, sql.text, sql.wholeOrigin, sql.originAt).parse()
    clauses.head.copy(shorter = clauses.tail.map(_.copy(isCall = true)), isCall = true)
  }

  private def tokens(argument: String, text: String): SqlTokens =
    CurrentOrigin.withOrigin(
      Origin(objectType = Some("argument"), objectName = Some(argument))) {
      new SqlTokens(new VariableSubstitution().substitute(text))
    }
}
