package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.analysis.{
  Resolver,
  UnresolvedAttribute,
  UnresolvedExtractValue,
  UnresolvedFunction
}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.types.StructType

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.KeyForm
import io.wreath.spark.analysis.patterns.FlatPattern
import io.wreath.spark.logical.{AnonymousName, ClauseParameter}

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
 * @param groups names of quantified edges that are joined
 * @param paths that were searched for, and groups of their edges
 */
final private[analysis] case class PatternScope(
    vertices: Seq[(String, BoundVertex)],
    edges: Seq[(String, Seq[(String, Attribute)])],
    groups: Seq[String],
    paths: Seq[FoundPath] = Nil) {

  /** Variables of `inner` that are here already keep what they stand for. */
  def followedBy(inner: PatternScope, resolver: Resolver): PatternScope =
    PatternScope(
      vertices ++ inner.vertices.filter(v => vertex(v._1, resolver).isEmpty),
      edges ++ inner.edges,
      groups ++ inner.groups,
      paths ++ inner.paths)

  def vertex(name: String, resolver: Resolver): Option[BoundVertex] =
    vertices.collectFirst { case (n, v) if resolver(n, name) => v }

  def edge(name: String, resolver: Resolver): Option[Seq[(String, Attribute)]] =
    edges.collectFirst { case (n, properties) if resolver(n, name) => properties }

  /** Every column, with what it is called by all who read it. */
  def columns: Seq[Attribute] =
    vertices.flatMap { case (_, v) => v.key +: v.properties.map(_._2) } ++
      edges.flatMap(_._2.map(_._2)) ++ paths.flatMap(_.columns)

  def mapColumns(f: Attribute => Attribute): PatternScope =
    PatternScope(
      vertices.map { case (n, v) => n -> v.mapColumns(f) },
      edges.map { case (n, ps) => n -> ps.map { case (p, c) => p -> f(c) } },
      groups,
      paths.map(_.mapColumns(f)))

  /** Whether something is called so. */
  def knows(name: String, resolver: Resolver): Boolean =
    (vertices.map(_._1) ++ edges.map(_._1) ++ groups ++ paths.flatMap(_.names))
      .exists(resolver(_, name))

  /** Without what only the parts of a pattern call each other by. */
  def userNames: PatternScope = {
    val shared = sharedNames
    shared.copy(vertices = shared.vertices.filterNot(v => AnonymousName.is(v._1)))
  }

  /** What the alternatives of a pattern have in common. */
  def sharedNames: PatternScope =
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
    case f: UnresolvedFunction if functionOf(f).isDefined => functionOf(f).get
    case a: UnresolvedAttribute =>
      CurrentOrigin.withOrigin(a.origin)(reference(a)) match {
        case column: Attribute if isNamed => column.withName(a.nameParts.last)
        case value => value
      }
  }

  /** A function of a path or of a group. */
  private def functionOf(f: UnresolvedFunction): Option[Expression] =
    if (scope.paths.isEmpty) None
    else CurrentOrigin.withOrigin(f.origin) {
      FoundPath.value(f, scope.paths, inGroup, resolver)
    }

  /** An expression over one edge of a group. */
  private def inGroup(e: Expression, group: (String, StructType, Expression)): Expression = {
    val (name, tpe, edge) = group
    val path = scope.paths.find(_.groups.exists(_._1 == name)).get
    resolve(e.transformDown {
      case a @ UnresolvedAttribute(head +: property +: fields) if resolver(head, name) =>
        val column = path.table.properties
          .collectFirst { case (n, c) if resolver(n, property) => c }
          .getOrElse(
            throw WreathErrors.unknownProperty(
              a.origin,
              head,
              property,
              path.table.properties.map(_._1)))
        val i = path.table.plan.output.indexWhere(_.exprId == column.exprId)
        fields.foldLeft[Expression](GetStructField(edge, i, Some(tpe(i).name))) { (v, field) =>
          UnresolvedExtractValue(v, Literal(field))
        }
    })
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
        scope.paths.find(_.names.exists(resolver(_, name))).foreach(refuse(at, name, _))
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

  private def refuse(at: Origin, name: String, path: FoundPath): Nothing =
    if (path.name.exists(resolver(_, name))) {
      throw WreathErrors.unsupportedFeature(
        at,
        s"the path $name outside a function of paths",
        s"Write PATH_LENGTH($name), VERTICES($name), EDGES($name) or PATH_COST($name).")
    } else if (path.groups.exists(g => resolver(g._1, name))) {
      throw WreathErrors.unsupportedFeature(
        at,
        s"the group of edges $name outside an aggregate",
        s"Write count($name), or sum, avg, min, max, listagg or array_agg of its properties; a " +
          "condition on each of its edges stands inside the edge.")
    } else {
      throw WreathErrors.unsupportedFeature(
        at,
        s"$name, which is inside a path of any length, outside of it",
        "Name the path, p = …, and read VERTICES(p) and EDGES(p).")
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
