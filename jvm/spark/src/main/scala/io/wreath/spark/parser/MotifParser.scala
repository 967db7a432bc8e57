package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Not}
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * Parses the motif strings of GraphFrames: terms with semicolons between them.
 * {{{
 * (a)                 a vertex
 * (a)-[e]->(b)        an edge; names may be left out, but not all three
 * (a)<-[e]-(b)        the other way
 * (a)-[e]-(b)         either way
 * (a)<-[e]->(b)       both ways: two edges, e1 and e2
 * (a)<-[*2]->(b)      two edges each way
 * (a)-[e*3]->(b)      three edges, _e1 to _e3, by vertices _ab1 and _ab2
 * (a)-[e*1..3]->(b)   one to three edges; what a shorter path does not have is NULL
 * !(a)-[]->(b)        no such edge. A vertex that stands in such terms only is any vertex
 * }}}
 *
 * @param at where the motif stands in the statement
 * @param originOf where the characters [from, until) of it stand
 */
final private[parser] class MotifParser(
    graph: String,
    motif: String,
    at: Origin,
    originOf: (Int, Int) => Origin)
    extends MotifText(motif, originOf) {
  import MotifParser._

  /** What the motif stands for; the one with the longest paths comes first. */
  def parse(): Seq[MatchClause] = {
    val terms = mutable.ArrayBuffer.empty[Seq[Seq[Element]]]
    while (!atEnd) {
      if (!accept(";")) terms += term()
    }
    if (terms.isEmpty) fail("the motif is empty")
    val combinations = terms.foldLeft(Seq(Seq.empty[Seq[Element]])) { (done, alternatives) =>
      for (a <- alternatives; d <- done) yield d :+ a
    }
    if (combinations.size > MostAlternatives) {
      throw WreathErrors.syntax(
        at,
        motif,
        s"its paths leave more than $MostAlternatives combinations of lengths")
    }
    combinations.map(c => clause(c.flatten))
  }

  /** Each is a sequence of elements in the place of the term; the longest first. */
  private def term(): Seq[Seq[Element]] = {
    val start = here
    val isNegated = accept("!")
    val left =
      vertexName("a motif is made of terms like (a)-[e]->(b), with semicolons between them")
    if (isNegated || !isTermEnd) edgeTerm(start, isNegated, left)
    else {
      if (left.isEmpty) failSince(start, "a vertex by itself needs a name")
      Seq(Seq(Vertex(left, originSince(start))))
    }
  }

  private def edgeTerm(start: Int, isNegated: Boolean, left: String): Seq[Seq[Element]] = {
    val arrow = here
    if (is("->")) fail("an edge is written -[]->, with brackets")
    val opening =
      if (accept("<-")) "<-"
      else if (accept("-")) "-"
      else fail("after a vertex stands an edge like -[e]->, a semicolon or the end")
    expect("[", "an edge is written -[]->, with brackets")
    val named = here
    val name = this.name()
    if (isNegated && name.nonEmpty) {
      failSince(named, "an edge that must not be there has no name")
    }
    val starred = here
    val lengths = if (accept("*")) Some(this.lengths(starred)) else None
    expect("]", "the edge is closed by ']'")
    val closing =
      if (accept("->")) "->"
      else if (accept("-")) "-"
      else fail("an edge is written -[]->, <-[]- or -[]-")
    val isOneWay = (opening == "-") != (closing == "-")
    if (isNegated && (lengths.isDefined || !isOneWay)) {
      failSince(
        arrow,
        "only one edge in one direction can be negated; MATCH … WHERE NOT EXISTS { … } takes any path")
    }
    val isUndirected = opening == "-" && closing == "-"
    if (lengths.isDefined && isUndirected) {
      failSince(
        arrow,
        "a repeated edge needs a direction; MATCH (a)-[]-{1,3}(b) takes either way at each edge")
    }
    if (lengths.isDefined && !isOneWay && name.nonEmpty) {
      failSince(arrow, "a repeated edge both ways has no name")
    }
    val right = vertexName("an edge leads to a vertex, such as (b)")
    if (Seq(left, name, right).forall(_.isEmpty)) {
      failSince(start, "an edge needs a name, or a vertex with one")
    }
    if (!isTermEnd) {
      fail(
        "expected a semicolon or the end of the motif; a longer path is several terms: " +
          "(a)-[]->(b); (b)-[]->(c)")
    }
    val edge = Edge(left, name, right, isUndirected, isNegated, originSince(start))
    if (isUndirected) Seq(Seq(edge))
    else if (isOneWay) {
      val isReversed = opening == "<-"
      val way = if (isReversed) edge.turned else edge
      lengths.fold(Seq(Seq(way)))(_.reverse.map { length =>
        val edges = way.walk(length)
        if (isReversed) edges.reverse else edges
      })
    } else {
      val back = edge.copy(source = right, target = left)
      lengths match {
        case None if name.isEmpty => Seq(Seq(edge, back))
        case None => Seq(Seq(edge.copy(name = name + "1"), back.copy(name = name + "2")))
        case Some(some) =>
          for (out <- some.reverse; in <- some.reverse) yield edge.walk(out) ++ back.walk(in)
      }
    }
  }

  private def isTermEnd: Boolean = atEnd || is(";")

  private def vertexName(problem: String): String = {
    expect("(", problem)
    val found = name()
    expect(")", "the vertex is closed by ')'")
    found
  }

  /** What stands after a star, shortest first. */
  private def lengths(star: Int): Seq[Int] = {
    val least = digits()
    val most = if (accept("..")) digits() else least
    if (least.isEmpty || most.isEmpty) {
      throw WreathErrors.unboundedQuantifier(originSince(star), since(star))
    }
    def number(digits: String): Int = if (digits.length > 3) Int.MaxValue else digits.toInt
    val (from, to) = (number(least), number(most))
    if (from < 1 || to < from || to > PathParser.LongestPath) {
      failSince(
        star,
        s"a path has 1 to ${PathParser.LongestPath} edges, the lesser number first")
    }
    from to to
  }

  private def clause(elements: Seq[Element]): MatchClause = {
    val (negated, positive) = elements.partition {
      case e: Edge => e.isNegated
      case _ => false
    }
    val bound = positive.flatMap(_.vertices).distinct
    val loose = negated.flatMap(_.vertices).distinct.diff(bound)
    val paths = positive.map(path) ++ loose.map(v => path(Vertex(v, at)))
    val where = negated
      .map(e => Not(PatternExists(part(Seq(path(e)), None))): Expression)
      .reduceOption(And(_, _))
    MatchClause(
      graph,
      Seq(part(paths, where)),
      columns = None,
      markers = Nil,
      at,
      structs = Some(elements.flatMap(_.names).distinct))
  }

  private def part(paths: Seq[PathPattern], where: Option[Expression]): MatchPart =
    MatchPart(isOptional = false, MatchMode.RepeatableElements, paths, where, at)

  private def path(element: Element): PathPattern = element match {
    case v: Vertex => PathPattern(Seq(vertex(v.name, v.origin)), Nil)
    case e: Edge =>
      val direction = if (e.isUndirected) EdgeDirection.Either else EdgeDirection.Right
      val edge = EdgePattern(named(e.name), None, direction, None, None, e.origin)
      PathPattern(Seq(vertex(e.source, e.origin), vertex(e.target, e.origin)), Seq(edge))
  }

  private def vertex(name: String, origin: Origin): VertexPattern =
    VertexPattern(named(name), None, None, origin)

  private def named(name: String): Option[String] = if (name.isEmpty) None else Some(name)
}

private object MotifParser {

  sealed private trait Element {
    def names: Seq[String]
    def vertices: Seq[String]
  }

  final private case class Vertex(name: String, origin: Origin) extends Element {
    override def names: Seq[String] = Seq(name)
    override def vertices: Seq[String] = names
  }

  /**
   * Without names where they are empty.
   *
   * @param origin of the term that it stands in
   * @param isReversed whether the target is mentioned first
   */
  final private case class Edge(
      source: String,
      name: String,
      target: String,
      isUndirected: Boolean,
      isNegated: Boolean,
      origin: Origin,
      isReversed: Boolean = false)
      extends Element {

    override def names: Seq[String] = {
      val mentioned = Seq(source, name, target)
      (if (isReversed) mentioned.reverse else mentioned).filter(_.nonEmpty)
    }

    override def vertices: Seq[String] = Seq(source, target).filter(_.nonEmpty)

    /** From the vertex on the right to that on the left. */
    def turned: Edge = copy(source = target, target = source, isReversed = true)

    /** So many edges in its place. */
    def walk(length: Int): Seq[Edge] = {
      val inner = (1 until length).map(i => s"_$source$target$i")
      (source +: inner :+ target).sliding(2).zipWithIndex.map { case (ends, i) =>
        val numbered = if (name.isEmpty) "" else s"_$name${i + 1}"
        copy(source = ends(0), name = numbered, target = ends(1))
      }.toSeq
    }
  }

  private val MostAlternatives = 64
}
