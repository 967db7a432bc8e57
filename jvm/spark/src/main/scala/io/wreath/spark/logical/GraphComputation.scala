package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Statistics}
import org.apache.spark.sql.types.{DataType, DoubleType}

/** What is computed of a whole graph: a value for each vertex. */
sealed trait VertexValue extends Serializable {

  /** The column that holds it. */
  def column: String

  def dataType(id: DataType): DataType

  /** For EXPLAIN and messages. */
  def function: String
}

object VertexValue {

  /** The smallest id of all vertices that hang together with this one. */
  case object Component extends VertexValue {
    override def column: String = "component"
    override def dataType(id: DataType): DataType = id
    override def function: String = "GRAPH_COMPONENTS"
  }

  /** Nothing but the vertex itself: its id is the only column. */
  case object Itself extends VertexValue {
    override def column: String = "id"
    override def dataType(id: DataType): DataType = id
    override def function: String = "The vertices of a graph"
  }

  /** PageRank after so many rounds. */
  final case class Rank(damping: Double, iterations: Int) extends VertexValue {
    override def column: String = "rank"
    override def dataType(id: DataType): DataType = DoubleType
    override def function: String = "GRAPH_PAGERANK"
  }
}

/**
 * A call such as `GRAPH_PAGERANK(TABLE edges, iterations => 10)`, before its tables are looked up.
 *
 * @param function in upper case
 * @param isCall whether a method of Graph wrote it, whose user has never seen it
 * @param tables the table of edges, and others
 * @param said each table in the user's words, with the name of its argument before it; "" where it has none
 * @param names of the values; "" where one has none
 * @param values the arguments that are no tables
 */
final case class UnresolvedGraphFunction(
    function: String,
    isCall: Boolean,
    tables: Seq[LogicalPlan],
    said: Seq[(String, String)],
    names: Seq[String],
    values: Seq[Expression])
    extends LogicalPlan {

  override lazy val resolved: Boolean = false

  override def output: Seq[Attribute] = Nil

  override def children: Seq[LogicalPlan] = tables

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): UnresolvedGraphFunction = copy(tables = newChildren)
}

/**
 * A value for each vertex of a graph.
 *
 * Spark moves nothing through a node that it does not know, and all columns below count as read: so the
 * index of the edges is the one that patterns over the same table use.
 *
 * @param output the vertex' id, and its value, if it has one beside that
 * @param relations the edges by their ends; then the vertices by their ids, if there is a table of
 *   them: an edge whose end is not among them is not there, and one without edges is
 * @param said each relation in the user's words
 */
final case class GraphComputation(
    value: VertexValue,
    output: Seq[Attribute],
    relations: Seq[LogicalPlan],
    said: Seq[String])
    extends LogicalPlan
    with MultiInstanceRelation {

  override def children: Seq[LogicalPlan] = relations

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override lazy val references: AttributeSet = AttributeSet(relations.flatMap(_.output))

  override def newInstance(): LogicalPlan = copy(output = output.map(_.newInstance()))

  /** At most two vertices an edge, of which each has a value about as large as its id. */
  override lazy val stats: Statistics =
    Statistics(sizeInBytes = relations.map(_.stats.sizeInBytes).sum * 2)

  override def simpleString(maxFields: Int): String = s"GraphComputation ${value.function}"

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): GraphComputation = copy(relations = newChildren)
}
