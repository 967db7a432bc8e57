package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{BooleanType, StructType}

/**
 * Which element of which pattern a [[MatchElement]] is.
 *
 * @param matchId one for each GRAPH_TABLE
 * @param variables the vertex at each end, in the user's words
 * @param hints what the hints around the pattern ask for
 * @param table what the element's table is called in its property graph, if it has one
 * @param said the table in the user's words, for messages
 * @param isAsked whether the pattern was written as one, and not found in joins
 */
final case class MatchMark(
    matchId: Long,
    variables: Seq[String],
    hints: MatchHints,
    table: String = "",
    said: String = "",
    isAsked: Boolean = true)

object MatchMark {

  val none: MatchMark = MatchMark(0, Nil, MatchHints())

  def newMatchId(): Long = NamedExpression.newExprId.id
}

/**
 * A table as one element of a pattern, an edge or a vertex, reads it: the rows of `child` whose
 * ends are not NULL.
 *
 * It stands at the leaves of a pattern's joins from the analyzer until
 * [[io.wreath.spark.optimizer.ExtractWcoJoin]], which always removes it. Meanwhile it
 *
 *  - tells the rule which leaves belong to a pattern. Tags and hints on the joins would not:
 *    push-down and reordering build new joins. Joins written by hand have no such leaves;
 *  - keeps the table bare. Spark pushes no predicate through a node that it does not know, so
 *    `a.id = 42` stays above, and as all columns count as read, it prunes none: the index below is
 *    the same for every constant and found by every query, whatever columns that reads.
 */
sealed trait MatchElement extends UnaryNode {

  def mark: MatchMark

  /** The columns of `child` that name vertices: source and target of an edge, a vertex's key. */
  def ends: Seq[Attribute]

  override def output: Seq[Attribute] = child.output

  override lazy val references: AttributeSet = AttributeSet(child.output)

  /** In Spark's own words: a NULL end matches nothing. */
  def meaning: LogicalPlan

  protected def withoutNulls(ends: Seq[Attribute]): LogicalPlan =
    Filter(ends.map(e => IsNotNull(e): Expression).reduce(And(_, _)), child)
}

object MatchElement {

  private val Suffix = " of element"

  /** What a column is called where it must not have the name that it has in its table. */
  def renamed(column: String): String = s"$column$Suffix"

  /** The name that it has there. */
  def nameInTable(column: String): String = column.stripSuffix(Suffix)
}

/**
 * @param source the column of `child` that holds the edge's source; `target`, its target
 * @param isUndirected whether each row of `child` is two, with its ends one way round and the other;
 *   an edge from a vertex to itself is one all the same
 * @param row the column that says which row of `child` the edge is, where that is asked; equal in
 *   both senses. In `child` it tells rows apart but for equal ones, and here also those
 */
final case class MatchEdge(
    mark: MatchMark,
    source: Attribute,
    target: Attribute,
    isUndirected: Boolean,
    row: Option[Attribute],
    child: LogicalPlan)
    extends MatchElement {

  override def ends: Seq[Attribute] = Seq(source, target)

  /** Columns that mean something else here than they do below. */
  override protected lazy val validConstraints: ExpressionSet =
    if (isUndirected || row.isDefined) ExpressionSet() else child.constraints

  override def meaning: LogicalPlan = {
    val rows = withoutNulls(ends)
    bothSenses(row.map(numbered(_, rows)).getOrElse(rows))
  }

  /**
   * Equal rows are told apart by a number: which of them gets which does not matter, as nothing else
   * tells them apart.
   */
  private def numbered(row: Attribute, rows: LogicalPlan): LogicalPlan = {
    val columns = child.output.filterNot(_.exprId == row.exprId)
    val order = columns.map(SortOrder(_, Ascending))
    val frame = SpecifiedWindowFrame(RowFrame, UnboundedPreceding, CurrentRow)
    val number = Alias(
      WindowExpression(RowNumber(), WindowSpecDefinition(columns, order, frame)),
      "number")()
    val named = Alias(MatchEdge.rowOf(columns, number.toAttribute), row.name)(exprId = row.exprId)
    Project(
      child.output.map(c => if (c.exprId == row.exprId) named else c),
      Window(Seq(number), columns, order, Project(columns, rows)))
  }

  private def bothSenses(rows: LogicalPlan): LogicalPlan =
    if (!isUndirected) rows
    else {
      // Other columns below, so that no condition on an end is pushed past where the ends change; by
      // another name, for Spark takes an alias of the same name away as redundant.
      val below = output.map(c => Alias(c, s"${c.name}, as stored")())
      val isReversed = AttributeReference("reversed", BooleanType, nullable = false)()
      def in(reversed: Boolean): Seq[Expression] = output.map { c =>
        val read =
          if (!reversed) c
          else if (c.exprId == source.exprId) target
          else if (c.exprId == target.exprId) source
          else c
        below(output.indexWhere(_.exprId == read.exprId)).toAttribute
      } :+ Literal(reversed)
      val expanded =
        Expand(Seq(in(false), in(true)), output :+ isReversed, Project(below, rows))
      Project(output, Filter(Not(And(isReversed, EqualTo(source, target))), expanded))
    }

  /** Two texts of one query are the same query, for Spark's cache and for reuse. */
  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case m: MatchEdge => m.copy(mark = MatchMark.none)
      case other => other
    }

  override protected def withNewChildInternal(newChild: LogicalPlan): MatchEdge =
    copy(child = newChild)
}

object MatchEdge {

  /** @param scan its first two columns are source and target */
  def apply(
      mark: MatchMark,
      scan: LogicalPlan,
      isUndirected: Boolean,
      hasRow: Boolean): MatchEdge = {
    val child =
      if (hasRow) {
        Project(scan.output :+ Alias(rowOf(scan.output, Literal(0)), "row")(), scan)
      } else scan
    MatchEdge(
      mark,
      child.output(0),
      child.output(1),
      isUndirected,
      if (hasRow) Some(child.output.last) else None,
      child)
  }

  /** What tells an edge from those of equal rows. */
  def number(row: Expression): Expression =
    GetStructField(row, row.dataType.asInstanceOf[StructType].size - 1)

  /** What tells a row from others: its columns, and a number for equal ones. */
  private def rowOf(columns: Seq[Attribute], number: Expression): Expression =
    CreateNamedStruct((columns :+ number).zipWithIndex.flatMap { case (c, i) =>
      Seq(Literal(s"_$i"), c)
    })
}

/** @param key the column of `child` that names the vertex; each value at most once */
final case class MatchVertex(mark: MatchMark, key: Attribute, child: LogicalPlan)
    extends MatchElement {

  override def ends: Seq[Attribute] = Seq(key)

  override def meaning: LogicalPlan = withoutNulls(ends)

  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case m: MatchVertex => m.copy(mark = MatchMark.none)
      case other => other
    }

  override protected def withNewChildInternal(newChild: LogicalPlan): MatchVertex =
    copy(child = newChild)
}
