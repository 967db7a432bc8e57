package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.types.DataType

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.keys.VertexKeys
import io.wreath.spark.logical.{
  GraphComputation,
  TablesOfCall,
  UnresolvedGraphFunction,
  VertexValue
}

/**
 * The graph that a function is called over: a table of edges, and of vertices if there is one, with keys of one type.
 *
 * @param table of edges
 */
final private[graphs] class GraphOfFunction(
    f: UnresolvedGraphFunction,
    val table: LogicalPlan,
    vertices: Option[LogicalPlan],
    resolver: Resolver) {

  private val ends = new EdgeEnds(
    table,
    saidEdges,
    f.origin,
    if (f.isCall) TablesOfCall.NameTheEnds else EdgeEnds.RenameColumns,
    resolver)

  private val id: Option[Attribute] = vertices.map { v =>
    v.output
      .find(c => resolver(c.name, "id"))
      .getOrElse(
        throw WreathErrors.missingColumn(
          f.origin,
          saidVertices,
          "id",
          v.output.map(_.name),
          "Rename the column that names a vertex to id, in a view or a subquery."))
  }

  /** Of the vertices' keys. */
  val key: DataType = {
    val tpe = id.fold(ends.source.dataType) { id =>
      TypeCoercion.findTightestCommonType(ends.source.dataType, id.dataType).getOrElse(
        throw WreathErrors.referenceTypeMismatch(
          f.origin,
          ("src", ends.source.dataType),
          ("id", id.dataType)))
    }
    if (!VertexKeys.isSupported(tpe)) {
      throw WreathErrors.unsupportedFeature(
        f.origin,
        s"${f.function} over vertices that are named by ${tpe.sql}",
        "Cast them to STRING or BIGINT, in a view or a subquery.")
    }
    tpe
  }

  private def column(value: Expression, name: String): NamedExpression = value match {
    case a: Attribute if a.dataType == key => a
    case other => Alias(if (other.dataType == key) other else Cast(other, key), name)()
  }

  private val keys = Seq(column(ends.source, "src"), column(ends.target, "dst"))

  /** The edges by their ends, and other columns that are read. */
  def edges(read: Seq[Attribute] = Nil): LogicalPlan = {
    val others = AttributeSet(read) -- AttributeSet(keys.map(_.toAttribute))
    Project(keys ++ table.output.filter(others.contains), table)
  }

  /** The vertices by their keys. */
  def people: Option[LogicalPlan] =
    vertices.zip(id).map { case (v, id) => Project(Seq(column(id, "id")), v) }

  def said: Seq[String] = saidEdges +: vertices.map(_ => saidVertices).toSeq

  private def saidEdges: String = if (f.isCall) TablesOfCall.Edges else f.said.head._2

  private def saidVertices: String =
    if (f.isCall) TablesOfCall.Vertices
    else f.said.find(_._1 == GraphOfFunction.Vertices).fold("the table")(_._2)

  def computation(value: VertexValue): GraphComputation = {
    val id = AttributeReference("id", key, nullable = false)()
    val output = value match {
      case VertexValue.Itself => Seq(id)
      case _ => Seq(id, AttributeReference(value.column, value.dataType(key), nullable = false)())
    }
    GraphComputation(value, output, edges() +: people.toSeq, said)
  }
}

private[graphs] object GraphOfFunction {
  val Vertices = "vertices"
}
