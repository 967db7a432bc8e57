package io.wreath.spark.analysis

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.logical.{EdgePattern, PathPattern, VertexPattern}

/**
 * The paths of a pattern taken apart: every vertex by a name, every edge by the two it joins.
 *
 * @param vertices in order of first mention
 * @param edges in the order of the text
 */
final private[analysis] case class FlatPattern(
    vertices: Seq[FlatVertex],
    edges: Seq[FlatEdge]) {

  def named: Seq[String] = vertices.map(_.name).filterNot(FlatPattern.isAnonymous)
}

/** @param mentions all places at which the variable stands */
final private[analysis] case class FlatVertex(name: String, mentions: Seq[VertexPattern]) {

  def origin: Origin = mentions.head.origin

  def isAnonymous: Boolean = FlatPattern.isAnonymous(name)

  /** As the user would say it. */
  def describe: String = if (isAnonymous) "()" else s"($name)"
}

/** @param source the name of a vertex, `target` of another; the arrow's sense is seen to */
final private[analysis] case class FlatEdge(pattern: EdgePattern, source: String, target: String)

private[analysis] object FlatPattern {

  /** No user's variable has a space and a number sign in it unless they went looking. */
  private val AnonymousPrefix = "anonymous #"

  def isAnonymous(name: String): Boolean = name.startsWith(AnonymousPrefix)

  def apply(paths: Seq[PathPattern], resolver: Resolver): FlatPattern = {
    val vertices = mutable.LinkedHashMap.empty[String, Vector[VertexPattern]]
    val edges = Seq.newBuilder[FlatEdge]
    var anonymous = 0
    def mention(v: VertexPattern): String = {
      val name = v.name match {
        case Some(n) => vertices.keys.find(resolver(_, n)).getOrElse(n)
        case None =>
          anonymous += 1
          s"$AnonymousPrefix$anonymous"
      }
      vertices(name) = vertices.getOrElse(name, Vector.empty) :+ v
      name
    }
    paths.foreach { path =>
      val names = path.vertices.map(mention)
      path.edges.indices.foreach { i =>
        val edge = path.edges(i)
        edges += (if (edge.leftToRight) FlatEdge(edge, names(i), names(i + 1))
                  else FlatEdge(edge, names(i + 1), names(i)))
      }
    }
    FlatPattern(
      vertices.toSeq.map { case (name, mentions) => FlatVertex(name, mentions) },
      edges.result())
  }
}
