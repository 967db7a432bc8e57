package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.Resolver

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/** Checks all of a graph's definition that can be checked without its tables. */
final private[wreath] class CheckPropertyGraph(graph: PropertyGraph, resolver: Resolver) {

  /** The graph with the columns of each end in the order of the key that they refer to. */
  def checked: PropertyGraph = {
    unique(graph.elements.map(_.alias), "element table", "the graph", "Name one of them with AS.")
    graph.elements.foreach(checkLabels)
    graph.vertices.foreach(v => uniqueColumns(v.key, v))
    graph.copy(edges = graph.edges.map { e =>
      uniqueColumns(e.key, e)
      e.copy(source = checkEnd(e.source, e), destination = checkEnd(e.destination, e))
    })
  }

  private def checkLabels(element: ElementTable): Unit = {
    val in = s"element table ${element.alias.text}"
    unique(element.labels.map(_.name), "label", in, "Leave one of them out.")
    element.labels.foreach(_.properties match {
      case ListedProperties(properties) =>
        unique(properties.map(_.name), "property", in, "Name one of them with AS.")
      case AllColumns(_) =>
    })
    // Two labels may show one property, but then it has to be the same.
    val listed = element.labels.map(_.properties).collect { case ListedProperties(p) =>
      p
    }.flatten
    for {
      (p, i) <- listed.zipWithIndex
      q <- listed.drop(i + 1) if resolver(p.name.text, q.name.text)
      if !p.expression.fastEquals(q.expression) && p.expression != q.expression
    } throw WreathErrors.duplicateName(
      q.name.origin,
      "property",
      q.name.text,
      in,
      "Name one of them with AS.")
  }

  private def checkEnd(end: EdgeEnd, edge: EdgeTable): EdgeEnd = {
    val vertex = graph.vertices
      .find(v => resolver(v.alias.text, end.vertex.text))
      .getOrElse(
        throw WreathErrors.unknownVertexTable(
          end.vertex.origin,
          end.vertex.text,
          graph.vertices.map(_.alias.text)))
    def mismatch: Throwable =
      WreathErrors.referenceMismatch(
        end.vertex.origin,
        edge.alias.text,
        vertex.alias.text,
        end.columns.map(_.text),
        vertex.key.map(_.text))
    if (end.columns.size != vertex.key.size) throw mismatch
    if (end.references.isEmpty) {
      end
    } else {
      if (end.references.size != vertex.key.size) throw mismatch
      val columns = vertex.key.map { k =>
        val i = end.references.indexWhere(r => resolver(r.text, k.text))
        if (i < 0) throw mismatch
        end.columns(i)
      }
      EdgeEnd(columns, end.vertex, Nil)
    }
  }

  private def uniqueColumns(columns: Seq[GraphName], element: ElementTable): Unit =
    unique(columns, "column", s"the key of ${element.alias.text}", "Leave one of them out.")

  private def unique(names: Seq[GraphName], kind: String, in: String, wayOut: String): Unit =
    for {
      (name, i) <- names.zipWithIndex
      if names.take(i).exists(n => resolver(n.text, name.text))
    } throw WreathErrors.duplicateName(name.origin, kind, name.text, in, wayOut)
}
