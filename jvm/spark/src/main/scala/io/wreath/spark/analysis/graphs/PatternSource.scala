package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.wreath.spark.analysis.patterns.FlatPattern
import io.wreath.spark.logical.{
  EdgePattern,
  LabelExpression,
  MatchElement,
  MatchMark,
  SearchedPath
}

/**
 * One element of a pattern as a plan with columns of its own.
 *
 * @param properties the columns that a query may read, by the names it reads them by
 * @param identity of an edge: the column that says which table it is of, and which row but for equal
 *   ones; comparable between scans of different tables, and only there where that is asked
 */
final private[analysis] case class ElementScan(
    plan: MatchElement,
    properties: Seq[(String, Attribute)],
    identity: Option[Attribute] = None)

/** How a value names a vertex, and so what may be compared with it. */
private[analysis] trait KeyForm {

  /** What the user sees of a key. */
  def visible(key: Expression): Expression

  /** What a key is in an expression. */
  def value(key: Expression): Expression

  /**
   * Two keys as values that are equal where they name the same vertex; None where they never do.
   */
  def compared(
      key: Expression,
      other: KeyForm,
      otherKey: Expression): Option[(Expression, Expression)]

  /** The same vertex as another form names it; NULL where that names it never. */
  def as(key: Expression, other: KeyForm): Expression
}

/**
 * What is asked of the scans of a clause beside keys and properties. The same for all of them, so that
 * they read the same columns of a table and share its index.
 *
 * @param ends columns that are ends are there as columns too: some edge has no direction, and its
 *   ends may be the other way round
 * @param row which row an edge is, to be compared with others
 * @param renamed columns have other names than in their tables. Spark takes a column under its own name
 *   for the table's, which is wrong where it has two meanings in one table, and where two scans of
 *   one table meet in a node of ours, such as a [[io.wreath.spark.logical.MatchJoin]]
 */
final private[analysis] case class ScanNeeds(ends: Boolean, row: Boolean, renamed: Boolean) {

  def column(value: Expression, name: String): NamedExpression =
    Alias(value, if (renamed) MatchElement.renamed(name) else name)()
}

/** Whether two edges of a pattern may be bound to the same row of a table. */
sealed private[analysis] trait Overlap

private[analysis] object Overlap {
  case object Never extends Overlap

  /** They read the same rows. */
  case object Same extends Overlap

  /** Each may read rows that the other does not. */
  case object Partly extends Overlap
}

/** A pattern whose elements have been from tables. */
private[analysis] trait BoundPattern {

  def pattern: FlatPattern

  /** How the `i`-th vertex is named. */
  def form(i: Int): KeyForm

  /** The `i`-th edge; its scan has two ends, source and target. */
  def edge(i: Int, mark: MatchMark, needs: ScanNeeds): ElementScan

  /** The `i`-th vertex; its scan has one end. None: every end of an edge is a vertex. */
  def vertex(i: Int, mark: MatchMark, needs: ScanNeeds): Option[ElementScan]

  def overlap(i: Int, j: Int): Overlap

  /** Whether there can be no match: then the scans only say what columns there would be. */
  def isImpossible: Boolean = false
}

/** What the vertices and edges of patterns are read from. */
private[analysis] trait PatternSource {

  /**
   * The alternatives of one pattern, without those that no table can fulfil; where that is true of
   * all of them, one that is impossible.
   *
   * @param known how variables that an earlier pattern has bound are named
   */
  def bind(
      alternatives: Seq[FlatPattern],
      known: String => Option[KeyForm]): Seq[BoundPattern]

  /** Whether a property names a vertex, alone. */
  def isKey(property: String): Boolean

  /**
   * What the edges of a path are read from.
   *
   * @param from how the vertex from which the path is searched is named
   */
  def path(path: SearchedPath, from: KeyForm, needs: ScanNeeds): BoundPath
}

/**
 * A path whose edges have been from tables.
 *
 * @param key of an edge, if the table has one among its columns
 * @param properties the columns that a query may read, by their names; those of all tables of a path have the
 *   same names and types, in the same order
 */
final private[analysis] case class PathTable(
    plan: LogicalPlan,
    properties: Seq[(String, Attribute)],
    key: Seq[Attribute],
    said: String)

private[analysis] trait BoundPath {

  /** How all vertices of the path are named. */
  def form: KeyForm

  /** At least one. */
  def tables: Seq[PathTable]

  /** The tables that an edge of the path may be of, by their numbers. */
  def tablesOf(edge: EdgePattern): Seq[Int]

  /** The keys of the vertices that are there, if that does not follow from the edges. */
  def vertices: Option[PathTable]

  /** Whether a vertex has one of the labels. */
  def isLabelled(key: Expression, labels: LabelExpression): Expression

  /** The rows of vertices, by their keys, if there is more to know of a vertex. */
  def lookUp(needs: ScanNeeds): Option[ElementScan]
}
