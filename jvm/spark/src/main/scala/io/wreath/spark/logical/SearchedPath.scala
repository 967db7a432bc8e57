package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.kernel.path.PathMode

/**
 * A path that is searched for and not written out as joins: `p = ANY SHORTEST TRAIL (a) … (b)`, or one that
 * repeats a sub-path or has no upper bound.
 *
 * @param name of the path, which functions such as PATH_LENGTH read
 * @param selector which of the paths between two vertices, of those that `mode` allows
 * @param body what stands between its ends
 * @param place how many paths of the pattern stand before it in the text
 */
final case class SearchedPath(
    name: Option[String],
    selector: PathSelector,
    mode: PathMode,
    start: VertexPattern,
    body: PathBody,
    end: VertexPattern,
    place: Int,
    origin: Origin) {

  def edges: Seq[EdgePattern] = body.edges

  def ends: Seq[VertexPattern] = Seq(start, end)

  /** All conditions and costs that stand in it. */
  def expressions: Seq[Expression] = ends.flatMap(_.where) ++ body.expressions
}

/** What stands between the ends of a path, or inside a sub-path. */
sealed trait PathBody {

  /** Its parts in the order of the text, itself if it has none. */
  def leaves: Seq[PathBody] = this match {
    case PathBody.Sequence(parts) => parts.flatMap(_.leaves)
    case PathBody.Repeat(part, _, _, _, _) => part.leaves
    case leaf => Seq(leaf)
  }

  /** How many edges it is, if always as many. */
  def length: Option[Int] = this match {
    case PathBody.Edge(_) => Some(1)
    case PathBody.Vertex(_) => Some(0)
    case PathBody.Sequence(parts) =>
      val all = parts.map(_.length)
      if (all.forall(_.isDefined)) Some(all.flatten.sum) else None
    case PathBody.Repeat(part, least, most, _, _) =>
      part.length.filter(_ => most.contains(least)).map(_ * least)
  }

  /** Whether it may be no edge at all. */
  def mayBeEmpty: Boolean = this match {
    case PathBody.Edge(_) => false
    case PathBody.Vertex(_) => true
    case PathBody.Sequence(parts) => parts.forall(_.mayBeEmpty)
    case PathBody.Repeat(part, least, _, _, _) => least == 0 || part.mayBeEmpty
  }

  def edges: Seq[EdgePattern] = leaves.collect { case PathBody.Edge(e) => e }

  def vertices: Seq[VertexPattern] = leaves.collect { case PathBody.Vertex(v) => v }

  def expressions: Seq[Expression] = this match {
    case PathBody.Edge(e) => e.where.toSeq ++ e.cost
    case PathBody.Vertex(v) => v.where.toSeq
    case PathBody.Sequence(parts) => parts.flatMap(_.expressions)
    case PathBody.Repeat(part, _, _, where, _) => part.expressions ++ where
  }
}

object PathBody {

  /** @param pattern not quantified */
  final case class Edge(pattern: EdgePattern) extends PathBody

  /** A vertex on the way. */
  final case class Vertex(pattern: VertexPattern) extends PathBody

  /** Parts one after the other. */
  final case class Sequence(parts: Seq[PathBody]) extends PathBody

  /**
   * @param most None: without an upper bound
   * @param where that each time fulfils
   */
  final case class Repeat(
      part: PathBody,
      least: Int,
      most: Option[Int],
      where: Option[Expression],
      origin: Origin)
      extends PathBody
}
