package io.wreath.spark.analysis

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * Decides from which table of a property graph each vertex and each edge of a pattern is read.
 *
 * Labels leave some tables; of these, an edge keeps those whose ends may be its vertices, and a
 * vertex those that an edge of each of its edge patterns reaches, until nothing changes. One table
 * has to be left for each.
 *
 * @param name of the graph, for messages
 * @param tables the plan of each of the graph's elements, unresolved
 */
final private[analysis] class BindElementTables(
    name: String,
    graph: PropertyGraph,
    tables: Seq[LogicalPlan],
    pattern: FlatPattern,
    resolver: Resolver) {

  def bind(): PatternTables = {
    val (vertices, edges) = narrow(
      pattern.vertices.map(v => v.name -> vertexCandidates(v)).toMap,
      pattern.edges.map(e => labelled(graph.edges, e.pattern.label, e.pattern.origin)))
    val boundVertices = pattern.vertices.map { v =>
      one(vertices(v.name), "a vertex", s"vertex ${v.describe}", v.origin)
    }
    val boundEdges = pattern.edges.indices.map { i =>
      val e = pattern.edges(i)
      one(edges(i), "an edge", s"the edge from ${ends(e)}", e.pattern.origin)
    }
    val elements: Seq[ElementTable] = (boundVertices ++ boundEdges).distinct
    PatternTables(
      name,
      elements,
      boundVertices.map(elements.indexOf(_)),
      boundEdges.map(elements.indexOf(_)),
      elements.map(e => ElementRelation(e, tables(graph.elements.indexOf(e)))))
  }

  private type Vertices = Map[String, Seq[VertexTable]]

  private def vertexCandidates(v: FlatVertex): Seq[VertexTable] =
    v.mentions.map(m => labelled(graph.vertices, m.label, m.origin)).reduce(_ intersect _)

  private def labelled[T <: ElementTable](
      tables: Seq[T],
      label: Option[String],
      at: Origin): Seq[T] = label match {
    case None => tables
    case Some(l) =>
      def has(t: ElementTable): Boolean = t.labels.exists(x => resolver(x.name.text, l))
      val found = tables.filter(has)
      if (found.isEmpty) {
        val known = tables.flatMap(_.labels.map(_.name.text)).distinct
        throw WreathErrors.unknownLabel(at, name, l, known)
      }
      found
  }

  @annotation.tailrec
  private def narrow(
      vertices: Vertices,
      edges: Seq[Seq[EdgeTable]]): (Vertices, Seq[Seq[EdgeTable]]) = {
    def isEnd(end: EdgeEnd, v: VertexTable): Boolean = resolver(end.vertex.text, v.alias.text)
    val keptEdges = pattern.edges.indices.map { i =>
      val e = pattern.edges(i)
      edges(i).filter { t =>
        vertices(e.source).exists(isEnd(t.source, _)) &&
        vertices(e.target).exists(isEnd(t.destination, _))
      }
    }
    val keptVertices = vertices.map { case (v, tables) =>
      v -> tables.filter { table =>
        pattern.edges.indices.forall { i =>
          val e = pattern.edges(i)
          (e.source != v || keptEdges(i).exists(t => isEnd(t.source, table))) &&
          (e.target != v || keptEdges(i).exists(t => isEnd(t.destination, table)))
        }
      }
    }
    if (keptEdges == edges && keptVertices == vertices) (vertices, edges)
    else narrow(keptVertices, keptEdges)
  }

  private def one[T <: ElementTable](
      left: Seq[T],
      kind: String,
      which: String,
      at: Origin): T = left match {
    case Seq(only) => only
    case Nil => throw WreathErrors.impossiblePattern(at, name, which)
    case several =>
      throw WreathErrors.unsupportedFeature(
        at,
        s"$kind that may be of several tables (${several.map(_.alias.text).mkString(", ")})",
        "Name with IS a label that only one of them has.")
  }

  private def ends(e: FlatEdge): String =
    Seq(e.source, e.target)
      .map(n => pattern.vertices.find(_.name == n).get.describe)
      .mkString(" to ")
}

private[analysis] object BindElementTables {

  /** The match over the tables of `graph` that it needs. */
  def apply(
      m: UnresolvedGraphMatch,
      name: String,
      graph: UnresolvedPropertyGraph,
      resolver: Resolver): UnresolvedGraphMatch = {
    val pattern = FlatPattern(m.clause.paths, resolver)
    m.copy(child =
      new BindElementTables(name, graph.graph, graph.children, pattern, resolver).bind())
  }
}
