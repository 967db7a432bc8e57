package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.Origin

/**
 * What a GRAPH_TABLE asks for, once its names are columns: the one description of a pattern, from which
 * both a join of tables ([[MatchJoin]], later [[WcoJoin]]) and one of a stream ([[StreamingWcoJoin]])
 * are made.
 * {{{
 *   MATCH (a)-[]->(b) WHERE NOT EXISTS { (b)-[]->(a) } OPTIONAL MATCH (b)-[]->(c) WHERE c > 7
 *
 *   rows     PatternElements (a)->(b)
 *   steps    Exists (b)->(a), negated; Optional (b)->(c), Where c > 7
 *   columns  a, b, c
 * }}}
 *
 * @param steps what is done to the rows, one after the other
 * @param columns what is returned; None: all columns
 */
final case class LogicalPattern(
    rows: PatternRows,
    steps: Seq[PatternStep] = Nil,
    columns: Option[Seq[NamedExpression]] = None)

/** What the rows of a pattern are, before anything is done to them. */
sealed trait PatternRows {
  def output: Seq[Attribute]
}

/**
 * Vertices and edges that belong together.
 *
 * @param elements in the order in which they are joined: each shares a vertex with one before it, if it
 *   can. Their marks name the vertex at each end
 * @param equalEnds that ends which are one vertex are equal
 * @param mode which elements have to be different
 * @param modeConditions what the mode asks, as far as columns can tell
 * @param conditions that hold here and not in other alternatives of the pattern; false, if nothing matches
 */
final case class PatternElements(
    elements: Seq[MatchElement],
    equalEnds: Seq[Expression],
    mode: MatchMode,
    modeConditions: Seq[Expression],
    conditions: Seq[Expression])
    extends PatternRows {

  override def output: Seq[Attribute] = elements.flatMap(_.output)
}

/**
 * Edges that are quantified: the rows of all alternatives, one for each combination of lengths, all of
 * which have columns.
 *
 * @param lengths of each quantified edge, for EXPLAIN
 * @param output stands for the columns of each alternative in the same place
 */
final case class PatternLengths(
    alternatives: Seq[LogicalPattern],
    lengths: Seq[String],
    output: Seq[Attribute],
    origin: Origin)
    extends PatternRows

object PatternLengths {

  def apply(
      alternatives: Seq[LogicalPattern],
      lengths: Seq[String],
      origin: Origin): PatternLengths =
    PatternLengths(
      alternatives,
      lengths,
      MatchLengths.outputOf(alternatives.map(_.columns.get.map(_.toAttribute))),
      origin)
}

/** Something that is done to the rows of a pattern. */
sealed trait PatternStep

object PatternStep {

  /** Leaves the rows that fulfil a condition. */
  final case class Where(condition: Expression) extends PatternStep

  /**
   * Leaves the rows for which another pattern has a row, or has none: `EXISTS { … }`, `NOT EXISTS { … }`.
   *
   * @param on the condition under which a row of the other belongs to one of this
   */
  final case class Exists(
      other: LogicalPattern,
      on: Option[Expression],
      isNegated: Boolean,
      origin: Origin)
      extends PatternStep

  /** Adds a column that says whether another pattern has a row: `EXISTS { … }` inside an expression. */
  final case class Mark(
      other: LogicalPattern,
      on: Option[Expression],
      found: Attribute,
      origin: Origin)
      extends PatternStep

  /** Adds the columns of another pattern, NULL where that has no row: `OPTIONAL MATCH`. */
  final case class Optional(other: LogicalPattern, on: Option[Expression], origin: Origin)
      extends PatternStep

  /**
   * Adds the paths that are found from each row: a row for each.
   *
   * @param ends that are not columns of the rows yet
   * @param search over any rows that have these columns
   */
  final case class Search(ends: Seq[Alias], search: PathSearch) extends PatternStep {
    def origin: Origin = search.origin
  }

  /** Adds columns. */
  final case class Columns(values: Seq[Alias]) extends PatternStep

  /** Adds the columns of a table's row that belongs to each row; rows without one are left out. */
  final case class LookUp(table: LogicalPlan, on: Expression) extends PatternStep
}
