package io.wreath.spark.analysis

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{
  Resolver,
  Star,
  UnresolvedAlias,
  UnresolvedAttribute,
  UnresolvedExtractValue,
  UnresolvedStar
}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * Writes one GRAPH_TABLE as the joins that a user would write by hand.
 *
 * {{{
 *   MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c) WHERE a < b COLUMNS (a.id AS a)
 *
 *   Project [e0.src AS a]
 *   +- Filter (e0.src < e0.dst)
 *      +- Join Inner, (e0.src = e2.src AND e1.dst = e2.dst)
 *         :- Join Inner, (e0.dst = e1.src)
 *         :  :- e0: MatchEdge (a)->(b) +- Project [src, dst] +- <edge table>
 *         :  +- e1: …
 *         +- e2: …
 * }}}
 * Over a property graph each vertex is a leaf too, a [[MatchVertex]] joined where its key is the
 * end of an edge: an edge to what is not in the vertex table matches nothing.
 *
 * From here on Spark treats it as its own: push-down, pruning, subqueries and caching all work.
 * The [[MatchElement]]s at the leaves are how the optimizer knows them again.
 */
final private[analysis] class DesugarGraphMatch(m: UnresolvedGraphMatch, resolver: Resolver) {

  private val clause = m.clause
  private val pattern = FlatPattern(clause.paths, resolver)
  private val matchId = MatchMark.newMatchId()

  /** The column that stands for each vertex: the first end at which it was joined. */
  private val bound = mutable.Map.empty[String, Attribute]

  private val vertexProperties = mutable.Map.empty[String, Seq[(String, Attribute)]]
  private val edgeProperties = mutable.LinkedHashMap.empty[String, Seq[(String, Attribute)]]

  def toJoins: LogicalPlan = CurrentOrigin.withOrigin(clause.origin) {
    checkNames()
    val joined = join(pieces)
    m.hints.order.foreach(vertex(clause.origin, _))
    val filtered = clause.where.map(w => Filter(resolve(w), joined)).getOrElse(joined)
    Project(columns, filtered)
  }

  private def checkNames(): Unit = {
    val names = pattern.edges.flatMap(e => e.pattern.name.map(_ -> e.pattern.origin))
    names.zipWithIndex.foreach { case ((name, at), i) =>
      val taken = pattern.vertices.map(_.name) ++ names.take(i).map(_._1)
      if (taken.exists(resolver(_, name))) throw WreathErrors.variableKind(at, name)
    }
  }

  private val source: PatternSource = m.child match {
    case tables: PatternTables =>
      if (tables.isStreaming) {
        throw WreathErrors.unsupportedFeature(
          clause.origin,
          "a stream as a table of a property graph",
          "Match over the stream itself: its columns src and dst name the vertices.")
      }
      new PropertyGraphSource(tables, resolver)
    case table => new EdgeTableSource(table, clause, pattern, resolver)
  }

  /** A leaf of the joins, with the vertex at each of its ends. */
  private case class Piece(plan: MatchElement) {
    def ends: Seq[(String, Attribute)] = plan.mark.variables.zip(plan.ends)
    def vertices: Seq[String] = plan.mark.variables
  }

  /** The elements in the order of the text: `(a)`, `-[]->`, `(b)`, … */
  private def pieces: Seq[Piece] = {
    val found = mutable.ArrayBuffer.empty[Piece]
    val seen = mutable.Set.empty[Int]
    def addVertex(i: Int): Unit = if (seen.add(i)) found ++= vertexPiece(i)
    pattern.edges.indices.foreach { i =>
      val edge = pattern.edges(i)
      val ends = Seq(edge.source, edge.target).map(n => pattern.vertices.indexWhere(_.name == n))
      addVertex(ends.min)
      found += edgePiece(i)
      addVertex(ends.max)
    }
    pattern.vertices.indices.foreach(addVertex)
    found.toSeq
  }

  private def edgePiece(i: Int): Piece = {
    val edge = pattern.edges(i)
    val scan = source.edge(i, MatchMark(matchId, Seq(edge.source, edge.target), m.hints))
    edge.pattern.name.foreach(edgeProperties(_) = scan.properties)
    Piece(scan.plan)
  }

  private def vertexPiece(i: Int): Option[Piece] = {
    val name = pattern.vertices(i).name
    source.vertex(i, MatchMark(matchId, Seq(name), m.hints)).map { scan =>
      vertexProperties(name) = scan.properties
      Piece(scan.plan)
    }
  }

  /** Each next leaf is the first that shares a vertex with what is joined already, if any does. */
  private def join(pieces: Seq[Piece]): LogicalPlan = {
    val left = mutable.ArrayBuffer(pieces: _*)
    var joined = Option.empty[LogicalPlan]
    while (left.nonEmpty) {
      val next = left.remove(left.indexWhere(_.vertices.exists(bound.contains)).max(0))
      val condition = next.ends.flatMap { case (v, end) => bind(v, end) }.reduceOption(And(_, _))
      joined = Some(joined match {
        case Some(l) => Join(l, next.plan, Inner, condition, JoinHint.NONE)
        case None => condition.map(Filter(_, next.plan)).getOrElse(next.plan)
      })
    }
    joined.get
  }

  /** An equality if the vertex was seen before; else this end stands for it from now on. */
  private def bind(variable: String, end: Attribute): Option[Expression] =
    bound.get(variable) match {
      case Some(seen) => Some(EqualTo(seen, end))
      case None =>
        bound(variable) = end
        None
    }

  private def columns: Seq[NamedExpression] = clause.columns match {
    case Some(items) => items.flatMap(columnsOf)
    case None => pattern.named.map(name => Alias(keyColumn(name), name)())
  }

  private def columnsOf(item: Expression): Seq[NamedExpression] = item match {
    case star @ UnresolvedStar(Some(Seq(name))) =>
      edgeNamed(name)
        .getOrElse(propertiesOf(vertex(star.origin, name)))
        .map { case (property, column) => Alias(column, property)() }
    case star: Star =>
      throw WreathErrors.unsupportedFeature(
        star.origin,
        "* in COLUMNS",
        "Write a.* for the properties of a, or leave COLUMNS out for the id of each vertex.")
    case other => Seq(column(other))
  }

  private def column(item: Expression): NamedExpression = item match {
    case a: UnresolvedAttribute => Alias(columnValue(a), a.nameParts.last)()
    case Alias(child, name) => Alias(columnValue(child), name)()
    case named: NamedExpression => resolve(named).asInstanceOf[NamedExpression]
    case other => UnresolvedAlias(resolve(other))
  }

  private def columnValue(e: Expression): Expression = e match {
    case UnresolvedAttribute(Seq(name)) if edgeNamed(name).isEmpty =>
      keyColumn(vertex(e.origin, name))
    case _ => resolve(e)
  }

  /** The vertex's key for the user to see: fields of a composite one get their columns' names. */
  private def keyColumn(variable: String): Expression = {
    val key = bound(variable)
    source.keyParts(pattern.vertices.indexWhere(_.name == variable)) match {
      case Nil => key
      case parts =>
        CreateNamedStruct(parts.zipWithIndex.flatMap { case (part, i) =>
          Seq(Literal(part), GetStructField(key, i))
        })
    }
  }

  private def resolve(e: Expression): Expression = e.transformDown {
    case ClauseParameter(i) => m.parameters(i)
    case a: UnresolvedAttribute => CurrentOrigin.withOrigin(a.origin)(reference(a))
  }

  /** `a` is the vertex's key; `a.p` and `e.p` are properties; more parts are fields. */
  private def reference(a: UnresolvedAttribute): Expression = {
    val head = a.nameParts.head
    (edgeNamed(head), a.nameParts.tail) match {
      case (Some(columns), Nil) =>
        throw WreathErrors.unsupportedFeature(
          a.origin,
          "an edge variable without a property",
          columns.headOption.map { case (property, _) =>
            s"Name a property of the edge, for instance $head.$property."
          }.getOrElse("Name a property of the edge."))
      case (Some(columns), path) => property(a, columns, path)
      case (None, path) =>
        val variable = vertex(a.origin, head)
        if (path.isEmpty) bound(variable) else property(a, propertiesOf(variable), path)
    }
  }

  /** Where there is no vertex table, all that is known of a vertex is its id. */
  private def propertiesOf(variable: String): Seq[(String, Attribute)] =
    vertexProperties.getOrElse(variable, Seq("id" -> bound(variable)))

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

  private def edgeNamed(name: String): Option[Seq[(String, Attribute)]] =
    edgeProperties.collectFirst { case (known, columns) if resolver(known, name) => columns }

  /** The variable as the pattern first spells it. */
  private def vertex(at: Origin, name: String): String =
    pattern.named
      .find(resolver(_, name))
      .getOrElse(
        throw WreathErrors.unknownVariable(at, name, pattern.named ++ edgeProperties.keys))
}
