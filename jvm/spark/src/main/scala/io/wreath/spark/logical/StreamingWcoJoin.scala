package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeMap,
  AttributeReference,
  AttributeSet,
  Expression
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.wreath.pattern.{Comparison, PatternEdge}

/**
 * One pattern that a stream of edge changes is matched against.
 *
 * @param name by which the pattern is known again after a restart
 * @param edges the pattern over variables 0 until variables.length: relation 0 is the stream, 1 and
 *   so on the tables beside it. A vertex of a table is an edge from itself to itself
 * @param different those of the edges that must be bound to different rows of their tables
 * @param variables the column of each variable
 * @param edgeColumns for each edge of the pattern, the columns that stand for the properties of its
 *   relation, in the same order
 * @param comparisons between variables, decided inside the join
 * @param predicates over variables and edge columns that need the values themselves
 * @param lastPredicates the same, but asked only of what passes all others: they may raise an error
 * @param diff the column that holds by how many rows a match changes
 * @param result what is returned for each changed match, over the columns above; as many as the
 *   join has output columns
 * @param text what the clause said, kept in the checkpoint
 */
final case class StreamingPattern(
    name: String,
    edges: Seq[PatternEdge],
    different: Set[Int],
    variables: Seq[Attribute],
    edgeColumns: Seq[Seq[Attribute]],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    lastPredicates: Seq[Expression],
    diff: Attribute,
    result: Seq[Expression],
    text: PatternText) {

  /** The columns that [[predicates]] and [[result]] are over. */
  def columns: Seq[Attribute] = (variables ++ edgeColumns.flatten) :+ diff

  def isNamed: Boolean = !name.startsWith(StreamingPattern.Unnamed)

  /**
   * What checkpoints knew of a pattern before they had its [[text]]: the edges and, if it had been
   * given a name, the conditions.
   */
  def signature: String = {
    val edgeTexts = edges.map { e =>
      s"${e.source}->${e.target}" + (if (e.relation > 0) s"@${e.relation}" else "")
    }.mkString(" ")
    if (!isNamed) edgeTexts
    else (edgeTexts +: (comparisons.map(
      _.toString) ++ (predicates ++ lastPredicates).map(plain)).sorted).mkString(" & ")
  }

  /**
   * An expression over the columns in terms of positions, as ids of columns and names of variables
   * may change.
   */
  def plain(e: Expression): String = e.transform { case a: AttributeReference =>
    val v = variables.indexWhere(_.exprId == a.exprId)
    val edge = edgeColumns.indexWhere(_.exists(_.exprId == a.exprId))
    a.withName(if (v >= 0) s"v$v" else s"e$edge.${a.name}").withQualifier(Nil)
  }.sql
}

object StreamingPattern {

  /** What names begin with that nobody gave: a number follows. */
  val Unnamed = "#"
}

/**
 * What a clause says, the same at every start of a query that has not changed: by this a checkpoint
 * knows its patterns again.
 *
 * @param edges the ends of each edge by the numbers of variables, and its table if that is not the
 *   stream
 * @param conditions of WHERE and of the match mode
 * @param columns of the output, with their names
 */
final case class PatternText(
    edges: Seq[String],
    conditions: Seq[String],
    columns: Seq[String]) {

  def and(condition: String): PatternText = copy(conditions = conditions :+ condition)

  override def toString: String =
    s"MATCH ${edges.mkString(", ")}" +
      (if (conditions.isEmpty) ""
       else conditions.distinct.sorted.mkString(" WHERE ", " AND ", "")) +
      s" COLUMNS (${columns.mkString(", ")})"
}

/**
 * Where a stream of changes has what, by position among its columns: rules that rename columns need
 * not know of it.
 *
 * @param properties the rest of an edge's row, which tells parallel edges apart
 * @param change what a row does: a text (insert, delete, update_preimage, update_postimage), or a
 *   number of rows that come (or go, if below zero); without it every row comes
 * @param key of [[row]], the columns by which a delete names its edge, of which there is at most one
 *   then; none: a delete names all of them
 * @param expiry of [[row]], the column that says when an edge happened, and how many microseconds
 *   later it goes by itself; none: it stays until it is deleted
 * @param emitsSnapshot whether matches of edges that are there before the stream begins are put out
 * @param text the row's columns, the key and the expiry by their names, kept in the checkpoint
 */
final case class StreamingEdges(
    source: Int,
    target: Int,
    properties: Seq[Int],
    change: Option[Int],
    key: Seq[Int],
    expiry: Option[(Int, Long)],
    emitsSnapshot: Boolean,
    text: String) {

  /** What is kept of an edge. */
  def row: Seq[Int] = source +: target +: properties
}

/**
 * A table beside a stream.
 *
 * @param table its name, for messages
 * @param name by which it is known again after a restart: the table in its role
 * @param isVertices whether it has vertices, each of which is one row
 */
final case class StaticTable(said: String, name: String, isVertices: Boolean)

/**
 * Maintains patterns over a stream of changes to one edge table: each micro-batch yields the
 * matches that it adds or takes away, with the number of rows in the column `diff`.
 *
 * All patterns share one state and one index. Their own columns are nobody else's business:
 * `output` is what [[StreamingPattern.result]] is called outside.
 *
 * @param snapshot the edges that are there before the stream begins: rows of
 *   [[StreamingEdges.row]]. Not a stream, and read by the first batch alone
 * @param statics tables beside the stream, which do not change: source, target and properties
 * @param tables what those are
 */
final case class StreamingWcoJoin(
    changes: StreamingEdges,
    patterns: Seq[StreamingPattern],
    output: Seq[Attribute],
    child: LogicalPlan,
    snapshot: Option[LogicalPlan],
    statics: Seq[LogicalPlan],
    tables: Seq[StaticTable])
    extends LogicalPlan {

  override def children: Seq[LogicalPlan] = child +: (snapshot.toSeq ++ statics)

  override def producedAttributes: AttributeSet = AttributeSet(output)

  /** All columns of the children are state: whatever a query reads, none may be pruned. */
  override lazy val references: AttributeSet = AttributeSet(children.flatMap(_.output))

  /** An expression over the output as one over the columns of the only pattern. */
  def overPattern(e: Expression): Expression = {
    val inside = AttributeMap(output.zip(patterns.head.result))
    e.transform { case a: Attribute => inside.getOrElse(a, a) }
  }

  override def simpleString(maxFields: Int): String =
    s"StreamingWcoJoin ${patterns.map(p =>
        WcoJoin.describe(p.edges.map(e => Seq(e.source, e.target)), p.variables)).mkString("; ")}"

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): StreamingWcoJoin =
    copy(
      child = newChildren.head,
      snapshot = newChildren.slice(1, 1 + snapshot.size).headOption,
      statics = newChildren.drop(1 + snapshot.size))
}
