package io.wreath.spark.analysis.patterns

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Resolver, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions._

import io.wreath.spark.logical._

/**
 * A path with the ends from which it is searched.
 *
 * @param path both ends have names
 * @param from the end from which it is searched: a variable that is bound before
 * @param isReversed whether that is the end of the path, and not its start
 * @param hasBoth whether the other end is bound before, too
 */
final private[analysis] case class PlannedSearch(
    path: SearchedPath,
    from: String,
    isReversed: Boolean,
    hasBoth: Boolean) {

  /** The other end. */
  def other: String = (if (isReversed) path.start else path.end).name.get
}

/**
 * A pattern taken apart: what is joined, and what is searched for then, one after the other.
 *
 * An end is bound before a search where paths that are joined or an earlier search have it, or where a
 * condition says which vertex it is. Else it is found, but for one end of each search.
 *
 * @param joined the pattern without searches; a vertex that a search begins from may stand alone in it
 * @param found mentions of vertices that searches find: what they say holds after the search
 */
final private[analysis] case class SearchPlan(
    joined: MatchPart,
    searches: Seq[PlannedSearch],
    found: Seq[VertexPattern])

private[analysis] object SearchPlan {

  /** @param isKey whether a property alone says which vertex it is */
  def apply(part: MatchPart, isKey: String => Boolean, resolver: Resolver): SearchPlan =
    if (part.searches.isEmpty) SearchPlan(part, Nil, Nil)
    else new Planner(part, isKey, resolver).plan

  final private class Planner(part: MatchPart, isKey: String => Boolean, resolver: Resolver) {

    private val paths: Seq[SearchedPath] = part.searches.zipWithIndex.map { case (s, i) =>
      def named(v: VertexPattern, end: String): VertexPattern =
        v.copy(name = v.name.orElse(Some(AnonymousName(s"$end of path $i"))))
      s.copy(start = named(s.start, "start"), end = named(s.end, "end"))
    }

    private val bound = mutable.ArrayBuffer.from(part.paths.flatMap(_.vertices).flatMap(_.name))
    private val alone = mutable.ArrayBuffer.empty[VertexPattern]
    private val mentions = mutable.ArrayBuffer.empty[VertexPattern]
    private val found = mutable.Set.empty[String]

    private val conditions: Seq[Expression] =
      (part.where.toSeq ++ paths.flatMap(_.ends.flatMap(_.where)) ++
        part.paths.flatMap(_.vertices.flatMap(_.where))).flatMap(Conjunction.conjuncts)

    private def isBound(v: VertexPattern): Boolean = bound.exists(resolver(_, v.name.get))

    /** Whether a condition says which vertex it is, or which few. */
    private def isNamed(v: VertexPattern): Boolean = conditions.exists {
      case EqualTo(a, b) => (isId(v, a) && isValue(b)) || (isId(v, b) && isValue(a))
      case In(a, values) => isId(v, a) && values.forall(isValue)
      case _ => false
    }

    private def isId(v: VertexPattern, e: Expression): Boolean = e match {
      case UnresolvedAttribute(Seq(name)) => resolver(name, v.name.get)
      case UnresolvedAttribute(Seq(name, property)) =>
        resolver(name, v.name.get) && isKey(property)
      case _ => false
    }

    private def isValue(e: Expression): Boolean =
      !e.exists(x => x.isInstanceOf[UnresolvedAttribute] || x.isInstanceOf[PatternExists])

    private def isConditioned(v: VertexPattern): Boolean =
      v.label.isDefined || v.where.isDefined || conditions.exists { c =>
        val names = c.collect { case a: UnresolvedAttribute => a.nameParts.head }
        names.nonEmpty && names.forall(resolver(_, v.name.get))
      }

    def plan: SearchPlan = {
      val left = mutable.ArrayBuffer.from(paths)
      val searches = mutable.ArrayBuffer.empty[PlannedSearch]
      while (left.nonEmpty) {
        val next = left.remove(left.indexWhere(_.ends.exists(isBound)).max(0))
        searches += planned(next)
      }
      SearchPlan(
        part.copy(
          paths = part.paths ++ alone.map(v => PathPattern(Seq(v), Nil)),
          searches = Nil),
        searches.toSeq,
        mentions.toSeq)
    }

    private def planned(path: SearchedPath): PlannedSearch = {
      val (start, end) = (path.start, path.end)
      path.ends.filter(v => isBound(v) || isNamed(v)).foreach(bind)
      if (!isBound(start) && !isBound(end)) {
        bind(if (!isConditioned(start) && isConditioned(end)) end else start)
      }
      val isReversed = !isBound(start)
      val hasBoth = path.ends.forall(isBound)
      val from = if (isReversed) end else start
      if (!hasBoth) {
        val other = if (isReversed) start else end
        bound += other.name.get
        found += other.name.get
        mentions += other
      }
      PlannedSearch(path, from.name.get, isReversed, hasBoth)
    }

    /** Among what is joined, with all that its mention says; unless a search has found it before. */
    private def bind(v: VertexPattern): Unit = {
      if (found.exists(resolver(_, v.name.get))) mentions += v else alone += v
      if (!isBound(v)) bound += v.name.get
    }
  }
}
