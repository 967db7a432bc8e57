package io.wreath.spark.execution

import scala.collection.mutable

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.Expression

import io.wreath.kernel.count.{CodeTest, MatchConditions}
import io.wreath.kernel.join.Domain
import io.wreath.kernel.lists.GallopingSearch
import io.wreath.pattern.{GraphPattern, PatternEdge}
import io.wreath.spark.index.{EdgeFilter, EdgeLists}
import io.wreath.spark.logical.JoinPattern

/**
 * A pattern as it is counted without binding its variables: what its matches have to fulfil, as sums know it.
 * {{{
 *   a condition on one edge and its ends       lists of the edges that pass
 *   on vertices, or on edges of one row each   asked of codes, of which all but one are held
 *   edges that must be different rows          as they are: MatchConditions says it
 *   EXISTS { (a)->(b) }, NOT EXISTS            an edge that does not multiply, or one that must not be there
 * }}}
 *
 * @param elements of the pattern
 * @param domains by variable, what conditions on it alone leave
 * @param conditions all others
 * @param read what is returned of a group
 */
final private[execution] class CountedPattern(
    elements: PatternElements,
    pattern: JoinPattern,
    domains: Array[Domain],
    conditions: Seq[Expression],
    read: Seq[Expression],
    edgeFilters: EdgeFilters) {

  private val edges = elements.atoms.indices.filter(elements.atoms(_).isEdge)

  /** Edges of which each parallel row has the number of its group. */
  private val ofGroups = read.flatMap(elements.atomsRead).filter(elements.atoms(_).isEdge).toSet

  private val (onEdges, between) = conditions.partition(edgeOf(_).isDefined)

  private val differing: Seq[(Int, Int)] =
    EdgeChecks.onRows(elements) ++ EdgeChecks.onCodes(elements)

  /** Why it cannot be counted so, if it cannot. */
  def declines: Option[String] = {
    def isParallel(atom: Int): Boolean = elements.lists(atom).hasDuplicates
    val asked = between.flatMap(elements.atomsRead).filter(elements.atoms(_).isEdge)
    val filtered = onEdges.flatMap(edgeOf).filter(ofGroups)
    if (pattern.lastPredicates.nonEmpty) Some("a condition may raise an error")
    else if (pattern.order.nonEmpty) Some("its order is hinted")
    else if ((asked ++ filtered).exists(isParallel) ||
      differing.exists { case (i, j) => ofGroups(i) || ofGroups(j) })
      Some("parallel edges are told apart")
    else None
  }

  /** How many edges have to be asked before it is known what it costs. */
  def edgesToAsk: Long = onEdges.flatMap(edgeOf).distinct.map(elements.index(_).rowCount).sum

  /** The edge that a condition is about, if it reads nothing else but vertices at its ends. */
  private def edgeOf(e: Expression): Option[Int] = {
    val variables = elements.variablesRead(e)
    val (edgesRead, vertices) = elements.atomsRead(e).partition(elements.atoms(_).isEdge)
    def isWithin(a: Int): Boolean = variables.forall(elements.atoms(a).variables.contains)
    // Which end of an edge is the source may differ from row to row.
    def readsEnds: Boolean = vertices.nonEmpty || elements.readsVariables(e)
    edgesRead match {
      case Seq() => edges.find(a => !elements.atoms(a).isUndirected && isWithin(a))
      case Seq(a) if !(elements.atoms(a).isUndirected && readsEnds) && isWithin(a) => Some(a)
      case _ => None
    }
  }

  private lazy val filters: Map[Int, EdgeFilter] =
    onEdges.groupBy(edgeOf(_).get).map { case (a, asked) =>
      a -> edgeFilters.of(a, asked, elements)
    }

  private def listsOf(atom: Int): EdgeLists =
    EdgeLists(elements.relationOf(atom), elements.atoms(atom).isUndirected, filters.get(atom))

  private val tests: Seq[(Int, Boolean)] =
    elements.atoms.zipWithIndex.flatMap { case (a, i) => a.test.map((i, _)) }

  private lazy val lists: mutable.ArrayBuffer[EdgeLists] =
    mutable.ArrayBuffer.from((edges ++ tests.map(_._1)).map(listsOf).distinct)

  private def edge(atom: Int, matchesOnce: Boolean): PatternEdge = {
    val Seq(source, target) = elements.atoms(atom).variables: @unchecked
    PatternEdge(source, target, lists.indexOf(listsOf(atom)), matchesOnce)
  }

  /** What is summed over. */
  lazy val compiled: GraphPattern = GraphPattern(
    elements.variables.size,
    edges.map(a => edge(a, ofGroups(a))) ++ tests.collect { case (a, true) => edge(a, true) },
    pattern.comparisons.toIndexedSeq)

  /** What else is asked. */
  lazy val asked: MatchConditions = {
    val pairs = differing.map { case (i, j) => (edges.indexOf(i), edges.indexOf(j)) }
    val both = pairs.flatMap { case (i, j) => Seq(i, j) }.map(compiled.edges(_).relation).distinct
    MatchConditions(
      pairs,
      common(both),
      lists.indices.filter(lists(_).isUndirected).toSet,
      tests.collect { case (a, false) => edge(a, true) },
      between.map(elements.variablesRead(_)))
  }

  /** Of some relations, and of what is common to them, each two over one table: what is common to these. */
  private def common(relations: Seq[Int]): Map[(Int, Int), Int] = {
    val found = mutable.Map.empty[(Int, Int), Int]
    val made = mutable.Map.empty[(EdgeFilter, EdgeFilter), EdgeFilter]
    def rowsOfBoth(f: EdgeFilter, g: EdgeFilter): EdgeFilter = {
      val rows = f.rows.indices.map(w => f.rows(w) & g.rows(w)).toArray
      // Once for the same rows, whatever they are common to.
      lists.flatMap(_.filter)
        .find(known => known.relation == f.relation && java.util.Arrays.equals(known.rows, rows))
        .getOrElse(new EdgeFilter(f.relation, rows))
    }
    val all = mutable.ArrayBuffer.from(relations)
    var next = 0
    while (next < all.size) {
      for (other <- all.take(next + 1).toSeq) {
        val (a, b) = (lists(all(next)), lists(other))
        if (a.relation == b.relation) {
          val filter = (a.filter, b.filter) match {
            case (Some(f), Some(g)) if f ne g =>
              Some(made.getOrElseUpdate((f, g), rowsOfBoth(f, g)))
            case (f, g) => f.orElse(g)
          }
          val wanted = EdgeLists(a.relation, a.isUndirected && b.isUndirected, filter)
          if (!lists.contains(wanted)) lists += wanted
          val at = lists.indexOf(wanted)
          if (!all.contains(at)) all += at
          found((all(next), other)) = at
          found((other, all(next))) = at
        }
      }
      next += 1
    }
    found.toMap
  }

  /** What is read. */
  lazy val input: PatternInput = {
    // What is common to relations is read, too.
    asked
    new PatternInput(elements, domains, lists.toSeq, conditions = between)
  }
}

/**
 * A condition as sums ask it: on codes of the variables that it reads. Not thread-safe.
 *
 * @param domains by variable
 * @param stored by code, the one that the index has in its place; null where they are the same
 */
final private[execution] class ElementTest(
    condition: Expression,
    elements: PatternElements,
    domains: Array[Domain],
    stored: Array[Int])
    extends CodeTest {
  private[this] val predicate =
    new ElementPredicate(condition, elements, TaskContext.getPartitionId())
  private[this] val variables = elements.variablesRead(condition).toArray
  private[this] val edges =
    elements.atomsRead(condition).map(elements.atoms(_)).filter(_.isEdge).toArray
  private[this] val lists = elements
    .atomsRead(condition)
    .filter(elements.atoms(_).isEdge)
    .map(elements.lists(_).forward)
    .toArray
  private[this] val binding = new Array[Int](elements.variables.size)

  override def accepts(codes: Array[Int]): Boolean = {
    var ok = true
    var i = 0
    while (ok && i < codes.length) {
      // Vertices outside have no row.
      ok = domains(variables(i)).has(codes(i))
      binding(variables(i)) = if (stored == null) codes(i) else stored(codes(i))
      i += 1
    }
    ok && areThere && predicate.accepts(binding)
  }

  private def areThere: Boolean = {
    var i = 0
    while (i < edges.length && isThere(i)) i += 1
    i == edges.length
  }

  private def isThere(edge: Int): Boolean = {
    val s = binding(edges(edge).variables(0))
    val l = lists(edge)
    val t = binding(edges(edge).variables(1))
    GallopingSearch.find(l.array(s), l.from(s), l.until(s), t) >= 0
  }
}
