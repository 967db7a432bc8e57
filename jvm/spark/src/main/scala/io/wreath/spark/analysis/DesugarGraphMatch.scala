package io.wreath.spark.analysis

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{
  Resolver,
  Star,
  TypeCoercion,
  UnresolvedAlias,
  UnresolvedAttribute,
  UnresolvedExtractValue
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
 * From here on Spark treats it as its own: push-down, pruning, subqueries and caching all work.
 * The [[MatchEdge]]s at the leaves are how the optimizer knows them again.
 */
final private[analysis] class DesugarGraphMatch(m: UnresolvedGraphMatch, resolver: Resolver) {

  private val clause = m.clause
  private val matchId = MatchMark.newMatchId()

  /** The column that stands for each vertex: the first end at which it was mentioned. */
  private val vertices = mutable.LinkedHashMap.empty[String, Attribute]

  private val edges = mutable.LinkedHashMap.empty[String, Seq[Attribute]]
  private var anonymous = 0

  def toJoins: LogicalPlan = CurrentOrigin.withOrigin(clause.origin) {
    refuseLabels()
    val joined = clause.paths.flatMap(edgesOf).foldLeft(Option.empty[LogicalPlan]) {
      case (left, (edge, source, target)) => Some(addEdge(left, edge, source, target))
    }.get
    m.hints.order.foreach(vertex(clause.origin, _))
    val filtered = clause.where.map(w => Filter(resolve(w), joined)).getOrElse(joined)
    Project(columns, filtered)
  }

  private def refuseLabels(): Unit = clause.paths.foreach { p =>
    val labels = p.vertices.map(v => v.label -> v.origin) ++ p.edges.map(e => e.label -> e.origin)
    labels.collectFirst { case (Some(label), at) =>
      throw WreathErrors.unknownLabel(at, clause.graph, label)
    }
  }

  private def edgesOf(path: PathPattern): Seq[(EdgePattern, String, String)] = {
    val names = path.vertices.map(v => v.name.getOrElse(anonymousName()))
    path.edges.indices.map { i =>
      val edge = path.edges(i)
      if (edge.leftToRight) (edge, names(i), names(i + 1)) else (edge, names(i + 1), names(i))
    }
  }

  /** No user's variable has a space and a number sign in it unless they went looking. */
  private def anonymousName(): String = {
    anonymous += 1
    s"${DesugarGraphMatch.AnonymousPrefix}$anonymous"
  }

  private def addEdge(
      left: Option[LogicalPlan],
      edge: EdgePattern,
      source: String,
      target: String): LogicalPlan = {
    val scan = edgeScan(source, target)
    edge.name.foreach(nameEdge(edge, _, scan))
    val conditions =
      Seq(bind(source, scan.output(0), edge.origin), bind(target, scan.output(1), edge.origin))
    val condition = conditions.flatten.reduceOption(And(_, _))
    left match {
      case Some(l) => Join(l, scan, Inner, condition, JoinHint.NONE)
      case None => condition.map(Filter(_, scan)).getOrElse(scan)
    }
  }

  /**
   * The edge table once more, with columns of its own: source and target come first, then what is
   * not one of them already.
   */
  private def edgeScan(source: String, target: String): MatchEdge = {
    val others = m.child.output.filterNot(c => isEnd(c, sourceKey) || isEnd(c, targetKey))
    val columns =
      Project(
        Alias(sourceKey, "src")() +: Alias(targetKey, "dst")() +:
          others.map(c => Alias(c, c.name)()),
        m.child)
    val mark = MatchMark(matchId, Seq(source, target), m.hints)
    MatchEdge(mark, columns.output(0), columns.output(1), columns)
  }

  private def isEnd(column: Attribute, key: Expression): Boolean = key match {
    case a: Attribute => a.exprId == column.exprId
    case _ => false
  }

  private def nameEdge(edge: EdgePattern, name: String, scan: MatchEdge): Unit = {
    if (lookUp(edges, name).isDefined || lookUp(vertices, name).isDefined) {
      throw WreathErrors.variableKind(edge.origin, name)
    }
    // An end that was widened to the other's type is still there as the table has it.
    val (ends, others) = scan.output.splitAt(2)
    edges(name) = ends.filterNot(e => others.exists(o => resolver(o.name, e.name))) ++ others
  }

  /** An equality if the vertex was seen before; else this end stands for it from now on. */
  private def bind(variable: String, end: Attribute, at: Origin): Option[Expression] = {
    if (lookUp(edges, variable).isDefined) throw WreathErrors.variableKind(at, variable)
    lookUp(vertices, variable) match {
      case Some(seen) => Some(EqualTo(seen, end))
      case None =>
        vertices(variable) = end
        None
    }
  }

  private lazy val (sourceKey, targetKey) = {
    val source = keyColumn("src")
    val target = keyColumn("dst")
    val common = TypeCoercion
      .findTightestCommonType(source.dataType, target.dataType)
      .getOrElse(
        throw WreathErrors.keyTypeMismatch(
          clause.origin,
          clause.graph,
          source.dataType,
          target.dataType))
    def as(c: Attribute): Expression = if (c.dataType == common) c else Cast(c, common)
    (as(source), as(target))
  }

  private def keyColumn(name: String): Attribute = {
    val column = m.child.output
      .find(c => resolver(c.name, name))
      .getOrElse(
        throw WreathErrors.missingColumn(
          clause.origin,
          clause.graph,
          name,
          m.child.output.map(_.name)))
    if (!RowOrdering.isOrderable(column.dataType)) {
      throw WreathErrors.unsupportedKeyType(clause.origin, clause.graph, name, column.dataType)
    }
    column
  }

  private def columns: Seq[NamedExpression] = clause.columns match {
    case Some(items) => items.map(column)
    case None =>
      vertices.toSeq.collect {
        case (name, attribute) if !name.startsWith(DesugarGraphMatch.AnonymousPrefix) =>
          Alias(attribute, name)()
      }
  }

  private def column(item: Expression): NamedExpression = item match {
    case star: Star =>
      throw WreathErrors.unsupportedFeature(
        star.origin,
        "* in COLUMNS",
        "Name the columns, or leave COLUMNS out for the id of each vertex.")
    case a: UnresolvedAttribute => Alias(resolve(a), a.nameParts.last)()
    case Alias(child, name) => Alias(resolve(child), name)()
    case named: NamedExpression => resolve(named).asInstanceOf[NamedExpression]
    case other => UnresolvedAlias(resolve(other))
  }

  private def resolve(e: Expression): Expression = e.transformDown {
    case ClauseParameter(i) => m.parameters(i)
    case a: UnresolvedAttribute => CurrentOrigin.withOrigin(a.origin)(reference(a))
  }

  /** `a` and `a.id` are the vertex's id; `e.p` is a column of the edge; more parts are fields. */
  private def reference(a: UnresolvedAttribute): Expression = {
    val head = a.nameParts.head
    lookUp(edges, head) match {
      case Some(columns) => edgeColumn(a, head, columns)
      case None =>
        val id = vertex(a.origin, head)
        a.nameParts.tail.toList match {
          case Nil => id
          case property :: Nil if resolver(property, "id") => id
          case property :: _ =>
            throw WreathErrors.unknownProperty(a.origin, head, property, Seq("id"))
        }
    }
  }

  private def edgeColumn(
      a: UnresolvedAttribute,
      edge: String,
      columns: Seq[Attribute]): Expression = a.nameParts.tail.toList match {
    case Nil =>
      throw WreathErrors.unsupportedFeature(
        a.origin,
        "an edge variable without a property",
        s"Name a column of the edge, for instance $edge.${columns.head.name}.")
    case property :: fields =>
      val column: Expression = columns
        .find(c => resolver(c.name, property))
        .getOrElse(
          throw WreathErrors.unknownProperty(a.origin, edge, property, columns.map(_.name)))
      fields.foldLeft(column)((e, field) => UnresolvedExtractValue(e, Literal(field)))
  }

  private def vertex(at: Origin, name: String): Attribute =
    lookUp(vertices, name).getOrElse {
      val known = (vertices.keys ++ edges.keys).toSeq
      throw WreathErrors.unknownVariable(
        at,
        name,
        known.filterNot(_.startsWith(DesugarGraphMatch.AnonymousPrefix)))
    }

  private def lookUp[T](names: mutable.Map[String, T], name: String): Option[T] =
    names.collectFirst { case (known, value) if resolver(known, name) => value }
}

private[analysis] object DesugarGraphMatch {
  private val AnonymousPrefix = "anonymous #"
}
