package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.patterns.{FlatEdge, FlatPattern, FlatVertex}
import io.wreath.spark.logical._

/** An edge table, and whether the pattern reads it from destination to source. */
final private[analysis] case class OrientedTable(table: EdgeTable, isReversed: Boolean) {

  /** The end where the pattern's edge begins. */
  def source: EdgeEnd = if (isReversed) table.destination else table.source

  def target: EdgeEnd = if (isReversed) table.source else table.destination
}

/**
 * The tables that the elements of a pattern may be read from, in the order of the pattern.
 *
 * @param edges for an edge without a direction, a table may be there in both senses
 */
final private[analysis] case class TableChoice(
    vertices: Seq[Seq[VertexTable]],
    edges: Seq[Seq[OrientedTable]])

/**
 * The tables that the elements of a path may be read from.
 *
 * @param edges of each edge of the path, by its pattern
 */
final private[analysis] case class PathTables(
    vertices: Seq[VertexTable],
    edges: Seq[(EdgePattern, Seq[EdgeTable])]) {

  def edgeTables: Seq[EdgeTable] = edges.flatMap(_._2).distinct
}

/**
 * Finds the tables of a property graph that each vertex and each edge of a pattern can come from.
 *
 * Labels leave some tables; of these, an edge keeps those whose ends may be its vertices, and a
 * vertex those that an edge of each of its edge patterns reaches, until nothing changes. Where none is
 * left for some element, the pattern matches nothing.
 *
 * @param name of the graph, for messages
 */
final private[analysis] class ChooseTables(
    name: String,
    graph: PropertyGraph,
    resolver: Resolver) {

  /**
   * For each of a pattern's alternatives that some table can fulfil; none where the pattern cannot
   * match.
   *
   * @param known tables of variables that an earlier pattern has bound
   */
  def choose(
      alternatives: Seq[FlatPattern],
      known: String => Option[Seq[VertexTable]]): Seq[(FlatPattern, TableChoice)] =
    for {
      pattern <- alternatives
      choice = narrowed(pattern, known)
      if choice.vertices.forall(_.nonEmpty) && choice.edges.forall(_.nonEmpty)
    } yield pattern -> choice

  /**
   * The tables among which a vertex is named. A variable is named in one way, whichever of the
   * alternatives binds it, and so are two that are one vertex in some of them.
   *
   * @param own tables of the vertex in its alternative
   * @param known tables of variables that an earlier pattern has bound
   */
  def naming(
      chosen: Seq[(FlatPattern, TableChoice)],
      v: FlatVertex,
      own: Seq[VertexTable],
      known: String => Option[Seq[VertexTable]]): Seq[VertexTable] = {
    val all = chosen.flatMap { case (p, choice) => p.vertices.zip(choice.vertices) }
    @annotation.tailrec
    def together(names: Seq[String]): Seq[String] = {
      val more = all.map(_._1.names).filter(_.exists(names.contains)).flatten
      val wider = (names ++ more).distinct
      if (wider.size == names.size) names else together(wider)
    }
    val names = together(v.names)
    val candidates = all.collect {
      case (other, found) if other.names.exists(names.contains) => found
    }.flatten
    val tables = (own ++ candidates).distinct.sortBy(graph.vertices.indexOf(_))
    names.flatMap(known(_)).distinct match {
      case Seq(earlier) if tables.forall(earlier.contains) => earlier
      // A path of no edges may lead from a variable of an earlier pattern to one of more tables.
      case _ => tables
    }
  }

  /**
   * The tables of a path that is searched for: of its vertices, and of each of its edges.
   *
   * @param from tables of the vertex from which it is searched
   */
  def path(path: SearchedPath, from: Seq[VertexTable]): PathTables = {
    (path.ends ++ path.body.vertices).foreach(v => labelled(graph.vertices, v.label))
    val edges = path.edges.map(e => e -> labelled(graph.edges, e.label))
    val ends = edges.flatMap(_._2).flatMap(t => Seq(t.source, t.destination)).map(_.vertex.text)
    val own = if (path.body.mayBeEmpty) from else Nil
    PathTables(
      graph.vertices.filter(v => own.contains(v) || ends.exists(resolver(_, v.alias.text))),
      edges)
  }

  /** The vertex tables that have one of the labels. */
  def verticesWith(labels: LabelExpression): Seq[VertexTable] =
    labelled(graph.vertices, Some(labels))

  /**
   * Of a pattern that cannot match: tables that say which properties its elements would have. Those
   * with the labels, or, where it is these that exclude each other, with any of them.
   */
  def described(pattern: FlatPattern): TableChoice = {
    def tables[T <: ElementTable](all: Seq[T], labels: Seq[Option[LabelExpression]]): Seq[T] = {
      val both = labels.map(labelled(all, _)).reduce(_ intersect _)
      val any = all.filter(t => labels.flatten.exists(_.names.exists(n => has(t, n.name))))
      Seq(both, any, all).find(_.nonEmpty).getOrElse(Nil)
    }
    TableChoice(
      pattern.vertices.map(v => tables(graph.vertices, v.mentions.map(_.label))),
      pattern.edges.map { e =>
        tables(graph.edges, Seq(e.pattern.label)).map(OrientedTable(_, isReversed = false))
      })
  }

  /** The first element of a pattern that cannot match for which there is no table, in words. */
  def missing(
      pattern: FlatPattern,
      known: String => Option[Seq[VertexTable]]): String = {
    val choice = narrowed(pattern, known)
    def vertex(isMissing: Int => Boolean): Option[String] =
      pattern.vertices.indices.find(isMissing).map(i =>
        s"the vertex ${pattern.vertices(i).describe}")
    vertex(i => vertexCandidates(pattern.vertices(i), known).isEmpty)
      .orElse(pattern.edges.indices.find(choice.edges(_).isEmpty).map { i =>
        s"the edge from ${ends(pattern, pattern.edges(i))}"
      })
      .orElse(vertex(choice.vertices(_).isEmpty))
      .getOrElse("it")
  }

  private type Vertices = Map[String, Seq[VertexTable]]

  private def narrowed(
      pattern: FlatPattern,
      known: String => Option[Seq[VertexTable]]): TableChoice = {
    val candidates = pattern.vertices.map(v => v.name -> vertexCandidates(v, known)).toMap
    val (vertices, edges) = narrow(
      pattern,
      candidates,
      pattern.edges.map { e =>
        val tables = labelled(graph.edges, e.pattern.label)
        val senses = if (e.isUndirected) Seq(false, true) else Seq(false)
        for (sense <- senses; t <- tables) yield OrientedTable(t, sense)
      })
    TableChoice(pattern.vertices.map(v => vertices(v.name)), edges)
  }

  private def vertexCandidates(
      v: FlatVertex,
      known: String => Option[Seq[VertexTable]]): Seq[VertexTable] =
    (v.mentions.map(m => labelled(graph.vertices, m.label)) ++ v.names.flatMap(known(_)))
      .reduce(_ intersect _)

  private def labelled[T <: ElementTable](
      tables: Seq[T],
      label: Option[LabelExpression]): Seq[T] = label match {
    case None => tables
    case Some(l) =>
      l.names.find(n => !tables.exists(has(_, n.name))).foreach { n =>
        throw unknown(n.origin, n.name, tables)
      }
      tables.filter(t => l.admits(has(t, _)))
  }

  private def has(t: ElementTable, label: String): Boolean =
    t.labels.exists(x => resolver(x.name.text, label))

  private def unknown(at: Origin, label: String, tables: Seq[ElementTable]): Throwable =
    WreathErrors.unknownLabel(
      at,
      name,
      label,
      tables.flatMap(_.labels.map(_.name.text)).distinct)

  @annotation.tailrec
  private def narrow(
      pattern: FlatPattern,
      vertices: Vertices,
      edges: Seq[Seq[OrientedTable]]): (Vertices, Seq[Seq[OrientedTable]]) = {
    def isEnd(end: EdgeEnd, v: VertexTable): Boolean = resolver(end.vertex.text, v.alias.text)
    val keptEdges = pattern.edges.indices.map { i =>
      val e = pattern.edges(i)
      edges(i).filter { t =>
        vertices(e.source).exists(isEnd(t.source, _)) &&
        vertices(e.target).exists(isEnd(t.target, _))
      }
    }
    val keptVertices = vertices.map { case (v, tables) =>
      v -> tables.filter { table =>
        pattern.edges.indices.forall { i =>
          val e = pattern.edges(i)
          (e.source != v || keptEdges(i).exists(t => isEnd(t.source, table))) &&
          (e.target != v || keptEdges(i).exists(t => isEnd(t.target, table)))
        }
      }
    }
    if (keptEdges == edges && keptVertices == vertices) (vertices, edges)
    else narrow(pattern, keptVertices, keptEdges)
  }

  private def ends(pattern: FlatPattern, e: FlatEdge): String =
    Seq(e.source, e.target).map(n => pattern.vertices(pattern.indexOf(n)).describe)
      .mkString(" to ")
}
