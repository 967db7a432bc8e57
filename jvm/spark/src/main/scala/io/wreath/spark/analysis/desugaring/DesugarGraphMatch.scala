package io.wreath.spark.analysis.desugaring

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{
  Resolver,
  Star,
  UnresolvedAlias,
  UnresolvedAttribute,
  UnresolvedFunction,
  UnresolvedStar
}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
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
 * Looks up the names of one GRAPH_TABLE and describes what it asks for, as a [[LogicalPattern]]: the
 * same for tables, of which [[PatternJoins]] makes joins, and for a stream, of which [[StreamingMatch]]
 * makes one.
 *
 * Over a property graph each vertex is an element too, a [[MatchVertex]] whose key is the end of an
 * edge: an edge to what is not in the vertex table matches nothing.
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
  private def patterns(part: MatchPart): Seq[MatchPart] = part +: patternsIn(part.expressions)

  private def patternsIn(expressions: Seq[Expression]): Seq[MatchPart] =
    expressions.flatMap(_.collect { case e: PatternExists => e.part }).flatMap(patterns)

  private val needs: ScanNeeds = {
    val all = clause.parts.flatMap(patterns) ++ patternsIn(clause.columns.getOrElse(Nil))
    val isUndirected =
      all.exists(_.edges.exists(_.direction == EdgeDirection.Either))
    ScanNeeds(
      // The structs of a motif have the columns of an edge in their order.
      ends = isUndirected || clause.structs.isDefined,
      // Over a stream the join itself tells edges apart.
      row = !m.isStreaming && all.exists(_.mode == MatchMode.DifferentEdges),
      renamed = PatternJoins.isOneNode(m) || isUndirected || clause.structs.isDefined ||
        all.size > clause.parts.size)
  }

  private lazy val first = desugar(clause.parts.head, PatternScope.empty)

  def pattern: LogicalPattern = CurrentOrigin.withOrigin(clause.origin) {
    val start = searched(first)
    val (steps, scope) = clause.parts.tail.foldLeft(start) { case ((before, known), part) =>
      val (step, added) = optional(known, part)
      (before :+ step, known.followedBy(added, resolver))
    }
    val names = namesOf(scope)
    names.checkHint(clause.origin, m.hints.order)
    val (marks, items) = markAll(scope, clause.columns.getOrElse(Nil))
    LogicalPattern(
      first.rows,
      steps ++ marks,
      Some(columns(scope.userNames, items, names)))
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
      outer,
      at => m.parameters(clause.markers.indexOf(at)),
      resolver)

  /**
   * The searches of a pattern, with its conditions: each as soon as what it speaks of is there.
   *
   * @return what is known then, too, in the order of the text
   */
  private def searched(pattern: DesugarPattern): (Seq[PatternStep], PatternScope) = {
    val (steps, scope, left) =
      withSearches(pattern, pattern.conditions.flatMap(Conjunction.conjuncts))
    (steps ++ where(scope, left), scope)
  }

  /** The same, and conditions that speak of something else, or of patterns, are left. */
  private def withSearches(
      pattern: DesugarPattern,
      conditions: Seq[Expression]): (Seq[PatternStep], PatternScope, Seq[Expression]) = {
    val steps = mutable.ArrayBuffer.empty[PatternStep]
    var scope = pattern.scope
    var left = conditions
    def fulfil(): Unit = {
      val (now, later) = left.partition { c =>
        !c.exists(_.isInstanceOf[PatternExists]) && c.collect { case a: UnresolvedAttribute =>
          a.nameParts.head
        }.forall(scope.knows(_, resolver))
      }
      steps ++= where(scope, now)
      left = later
    }
    if (pattern.searches.nonEmpty) {
      fulfil()
      pattern.searches.foreach { s =>
        val search = new DesugarSearch(
          s,
          scope,
          source,
          needs,
          isOrderRead(s.path),
          at => m.parameters(clause.markers.indexOf(at)),
          resolver)
        steps ++= search.result
        scope = search.scope
        steps ++= Conjunction
          .of(search.labelled(pattern.found))
          .map(PatternStep.Where(_))
        fulfil()
      }
      scope = scope.copy(vertices = scope.vertices.sortBy { case (n, _) =>
        mentionsOf(pattern.whole).indexWhere(resolver(_, n))
      })
    }
    (steps.toSeq, scope, left)
  }

  /** Names of vertices in the order of the text. */
  private def mentionsOf(part: MatchPart): Seq[String] = {
    val all = part.paths.flatMap(_.vertices) ++
      part.searches.flatMap(s => (s.start +: s.body.vertices) :+ s.end)
    all.sortBy(_.origin.startIndex.getOrElse(0)).flatMap(_.name)
  }

  /** Whether anybody asks which vertices or edges a path has. */
  private def isOrderRead(path: SearchedPath): Boolean = {
    val inside = path.body.vertices.flatMap(_.name) ++ path.edges.flatMap(_.name)
    val all = clause.parts.flatMap(patterns).flatMap { p =>
      p.where.toSeq ++ p.paths.flatMap(q =>
        q.vertices.flatMap(_.where) ++ q.edges.flatMap(_.where)) ++
        p.searches.filterNot(_.origin == path.origin).flatMap(_.expressions)
    } ++ clause.columns.getOrElse(Nil)
    val others = clause.parts.flatMap(patterns).flatMap { p =>
      p.paths.flatMap(_.vertices) ++ p.searches.filterNot(_.origin == path.origin).flatMap(_.ends)
    }.flatMap(_.name)
    def isAsked(e: Expression): Boolean = e match {
      case UnresolvedFunction(Seq(f), Seq(_: UnresolvedAttribute), _, _, _, _, _)
          if f.equalsIgnoreCase("PATH_LENGTH") || f.equalsIgnoreCase("PATH_COST") => false
      case a: UnresolvedAttribute =>
        (path.name.toSeq ++ inside).exists(resolver(_, a.nameParts.head))
      case star: UnresolvedStar => star.target.exists(t => inside.exists(resolver(_, t.head)))
      case other => other.children.exists(isAsked)
    }
    all.exists(isAsked) || inside.exists(n => others.exists(resolver(_, n))) ||
    (clause.columns.isEmpty && path.body.vertices.exists(_.name.isDefined))
  }

  /** Leaves the rows that fulfil all conditions. */
  private def where(scope: PatternScope, conditions: Seq[Expression]): Seq[PatternStep] = {
    val (tests, others) = conditions.flatMap(Conjunction.conjuncts).partition {
      case _: PatternExists | Not(_: PatternExists) => true
      case _ => false
    }
    val (marks, plain) = markAll(scope, others)
    val names = namesOf(scope)
    marks ++ Conjunction.of(plain.map(names.resolve)).map(PatternStep.Where(_)) ++
      tests.collect {
        case PatternExists(part) => exists(scope, part, isNegated = false)
        case Not(PatternExists(part)) => exists(scope, part, isNegated = true)
      }
  }

  /** EXISTS inside an expression is a column that says whether there is such a match. */
  private def markAll(
      scope: PatternScope,
      expressions: Seq[Expression]): (Seq[PatternStep], Seq[Expression]) = {
    val marks = mutable.ArrayBuffer.empty[PatternStep]
    val marked = expressions.map(_.transform { case PatternExists(part) =>
      val found = AttributeReference("exists", BooleanType, nullable = false)()
      val (other, on, _) = related(scope, desugar(part, scope))
      marks += PatternStep.Mark(other, on, found, part.origin)
      found
    })
    (marks.toSeq, marked)
  }

  private def exists(scope: PatternScope, part: MatchPart, isNegated: Boolean): PatternStep = {
    val (other, on, _) = related(scope, desugar(part, scope))
    PatternStep.Exists(other, on, isNegated, part.origin)
  }

  /** @return the variables that it adds, too */
  private def optional(known: PatternScope, part: MatchPart): (PatternStep, PatternScope) = {
    val (other, on, scope) = related(known, desugar(part, known))
    (PatternStep.Optional(other, on, part.origin), scope.mapColumns(_.withNullability(true)))
  }

  /**
   * Another pattern, and the condition under which one of its rows belongs to a row of the patterns
   * before it: shared variables are the same vertex.
   */
  private def related(
      outer: PatternScope,
      pattern: DesugarPattern): (LogicalPattern, Option[Expression], PatternScope) = {
    val (tests, others) = pattern.conditions
      .flatMap(Conjunction.conjuncts)
      .partition(_.exists(_.isInstanceOf[PatternExists]))
    val (searches, scope, left) =
      if (pattern.searches.isEmpty) (Nil, pattern.scope, others)
      else withSearches(pattern, others)
    val shared = for {
      (name, own) <- scope.vertices
      known <- outer.vertex(name, resolver)
    } yield known.form.compared(known.key, own.form, own.key)
      .map { case (l, r) => EqualTo(l, r) }
      .getOrElse(Literal.FalseLiteral)
    val names = namesOf(outer.followedBy(scope, resolver))
    val own = AttributeSet(pattern.rows.output ++ scope.columns)
    val (local, between) =
      left.map(names.resolve).partition(_.references.subsetOf(own))
    // A pattern inside this one may speak of this one's variables, where they are of this one's rows.
    val steps =
      Conjunction.of(local).map(PatternStep.Where(_)).toSeq ++ where(scope, tests)
    (LogicalPattern(pattern.rows, searches ++ steps), Conjunction.of(shared ++ between), scope)
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
      names.edge(element).map(ofEdge).getOrElse(names.vertex(clause.origin, element).properties)
    val fields = properties.flatMap { case (name, column) => Seq(Literal(name), column) }
    Alias(CreateNamedStruct(fields), element)()
  }

  /** Without columns of a stream that say what happens to an edge. */
  private def ofEdge(properties: Seq[(String, Attribute)]): Seq[(String, Attribute)] = {
    val streamed = first.rows match {
      case p: PatternElements =>
        AttributeSet(p.elements.filter(_.child.isStreaming).flatMap(_.output))
      case _ => AttributeSet.empty
    }
    properties.filterNot { case (name, column) =>
      streamed.contains(column) && StreamingMatch.isHidden(name, resolver)
    }
  }

  private def columnsOf(item: Expression, names: PatternNames): Seq[NamedExpression] =
    item match {
      case star @ UnresolvedStar(Some(Seq(name))) =>
        names
          .edge(name)
          .map(ofEdge)
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
    case other => UnresolvedAlias(names.resolveNamed(other))
  }

  private def columnValue(e: Expression, names: PatternNames): Expression = e match {
    case UnresolvedAttribute(Seq(name)) if names.edge(name).isEmpty =>
      val v = names.vertex(e.origin, name)
      v.form.visible(v.key)
    case _ => names.resolve(e)
  }
}
