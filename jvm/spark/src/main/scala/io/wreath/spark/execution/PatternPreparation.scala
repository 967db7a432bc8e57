package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{Domain, JoinProgram, JoinTuning, TechniqueChoice}
import io.wreath.pattern._
import io.wreath.spark.logical.{JoinGoal, JoinPattern}

/**
 * Decides on the driver how one pattern of a join is matched: sorts its conditions into those that are
 * settled before the join starts and those that it asks, and fixes the order of its variables.
 *
 *  1. Conditions on one vertex become ranges and bits of codes ([[VariableDomains]]).
 *  1. Conditions on one edge become lists of the edges that pass ([[EdgeFilters]]), if the join
 *     would read more list elements than there are edges to ask. A join that starts at a few
 *     vertices asks the edges that it meets.
 *  1. The others are asked as soon as the variables they read are bound.
 *
 * @param pattern that is joined, over `elements`
 * @param goal what is asked of the join
 * @param edgeFilters those of all patterns of the join
 * @param hasRoom whether so many bytes may be kept beside the index of a relation
 * @param settings what the session says of joins
 */
final private[execution] class PatternPreparation(
    elements: PatternElements,
    pattern: JoinPattern,
    goal: JoinGoal,
    edgeFilters: EdgeFilters,
    hasRoom: (Int, Long) => Boolean,
    settings: JoinSettings) {

  private val look = Cancellation.look()

  /** What is returned of a row, or of a group. */
  private def read: Seq[Expression] = pattern.values

  /** What is read, and what is done with it. */
  def prepare(): (PatternInput, PreparedPattern) = {
    val (domains, others) = new VariableDomains(elements).of(pattern.predicates)
    val (onEdges, between) = others.partition(edgeOf(_).isDefined)
    val unfiltered = plan(domains, Map.empty, others, Nil)
    if (onEdges.isEmpty || !(worthFiltering _).tupled(unfiltered)(onEdges, domains)) unfiltered
    else {
      val filters = onEdges.groupBy(edgeOf(_).get).map { case (atom, conditions) =>
        atom -> edgeFilters.of(atom, conditions, elements)
      }
      plan(domains, filters, between, onEdges)
    }
  }

  /** The edge that a condition is about, if it is about one and nothing else. */
  private def edgeOf(e: Expression): Option[Int] = elements.atomsRead(e) match {
    case Seq(atom)
        if elements.atoms(atom).isEdge &&
          // Which end is the source may differ from row to row.
          !(elements.atoms(atom).isUndirected && elements.readsVariables(e)) &&
          elements.variablesRead(e).forall(elements.atoms(atom).variables.contains) =>
      Some(atom)
    case _ => None
  }

  private def worthFiltering(input: PatternInput, join: PreparedPattern)(
      conditions: Seq[Expression],
      domains: Array[Domain]): Boolean = {
    val edges =
      conditions.map(edgeOf(_).get).distinct.map(a =>
        elements.index(a).rowCount)
    val cost = VariableOrderPlanner.cost(
      join.program.pattern,
      PatternStatistics.of(input.graphs, look),
      join.program.order,
      fractions(domains))
    cost > edges.sum
  }

  private def fractions(domains: Array[Domain]): IndexedSeq[Double] =
    domains.map(_.fraction).toIndexedSeq

  private def plan(
      domains: Array[Domain],
      filters: Map[Int, EdgeFilter],
      boundPredicates: Seq[Expression],
      settled: Seq[Expression]): (PatternInput, PreparedPattern) = {
    // Edges that must be different rows are told apart where rows are parallel.
    val compared = EdgeChecks.onRows(elements).flatMap { case (i, j) => Seq(i, j) }
    val decisive = (boundPredicates ++ pattern.lastPredicates ++ read).flatMap(
      elements.atomsRead).toSet ++ compared
    val perRowEdges = elements.atoms.indices.filter(a => elements.atoms(a).isEdge && decisive(a))
    // Parallel rows of an edge that is told apart are asked one by one, whether it is filtered or not.
    val rowPredicates =
      (boundPredicates ++ settled.filter(c => perRowEdges.contains(edgeOf(c).get)))
        .filter(elements.atomsRead(_).exists(elements.atoms(_).isEdge))
    val edges = elements.atoms.indices.filter(elements.atoms(_).isEdge)
    def listsOf(atom: Int): EdgeLists =
      EdgeLists(
        elements.relationOf(atom),
        elements.atoms(atom).isUndirected,
        filters.get(atom))
    val lists = edges.map(listsOf).distinct
    val asStored = new PatternInput(elements, domains, lists)
    val compiled = GraphPattern(
      elements.variables.size,
      edges.map { a =>
        PatternEdge(
          elements.atoms(a).variables(0),
          elements.atoms(a).variables(1),
          lists.indexOf(listsOf(a)),
          perRowEdges.contains(a))
      },
      pattern.comparisons.toIndexedSeq)
    // Parallel rows that are only read belong to one group, or to rows that are counted alike.
    val asked = (boundPredicates ++ pattern.lastPredicates ++ rowPredicates).flatMap(
      elements.atomsRead).toSet ++ compared
    val parallel = perRowEdges.filter(elements.lists(_).hasDuplicates)
    val repeats =
      if (goal == JoinGoal.Rows) parallel.nonEmpty else parallel.exists(asked)
    val hasPredicates =
      boundPredicates.nonEmpty || pattern.lastPredicates.nonEmpty || EdgeChecks.isNeeded(elements)
    val isPlain = !hasPredicates && !repeats && filters.isEmpty && isPlainNumber(asStored)
    val copies = if (isPlain) asStored.bytesByDegree else Nil
    val byDegree = isPlain && copies.forall(hasRoom.tupled) && OrderFreedom.of(compiled)
    val input = if (byDegree) asStored.byDegree else asStored
    val (program, groupLevels) = compile(compiled, input.graphs, domains, repeats)
    val join = PreparedPattern(
      elements,
      goal,
      program,
      program.order.variables,
      boundPredicates,
      pattern.lastPredicates,
      rowPredicates,
      perRowEdges,
      groupLevels,
      pattern.values,
      TechniqueChoice.of(program, JoinTuning.named(settings.technique)),
      settings.isLeapfrog,
      CountingChoice.enumerate)
    if (!isCounted) (input, countingIn(join, input))
    else {
      val choice =
        if (hasPredicates) CountingChoice.declined("conditions read several elements")
        else if (repeats) CountingChoice.declined("parallel edges are told apart")
        else if (pattern.order.nonEmpty) CountingChoice.declined("its order is hinted")
        else {
          def mayOrder =
            (isNumber || groupVariables.size == 1) && asStored.bytesByDegree.forall(
              hasRoom.tupled)
          CountingChoice.of(
            settings.counting,
            compiled,
            asStored.graphs,
            domains,
            groupVariables,
            bytes => asStored.relations.forall(hasRoom(_, bytes)),
            mayOrder,
            costOf(input, join, domains))
        }
      choice.elimination match {
        // Sums are over the codes that they need.
        case Some(e) => (asStored.eliminated(e), join.copy(counting = choice))
        case None => (input, countingIn(join, input).copy(counting = choice))
      }
    }
  }

  /** The same, with a decision on how rows are counted that need not be bound. */
  private def countingIn(join: PreparedPattern, input: PatternInput): PreparedPattern =
    join.groupLevels match {
      case Some(levels) if join.isCount && !join.isLeapfrog =>
        val read = join.boundPredicates.map(elements.variablesRead) ++
          EdgeChecks.predicates(elements).map(_.variables)
        join.copy(techniques =
          join.techniques.counting(input.graphs, read.toIndexedSeq, input.domains, levels))
      case _ => join
    }

  /** What it costs to count a join by binding its variables. */
  private def costOf(
      input: PatternInput,
      join: PreparedPattern,
      domains: Array[Domain]): Double = {
    val (p, order) = (join.program.pattern, join.program.order)
    val statistics = PatternStatistics.of(input.graphs, look)
    val left = fractions(domains)
    join.groupLevels match {
      case None =>
        VariableOrderPlanner.cost(p, statistics, order, left) +
          PatternPreparation.CostOfRow * VariableOrderPlanner.bindings(p, statistics, order, left)
      case Some(_) =>
        val counted = Counting(groupVariables.toSet)
        VariableOrderPlanner.cost(p, statistics, order, left, Some(counted))
    }
  }

  /** The variables whose vertices are the groups, or have or join what the groups are of. */
  private def groupVariables: Seq[Int] = read.flatMap(elements.variablesRead).distinct

  /** Whether a number is asked for, or one for the vertices of variables. */
  private def isCounted: Boolean =
    isNumber || (goal.isInstanceOf[JoinGoal.Count] && groupVariables.nonEmpty)

  /** Whether a number is all that is asked for. */
  private def isNumber: Boolean = goal.isInstanceOf[JoinGoal.Count] && read.isEmpty

  /**
   * Whether all that is asked for is a number, of a graph that has each edge once and both ways. Where
   * any order of the vertices gives that number, they are taken by degree.
   */
  private def isPlainNumber(input: PatternInput): Boolean =
    isNumber && pattern.order.isEmpty &&
      input.domains.forall(_.isWhole) &&
      input.graphs.forall(g => g.isSymmetric(look) && !g.hasDuplicates && !g.hasSelfLoops(look))

  /**
   * Fixes the order. Where rows are counted by group, the group comes first, unless going through all
   * rows in the best order costs less.
   *
   * @param repeats whether parallel rows have to be gone through one by one
   */
  private def compile(
      edges: GraphPattern,
      graphs: Array[Relation],
      domains: Array[Domain],
      repeats: Boolean): (JoinProgram, Option[Int]) = {
    val statistics = PatternStatistics.of(graphs, look)
    val left = fractions(domains)
    val groups = read.flatMap(elements.variablesRead).toSet
    def choose(counting: Option[Counting]): VariableOrder =
      VariableOrderPlanner.choose(edges, statistics, pattern.order.toIndexedSeq, left, counting)
    def compiled(o: VariableOrder): JoinProgram =
      JoinProgram.compile(edges, o, graphs(_).isSymmetric)
    val byGroup = if (goal == JoinGoal.Rows || repeats || pattern.lastPredicates.nonEmpty) None
    else {
      val counting = Some(Counting(groups))
      Some(choose(counting))
        .filter(o => o.variables.take(groups.size).toSet == groups)
        .map(o => (o, VariableOrderPlanner.cost(edges, statistics, o, left, counting)))
    }
    byGroup match {
      case Some((o, _)) if groups.isEmpty => (compiled(o), Some(0))
      case Some((o, cost)) =>
        val free = choose(None)
        val ofRows = VariableOrderPlanner.cost(edges, statistics, free, left) +
          PatternPreparation.CostOfRow *
          VariableOrderPlanner.bindings(edges, statistics, free, left)
        if (cost <= ofRows) (compiled(o), Some(groups.size)) else (compiled(free), None)
      case None => (compiled(choose(None)), None)
    }
  }
}

private object PatternPreparation {

  /** What it costs to hand on a row and to aggregate it, in list elements. */
  private val CostOfRow = 10.0
}
