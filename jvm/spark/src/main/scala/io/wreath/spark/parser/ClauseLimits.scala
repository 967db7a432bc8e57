package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * What one clause may hold: what is beyond is refused at once, in place of being planned for minutes or
 * until the stack is exhausted.
 */
private[parser] object ClauseLimits {

  /** Edges in all patterns of a clause, those inside EXISTS among them. */
  val MostEdges = 128

  def check(clause: MatchClause): MatchClause = {
    val edges = clause.parts.map(edgesIn).sum + edgesOf(clause.columns.getOrElse(Nil))
    if (edges > MostEdges) {
      throw WreathErrors.tooComplex(
        clause.origin,
        s"$edges edges in one GRAPH_TABLE",
        s"Write at most $MostEdges, and join several clauses on the variables they share.")
    }
    clause
  }

  /** Words and signs in one expression of labels: what reads it goes as deep as it is long. */
  val MostLabels = 500

  def check(labels: LabelExpression, at: => Origin): LabelExpression = {
    if (sizeOf(labels) > MostLabels) {
      throw WreathErrors.tooComplex(
        at,
        s"more than $MostLabels labels at one element",
        "Give the tables a label in common.")
    }
    labels
  }

  /** Without recursion, for it may be of any depth. */
  private def sizeOf(labels: LabelExpression): Int = {
    val open = mutable.Stack(labels)
    var size = 0
    while (open.nonEmpty) {
      size += 1
      open.pop() match {
        case NotLabel(l) => open.push(l)
        case BothLabels(l, r) => open.push(l, r)
        case EitherLabel(l, r) => open.push(l, r)
        case _ =>
      }
    }
    // Between n labels stand n - 1 signs.
    (size + 1) / 2
  }

  private def edgesIn(part: MatchPart): Int = part.edges.size + edgesOf(part.expressions)

  private def edgesOf(expressions: Seq[Expression]): Int =
    expressions.flatMap(_.collect { case e: PatternExists => e.part }).map(edgesIn).sum
}
