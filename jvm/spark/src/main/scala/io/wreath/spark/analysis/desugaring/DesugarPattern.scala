package io.wreath.spark.analysis.desugaring

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.catalyst.types.DataTypeUtils

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{BoundPattern, ElementScan, PatternSource, ScanNeeds}
import io.wreath.spark.analysis.patterns.{FlatPattern, PlannedSearch, SearchPlan}
import io.wreath.spark.logical._

/**
 * Describes one graph pattern: its elements, with ends that are one vertex equal. An element that an
 * earlier pattern has bound is only referred to.
 *
 * Where edges are quantified there is an alternative for each combination of lengths.
 *
 * @param outer what earlier patterns have bound
 */
final private[analysis] class DesugarPattern(
    val whole: MatchPart,
    source: PatternSource,
    needs: ScanNeeds,
    matchId: Long,
    hints: MatchHints,
    outer: PatternScope,
    parameter: Int => Expression,
    resolver: Resolver) {

  private val plan = SearchPlan(whole, source.isKey(_), resolver)

  private val part: MatchPart = plan.joined

  if (plan.searches.nonEmpty && part.mode != MatchMode.RepeatableElements) {
    throw WreathErrors.unsupportedFeature(
      part.origin,
      "a match mode beside a path that is searched for",
      "Give the path a mode of its own, TRAIL, ACYCLIC or SIMPLE, and compare the other elements.")
  }

  private val alternatives: Seq[FlatPattern] =
    FlatPattern.alternatives(part.paths, resolver)

  checkNames(alternatives.head)

  /** What is searched for from the rows of the pattern. */
  def searches: Seq[PlannedSearch] = plan.searches

  /** Mentions of vertices that searches find. */
  def found: Seq[VertexPattern] = plan.found

  /** The conditions of the pattern, those inside elements among them, unresolved. */
  val conditions: Seq[Expression] =
    alternatives.head.conditions ++ found.flatMap(_.where) ++ part.where

  /** The pattern's rows, and what its variables are in them. */
  lazy val (rows, scope): (PatternRows, PatternScope) = {
    val branches = source
      .bind(alternatives, name => outer.vertex(name, resolver).map(_.form))
      .map(new Branch(_))
      .map(b => (b.rows, b.scope))
    if (branches.size == 1) branches.head else together(branches)
  }

  private def checkNames(pattern: FlatPattern): Unit = {
    val paths = whole.searches.flatMap(s => s.name.map(_ -> s.origin))
    val edges = whole.edges.flatMap(e => e.name.map(_ -> e.origin)) ++ paths
    val vertices = pattern.named ++ outer.vertices.map(_._1) ++
      whole.searches.flatMap(s => s.ends ++ s.body.vertices).flatMap(_.name)
    edges.zipWithIndex.foreach { case ((name, at), i) =>
      val taken = vertices ++ edges.take(i).map(_._1) ++ outer.edges.map(_._1) ++ outer.groups ++
        outer.paths.flatMap(_.names)
      if (taken.exists(resolver(_, name))) throw WreathErrors.variableKind(at, name)
    }
    pattern.vertices.foreach { v =>
      v.names.find(n => outer.edge(n, resolver).isDefined).foreach { n =>
        throw WreathErrors.variableKind(v.origin, n)
      }
    }
  }

  final private class Branch(bound: BoundPattern) {

    private val pattern = bound.pattern

    /** The column that stands for each vertex: the first end at which it was joined. */
    private val keys = mutable.Map.empty[String, Attribute]

    private val vertexProperties = mutable.Map.empty[String, Seq[(String, Attribute)]]
    private val edges: Seq[ElementScan] = pattern.edges.indices.map { i =>
      val e = pattern.edges(i)
      CurrentOrigin.withOrigin(e.pattern.origin) {
        bound.edge(i, MatchMark(matchId, Seq(e.source, e.target), hints), needs)
      }
    }

    private val (elements, equalEnds) = inOrder(inText)

    private def boundVertex(i: Int): BoundVertex = {
      val v = pattern.vertices(i)
      BoundVertex(
        keys(v.name),
        bound.form(i),
        vertexProperties.getOrElse(v.name, Seq("id" -> keys(v.name))))
    }

    val scope: PatternScope = PatternScope(
      pattern.named.map { n =>
        n -> boundVertex(pattern.vertices.indexWhere(_.names.contains(n)))
      },
      pattern.edges.zip(edges).flatMap { case (e, scan) => e.name.map(_ -> scan.properties) },
      pattern.groups)

    val rows: PatternElements = {
      val names = new PatternNames(scope, parameter, resolver)
      val none = if (bound.isImpossible) Seq(Literal.FalseLiteral) else Nil
      PatternElements(
        elements,
        equalEnds,
        part.mode,
        modeConditions,
        none ++ pattern.stepConditions.map(names.resolve))
    }

    private def modeConditions: Seq[Expression] = {
      val different = new DifferentElements(
        bound,
        pattern.vertices.indices.map(boundVertex),
        edges)
      part.mode match {
        case MatchMode.RepeatableElements => Nil
        case MatchMode.DifferentEdges if needs.row => different.edges
        case MatchMode.DifferentEdges => different.refusePartly()
        case MatchMode.DifferentVertices => different.vertices
        case MatchMode.UniqueSubgraphs =>
          different.vertices ++ different.unique(
            conditions.flatMap(Conjunction.conjuncts) ++ pattern.stepConditions,
            resolver)
      }
    }

    /** The elements in the order of the text: `(a)`, `-[]->`, `(b)`, … */
    private def inText: Seq[MatchElement] = {
      val found = mutable.ArrayBuffer.empty[MatchElement]
      val seen = mutable.Set.empty[Int]
      def addVertex(i: Int): Unit = if (seen.add(i)) found ++= vertex(i)
      pattern.edges.indices.foreach { i =>
        val edge = pattern.edges(i)
        val ends = Seq(edge.source, edge.target).map(pattern.indexOf)
        addVertex(ends.min)
        found += edges(i).plan
        addVertex(ends.max)
      }
      pattern.vertices.indices.foreach(addVertex)
      found.toSeq
    }

    private def vertex(i: Int): Option[MatchElement] = {
      val v = pattern.vertices(i)
      val isKnown = v.names.nonEmpty && v.names.forall(outer.vertex(_, resolver).isDefined)
      if (isKnown && pattern.edgesAt(v.name).nonEmpty) None
      else {
        CurrentOrigin
          .withOrigin(v.origin) {
            bound.vertex(i, MatchMark(matchId, Seq(v.name), hints), needs)
          }
          .map { scan =>
            vertexProperties(v.name) = scan.properties
            scan.plan
          }
      }
    }

    /** Each next one is the first that shares a vertex with one before it, if any does. */
    private def inOrder(elements: Seq[MatchElement]): (Seq[MatchElement], Seq[Expression]) = {
      val left = mutable.ArrayBuffer(elements: _*)
      val ordered = mutable.ArrayBuffer.empty[MatchElement]
      val equal = mutable.ArrayBuffer.empty[Expression]
      while (left.nonEmpty) {
        val next = left.remove(left.indexWhere(_.mark.variables.exists(keys.contains)).max(0))
        equal ++= next.mark.variables.zip(next.ends).flatMap { case (v, end) => bind(v, end) }
        ordered += next
      }
      (ordered.toSeq, equal.toSeq)
    }

    /** An equality if the vertex was seen before; else this end stands for it from now on. */
    private def bind(variable: String, end: Attribute): Option[Expression] =
      keys.get(variable) match {
        case Some(seen) => Some(EqualTo(seen, end))
        case None =>
          keys(variable) = end
          None
      }
  }

  /** All branches with the same columns: those of any, NULL where one does not have it. */
  private def together(branches: Seq[(PatternRows, PatternScope)])
      : (PatternRows, PatternScope) = {
    val scopes = branches.map(_._2.sharedNames)
    // Which column each variable and property is, by their names.
    def keyed(s: PatternScope): Seq[((String, String), Attribute)] =
      s.vertices.flatMap { case (n, v) =>
        ((n, "") -> v.key) +: v.properties.map { case (p, c) => (n, p) -> c }
      } ++ s.edges.flatMap { case (n, ps) => ps.map { case (p, c) => (n, p) -> c } }
    val columns = scopes.map(keyed(_).toMap)
    val names = scopes.flatMap(keyed(_).map(_._1)).distinct
    val types = names.map { name =>
      val found = columns.flatMap(_.get(name)).map(_.dataType)
      found.tail.foldLeft(found.head) { (t, next) =>
        if (DataTypeUtils.sameType(t, next)) t
        else {
          TypeCoercion.findTightestCommonType(t, next).getOrElse(
            throw WreathErrors.propertyTypeMismatch(part.origin, name._2, t, next))
        }
      }
    }
    val patterns = branches.indices.map { i =>
      val values = names.zip(types).map { case (name, tpe) =>
        val value = columns(i).get(name) match {
          case Some(c) if DataTypeUtils.sameType(c.dataType, tpe) => c
          case Some(c) => Cast(c, tpe)
          case None => Literal(null, tpe)
        }
        Alias(value, if (name._2.isEmpty) name._1 else name._2)()
      }
      LogicalPattern(branches(i)._1, columns = Some(values))
    }
    val quantified = part.paths.flatMap(_.edges).find(_.quantifier.isDefined)
    val all = PatternLengths(
      patterns,
      FlatPattern.lengths(part.paths),
      quantified.map(_.origin).getOrElse(part.origin))
    val outputs = names.zip(all.output).toMap
    val first = scopes.head
    val vertices = first.vertices.map { case (n, v) =>
      val properties = names.collect { case (`n`, p) if p.nonEmpty => p -> outputs((n, p)) }
      n -> BoundVertex(outputs((n, "")), v.form, properties)
    }
    val edges = first.edges.map { case (n, ps) =>
      n -> ps.map { case (p, _) => p -> outputs((n, p)) }
    }
    (all, PatternScope(vertices, edges, first.groups))
  }
}
