package io.wreath.spark.execution

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.wreath.kernel.csr.CsrGraph
import io.wreath.kernel.join.{Domain, JoinProgram}
import io.wreath.pattern._
import io.wreath.spark.index.JoinSpace

/**
 * What a join is going to do, decided on the driver once its indexes are there.
 *
 * @param asked predicates that the join asks as soon as their variables are bound
 * @param again predicates of single edges that are asked of each parallel row once more
 * @param apart edges, by number, of which each parallel row is a row of its own
 */
final private[execution] class PreparedJoin(
    val input: JoinInput,
    val program: JoinProgram,
    val asked: Seq[Expression],
    val again: Seq[Expression],
    val apart: Seq[Int])

/**
 * Sorts the conditions of a join into those that are settled before it starts and those that it
 * asks, and fixes the order of its variables.
 *
 *  1. Conditions on one vertex become ranges and bits of codes ([[VariableDomains]]).
 *  1. Conditions on one edge become lists of the edges that pass ([[EdgeFilters]]), if the join
 *     would read more list elements than there are edges to ask. A join that starts at a few
 *     vertices asks the edges that it meets.
 *  1. The others are asked as soon as the variables they read are bound.
 *
 * @param output what is read of a row; None where rows are only counted
 * @param order variables that the user wants bound first
 */
final private[execution] class JoinPreparation(
    elements: JoinElements,
    carried: Either[JoinSpace, Broadcast[JoinSpace]],
    comparisons: Seq[Comparison],
    output: Option[Seq[Attribute]],
    order: Seq[Int]) {

  private val space = carried.fold(identity, _.value)

  def prepare(predicates: Seq[Expression]): PreparedJoin = {
    val (domains, others) = new VariableDomains(elements, space).of(predicates)
    val (onEdges, between) = others.partition(edgeOf(_).isDefined)
    val unfiltered = plan(domains, Map.empty, others, Nil)
    if (onEdges.isEmpty || !worthFiltering(unfiltered, onEdges, domains)) unfiltered
    else {
      val filters = onEdges.groupBy(edgeOf(_).get).map { case (atom, conditions) =>
        atom -> EdgeFilters.of(atom, conditions, elements, space)
      }
      plan(domains, filters, between, onEdges)
    }
  }

  /** The edge that a condition is about, if it is about one and nothing else. */
  private def edgeOf(e: Expression): Option[Int] = elements.atomsRead(e) match {
    case Seq(atom)
        if elements.atoms(atom).isEdge &&
          elements.variablesRead(e).forall(elements.atoms(atom).variables.contains) =>
      Some(atom)
    case _ => None
  }

  private def worthFiltering(
      join: PreparedJoin,
      conditions: Seq[Expression],
      domains: Array[Domain]): Boolean = {
    val edges =
      conditions.map(edgeOf(_).get).distinct.map(a =>
        space.relation(elements.relationOf(a)).rowCount)
    val cost = VariableOrderPlanner.cost(
      join.program.pattern,
      PatternStatistics.of(join.input.graphs),
      join.program.order,
      fractions(domains))
    cost > edges.sum
  }

  private def fractions(domains: Array[Domain]): IndexedSeq[Double] =
    domains.map(_.fraction).toIndexedSeq

  private def plan(
      domains: Array[Domain],
      filters: Map[Int, EdgeFilter],
      asked: Seq[Expression],
      settled: Seq[Expression]): PreparedJoin = {
    val read = atomsRead(asked, output)
    val apart = elements.atoms.indices.filter(a => elements.atoms(a).isEdge && read(a))
    // Parallel rows of an edge that is told apart are asked one by one, whether it is filtered or not.
    val again = (asked ++ settled.filter(c => apart.contains(edgeOf(c).get)))
      .filter(elements.atomsRead(_).exists(elements.atoms(_).isEdge))
    val edges = elements.atoms.indices.filter(elements.atoms(_).isEdge)
    def listsOf(atom: Int): (Int, Option[EdgeFilter]) =
      (elements.relationOf(atom), filters.get(atom))
    val lists = edges.map(listsOf).distinct
    val input = new JoinInput(carried, domains, lists)
    val pattern = GraphPattern(
      elements.variables.size,
      edges.map { a =>
        PatternEdge(
          elements.atoms(a).variables(0),
          elements.atoms(a).variables(1),
          lists.indexOf(listsOf(a)),
          apart.contains(a))
      },
      comparisons.toIndexedSeq)
    new PreparedJoin(input, compile(pattern, input.graphs, domains), asked, again, apart)
  }

  /** By element, whether something that is decided row by row reads it. */
  private def atomsRead(asked: Seq[Expression], output: Option[Seq[Attribute]]): Set[Int] =
    (asked ++ output.getOrElse(Nil)).flatMap(elements.atomsRead).toSet

  private def compile(
      pattern: GraphPattern,
      graphs: Array[CsrGraph],
      domains: Array[Domain]): JoinProgram = {
    val chosen = VariableOrderPlanner.choose(
      pattern,
      PatternStatistics.of(graphs),
      order.toIndexedSeq,
      fractions(domains))
    JoinProgram.compile(pattern, chosen)
  }
}
