package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions.{Attribute, RowOrdering}
import org.apache.spark.sql.types.DataType

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * The types by which the vertices of one table are named: for each part of the key the tightest
 * that is common to the key and to every end of an edge that refers to it.
 */
private[wreath] object VertexKeyTypes {

  /**
   * @param graph its name, for messages
   * @param elements element tables with the columns that name vertices
   */
  def apply(
      graph: String,
      vertex: VertexTable,
      elements: Seq[(ElementTable, Seq[Attribute])],
      resolver: Resolver): Seq[DataType] = {
    val key = elements.collectFirst { case (v: VertexTable, ends) if v == vertex => ends }.get
    vertex.key.zip(key).foreach { case (name, column) =>
      if (!RowOrdering.isOrderable(column.dataType)) {
        throw WreathErrors.unsupportedKeyType(name.origin, graph, name.text, column.dataType)
      }
    }
    elements
      .collect { case (e: EdgeTable, ends) => endsAt(e, ends, vertex, resolver) }
      .flatten
      .foldLeft(key.map(_.dataType)) { (types, end) =>
        end.indices.map { i =>
          val (name, column) = end(i)
          TypeCoercion
            .findTightestCommonType(types(i), column.dataType)
            .getOrElse(
              throw WreathErrors.referenceTypeMismatch(
                name.origin,
                name.text -> column.dataType,
                s"${vertex.alias.text}.${vertex.key(i).text}" -> key(i).dataType))
        }
      }
  }

  /** The ends of an edge table that refer to `vertex`: none, one or two. */
  private def endsAt(
      edge: EdgeTable,
      columns: Seq[Attribute],
      vertex: VertexTable,
      resolver: Resolver): Seq[Seq[(GraphName, Attribute)]] = {
    val (source, destination) = columns.splitAt(edge.source.columns.size)
    Seq(edge.source -> source, edge.destination -> destination).collect {
      case (end, own) if resolver(end.vertex.text, vertex.alias.text) => end.columns.zip(own)
    }
  }
}
