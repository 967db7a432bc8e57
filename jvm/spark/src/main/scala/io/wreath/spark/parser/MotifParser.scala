package io.wreath.spark.parser

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
 */
final private[parser] class MotifParser(graph: String, motif: String, at: Origin) {
  import MotifParser._

  /** What the motif stands for; the one with the longest paths comes first. */
  def parse(): Seq[MatchClause] = {
    val terms = motif.split(";", -1).toSeq.map(_.trim).filter(_.nonEmpty).map(term)
    if (terms.isEmpty) fail(motif, "the motif is empty")
    val combinations = terms.foldLeft(Seq(Seq.empty[Seq[Element]])) { (done, alternatives) =>
      for (a <- alternatives; d <- done) yield d :+ a
    }
    if (combinations.size > MostAlternatives) {
      fail(motif, s"its paths leave more than $MostAlternatives combinations of lengths")
    }
    combinations.map(c => clause(c.flatten))
  }

  /** Each is a sequence of elements in the place of the term; the longest first. */
  private def term(text: String): Seq[Seq[Element]] = text match {
    case VertexTerm(name) =>
      if (name.isEmpty) fail(text, "a vertex by itself needs a name")
      Seq(Seq(Vertex(name)))
    case EdgeTerm(not, left, opening, name, star, least, most, closing, right) =>
      val isNegated = not.nonEmpty
      val isReversed = opening == "<-" && closing == "-"
      val (source, target) = if (isReversed) (right, left) else (left, right)
      if (Seq(left, name, right).forall(_.isEmpty)) {
        fail(text, "an edge needs a name, or a vertex with one")
      }
      if (isNegated && name.nonEmpty) {
        fail(text, "an edge that must not be there has no name")
      }
      val isOneWay = (opening == "-") != (closing == "-")
      if (isNegated && (star != null || !isOneWay)) {
        fail(
          text,
          "only one edge in one direction can be negated; MATCH … WHERE NOT EXISTS { … } takes any path")
      }
      if (opening == "<-" && closing == "->" && star != null) {
        if (name.nonEmpty) fail(text, "a repeated edge both ways has no name")
        val there = lengths(text, least, most).reverse
        for (out <- there; back <- there)
          yield walk(left, "", right, out) ++ walk(right, "", left, back)
      } else if (opening == "<-" && closing == "->") {
        val names = Seq("1", "2").map(n => if (name.isEmpty) "" else name + n)
        Seq(
          Seq(
            Edge(left, names(0), right, isUndirected = false, isNegated),
            Edge(right, names(1), left, isUndirected = false, isNegated)))
      } else if (star != null) {
        if (closing == "-" && !isReversed) {
          fail(
            text,
            "a repeated edge needs a direction; MATCH (a)-[]-{1,3}(b) takes either way at each edge")
        }
        lengths(text, least, most).reverse.map { length =>
          val edges = walk(source, name, target, length)
          if (isReversed) edges.reverse.map(_.copy(isReversed = true)) else edges
        }
      } else {
        Seq(
          Seq(
            Edge(
              source,
              name,
              target,
              isUndirected = opening == "-" && closing == "-",
              isNegated,
              isReversed)))
      }
    case _ =>
      fail(text, "a motif is made of terms like (a)-[e]->(b), with semicolons between them")
  }

  private def lengths(text: String, least: String, most: String): Seq[Int] = {
    val bounds = Seq(least, if (most == null) least else most)
    if (bounds.exists(_.isEmpty)) throw WreathErrors.unboundedQuantifier(at, text)
    val Seq(from, to) = bounds.map(n => if (n.length > 3) Int.MaxValue else n.toInt): @unchecked
    if (from < 1 || to < from || to > PatternParser.LongestPath) {
      fail(text, s"a path has 1 to ${PatternParser.LongestPath} edges, the lesser number first")
    }
    from to to
  }

  private def walk(source: String, name: String, target: String, length: Int): Seq[Edge] = {
    val inner = (1 until length).map(i => s"_$source$target$i")
    (source +: inner :+ target).sliding(2).zipWithIndex.map { case (ends, i) =>
      Edge(
        ends(0),
        if (name.isEmpty) "" else s"_$name${i + 1}",
        ends(1),
        isUndirected = false,
        isNegated = false)
    }.toSeq
  }

  private def clause(elements: Seq[Element]): MatchClause = {
    val (negated, positive) = elements.partition {
      case e: Edge => e.isNegated
      case _ => false
    }
    val bound = positive.flatMap(_.vertices).distinct
    val loose = negated.flatMap(_.vertices).distinct.diff(bound)
    val paths = positive.map(path) ++ loose.map(v => path(Vertex(v)))
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
    case Vertex(name) => PathPattern(Seq(vertex(name)), Nil)
    case e: Edge =>
      val direction = if (e.isUndirected) EdgeDirection.Either else EdgeDirection.Right
      val edge = EdgePattern(named(e.name), None, direction, None, None, at)
      PathPattern(Seq(vertex(e.source), vertex(e.target)), Seq(edge))
  }

  private def vertex(name: String): VertexPattern = VertexPattern(named(name), None, None, at)

  private def named(name: String): Option[String] = if (name.isEmpty) None else Some(name)

  private def fail(near: String, problem: String): Nothing =
    throw WreathErrors.syntax(at, near, problem)
}

private object MotifParser {

  sealed private trait Element {
    def names: Seq[String]
    def vertices: Seq[String]
  }

  final private case class Vertex(name: String) extends Element {
    override def names: Seq[String] = Seq(name)
    override def vertices: Seq[String] = names
  }

  /**
   * Without names where they are empty.
   *
   * @param isReversed whether the target is mentioned first
   */
  final private case class Edge(
      source: String,
      name: String,
      target: String,
      isUndirected: Boolean,
      isNegated: Boolean,
      isReversed: Boolean = false)
      extends Element {
    override def names: Seq[String] = {
      val mentioned = Seq(source, name, target)
      (if (isReversed) mentioned.reverse else mentioned).filter(_.nonEmpty)
    }
    override def vertices: Seq[String] = Seq(source, target).filter(_.nonEmpty)
  }

  private val MostAlternatives = 64

  private val VertexTerm = """\(\s*(\w*)\s*\)""".r

  private val EdgeTerm =
    """(!?)\s*\(\s*(\w*)\s*\)\s*(-|<-)\s*\[\s*(\w*)\s*(\*(\d*)(?:\.\.(\d*))?)?\s*\]\s*(->|-)\s*\(\s*(\w*)\s*\)""".r
}
