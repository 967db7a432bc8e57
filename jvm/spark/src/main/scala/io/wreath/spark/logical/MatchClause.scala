package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression, Unevaluable}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_DAY
import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.sql.types.{BooleanType, DataType}
import org.apache.spark.unsafe.types.UTF8String

/**
 * What was written inside `GRAPH_TABLE ( … )`, as syntax: names are not looked up yet.
 *
 * @param graph the graph's name in the user's words, for messages
 * @param parts the MATCH, then each OPTIONAL MATCH
 * @param columns the items of COLUMNS; None means the id of each named vertex
 * @param markers where in the text parameter markers stand, in ascending order: a
 *   [[ClauseParameter]] refers to one by its place
 * @param structs of a motif: the elements that are its columns, each as a struct of its properties
 * @param shorter of a motif with paths of several lengths: the same with shorter ones
 * @param stream what is said of a stream of changes; None where nothing is
 * @param isCall whether a method of `Graph` wrote it: the graph has no name then
 */
final case class MatchClause(
    graph: String,
    parts: Seq[MatchPart],
    columns: Option[Seq[Expression]],
    markers: Seq[Int],
    origin: Origin,
    structs: Option[Seq[String]] = None,
    shorter: Seq[MatchClause] = Nil,
    stream: Option[StreamClause] = None,
    isCall: Boolean = false)

/** What messages call the tables of a call, whose names nobody has given. */
object TablesOfCall {
  val Edges = "the DataFrame of edges"
  val Vertices = "the DataFrame of vertices"
  val Snapshot = "the DataFrame of the snapshot"

  /** What to do about columns that are not there. */
  val NameTheEnds = "Name the columns that hold the ends of an edge: Graph(edges, src=…, dst=…)."
}

/**
 * What stands between the name of a stream and MATCH.
 *
 * @param key the columns by which a delete names its edge; none: by all of them
 * @param expiry when edges go by themselves
 * @param snapshot the name of the table of edges that are there before the stream begins
 * @param emitsSnapshot whether the matches of those edges are put out too
 */
final case class StreamClause(
    key: Seq[String],
    expiry: Option[ExpiryClause],
    snapshot: Option[String],
    emitsSnapshot: Boolean,
    origin: Origin)

/**
 * `EXPIRING column AFTER 'interval'`.
 *
 * @param column says when an edge happened
 * @param micros how long it lives, in microseconds
 */
final case class ExpiryClause(column: String, micros: Long)

object ExpiryClause {

  /** How long an interval is, if it is positive and has a fixed length: months have none. */
  def microsOf(interval: String): Option[Long] =
    Option(IntervalUtils.safeStringToInterval(UTF8String.fromString(interval)))
      .filter(_.months == 0)
      .map(i => Math.addExact(Math.multiplyExact(i.days, MICROS_PER_DAY), i.microseconds))
      .filter(_ > 0)
}

/**
 * One graph pattern: `MATCH [mode] path, … [WHERE …]`, or what stands inside `EXISTS { … }`.
 *
 * @param paths that are joined, in the order of the text
 * @param where the clause after the pattern, with names of variables unresolved
 * @param searches the paths that are searched for, in the order of the text
 */
final case class MatchPart(
    isOptional: Boolean,
    mode: MatchMode,
    paths: Seq[PathPattern],
    where: Option[Expression],
    origin: Origin,
    searches: Seq[SearchedPath] = Nil) {

  /** All conditions that stand in it. */
  def expressions: Seq[Expression] =
    where.toSeq ++ paths.flatMap(p => p.vertices.flatMap(_.where) ++ p.edges.flatMap(_.where)) ++
      searches.flatMap(_.expressions)

  /** All of its edges, those of which paths that are searched for consist among them. */
  def edges: Seq[EdgePattern] = paths.flatMap(_.edges) ++ searches.flatMap(_.edges)
}

/** Which elements of one pattern have to be different. */
sealed trait MatchMode

object MatchMode {

  /** Different variables may be bound to the same element. */
  case object RepeatableElements extends MatchMode

  /** No two edges of the pattern are the same row. */
  case object DifferentEdges extends MatchMode

  /** No two vertices of the pattern are the same. */
  case object DifferentVertices extends MatchMode

  /** Likewise, and of matches that differ by a symmetry of the pattern only one is returned. */
  case object UniqueSubgraphs extends MatchMode
}

/** Alternating vertices and edges: `edges(i)` stands between `vertices(i)` and `vertices(i + 1)`. */
final case class PathPattern(vertices: Seq[VertexPattern], edges: Seq[EdgePattern])

/** `(name IS label WHERE …)`; all three may be left out. */
final case class VertexPattern(
    name: Option[String],
    label: Option[LabelExpression],
    where: Option[Expression],
    origin: Origin)

/** Where an edge of a path leads. */
sealed trait EdgeDirection

object EdgeDirection {

  /** `-[]->` */
  case object Right extends EdgeDirection

  /** `<-[]-` */
  case object Left extends EdgeDirection

  /** `-[]-`: either way, and an edge from a vertex to itself once. */
  case object Either extends EdgeDirection
}

/** How many edges one after the other an edge pattern stands for, from `least` to `most`. */
final case class Quantifier(least: Int, most: Int)

/**
 * `-[name IS label WHERE …]->`, or in another direction.
 *
 * @param quantifier None: one edge. Else the name is that of a group of edges, which only the edge's
 *   own condition may use, where it stands for each of them
 * @param cost what a path costs more with it; only of a path that is searched for
 */
final case class EdgePattern(
    name: Option[String],
    label: Option[LabelExpression],
    direction: EdgeDirection,
    quantifier: Option[Quantifier],
    where: Option[Expression],
    origin: Origin,
    cost: Option[Expression] = None)

/** `EXISTS { … }` in a condition, until the clause is resolved. */
final case class PatternExists(part: MatchPart) extends LeafExpression with Unevaluable {

  override def nullable: Boolean = false

  override def dataType: DataType = BooleanType

  override lazy val resolved: Boolean = false

  override def toString: String = "EXISTS { … }"
}
