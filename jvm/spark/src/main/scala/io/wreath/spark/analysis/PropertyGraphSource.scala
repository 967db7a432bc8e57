package io.wreath.spark.analysis

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.Project
import org.apache.spark.sql.types.DataType

import io.wreath.spark.logical._

/**
 * The element tables of a property graph.
 *
 * A key of several columns is one value, a struct of its parts with fields named by position, so
 * that both ends of a reference have the same type. It is NULL where any part is: such an end
 * matches nothing.
 */
final private[analysis] class PropertyGraphSource(tables: PatternTables, resolver: Resolver)
    extends PatternSource {

  private val elements: Seq[(ElementTable, Seq[Attribute])] =
    tables.elements.zip(tables.children).map { case (e, relation) =>
      e -> ElementRelation.ends(e, relation)
    }

  private val vertexTables = tables.elements.collect { case v: VertexTable => v }

  private val keyTypes: Map[VertexTable, Seq[DataType]] = vertexTables.map { v =>
    v -> VertexKeyTypes(tables.graph, v, elements, resolver)
  }.toMap

  override def edge(i: Int, mark: MatchMark): ElementScan = {
    val element = tables.edges(i)
    val edge = tables.elements(element).asInstanceOf[EdgeTable]
    val (source, target) = elements(element)._2.splitAt(edge.source.columns.size)
    val (columns, properties) = scan(
      element,
      Seq(
        name(edge.source.columns, "source") -> key(source, edge.source),
        name(edge.destination.columns, "destination") -> key(target, edge.destination)))
    ElementScan(
      MatchEdge(mark, columns.output(0), columns.output(1), columns),
      properties(columns.output))
  }

  override def vertex(i: Int, mark: MatchMark): Option[ElementScan] = {
    val vertex = vertexTable(i)
    val element = tables.vertices(i)
    val parts = elements(element)._2
    val (columns, properties) =
      scan(element, Seq(name(vertex.key, "key") -> key(parts, keyTypes(vertex))))
    Some(
      ElementScan(
        MatchVertex(mark, columns.output.head, vertex.tableName, columns),
        properties(columns.output)))
  }

  override def keyParts(i: Int): Seq[String] = {
    val key = vertexTable(i).key
    if (key.size > 1) key.map(_.text) else Nil
  }

  private def vertexTable(i: Int): VertexTable =
    tables.elements(tables.vertices(i)).asInstanceOf[VertexTable]

  /**
   * The table once more, with columns of its own: `ends` first, then the properties that are not
   * one of them already. Also which column of the output each property is.
   */
  private def scan(
      element: Int,
      ends: Seq[(String, Expression)])
      : (Project, Seq[Attribute] => Seq[(String, Attribute)]) = {
    val relation = tables.children(element)
    val properties =
      ElementRelation.properties(tables.elements(element), relation, resolver)
    def end(p: Attribute): Int = ends.indexWhere(_._2.semanticEquals(p))
    val others = properties.filter(end(_) < 0)
    val columns = Project(
      ends.map { case (name, e) => Alias(e, name)() } ++ others.map(p => Alias(p, p.name)()),
      relation)
    def named(output: Seq[Attribute]): Seq[(String, Attribute)] = properties.map { p =>
      val i = if (end(p) >= 0) end(p) else ends.size + others.indexWhere(_ eq p)
      p.name -> output(i)
    }
    (columns, named)
  }

  private def key(parts: Seq[Attribute], end: EdgeEnd): Expression =
    key(parts, keyTypes(vertexTables.find(v => resolver(v.alias.text, end.vertex.text)).get))

  private def key(parts: Seq[Attribute], types: Seq[DataType]): Expression = {
    val values = parts.zip(types).map { case (part, t) =>
      if (part.dataType == t) part else Cast(part, t)
    }
    values match {
      case Seq(single) => single
      case several =>
        val struct = CreateNamedStruct(several.zipWithIndex.flatMap { case (value, i) =>
          Seq(Literal(s"_${i + 1}"), value)
        })
        val missing = several.filter(_.nullable).map(v => IsNull(v): Expression)
        missing
          .reduceOption(Or(_, _))
          .map(m => If(m, Literal(null, struct.dataType), struct))
          .getOrElse(struct)
    }
  }

  private def name(columns: Seq[GraphName], several: String): String =
    if (columns.size == 1) columns.head.text else several
}
