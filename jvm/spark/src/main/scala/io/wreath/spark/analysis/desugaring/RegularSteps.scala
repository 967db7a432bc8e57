package io.wreath.spark.analysis.desugaring

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Resolver, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import io.wreath.kernel.path.{Automaton, Hops, RegularPath}
import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{BoundPath, PathTable}
import io.wreath.spark.logical._

/**
 * The edges of a path as a [[RegularPath]] over steps: each reads one table, one way, with the conditions
 * of the edge and of the vertices at its ends. An edge that may be of several tables is a choice.
 */
final private[analysis] class RegularSteps(
    search: SearchedPath,
    bound: BoundPath,
    known: PatternScope,
    parameter: Int => Expression,
    resolver: Resolver) {

  private val found = mutable.ArrayBuffer.empty[PathStep]

  /**
   * What is asked at an edge.
   *
   * @param start the vertex where the pattern's edge begins, and its end
   * @param where conditions of the sub-path, which speak of the edge and these vertices
   */
  private case class AtEdge(
      start: Option[VertexPattern],
      end: Option[VertexPattern],
      where: Seq[Expression])

  val path: RegularPath = of(search.body, Nil)

  try Automaton.of(path, found.size)
  catch {
    case _: IllegalArgumentException =>
      throw WreathErrors.unsupportedFeature(
        search.origin,
        s"a path of more than ${Automaton.MaxStates} states",
        "Give its quantifiers smaller bounds.")
  }

  /** @param isReversed whether the path is gone from its end */
  def steps(isReversed: Boolean): Seq[PathStep] = found.toSeq.map { s =>
    if (!isReversed) s
    else s.copy(direction = s.direction match {
      case EdgeDirection.Right => EdgeDirection.Left
      case EdgeDirection.Left => EdgeDirection.Right
      case EdgeDirection.Either => EdgeDirection.Either
    })
  }

  /** Of the sum of all costs, if each edge has one. */
  val costType: Option[DataType] = {
    val costs = search.edges.map(_.cost)
    val isCheapest = search.selector.isInstanceOf[PathSelector.Cheapest]
    search.edges.find(_.cost.isEmpty).filter(_ => isCheapest).foreach { e =>
      throw WreathErrors.unsupportedFeature(
        e.origin,
        "an edge without COST in a CHEAPEST path",
        "Say what it costs: -[e COST e.weight]->, or COST 1.")
    }
    if (costs.isEmpty || costs.exists(_.isEmpty)) None
    else if (found.flatMap(_.cost).forall(_.dataType == LongType)) Some(LongType)
    else Some(DoubleType)
  }

  if (costType.contains(DoubleType)) {
    found.indices.foreach { i =>
      found(i) = found(i).copy(cost = found(i).cost.map(c =>
        if (c.resolved && c.dataType == DoubleType) c else Cast(c, DoubleType)))
    }
  } else if (costType.isEmpty) found.indices.foreach(i => found(i) = found(i).copy(cost = None))

  private def of(body: PathBody, where: Seq[Expression]): RegularPath = body match {
    case PathBody.Edge(e) => edge(e, AtEdge(None, None, where))
    case PathBody.Vertex(v) => throw unreadable(v)
    case PathBody.Repeat(part, least, most, inner, _) =>
      val conditions = inner.toSeq.flatMap(Conjunction.conjuncts)
      RegularPath.Repeat(
        of(part, conditions),
        Hops(least, most.getOrElse(Hops.Unbounded)))
    case PathBody.Sequence(parts) => sequence(parts, where)
  }

  /** Each vertex belongs to the edge before it, else to the one after it. */
  private def sequence(parts: Seq[PathBody], where: Seq[Expression]): RegularPath = {
    def isEdge(i: Int): Boolean = parts.lift(i).exists(_.isInstanceOf[PathBody.Edge])
    def vertexAt(i: Int): Option[VertexPattern] =
      parts.lift(i).collect { case PathBody.Vertex(v) => v }
    parts.indices.foreach { i =>
      vertexAt(i).foreach { v =>
        val isAsked = v.label.isDefined || v.where.isDefined
        if (isAsked && !isEdge(i - 1) && !isEdge(i + 1)) throw unreadable(v)
      }
    }
    val left = mutable.ArrayBuffer.from(where)
    val made = parts.indices.flatMap { i =>
      parts(i) match {
        case PathBody.Edge(e) =>
          val start = vertexAt(i - 1)
          val end = vertexAt(i + 1)
          val names = e.name.toSeq ++ start.flatMap(_.name) ++ end.flatMap(_.name)
          val (own, rest) = left.toSeq.partition(c =>
            namesIn(c).forall(n =>
              names.exists(resolver(_, n))))
          left.clear()
          left ++= rest
          // What the edge before asks of the vertex between is asked once.
          val asked = if (isEdge(i - 2)) start.map(_.copy(label = None, where = None)) else start
          Some(edge(e, AtEdge(asked, end, own)))
        case _: PathBody.Vertex => None
        case other => Some(of(other, Nil))
      }
    }
    left.headOption.foreach { c =>
      throw WreathErrors.unsupportedFeature(
        c.origin,
        "a condition on several edges of a path of any length",
        "A condition may speak of one edge and the keys of its two vertices.")
    }
    if (made.size == 1) made.head else RegularPath.Sequence(made: _*)
  }

  private def unreadable(v: VertexPattern): Throwable = WreathErrors.unsupportedFeature(
    v.origin,
    "a condition on a vertex between two quantified parts",
    "Put an edge without a quantifier beside it, or split the path into two.")

  private def namesIn(e: Expression): Seq[String] =
    e.collect { case a: UnresolvedAttribute => a.nameParts.head }

  private def edge(e: EdgePattern, at: AtEdge): RegularPath = {
    val asked = Seq(at.start, at.end).flatten
    val dependsOnWay = asked.exists(v => v.label.isDefined || v.where.isDefined) ||
      (at.where ++ e.where).exists(c =>
        namesIn(c).exists(n => asked.exists(_.name.exists(resolver(_, n)))))
    val ways =
      if (e.direction == EdgeDirection.Either && dependsOnWay) {
        Seq(EdgeDirection.Right, EdgeDirection.Left)
      } else Seq(e.direction)
    val steps = for {
      table <- bound.tablesOf(e)
      way <- ways
    } yield step(e, at, table, way, ways.size > 1)
    val all =
      if (steps.nonEmpty) steps else Seq(PathStep(0, e.direction, Some(Literal.FalseLiteral)))
    val numbers = all.map { s =>
      found += s
      RegularPath.Step(found.size - 1)
    }
    if (numbers.size == 1) numbers.head else RegularPath.Choice(numbers: _*)
  }

  private def step(
      e: EdgePattern,
      at: AtEdge,
      number: Int,
      way: EdgeDirection,
      isOneOfTwo: Boolean): PathStep = {
    val table = bound.tables(number)
    val (source, target) = (table.plan.output(0), table.plan.output(1))
    val (first, last) = if (way == EdgeDirection.Left) (target, source) else (source, target)
    val ends = Seq(at.start -> first, at.end -> last)
    val names = new PatternNames(scopeOf(e, ends, table), parameter, resolver)
    def resolved(c: Expression): Expression = {
      check(c, e, ends.flatMap(_._1))
      names.resolve(c)
    }
    val labels = for {
      (vertex, key) <- ends
      v <- vertex
      label <- v.label
    } yield bound.isLabelled(key, label)
    val wheres = (e.where.toSeq ++ ends.flatMap(_._1).flatMap(_.where) ++ at.where)
      .flatMap(Conjunction.conjuncts)
      .map(resolved)
    // An edge from a vertex to itself is gone one way only.
    val loop =
      if (isOneOfTwo && way == EdgeDirection.Left) Seq(Not(EqualTo(source, target))) else Nil
    val conditions = (labels ++ wheres ++ loop).filter(_ != Literal.TrueLiteral)
    PathStep(
      number,
      way,
      Conjunction.of(conditions),
      e.cost.map { c =>
        val cost = resolved(c)
        if (isIntegral(cost)) Cast(cost, LongType) else cost
      })
  }

  /** Known before Spark has resolved functions. */
  private def isIntegral(e: Expression): Boolean = e match {
    case a: AttributeReference =>
      Seq(ByteType, ShortType, IntegerType, LongType).contains(a.dataType)
    case Literal(_, ByteType | ShortType | IntegerType | LongType) => true
    case _: Add | _: Subtract | _: Multiply | _: UnaryMinus => e.children.forall(isIntegral)
    case _ => false
  }

  private def scopeOf(
      e: EdgePattern,
      ends: Seq[(Option[VertexPattern], Attribute)],
      table: PathTable): PatternScope =
    PatternScope(
      ends.flatMap { case (vertex, key) =>
        vertex.flatMap(_.name).map { n =>
          val properties = if (bound.vertices.isEmpty) Seq("id" -> key) else Nil
          n -> BoundVertex(key, bound.form, properties)
        }
      },
      e.name.map(_ -> table.properties).toSeq,
      Nil)

  /** That a condition speaks of what a search can see of one edge. */
  private def check(c: Expression, e: EdgePattern, ends: Seq[VertexPattern]): Unit = {
    c.find(_.isInstanceOf[PatternExists]).foreach { _ =>
      throw WreathErrors.unsupportedFeature(
        e.origin,
        "EXISTS inside a path of any length",
        "Make a view of the edges that fulfil it.")
    }
    val own = e.name.toSeq ++ ends.flatMap(_.name)
    val all = search.ends.flatMap(_.name) ++ search.body.vertices.flatMap(_.name) ++
      search.edges.flatMap(_.name)
    c.foreach {
      case a @ UnresolvedAttribute(head +: _) if !own.exists(resolver(_, head)) =>
        if (known.knows(head, resolver) || all.exists(resolver(_, head))) {
          throw WreathErrors.unsupportedFeature(
            a.origin,
            s"a condition inside a path of any length that speaks of $head",
            "It may speak of the edge itself and of the vertices beside it, if they have names.")
        }
      case a @ UnresolvedAttribute(head +: rest)
          if rest.nonEmpty && bound.vertices.isDefined &&
            ends.exists(_.name.exists(resolver(_, head))) &&
            !e.name.exists(resolver(_, head)) =>
        throw WreathErrors.unsupportedFeature(
          a.origin,
          s"a property of the vertex $head, which is inside a path of any length",
          s"Compare its key: $head = …. Or make a view of the edges whose ends fulfil it.")
      case _ =>
    }
  }
}
