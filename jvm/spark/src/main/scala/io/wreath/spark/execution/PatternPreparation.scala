package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{Domain, JoinProgram, JoinTuning, TechniqueChoice, Use}
import io.wreath.pattern._
import io.wreath.spark.index.{EdgeFilter, EdgeLists}
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
 *  1. Where conditions leave few vertices of a variable, its edges read lists that have no others, if the join
 *     would read many more elements than it takes to make them. What is counted by elimination reads none.
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
  import PatternPreparation.Planned

  private val look = Cancellation.look()

  /** What is returned of a row, or of a group. */
  private def read: Seq[Expression] = pattern.values

  /** What is read, and what is done with it. */
  def prepare(): (PatternInput, PreparedPattern) = {
    val (domains, others) = new VariableDomains(elements).of(pattern.predicates)
    val (onEdges, between) = others.partition(edgeOf(_).isDefined)
    val unfiltered = plan(domains, Map.empty, others, Nil)
    if (onEdges.isEmpty || !worthFiltering(unfiltered, onEdges)) {
      counted(unfiltered, plan(domains, Map.empty, others, Nil, confines = true), others)
    } else {
      val filters = onEdges.groupBy(edgeOf(_).get).map { case (atom, conditions) =>
        atom -> edgeFilters.of(atom, conditions, elements)
      }
      counted(
        plan(domains, filters, between, onEdges),
        plan(domains, filters, between, onEdges, confines = true),
        others)
    }
  }

  /** Decides how matches are counted; what binds variables does so over confined lists where that is worth it. */
  private def counted(
      whole: Planned,
      confining: => Planned,
      conditions: Seq[Expression]): (PatternInput, PreparedPattern) = {
    val planned = confined(whole, confining)
    if (!isCounted) (planned.input, countingIn(planned.join, planned.input))
    else {
      val sums =
        new CountedPattern(elements, pattern, whole.domains, conditions, read, edgeFilters)
      val choice =
        CountingChoice.of(settings.counting, sums, groupVariables, hasRoom, costOf(planned))
      choice.elimination match {
        // Sums are over the codes that they need.
        case Some(e) => (sums.input.eliminated(e), whole.join.copy(counting = choice))
        case None =>
          (planned.input, countingIn(planned.join, planned.input).copy(counting = choice))
      }
    }
  }

  /** The plan over lists that are confined to the vertices that are left, where it is worth to make them. */
  private def confined(whole: Planned, confining: => Planned): Planned = {
    import whole.domains
    val use = tuning.confinedLists
    // What is bound first is not read from a list.
    def isRead(v: Int): Boolean = use == Use.Always || whole.join.order.head != v
    val mayBe = use != Use.Never && !settings.isLeapfrog &&
      domains.indices.exists(v => isNarrow(domains(v)) && isRead(v))
    if (!mayBe) whole
    else {
      val (cost, making) = (costOf(whole), costToConfine(domains))
      val isLarge = cost > PatternPreparation.LeastToConfine &&
        cost > PatternPreparation.ConfiningGain * making
      lazy val within = confining
      if (use == Use.Always || (isLarge && costOf(within) + making < cost)) within else whole
    }
  }

  /** What it takes to make confined lists: their edges, and a step for each vertex. */
  private def costToConfine(domains: Array[Domain]): Double =
    elements.atoms.indices.filter(elements.atoms(_).isEdge).map { a =>
      val left = elements.atoms(a).variables.map(domains).filter(isNarrow).map(_.fraction)
      if (left.isEmpty) 0.0
      else left.min * elements.index(a).rowCount + 2.0 * elements.lists(a).forward.vertexCount
    }.sum

  /** Whether conditions leave few vertices, so that most of a list is read in vain. */
  private def isNarrow(d: Domain): Boolean =
    d.bits != null && (tuning.confinedLists == Use.Always || d.fraction < PatternPreparation.Narrow)

  private def tuning: JoinTuning = JoinTuning.named(settings.technique)

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

  private def worthFiltering(planned: Planned, conditions: Seq[Expression]): Boolean = {
    val edges =
      conditions.map(edgeOf(_).get).distinct.map(a =>
        elements.index(a).rowCount)
    val cost = VariableOrderPlanner.cost(
      planned.join.program.pattern,
      PatternStatistics.of(planned.input.graphs, look),
      planned.join.program.order,
      fractions(planned.domains))
    cost > edges.sum
  }

  private def fractions(domains: Array[Domain]): IndexedSeq[Double] =
    domains.map(_.fraction).toIndexedSeq

  /** @param confines whether lists are made that have only the vertices that conditions leave of narrow variables */
  private def plan(
      conditioned: Array[Domain],
      filters: Map[Int, EdgeFilter],
      boundPredicates: Seq[Expression],
      settled: Seq[Expression],
      confines: Boolean = false): Planned = {
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
    def hasEdge(v: Int): Boolean = edges.exists(elements.atoms(_).variables.contains(v))
    val confinedTo =
      conditioned.indices.filter(v => confines && isNarrow(conditioned(v)) && hasEdge(v))
    // Lists that have no others need not be asked for them.
    val domains = conditioned.zipWithIndex.map { case (d, v) =>
      if (confinedTo.contains(v)) new Domain(d.size, d.from, d.until, null) else d
    }
    def listsOf(atom: Int): EdgeLists = {
      val ends = elements.atoms(atom).variables.map { v =>
        if (confinedTo.contains(v)) conditioned(v).bits else null
      }
      EdgeLists(
        elements.relationOf(atom),
        elements.atoms(atom).isUndirected,
        filters.get(atom),
        ends(0),
        ends(1))
    }
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
    val isPlain = !hasPredicates && !repeats && filters.isEmpty && confinedTo.isEmpty &&
      isPlainNumber(asStored)
    val copies = if (isPlain) asStored.bytesByDegree else Nil
    val byDegree = isPlain && copies.forall(hasRoom.tupled) && OrderFreedom.of(compiled)
    val unbounded = if (byDegree) asStored.byDegree else asStored
    val (program, groupLevels) = compile(compiled, unbounded.graphs, domains, repeats)
    // The first variable is bound to its codes one by one: it is told which these are.
    val first = program.order.variables.head
    val input =
      if (confinedTo.contains(first)) unbounded.within(domains.updated(first, conditioned(first)))
      else unbounded
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
      TechniqueChoice.of(program, tuning),
      settings.isLeapfrog,
      confinedTo,
      CountingChoice.enumerate)
    Planned(input, join, domains)
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

  /** What it costs to bind the variables of a join: the list elements that are read, and rows that are counted. */
  private def costOf(planned: Planned): Double = {
    import planned.join
    val (p, order) = (join.program.pattern, join.program.order)
    val statistics = PatternStatistics.of(planned.input.graphs, look)
    val left = fractions(planned.domains)
    join.groupLevels match {
      case None if !isCounted => VariableOrderPlanner.cost(p, statistics, order, left)
      case None =>
        VariableOrderPlanner.cost(p, statistics, order, left) +
          PatternPreparation.CostOfRow * VariableOrderPlanner.bindings(p, statistics, order, left)
      case Some(levels) =>
        val counted = Counting(join.order.take(levels).toSet)
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

  /**
   * What is planned for a pattern that binds its variables.
   *
   * @param domains by which the order was chosen
   */
  final private case class Planned(
      input: PatternInput,
      join: PreparedPattern,
      domains: Array[Domain])

  /** Conditions that leave no more than this part of the vertices make lists shorter by enough. */
  private val Narrow = 0.25

  /** Lists are confined if the join would read so many times the elements that it takes. */
  private val ConfiningGain = 2.0

  /** Fewer list elements than this are read before a broadcast of the lists has begun. */
  private val LeastToConfine = 1e6

  /** What it costs to hand on a row and to aggregate it, in list elements. */
  private val CostOfRow = 10.0
}
