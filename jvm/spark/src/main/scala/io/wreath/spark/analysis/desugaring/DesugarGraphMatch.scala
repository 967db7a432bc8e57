package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.analysis.{
  Resolver,
  Star,
  UnresolvedAlias,
  UnresolvedAttribute,
  UnresolvedStar
}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftOuter}
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.BooleanType

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{
  EdgeTableSource,
  ElementRelation,
  PatternSource,
  PropertyGraphSource,
  ScanNeeds
}
import io.wreath.spark.analysis.streams.StreamingMatch
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
 * end of an edge: an edge to what is not in the vertex table matches nothing. `OPTIONAL MATCH` is a
 * left outer join with the joins of its pattern, `EXISTS { … }` a [[MatchExists]].
 *
 * From here on Spark treats it as its own: push-down, pruning, subqueries and caching all work.
 * The [[MatchElement]]s at the leaves are how the optimizer knows them again.
 */
final private[analysis] class DesugarGraphMatch(m: UnresolvedGraphMatch, resolver: Resolver) {

  private val clause = m.clause
  private val matchId = MatchMark.newMatchId()

  private val source: PatternSource = m.child match {
    case tables: PatternTables =>
      tables.elements.zip(tables.children).foreach { case (element, relation) =>
        if (relation.isStreaming) checkStream(element, relation)
      }
      new PropertyGraphSource(tables, clause.isCall, resolver)
    case table => new EdgeTableSource(table, clause, resolver)
  }

  /** A stream has edges, and whoever reads it sees what happens to them. */
  private def checkStream(element: ElementTable, relation: LogicalPlan): Unit = {
    if (element.isInstanceOf[VertexTable]) {
      throw WreathErrors.unsupportedFeature(
        clause.origin,
        s"a stream as the vertex table ${element.alias.text}",
        "Over a stream of edges, vertices come from a table that is none.")
    }
    val shown = ElementRelation.properties(element, relation, resolver)
    val hidden = relation.children.flatMap(_.output).filter(c =>
      StreamingMatch.saysWhatHappens(c.name, resolver) && !shown.exists(s =>
        resolver(s.name, c.name)))
    hidden.headOption.foreach { c =>
      throw WreathErrors.unsupportedFeature(
        clause.origin,
        s"a stream as the edge table ${element.alias.text} without its column ${c.name}",
        "The column says what happens to an edge: name it among the PROPERTIES.")
    }
  }

  /** All patterns of the clause, those inside EXISTS among them. */
  private def patterns(part: MatchPart): Seq[MatchPart] = {
    val elements = part.paths.flatMap(p => p.vertices.map(_.where) ++ p.edges.map(_.where))
    part +: patternsIn((part.where +: elements).flatten)
  }

  private def patternsIn(expressions: Seq[Expression]): Seq[MatchPart] =
    expressions.flatMap(_.collect { case e: PatternExists => e.part }).flatMap(patterns)

  /** Over a stream the joins are taken apart; where Spark's own are wanted, Spark optimizes them. */
  private lazy val isOneNode: Boolean =
    !m.child.isStreaming && !m.hints.declined && SQLConf.get.getConf(WreathConf.ENABLED) &&
      SQLConf.get.getConf(WreathConf.JOIN_MODE) != "binary"

  private val needs: ScanNeeds = {
    val all = clause.parts.flatMap(patterns) ++ patternsIn(clause.columns.getOrElse(Nil))
    val isUndirected =
      all.exists(_.paths.exists(_.edges.exists(_.direction == EdgeDirection.Either)))
    ScanNeeds(
      // The structs of a motif have the columns of an edge in their order.
      ends = isUndirected || clause.structs.isDefined,
      // Over a stream the join itself tells edges apart.
      row = !m.isStreaming && all.exists(_.mode == MatchMode.DifferentEdges),
      renamed = isOneNode || isUndirected || clause.structs.isDefined ||
        all.size > clause.parts.size)
  }

  def toJoins: LogicalPlan = CurrentOrigin.withOrigin(clause.origin) {
    val first = desugar(clause.parts.head, PatternScope.empty)
    val start =
      (where(first.plan, first.scope, first.conditions), first.scope)
    val (joined, scope) = clause.parts.tail.foldLeft(start) { case ((plan, known), part) =>
      optional(plan, known, part)
    }
    val names = namesOf(scope)
    m.hints.order.foreach(names.vertex(clause.origin, _))
    val (marked, items) = markAll(joined, scope, clause.columns.getOrElse(Nil))
    Project(columns(scope.userNames, items, names), marked)
  }

  private def namesOf(scope: PatternScope): PatternNames =
    new PatternNames(scope, at => m.parameters(clause.markers.indexOf(at)), resolver)

  private def desugar(part: MatchPart, outer: PatternScope): DesugarPattern =
    new DesugarPattern(
      part,
      source,
      needs,
      matchId,
      m.hints,
      isOneNode,
      outer,
      at => m.parameters(clause.markers.indexOf(at)),
      resolver)

  /** The rows of `plan` that fulfil all conditions. */
  private def where(
      plan: LogicalPlan,
      scope: PatternScope,
      conditions: Seq[Expression]): LogicalPlan = {
    val (patterns, others) = conditions.flatMap(Conjunction.conjuncts).partition {
      case _: PatternExists | Not(_: PatternExists) => true
      case _ => false
    }
    val (marked, asked) = markAll(plan, scope, others)
    val names = namesOf(scope)
    val filtered =
      Conjunction.of(asked.map(names.resolve)).map(Filter(_, marked)).getOrElse(marked)
    patterns.foldLeft(filtered) {
      case (p, PatternExists(part)) => exists(p, scope, part, isNegated = false)
      case (p, Not(PatternExists(part))) => exists(p, scope, part, isNegated = true)
      case (p, _) => p
    }
  }

  private def markAll(
      plan: LogicalPlan,
      scope: PatternScope,
      expressions: Seq[Expression]): (LogicalPlan, Seq[Expression]) =
    expressions.foldLeft((plan, Seq.empty[Expression])) { case ((p, done), e) =>
      val (next, marked) = mark(p, scope, e)
      (next, done :+ marked)
    }

  /** EXISTS inside an expression is a column that says whether there is such a match. */
  private def mark(
      plan: LogicalPlan,
      scope: PatternScope,
      condition: Expression): (LogicalPlan, Expression) = {
    var marked = plan
    val rewritten = condition.transform { case PatternExists(part) =>
      val found = AttributeReference("exists", BooleanType, nullable = false)()
      val (right, on) = related(scope, part)
      marked = Join(marked, right, ExistenceJoin(found), on, JoinHint.NONE)
      found
    }
    (marked, rewritten)
  }

  private def exists(
      plan: LogicalPlan,
      scope: PatternScope,
      part: MatchPart,
      isNegated: Boolean): LogicalPlan = {
    val (right, on) = related(scope, part)
    MatchExists(plan, right, on, isNegated)
  }

  private def optional(
      plan: LogicalPlan,
      known: PatternScope,
      part: MatchPart): (LogicalPlan, PatternScope) = {
    val pattern = desugar(part, known)
    val (right, on) = related(known, pattern)
    val joined = Join(plan, right, LeftOuter, on, JoinHint.NONE)
    val added = pattern.scope.mapColumns(_.withNullability(true))
    (joined, known.followedBy(added, resolver))
  }

  private def related(
      scope: PatternScope,
      part: MatchPart): (LogicalPlan, Option[Expression]) = related(scope, desugar(part, scope))

  /**
   * The rows of another pattern, and the condition under which one belongs to a row of the patterns
   * before it: shared variables are the same vertex.
   */
  private def related(
      outer: PatternScope,
      pattern: DesugarPattern): (LogicalPlan, Option[Expression]) = {
    val shared = for {
      (name, own) <- pattern.scope.vertices
      known <- outer.vertex(name, resolver)
    } yield known.form.compared(known.key, own.form, own.key)
      .map { case (l, r) => EqualTo(l, r) }
      .getOrElse(Literal.FalseLiteral)
    val (patterns, others) = pattern.conditions
      .flatMap(Conjunction.conjuncts)
      .partition(_.exists(_.isInstanceOf[PatternExists]))
    val names = namesOf(outer.followedBy(pattern.scope, resolver))
    val own = pattern.plan.outputSet
    val (local, between) =
      others.map(names.resolve).partition(_.references.subsetOf(own))
    val filtered =
      Conjunction.of(local).map(Filter(_, pattern.plan)).getOrElse(pattern.plan)
    // A pattern inside this one may speak of this one's variables, where they are of this one's rows.
    (
      where(filtered, pattern.scope, patterns),
      Conjunction.of(shared ++ between))
  }

  /** @param items of COLUMNS */
  private def columns(
      scope: PatternScope,
      items: Seq[Expression],
      names: PatternNames): Seq[NamedExpression] =
    (clause.columns, clause.structs) match {
      case (Some(_), _) =>
        if (clause.isCall) refuseEqualNames(items)
        items.flatMap(columnsOf(_, names))
      case (None, Some(elements)) => elements.map(struct(_, names))
      case (None, None) => scope.vertices.map { case (n, v) => Alias(v.form.visible(v.key), n)() }
    }

  /** A DataFrame with two columns of one name is of little use. */
  private def refuseEqualNames(items: Seq[Expression]): Unit = {
    val named = items.collect {
      case a: UnresolvedAttribute => a.nameParts.last -> a.origin
      case a: Alias => a.name -> a.origin
    }
    named.indices.find(i => named.take(i).exists(n => resolver(n._1, named(i)._1))).foreach { i =>
      val (name, at) = named(i)
      throw WreathErrors.duplicateName(
        at,
        "column",
        name,
        "columns",
        "Give one of them another name with AS.")
    }
  }

  /** All that is known of an element. */
  private def struct(element: String, names: PatternNames): NamedExpression = {
    val properties =
      names.edge(element).getOrElse(names.vertex(clause.origin, element).properties)
    val fields = properties.flatMap { case (name, column) => Seq(Literal(name), column) }
    Alias(CreateNamedStruct(fields), element)()
  }

  private def columnsOf(item: Expression, names: PatternNames): Seq[NamedExpression] =
    item match {
      case star @ UnresolvedStar(Some(Seq(name))) =>
        names
          .edge(name)
          .getOrElse(names.vertex(star.origin, name).properties)
          .map { case (property, column) => Alias(column, property)() }
      case star: Star =>
        throw WreathErrors.unsupportedFeature(
          star.origin,
          "* in COLUMNS",
          "Write a.* for the properties of a, or leave COLUMNS out for the id of each vertex.")
      case other => Seq(column(other, names))
    }

  private def column(item: Expression, names: PatternNames): NamedExpression = item match {
    case a: UnresolvedAttribute => Alias(columnValue(a, names), a.nameParts.last)()
    case Alias(child, name) => Alias(columnValue(child, names), name)()
    case named: NamedExpression => names.resolve(named).asInstanceOf[NamedExpression]
    case other => UnresolvedAlias(names.resolve(other))
  }

  private def columnValue(e: Expression, names: PatternNames): Expression = e match {
    case UnresolvedAttribute(Seq(name)) if names.edge(name).isEmpty =>
      val v = names.vertex(e.origin, name)
      v.form.visible(v.key)
    case _ => names.resolve(e)
  }
}
