package io.wreath.spark.execution.paths

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.wreath.Cancellation
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.path._
import io.wreath.spark.execution.{PatternElements, PresentVertices}
import io.wreath.spark.index._
import io.wreath.spark.logical.{AtomColumn, JoinAtom}

/**
 * What a search for paths reads, and what it follows. Made on the driver, where conditions are asked of the edges;
 * goes to each executor once, and its tasks share the lists that it makes.
 *
 * @param key the type of the vertices' keys
 * @param tables the columns of each table of edges, its ends first
 * @param pathRoute what the labels of the path are
 * @param mode of the paths
 * @param cost of an edge, where the cheapest paths are wanted
 * @param wantsSteps whether more than the ends of a path is read
 * @param modes how each index is made
 * @param carried the space of the indexes, the tables of edges first, then that of vertices
 */
final private[execution] class PathGraph(
    val key: DataType,
    tables: Seq[Seq[Attribute]],
    val pathRoute: PathRoute,
    val mode: PathMode,
    cost: Option[Expression],
    val wantsSteps: Boolean,
    modes: Seq[CsrBroadcastMode],
    carried: Either[JoinSpace, Broadcast[JoinSpace]])
    extends Serializable {

  /** Those of the first table. */
  def columns: Seq[Attribute] = tables.head

  def space: JoinSpace = carried.fold(identity, _.value)

  private def verticesAt: Option[Int] =
    if (modes.size > tables.size) Some(tables.size) else None

  def hasVertices: Boolean = verticesAt.isDefined

  /** The keys of vertices that may have no edges, by their own codes. */
  def verticesAlone: CsrRelation = space.relation(verticesAt.get)

  @transient
  private lazy val present = new PresentVertices(space, verticesAt, Cancellation.look())

  def isVertex(code: Int): Boolean = present.has(code)

  def vertexCount: Int = space.table(key).size

  /** A table of edges as the element of a pattern, so that its columns are read as those are. */
  private[paths] def elements(relation: Int): PatternElements = {
    val source +: target +: others = tables(relation): @unchecked
    new PatternElements(
      Seq(JoinAtom(relation, Seq(0, 1))),
      Seq(source, target),
      others.zipWithIndex.map { case (a, i) => AtomColumn(a, 0, i) },
      modes,
      carried)
  }

  /** By label, the rows that it may read; made on the driver. */
  private val filters: IndexedSeq[Option[EdgeFilter]] = {
    val asked = new EdgeTests(this)
    pathRoute.labels.map { label =>
      val between = if (present.areAll) None else Some(asked.between(label.relation, present))
      val tests = label.tests.map { case (condition, passes) =>
        asked.rows(label.relation, condition, passes)
      }
      (between ++ tests).reduceOption(EdgeTests.both).map(new EdgeFilter(label.relation, _))
    }
  }

  private val lists: IndexedSeq[EdgeLists] = pathRoute.labels.zip(filters).map {
    case (label, filter) => EdgeLists(label.relation, label.way == Way.Both, filter)
  }

  /** The rows that a label may read, a bit each; null for all. */
  private[paths] def rows(label: Int): Array[Long] = filters(label).map(_.rows).orNull

  @transient
  private lazy val allSteps: IndexedSeq[Steps] = pathRoute.labels.zip(lists).map {
    case (label, l) => Steps.of(l.of(space), isForward = label.way != Way.Backward)
  }

  def steps(label: Int): Steps = allSteps(label)

  @transient
  lazy val route: Route = Route(
    pathRoute.path,
    pathRoute.labels.indices.map { i =>
      RouteEdge(steps(i), pathRoute.labels(i).kind, pathRoute.labels(i).way)
    }: _*)

  /** Of the only label. */
  @transient
  lazy val costs: EdgeCosts = {
    val label = pathRoute.labels.head
    val byRow = new EdgeTests(this).costs(label.relation, cost.get, rows(0))
    lists.head.costs(space, byRow, label.way, Cancellation.look())
  }

  /** The last thing that the driver does: what cannot be followed is said there, and before tasks begin. */
  def check(): Unit = {
    if (cost.isDefined) costs: Unit
    else if (pathRoute.hops.isEmpty) route: Unit
  }
}
