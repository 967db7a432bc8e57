package io.wreath.spark.analysis.patterns

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Resolver, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * The paths of a pattern taken apart: every vertex by a name, every edge by the two it joins.
 *
 * @param vertices in order of first mention
 * @param edges in the order of the text; a quantified one as often as it stands for an edge
 * @param groups names of quantified edges
 * @param conditions that stand inside vertices and edges; the same for all alternatives
 * @param stepConditions that stand inside quantified edges, for each edge of the group
 */
final private[analysis] case class FlatPattern(
    vertices: Seq[FlatVertex],
    edges: Seq[FlatEdge],
    groups: Seq[String],
    conditions: Seq[Expression],
    stepConditions: Seq[Expression]) {

  /** The user's names of vertices, in order of first mention. */
  def named: Seq[String] = vertices.flatMap(v => v.names.map(n => n -> v.order(n)))
    .sortBy(_._2)
    .map(_._1)

  def indexOf(vertex: String): Int = vertices.indexWhere(_.name == vertex)

  def edgesAt(vertex: String): Seq[FlatEdge] =
    edges.filter(e => e.source == vertex || e.target == vertex)
}

/**
 * @param name by which edges refer to it
 * @param names the user's: none, one, or several where a path of no edges makes them one vertex
 * @param mentions all places at which it stands
 * @param order when each name was first mentioned
 * @param isMerged whether a path of no edges makes several vertices of the text this one
 */
final private[analysis] case class FlatVertex(
    name: String,
    names: Seq[String],
    mentions: Seq[VertexPattern],
    order: Map[String, Int],
    isMerged: Boolean) {

  def origin: Origin = mentions.head.origin

  /** As the user would say it. */
  def describe: String =
    names.find(!AnonymousName.is(_)).map(n => s"($n)").getOrElse("()")
}

/**
 * @param source the name of a vertex, `target` of another; the arrow's sense is seen to
 * @param name the user's, unless it is one of a group
 */
final private[analysis] case class FlatEdge(
    pattern: EdgePattern,
    source: String,
    target: String,
    name: Option[String]) {

  def isUndirected: Boolean = pattern.direction == EdgeDirection.Either
}

private[analysis] object FlatPattern {

  /** No user's variable has a space and a number sign in it unless they went looking. */
  private val AnonymousPrefix = "anonymous #"

  def isAnonymous(name: String): Boolean = name.startsWith(AnonymousPrefix)

  /** Each is a program of its own inside the join. */
  private val MostAlternatives = 64

  /** What the quantifiers say, for EXPLAIN: `e: 1 to 3 edges`. */
  def lengths(paths: Seq[PathPattern]): Seq[String] = for {
    path <- paths
    (edge, i) <- path.edges.zipWithIndex
    Quantifier(least, most) <- edge.quantifier if least < most
  } yield {
    val ends = Seq(i, i + 1).map(v => s"(${path.vertices(v).name.getOrElse("")})")
    val arrow = edge.direction match {
      case EdgeDirection.Left => "<-"
      case EdgeDirection.Either => "-"
      case _ => "->"
    }
    s"${edge.name.getOrElse(ends.mkString(arrow))}: $least to $most edges"
  }

  /**
   * What a pattern stands for: itself, or where edges are quantified, one pattern for each
   * combination of lengths. Their matches are all matches, each once.
   */
  def alternatives(paths: Seq[PathPattern], resolver: Resolver): Seq[FlatPattern] = {
    val quantified = paths.flatMap(_.edges).filter(_.quantifier.isDefined)
    val count = quantified.map(e => e.quantifier.get).foldLeft(1L) { (n, q) =>
      math.min(n * (q.most - q.least + 1), Int.MaxValue.toLong)
    }
    if (count > MostAlternatives) {
      throw WreathErrors.unsupportedFeature(
        quantified.head.origin,
        s"quantifiers that leave $count combinations of lengths",
        s"Give them bounds that leave at most $MostAlternatives.")
    }
    val lengths = quantified.foldLeft(Seq(Seq.empty[Int])) { (chosen, e) =>
      val q = e.quantifier.get
      for (c <- chosen; n <- q.least to q.most) yield c :+ n
    }
    lengths.map(new FlatPatternBuilder(paths, _, resolver).build())
  }

  final private class FlatPatternBuilder(
      paths: Seq[PathPattern],
      lengths: Seq[Int],
      resolver: Resolver) {

    private val mentions = mutable.ArrayBuffer.empty[(String, VertexPattern)]
    private val edges = mutable.ArrayBuffer.empty[FlatEdge]
    private val groups = mutable.ArrayBuffer.empty[String]
    private val conditions = mutable.ArrayBuffer.empty[Expression]
    private val stepConditions = mutable.ArrayBuffer.empty[Expression]
    // By name, another of the same vertex; none where it stands for itself.
    private val same = mutable.Map.empty[String, String]
    private val remaining = lengths.iterator
    private var anonymous = 0

    def build(): FlatPattern = {
      paths.foreach(add)
      val byVertex = mutable.LinkedHashMap.empty[String, Vector[Int]]
      mentions.indices.foreach { i =>
        val root = find(mentions(i)._1)
        byVertex(root) = byVertex.getOrElse(root, Vector.empty) :+ i
      }
      val vertices = byVertex.toSeq.map { case (root, places) =>
        val order = mutable.LinkedHashMap.empty[String, Int]
        places.foreach { i =>
          val name = mentions(i)._1
          if (!isAnonymous(name) && !order.contains(name)) order(name) = i
        }
        FlatVertex(
          root,
          order.keys.toSeq,
          places.map(mentions(_)._2),
          order.toMap,
          isMerged = places.map(mentions(_)._1).distinct.size > 1)
      }
      FlatPattern(
        vertices,
        edges.toSeq.map(e => e.copy(source = find(e.source), target = find(e.target))),
        groups.toSeq,
        conditions.toSeq,
        stepConditions.toSeq)
    }

    @annotation.tailrec
    private def find(name: String): String = same.get(name) match {
      case Some(other) => find(other)
      case None => name
    }

    private def add(path: PathPattern): Unit = {
      var at = mention(path.vertices.head)
      path.edges.indices.foreach { i =>
        val edge = path.edges(i)
        val last = path.vertices(i + 1)
        edge.quantifier match {
          case None =>
            edge.where.foreach(conditions += _)
            at = step(edge, at, last, edge.name)
          case Some(_) =>
            edge.name.foreach(groups += _)
            at = walk(edge, at, last, remaining.next())
        }
      }
    }

    private def walk(edge: EdgePattern, from: String, last: VertexPattern, length: Int): String =
      if (length == 0) {
        val to = mention(last)
        val (a, b) = (find(from), find(to))
        // A name of the user's stands for the vertex, where there is one.
        if (a != b) if (isAnonymous(a)) same(a) = b else same(b) = a
        to
      } else {
        var at = from
        (1 to length).foreach { k =>
          val name = fresh("edge ")
          edge.where.foreach(w => stepConditions += renamed(w, edge.name, name))
          val to =
            if (k == length) last else VertexPattern(None, None, None, edge.origin)
          at = step(edge, at, to, Some(name))
        }
        at
      }

    private def step(
        edge: EdgePattern,
        from: String,
        to: VertexPattern,
        name: Option[String]): String = {
      val target = mention(to)
      edges += (if (edge.direction == EdgeDirection.Left) FlatEdge(edge, target, from, name)
                else FlatEdge(edge, from, target, name))
      target
    }

    private def mention(v: VertexPattern): String = {
      v.where.foreach(conditions += _)
      val name = v.name match {
        case Some(n) => mentions.map(_._1).find(resolver(_, n)).getOrElse(n)
        case None => fresh("")
      }
      mentions += name -> v
      name
    }

    private def fresh(kind: String): String = {
      anonymous += 1
      s"$AnonymousPrefix$kind$anonymous"
    }

    /** The condition of a quantified edge, for one edge of the group. */
    private def renamed(e: Expression, group: Option[String], name: String): Expression =
      e.transform {
        case a: UnresolvedAttribute if group.exists(resolver(_, a.nameParts.head)) =>
          a.copy(nameParts = name +: a.nameParts.tail)
      }
  }
}
