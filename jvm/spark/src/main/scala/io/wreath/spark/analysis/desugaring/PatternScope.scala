package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.analysis.{
  Resolver,
  UnresolvedAttribute,
  UnresolvedExtractValue
}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.KeyForm
import io.wreath.spark.analysis.patterns.FlatPattern
import io.wreath.spark.logical.ClauseParameter

/**
 * What a vertex variable stands for.
 *
 * @param key the column that names the vertex
 * @param properties the columns that may be read of it, by their names
 */
final private[analysis] case class BoundVertex(
    key: Attribute,
    form: KeyForm,
    properties: Seq[(String, Attribute)]) {

  def mapColumns(f: Attribute => Attribute): BoundVertex =
    BoundVertex(f(key), form, properties.map { case (n, c) => n -> f(c) })
}

/**
 * The variables that a condition or a column may speak of, in order of first mention.
 *
 * @param edges by name, their properties
 * @param groups names of quantified edges
 */
final private[analysis] case class PatternScope(
    vertices: Seq[(String, BoundVertex)],
    edges: Seq[(String, Seq[(String, Attribute)])],
    groups: Seq[String]) {

  /** Variables of `inner` that are here already keep what they stand for. */
  def followedBy(inner: PatternScope, resolver: Resolver): PatternScope =
    PatternScope(
      vertices ++ inner.vertices.filter(v => vertex(v._1, resolver).isEmpty),
      edges ++ inner.edges,
      groups ++ inner.groups)

  def vertex(name: String, resolver: Resolver): Option[BoundVertex] =
    vertices.collectFirst { case (n, v) if resolver(n, name) => v }

  def edge(name: String, resolver: Resolver): Option[Seq[(String, Attribute)]] =
    edges.collectFirst { case (n, properties) if resolver(n, name) => properties }

  /** Every column, with what it is called by all who read it. */
  def columns: Seq[Attribute] =
    vertices.flatMap { case (_, v) => v.key +: v.properties.map(_._2) } ++
      edges.flatMap(_._2.map(_._2))

  def mapColumns(f: Attribute => Attribute): PatternScope =
    PatternScope(
      vertices.map { case (n, v) => n -> v.mapColumns(f) },
      edges.map { case (n, ps) => n -> ps.map { case (p, c) => p -> f(c) } },
      groups)

  /** Without what only the parts of a pattern call each other by. */
  def userNames: PatternScope =
    copy(
      vertices = vertices.filterNot(v => FlatPattern.isAnonymous(v._1)),
      edges = edges.filterNot(e => FlatPattern.isAnonymous(e._1)))
}

private[analysis] object PatternScope {
  val empty: PatternScope = PatternScope(Nil, Nil, Nil)
}

/**
 * Looks up the names of a condition or a column: `a` is the vertex's key; `a.p` and `e.p` are
 * properties; more parts are fields.
 *
 * @param parameter what stands at a parameter marker, by its place
 */
final private[analysis] class PatternNames(
    scope: PatternScope,
    parameter: Int => Expression,
    resolver: Resolver) {

  def resolve(e: Expression): Expression = resolve(e, isNamed = false)

  /** The same, and columns are called what the text calls them. */
  def resolveNamed(e: Expression): Expression = resolve(e, isNamed = true)

  private def resolve(e: Expression, isNamed: Boolean): Expression = e.transformDown {
    case ClauseParameter(at) => parameter(at)
    // Of vertices it is asked whether they are the same, whatever their keys look like.
    case EqualTo(Vertex(a), Vertex(b)) =>
      a.form
        .compared(a.key, b.form, b.key)
        .map { case (l, r) => EqualTo(l, r) }
        .getOrElse(Literal.FalseLiteral)
    case a: UnresolvedAttribute =>
      CurrentOrigin.withOrigin(a.origin)(reference(a)) match {
        case column: Attribute if isNamed => column.withName(a.nameParts.last)
        case value => value
      }
  }

  private object Vertex {
    def unapply(e: Expression): Option[BoundVertex] = e match {
      case UnresolvedAttribute(Seq(name)) if edge(name).isEmpty => scope.vertex(name, resolver)
      case _ => None
    }
  }

  def edge(name: String): Option[Seq[(String, Attribute)]] = scope.edge(name, resolver)

  def vertex(at: Origin, name: String): BoundVertex =
    scope
      .vertex(name, resolver)
      .getOrElse {
        if (scope.groups.exists(resolver(_, name))) {
          throw WreathErrors.unsupportedFeature(
            at,
            s"the group of edges $name outside its quantified edge",
            "Write the path out and name each edge, or put the condition inside the edge, " +
              "where it holds for each of them.")
        }
        val known = scope.userNames
        throw WreathErrors.unknownVariable(
          at,
          name,
          known.vertices.map(_._1) ++ known.edges.map(_._1),
          "A column of another table is compared in the WHERE of the query around GRAPH_TABLE.")
      }

  /** That a hint names vertices of the pattern, for it orders nothing else. */
  def checkHint(at: Origin, order: Seq[String]): Unit =
    order.find(scope.vertex(_, resolver).isEmpty).foreach { name =>
      throw WreathErrors.unknownVariable(
        at,
        name,
        scope.userNames.vertices.map(_._1),
        "The order of a hint, WCO_JOIN(…) or order=[…], lists vertices of the pattern.")
    }

  private def reference(a: UnresolvedAttribute): Expression = {
    val head = a.nameParts.head
    (edge(head), a.nameParts.tail) match {
      case (Some(columns), Nil) =>
        throw WreathErrors.unsupportedFeature(
          a.origin,
          "an edge variable without a property",
          columns.headOption.map { case (property, _) =>
            s"Name a property of the edge, for instance $head.$property."
          }.getOrElse("Name a property of the edge."))
      case (Some(columns), path) => property(a, columns, path)
      case (None, path) =>
        val v = vertex(a.origin, head)
        if (path.isEmpty) v.form.value(v.key) else property(a, v.properties, path)
    }
  }

  private def property(
      a: UnresolvedAttribute,
      columns: Seq[(String, Attribute)],
      path: Seq[String]): Expression = {
    val column: Expression = columns
      .collectFirst { case (name, c) if resolver(name, path.head) => c }
      .getOrElse(
        throw WreathErrors.unknownProperty(
          a.origin,
          a.nameParts.head,
          path.head,
          columns.map(_._1)))
    path.tail.foldLeft(column)((e, field) => UnresolvedExtractValue(e, Literal(field)))
  }
}
