package io.wreath.spark.analysis.desugaring

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.types.DataTypeUtils

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{BoundPattern, ElementScan, PatternSource, ScanNeeds}
import io.wreath.spark.analysis.patterns.FlatPattern
import io.wreath.spark.logical._

/**
 * Writes one graph pattern as joins: the elements are the leaves, and ends that are one vertex are
 * equal. An element that an earlier pattern has bound is only referred to.
 *
 * Where edges are quantified there is one for each combination of lengths, under [[MatchLengths]].
 *
 * @param isOneNode whether the joins of a pattern are one [[MatchJoin]]
 * @param outer what earlier patterns have bound
 */
final private[analysis] class DesugarPattern(
    part: MatchPart,
    source: PatternSource,
    needs: ScanNeeds,
    matchId: Long,
    hints: MatchHints,
    isOneNode: Boolean,
    outer: PatternScope,
    parameter: Int => Expression,
    resolver: Resolver) {

  private val alternatives: Seq[FlatPattern] =
    FlatPattern.alternatives(part.paths, resolver)

  checkNames(alternatives.head)

  /** The conditions of the pattern, those inside elements among them, unresolved. */
  val conditions: Seq[Expression] =
    alternatives.head.conditions ++ part.where

  /** The joins, and what the pattern's variables are in them. */
  lazy val (plan, scope): (LogicalPlan, PatternScope) = {
    val branches = source
      .bind(alternatives, name => outer.vertex(name, resolver).map(_.form))
      .map(new Branch(_))
      .map(b => (b.plan, b.scope))
    if (branches.size == 1) branches.head else together(branches)
  }

  private def checkNames(pattern: FlatPattern): Unit = {
    val edges = part.paths.flatMap(_.edges).flatMap(e => e.name.map(_ -> e.origin))
    val vertices = pattern.named ++ outer.vertices.map(_._1)
    edges.zipWithIndex.foreach { case ((name, at), i) =>
      val taken = vertices ++ edges.take(i).map(_._1) ++ outer.edges.map(_._1) ++ outer.groups
      if (taken.exists(resolver(_, name))) throw WreathErrors.variableKind(at, name)
    }
    pattern.vertices.foreach { v =>
      v.names.find(n => outer.edge(n, resolver).isDefined).foreach { n =>
        throw WreathErrors.variableKind(v.origin, n)
      }
    }
  }

  /** A leaf of the joins, with the vertex at each of its ends. */
  private case class Piece(plan: MatchElement) {
    def ends: Seq[(String, Attribute)] = plan.mark.variables.zip(plan.ends)
    def vertices: Seq[String] = plan.mark.variables
  }

  final private class Branch(bound: BoundPattern) {

    private val pattern = bound.pattern

    /** The column that stands for each vertex: the first end at which it was joined. */
    private val keys = mutable.Map.empty[String, Attribute]

    private val vertexProperties = mutable.Map.empty[String, Seq[(String, Attribute)]]
    private val edges: Seq[ElementScan] = pattern.edges.indices.map { i =>
      val e = pattern.edges(i)
      bound.edge(i, MatchMark(matchId, Seq(e.source, e.target), hints), needs)
    }

    private val joined = join(pieces)

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

    val plan: LogicalPlan = {
      val names = new PatternNames(scope, parameter, resolver)
      val none = if (bound.isImpossible) Seq(Literal.FalseLiteral) else Nil
      val (inside, others) = if (isOneNode) modeConditions.partition(_.references.nonEmpty)
      else (Nil, modeConditions)
      val all = none ++ others ++ pattern.stepConditions.map(names.resolve)
      val plan = joined match {
        case j: MatchJoin => j.copy(conditions = j.conditions ++ inside)
        case other => filtered(inside, other)
      }
      filtered(all, plan)
    }

    private def filtered(conditions: Seq[Expression], plan: LogicalPlan): LogicalPlan =
      Conjunction.of(conditions).map(Filter(_, plan)).getOrElse(plan)

    private def modeConditions: Seq[Expression] = {
      val elements = new DifferentElements(
        bound,
        pattern.vertices.indices.map(boundVertex),
        edges)
      part.mode match {
        case MatchMode.RepeatableElements => Nil
        case MatchMode.DifferentEdges if needs.row => elements.edges
        case MatchMode.DifferentEdges => elements.refusePartly()
        case MatchMode.DifferentVertices => elements.vertices
        case MatchMode.UniqueSubgraphs =>
          elements.vertices ++ elements.unique(
            conditions.flatMap(Conjunction.conjuncts) ++ pattern.stepConditions,
            resolver)
      }
    }

    /** The elements in the order of the text: `(a)`, `-[]->`, `(b)`, … */
    private def pieces: Seq[Piece] = {
      val found = mutable.ArrayBuffer.empty[Piece]
      val seen = mutable.Set.empty[Int]
      def addVertex(i: Int): Unit = if (seen.add(i)) found ++= vertexPiece(i)
      pattern.edges.indices.foreach { i =>
        val edge = pattern.edges(i)
        val ends = Seq(edge.source, edge.target).map(pattern.indexOf)
        addVertex(ends.min)
        found += Piece(edges(i).plan)
        addVertex(ends.max)
      }
      pattern.vertices.indices.foreach(addVertex)
      found.toSeq
    }

    private def vertexPiece(i: Int): Option[Piece] = {
      val v = pattern.vertices(i)
      val isKnown = v.names.nonEmpty && v.names.forall(outer.vertex(_, resolver).isDefined)
      if (isKnown && pattern.edgesAt(v.name).nonEmpty) None
      else {
        bound.vertex(i, MatchMark(matchId, Seq(v.name), hints), needs).map { scan =>
          vertexProperties(v.name) = scan.properties
          Piece(scan.plan)
        }
      }
    }

    /** Each next leaf is the first that shares a vertex with what is joined already, if any does. */
    private def join(pieces: Seq[Piece]): LogicalPlan = {
      val left = mutable.ArrayBuffer(pieces: _*)
      val elements = mutable.ArrayBuffer.empty[LogicalPlan]
      val conditions = mutable.ArrayBuffer.empty[Expression]
      while (left.nonEmpty) {
        val next = left.remove(left.indexWhere(_.vertices.exists(keys.contains)).max(0))
        conditions ++= next.ends.flatMap { case (v, end) => bind(v, end) }
        elements += next.plan
      }
      val all = MatchJoin(elements.toSeq, conditions.toSeq)
      if (isOneNode && elements.size > 1) all else all.meaning
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
  private def together(branches: Seq[(LogicalPlan, PatternScope)])
      : (LogicalPlan, PatternScope) = {
    val scopes = branches.map(_._2.userNames)
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
    val plans = branches.indices.map { i =>
      Project(
        names.zip(types).map { case (name, tpe) =>
          val value = columns(i).get(name) match {
            case Some(c) if DataTypeUtils.sameType(c.dataType, tpe) => c
            case Some(c) => Cast(c, tpe)
            case None => Literal(null, tpe)
          }
          Alias(value, if (name._2.isEmpty) name._1 else name._2)()
        },
        branches(i)._1)
    }
    val all = MatchLengths(plans, FlatPattern.lengths(part.paths))
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
