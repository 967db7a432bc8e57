package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Statistics}

import io.wreath.kernel.path.{PathMode, RegularPath}

/** Which of the paths between two vertices are wanted, of those that the mode allows. */
sealed trait PathSelector extends Serializable

object PathSelector {

  /** Every one. */
  case object All extends PathSelector

  /** So many of the first in the order of length and keys: ANY, ANY k, ANY SHORTEST, SHORTEST k. */
  final case class Shortest(count: Int) extends PathSelector

  /** All of the so many least lengths: ALL SHORTEST, SHORTEST k GROUPS. */
  final case class ShortestGroups(count: Int) extends PathSelector

  /** So many of the first in the order of cost, length and keys: ANY CHEAPEST, CHEAPEST k. */
  final case class Cheapest(count: Int) extends PathSelector
}

/**
 * How a step of a path reads its table.
 *
 * @param relation which of the tables of edges
 * @param condition that an edge fulfils, over the relation's columns
 * @param cost of an edge, over the relation's columns: finite and above 0, else an error that shows the edge
 */
final case class PathStep(
    relation: Int,
    direction: EdgeDirection,
    condition: Option[Expression] = None,
    cost: Option[Expression] = None)

/**
 * What is known of a path that was found; what nobody reads is not there.
 *
 * @param target the key of the vertex at its end, where that is not given
 * @param length how many edges, an INT
 * @param cost the sum of costs, a BIGINT where all costs are integral and a DOUBLE otherwise
 * @param vertices their keys from the source on, an array
 * @param edges an array of structs, with the columns of the edge's row as the relation names them
 */
final case class PathColumns(
    target: Option[Attribute] = None,
    length: Option[Attribute] = None,
    cost: Option[Attribute] = None,
    vertices: Option[Attribute] = None,
    edges: Option[Attribute] = None) {

  def all: Seq[Attribute] = target.toSeq ++ length ++ cost ++ vertices ++ edges

  def newInstance(): PathColumns = PathColumns(
    target.map(_.newInstance()),
    length.map(_.newInstance()),
    cost.map(_.newInstance()),
    vertices.map(_.newInstance()),
    edges.map(_.newInstance()))
}

/**
 * The paths of any length from the vertex that a row names, to one that it names too or to all: a row
 * for each path.
 *
 * A row whose source or target is NULL or no vertex has no path. The closure is never made.
 *
 * @param child rows that say where paths begin, and where they end if `target` is given
 * @param source a column of `child`; `target` likewise
 * @param path over `steps` by number
 * @param readings of each step the table, and which way it is read
 * @param conditions of each step, none or one; costs likewise. They are a list for themselves, for Spark
 *   resolves and replaces expressions only where it sees them
 * @param edges the tables: first the columns of an edge's source and target, then what else is read. All have
 *   columns of the same number and types
 * @param vertices a table whose first column is the key of each vertex that is there, if the graph has one: an
 *   edge whose end is not among them is not there either
 * @param said each table of `edges`, then `vertices`, in the user's words
 */
final case class PathSearch(
    child: LogicalPlan,
    source: Attribute,
    target: Option[Attribute],
    path: RegularPath,
    readings: Seq[(Int, EdgeDirection)],
    conditions: Seq[Seq[Expression]],
    costs: Seq[Seq[Expression]],
    mode: PathMode,
    selector: PathSelector,
    columns: PathColumns,
    edges: Seq[LogicalPlan],
    vertices: Option[LogicalPlan],
    said: Seq[String])
    extends LogicalPlan
    with MultiInstanceRelation {

  def steps: Seq[PathStep] = readings.indices.map { i =>
    val (relation, direction) = readings(i)
    PathStep(relation, direction, conditions(i).headOption, costs(i).headOption)
  }

  override def children: Seq[LogicalPlan] = child +: (edges ++ vertices)

  override def output: Seq[Attribute] = child.output ++ columns.all

  override def producedAttributes: AttributeSet = AttributeSet(columns.all)

  /** For a join with itself: the child's columns get other identities too. */
  override def newInstance(): LogicalPlan = {
    val renamed = Project(child.output.map(a => Alias(a, a.name)()), child)
    def of(a: Attribute): Attribute =
      renamed.output(child.output.indexWhere(_.exprId == a.exprId))
    copy(
      child = renamed,
      source = of(source),
      target = target.map(of),
      columns = columns.newInstance())
  }

  /** All columns of the tables count as read: so the index is the one that patterns use. */
  override lazy val references: AttributeSet =
    AttributeSet(Seq[Expression](source) ++ target) ++
      AttributeSet((edges ++ vertices).flatMap(_.output))

  override lazy val stats: Statistics = Statistics(sizeInBytes = child.stats.sizeInBytes * 16)

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): PathSearch =
    copy(
      child = newChildren.head,
      edges = newChildren.slice(1, 1 + edges.size),
      vertices = vertices.map(_ => newChildren.last))
}

object PathSearch {

  def apply(
      child: LogicalPlan,
      source: Attribute,
      target: Option[Attribute],
      path: RegularPath,
      steps: Seq[PathStep],
      mode: PathMode,
      selector: PathSelector,
      columns: PathColumns,
      edges: Seq[LogicalPlan],
      vertices: Option[LogicalPlan],
      said: Seq[String]): PathSearch =
    PathSearch(
      child,
      source,
      target,
      path,
      steps.map(s => (s.relation, s.direction)),
      steps.map(_.condition.toSeq),
      steps.map(_.cost.toSeq),
      mode,
      selector,
      columns,
      edges,
      vertices,
      said)
}
