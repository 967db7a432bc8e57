package io.wreath.spark

/**
 * What a pattern means, found by trying every walk over a graph of a few rows. It is written from
 * docs/semantics.md and shares no code with what it judges: no joins, no lengths written out, no keys.
 */
object MatchOracle {

  sealed trait Element {
    def property(name: String): Option[Int]
  }

  /** A vertex is its table and its key. */
  final case class Vertex(table: String, key: Seq[Int])(val properties: Map[String, Option[Int]])
      extends Element {
    override def property(name: String): Option[Int] = properties.getOrElse(name, None)
  }

  /** An edge is its table and the number of its row there. */
  final case class Edge(table: String, row: Int)(
      val source: Vertex,
      val target: Vertex,
      val properties: Map[String, Option[Int]])
      extends Element {
    override def property(name: String): Option[Int] = properties.getOrElse(name, None)
  }

  final case class Graph(vertices: Seq[Vertex], edges: Seq[Edge]) {

    def describe: String = {
      def name(v: Vertex): String = v.table + v.key.mkString("(", ",", ")")
      def shown(properties: Map[String, Option[Int]]): String =
        properties.values.map(_.fold("NULL")(_.toString)).mkString(",")
      (vertices.map(v => s"${name(v)}:${shown(v.properties)}") ++ edges.map { e =>
        s"${name(e.source)}-${e.table}:${shown(e.properties)}->${name(e.target)}"
      }).mkString(" ")
    }
  }

  /** What each variable is; None after an OPTIONAL MATCH without a match. */
  type Binding = Map[String, Option[Element]]

  /** @param holds None where it is NULL */
  final case class Condition(text: String, holds: (Graph, Binding) => Option[Boolean])

  /** @param tables that it may come from */
  final case class Labels(text: String, tables: Set[String])

  final case class VertexPattern(name: Option[String], labels: Labels, where: Option[Condition]) {
    def text: String = s"(${inside(name, labels, where)})"
  }

  sealed trait Direction
  case object Right extends Direction
  case object Left extends Direction
  case object Either extends Direction

  /** @param lengths a quantifier's text, and which lengths it admits; None: one edge */
  final case class EdgePattern(
      name: Option[String],
      labels: Labels,
      direction: Direction,
      lengths: Option[(String, Range)],
      where: Option[Condition]) {

    def text: String = {
      val in = s"[${inside(name, labels, where)}]"
      val arrow = direction match {
        case Right => s"-$in->"
        case Left => s"<-$in-"
        case Either => s"-$in-"
      }
      arrow + lengths.map(_._1).getOrElse("")
    }
  }

  private def inside(name: Option[String], labels: Labels, where: Option[Condition]): String =
    (name.toSeq ++ Option(labels.text).filter(_.nonEmpty).map("IS " + _) ++
      where.map("WHERE " + _.text)).mkString(" ")

  final case class Path(start: VertexPattern, steps: Seq[(EdgePattern, VertexPattern)]) {
    def text: String = start.text + steps.map { case (e, v) => e.text + v.text }.mkString
  }

  final case class Part(mode: String, paths: Seq[Path], where: Option[Condition]) {
    def text: String =
      s"$mode ${paths.map(_.text).mkString(", ")}".trim + where.map(" WHERE " + _.text).getOrElse(
        "")

    def names: Seq[String] = paths.flatMap { p =>
      p.start.name ++ p.steps.flatMap { case (e, v) =>
        (if (e.lengths.isEmpty) e.name else None) ++ v.name
      }
    }.distinct
  }

  /** All matches of one pattern, each with what its variables are. */
  def matches(graph: Graph, part: Part, outer: Binding): Seq[Binding] =
    part.paths
      .foldLeft(Seq(State(outer, Nil, Nil, Nil))) { (states, path) =>
        states.flatMap(walk(graph, path, _))
      }
      .filter(isMatch(graph, part, _))
      .map(_.binding)

  /** A first pattern, and others that are optional. */
  def matches(graph: Graph, first: Part, optional: Seq[Part]): Seq[Binding] =
    optional.foldLeft(matches(graph, first, Map.empty: Binding)) { (bindings, part) =>
      bindings.flatMap { b =>
        val found = matches(graph, part, b)
        if (found.nonEmpty) found
        else Seq(b ++ part.names.filterNot(b.contains).map(_ -> None))
      }
    }

  /**
   * How many unique subgraphs there are on each set of vertices: which match stands for its likes is not
   * said, so that nothing more can be compared. Of a pattern of single edges between vertices with names.
   */
  def subgraphs(graph: Graph, part: Part): Map[Set[Element], Int] = {
    val alike = symmetries(part)
    matches(graph, part, Map.empty: Binding)
      .groupMapReduce(_.values.flatten.toSet)(_ => 1)(_ + _)
      .map { case (vertices, n) => vertices -> n / alike }
  }

  /** The ways to exchange names that leave the same pattern. */
  private def symmetries(part: Part): Int = {
    def edges(name: String => String): Seq[String] = part.paths.flatMap { p =>
      val places = (p.start +: p.steps.map(_._2)).map(v => name(v.name.get))
      p.steps.map(_._1).zip(places.zip(places.tail)).map { case (e, (l, r)) =>
        val ends = e.direction match {
          case Right => s"$l>$r"
          case Left => s"$r>$l"
          case Either => Seq(l, r).sorted.mkString("-")
        }
        s"$ends ${e.labels.text}"
      }
    }.sorted
    def vertices(name: String => String): Set[(String, String)] =
      part.paths.flatMap(p => p.start +: p.steps.map(_._2)).map(v =>
        name(v.name.get) -> v.labels.text).toSet
    part.names.permutations.count { image =>
      val to = part.names.zip(image).toMap
      edges(to) == edges(identity) && vertices(to) == vertices(identity)
    }
  }

  /**
   * A part of a match.
   *
   * @param places what stands at each place of a vertex that has no name
   * @param edges that were taken
   * @param grouped conditions of quantified edges, with the edge that each is asked of
   */
  private case class State(
      binding: Binding,
      places: Seq[Vertex],
      edges: Seq[Edge],
      grouped: Seq[(EdgePattern, Edge)])

  private def walk(graph: Graph, path: Path, state: State): Seq[State] = {
    val starts = graph.vertices.flatMap(v => arrive(path.start, v, state).map(_ -> v))
    path.steps
      .foldLeft(starts) { case (at, (edge, vertex)) =>
        for {
          (s, v) <- at
          length <- edge.lengths.map(_._2).getOrElse(1 to 1)
          (t, w) <- steps(graph, edge, length, s, v)
          arrived <- arrive(vertex, w, t)
        } yield (arrived, w)
      }
      .map(_._1)
  }

  private def arrive(pattern: VertexPattern, v: Vertex, s: State): Option[State] =
    if (!pattern.labels.tables.contains(v.table)) None
    else {
      pattern.name match {
        case None => Some(s.copy(places = s.places :+ v))
        case Some(n) if s.binding.contains(n) =>
          if (s.binding(n).contains(v)) Some(s) else None
        case Some(n) => Some(s.copy(binding = s.binding + (n -> Some(v))))
      }
    }

  private def steps(
      graph: Graph,
      edge: EdgePattern,
      length: Int,
      state: State,
      from: Vertex): Seq[(State, Vertex)] =
    (1 to length).foldLeft(Seq(state -> from)) { case (at, k) =>
      for {
        (s, v) <- at
        e <- graph.edges if edge.labels.tables.contains(e.table)
        to <- otherEnd(e, v, edge.direction)
      } yield {
        val binding = (edge.lengths, edge.name) match {
          case (None, Some(n)) => s.binding + (n -> Some(e))
          case _ => s.binding
        }
        val grouped = if (edge.lengths.isDefined) Seq(edge -> e) else Nil
        val places = if (k < length) Seq(to) else Nil
        (
          State(binding, s.places ++ places, s.edges :+ e, s.grouped ++ grouped),
          to)
      }
    }

  private def otherEnd(e: Edge, v: Vertex, direction: Direction): Seq[Vertex] = {
    val right = if (e.source == v) Seq(e.target) else Nil
    val left = if (e.target == v) Seq(e.source) else Nil
    direction match {
      case Right => right
      case Left => left
      case Either => (right ++ left).distinct
    }
  }

  private def isMatch(graph: Graph, part: Part, s: State): Boolean = {
    def areDifferent(elements: Seq[Element]): Boolean = elements.distinct.size == elements.size
    val conditions = part.where ++ part.paths.flatMap { p =>
      p.start.where ++ p.steps.flatMap { case (e, v) =>
        (if (e.lengths.isEmpty) e.where else None) ++ v.where
      }
    }
    val mode = part.mode match {
      case "DIFFERENT EDGES" => areDifferent(s.edges)
      case "DIFFERENT VERTICES" | "UNIQUE SUBGRAPHS" =>
        val named = part.names.flatMap(s.binding(_)).collect { case v: Vertex => v }
        areDifferent(s.places ++ named)
      case _ => true
    }
    mode &&
    conditions.forall(_.holds(graph, s.binding).contains(true)) &&
    s.grouped.forall { case (edge, e) =>
      edge.where.forall(_.holds(graph, s.binding ++ edge.name.map(_ -> Some(e))).contains(true))
    }
  }
}
