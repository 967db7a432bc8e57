package io.wreath.kernel.count

import scala.collection.mutable
import scala.runtime.ScalaRunTime

import io.wreath.pattern.{PatternStatistics, RelationStatistics}

/**
 * Estimates what sums cost, in list elements: over all vertices that are held, the elements that are
 * walked, from the moments of degrees. A vector has as many codes as walks end in different places if they
 * end anywhere with equal chance.
 *
 * @param fractions by domain, which part of its codes it has
 * @param below where codes descend with the degrees
 */
final private[count] class SumCost(
    statistics: PatternStatistics,
    fractions: Int => Double,
    below: Option[BelowMoments])(implicit relations: IndexedSeq[RelationTraits]) {

  import SumCost._

  /** What has been estimated is looked up: the ways to make a sum differ in little. */
  private val known = mutable.HashMap.empty[Node, Double]

  /** What of several sums is made once costs once. */
  def of(sums: Iterable[HeldSum]): Double = beside(Nil)(sums)

  /** What sums and others cost together, again and again for the same ones. */
  def beside(first: Iterable[HeldSum]): Iterable[HeldSum] => Double = {
    val seen = nodes(first)
    val cost = estimated(seen)
    more => {
      val all = first.size + more.size
      val fresh = new Fresh(seen)
      visitAll(more, fresh)
      Element * (all * statistics.vertices.toDouble * PerVertex + cost + estimated(fresh.nodes))
    }
  }

  private def estimated(nodes: Iterable[Node]): Double =
    nodes.foldLeft(0.0)((sum, n) => sum + known.getOrElseUpdate(n, costOf(n)))

  /** How many factors have to be made or found. */
  def factors(sums: Iterable[HeldSum]): Int = nodes(sums)
    .flatMap(_.what match {
      case f @ (_: Along | _: Pairwise | _: Looped | _: Passed) => Seq(f)
      case e: EdgeFactor => e.closings.distinct.map((e.lists.head, _))
      case _ => Nil
    })
    .size

  /** The bytes of the factors, which tasks share, and of the vectors of one task. */
  def bytes(sums: Iterable[HeldSum]): Long = {
    val vertices = statistics.vertices.toDouble
    val byGroup = if (sums.exists(_.groups.isDefined)) 50.0 * vertices else 0.0
    byGroup.toLong + nodes(sums).iterator
      .map(_.what match {
        case _: Reached => 12.0 * vertices
        // Half of the lists once more, three numbers a vertex, and bits for each two of a longest list: no
        // list is longer than the root of all edges.
        case p: Pairwise => 3.0 * length(p.lists).edges.toDouble + 28.0 * vertices
        case _: VertexFactor => 8.0 * vertices
        case e: EdgeFactor if weighing(e) > 1.0 || e.lists.sizeIs > 1 || e.order != 0 =>
          16.0 * edges(e)
        case _ => 0.0
      })
      .sum
      .toLong
  }

  /** Of some totals under held vertices, by depth but the first the vectors that they are of. */
  def cheapest(totals: Vector[Total], reached: Vector[Reached]): Option[Total] =
    totals.minByOption { t =>
      val fresh = new Fresh(Set.empty)
      visit(t, reached, fresh)
      estimated(fresh.nodes)
    }

  private def nodes(sums: Iterable[HeldSum]): collection.Set[Node] = {
    val fresh = new Fresh(Set.empty)
    visitAll(sums, fresh)
    fresh.nodes
  }

  private def visitAll(sums: Iterable[HeldSum], seen: Fresh): Unit = sums.foreach { s =>
    s.held.foreach(visit(_, Vector.empty, seen))
    s.all.foreach(visit(_, Vector.empty, seen))
  }

  /** All that has to be made, each once for the same held vertices. */
  private def visit(what: Any, by: Vector[Reached], seen: Fresh): Unit = {
    val depends = what match {
      case v: Reached => by.take(v.depth)
      case _: Total => by
      case _ => Vector.empty
    }
    if (seen.add(Node(what, depends))) {
      what match {
        case Along(edge, of) =>
          visit(edge, by, seen)
          of.foreach(visit(_, by, seen))
        case Closing(from, back, of) =>
          visit(from, by, seen)
          visit(back, by, seen)
          of.foreach(visit(_, by, seen))
        case Pairwise(_, _, within) => within.foreach(visit(_, by, seen))
        case e: EdgeFactor => e.closings.foreach(visit(_, by, seen))
        case Row(edge, _, _) => visit(edge, by, seen)
        case Pushed(from, edge, _) =>
          visit(from, by, seen)
          visit(edge, by, seen)
        case Product(of, factors) =>
          of.foreach(visit(_, by, seen))
          factors.foreach(visit(_, by, seen))
        case Among(v) => visit(v, by, seen)
        case Passing(of, _, _) => visit(of, by, seen)
        case Gathered(at, edge, of) =>
          visit(at, by, seen)
          visit(edge, by, seen)
          visit(of, by, seen)
        case Beside(lead, terms) =>
          visit(lead, by, seen)
          terms.foreach { t =>
            visit(t.from, by, seen)
            visit(t.edge, by, seen)
          }
        // The last product is summed up as it is made.
        case Sum(Product(of, factors)) =>
          of.foreach(visit(_, by, seen))
          factors.foreach(visit(_, by, seen))
        case Sum(of) => visit(of, by, seen)
        case Joined(from, edge, to) =>
          visit(from, by, seen)
          visit(edge, by, seen)
          visit(to, by, seen)
        case Compared(less, than) =>
          visit(less, by, seen)
          visit(than, by, seen)
        case Held(_, of, totals) =>
          visit(of, by, seen)
          totals.foreach(visit(_, by :+ of, seen))
        case _ =>
      }
    }
  }

  private def costOf(node: Node): Double = {
    val by = node.by
    node.what match {
      case Along(edge, _) => edges(edge)
      case Pairwise(_, lists, _) =>
        val once = length(lists)
        Choosing * below.fold(once.edges * once.reachedLength(true, false) / 2)(_.closings)
      case Closing(from, back, _) =>
        val isMirrored =
          from == back && back.lists.forall(l => relations(l.relation).isSymmetric)
        if (isMirrored && below.isDefined && back.lists.size == 1) below.get.closings
        else edges(from) * reached(back, Some(from)) / (if (isMirrored) 2 else 1)
      case e: EdgeFactor
          if e.lists.map(l => (l.relation, l.forward)).distinct.size > 1 || e.order != 0 =>
        e.lists.map(l => length(l).edges.toDouble).sum
      case r: Row => made(by) * size(r, by)
      case p: Pushed =>
        made(by) * Scatter * weighing(p.edge) * walked(p.from, p.edge, p.bounds, by)
      case p: Product => made(by) * p.of.map(size(_, by)).min
      case Among(v) => made(by) * size(v, by)
      case Passing(of, _, _) => made(by) * Asking * size(of, by)
      case Gathered(at, edge, of) =>
        made(by) * Gather * weighing(edge) * walked(at, edge, boundsOf(of), by)
      case Beside(l, _) => made(by) * Riding * walked(l.from, l.edge, l.bounds, by)
      case Sum(Product(of, _)) => made(by) * of.map(size(_, by)).min
      case Sum(of) => made(by) * size(of, by)
      case Joined(from, edge, to) =>
        made(by) * Gather * weighing(edge) * walked(from, edge, boundsOf(to), by)
      case Compared(less, than) => made(by) * Sorting * (size(less, by) + size(than, by))
      case Held(_, of, _) => made(by) * PerVertex * size(of, by)
      case _ => 0.0
    }
  }

  /** How often some vertices are held, all together. */
  private def made(by: Vector[Reached]): Double =
    by.indices.map(d => size(by(d), by.take(d))).foldLeft(holdable)(_ * _)

  /** Vertices with any list. */
  private lazy val holdable: Double =
    statistics.relations.map(r => Math.max(r.sources, r.targets).toDouble).maxOption
      .getOrElse(0.0)
      .max(1.0)

  /** Edges that have numbers of their own take longer to walk. */
  private def weighing(e: EdgeFactor): Double =
    if (e.closings.isEmpty && !e.lists.exists(_.weighs)) 1.0 else Weighing

  private def boundsOf(v: Reached): Bounds = v match {
    case r: Row => r.bounds
    case p: Pushed => p.bounds
    case p: Product => p.of.map(boundsOf).maxBy(_.size)
    case b: Beside => b.lead.bounds
    case Among(of) => boundsOf(of)
    case Passing(of, _, _) => boundsOf(of)
    case Gathered(at, _, _) => boundsOf(at)
  }

  private def length(l: Lists): RelationStatistics = statistics.relations(l.relation)

  private def edges(e: EdgeFactor): Double =
    e.lists.map(length(_).edges.toDouble).min / (if (e.order == 0) 1 else 2)

  /** The mean length of lists of vertices that were reached along other lists, or by any. */
  private def reached(e: EdgeFactor, by: Option[EdgeFactor]): Double = e.lists.map { l =>
    by.flatMap(_.lists.find(_.relation == l.relation)) match {
      case Some(b) => length(l).reachedLength(l.forward, b.forward)
      case None => length(l).meanLength(l.forward)
    }
  }.min / (if (e.order == 0) 1 else 2)

  private def lastEdge(v: Reached): Option[EdgeFactor] = v match {
    case Row(edge, _, _) => Some(edge)
    case Pushed(_, edge, _) => Some(edge)
    case Product(of, _) => of.headOption.flatMap(lastEdge)
    case Beside(lead, _) => Some(lead.edge)
    case Among(of) => lastEdge(of)
    case Passing(of, _, _) => lastEdge(of)
    case Gathered(at, _, _) => lastEdge(at)
  }

  /** Elements of lists that are walked from the codes of a vector. */
  private def walked(from: Reached, edge: EdgeFactor, to: Bounds, by: Vector[Reached]): Double = {
    val codes = size(from, by)
    val far = reached(edge, lastEdge(from))
    val (step, most) = below match {
      case Some(m) if to.size > 0 && boundsOf(from).size > 0 && m.steps > 0 =>
        (m.twoSteps / m.steps, edges(edge) / 2)
      case _ => (far * part(to), edges(edge))
    }
    codes + Math.min(codes * step, most)
  }

  private def part(bounds: Bounds): Double = Math.pow(0.5, bounds.size.toDouble)

  /** How many codes a vector has, for the same held vertices. */
  private def size(v: Reached, by: Vector[Reached]): Double = v match {
    case Row(edge, 0, bounds) =>
      if (bounds.size == 0) edges(edge) / holdable
      else below.fold(edges(edge) * part(bounds))(_.steps) / holdable
    case Row(edge, of, bounds) =>
      below match {
        case Some(m) if bounds.after.nonEmpty && m.steps > 0 =>
          m.twoSteps / m.steps / (if (bounds.after.contains(of)) 2 else 1)
        case _ => reached(edge, lastEdge(by(of - 1))) * part(bounds)
      }
    case Pushed(from, edge, bounds) =>
      val places = statistics.vertices.max(1L).toDouble
      places * -Math.expm1(-walked(from, edge, bounds, by) / places)
    case Product(of, factors) =>
      val sizes = of.map(size(_, by))
      // Lists of two vertices have few codes in common.
      val rows = of.collect { case r: Row => size(r, by) }.sorted.drop(1)
      sizes.min * rows.map(s => Math.min(1.0, s / holdable * Closeness)).product *
        factors.collect { case Within(d) => fractions(d) }.product
    case Beside(lead, _) => size(lead, by)
    case Among(of) => size(of, by)
    case Passing(of, _, _) => size(of, by)
    case Gathered(at, _, _) => size(at, by)
  }
}

private object SumCost {

  /** @param by the vectors that those held vertices are of that matter to it */
  final private case class Node(what: Any, by: Vector[Reached]) {
    override lazy val hashCode: Int = ScalaRunTime._hashCode(this)
  }

  /** What has to be made, but for what is made already. */
  final private class Fresh(made: collection.Set[Node]) {
    val nodes: mutable.LinkedHashSet[Node] = mutable.LinkedHashSet.empty

    def add(n: Node): Boolean = !made(n) && nodes.add(n)
  }

  /** What an element costs here, in elements of a join, which looks at many of them at once: measured. */
  final private val Element = 3.0

  /** To add to a number somewhere costs more than to read it in order. */
  final private val Scatter = 2.0
  final private val Gather = 1.5
  final private val Weighing = 1.3

  /** To ask a condition of Spark's: a guess. */
  final private val Asking = 10.0

  /** To go through codes in their order. */
  final private val Sorting = 8.0

  /** To add another number on the same walk. */
  final private val Riding = 1.0

  /** Of each list that is read to find who is joined, about as much is done again to choose among them. */
  final private val Choosing = 4.0

  /** To hold a vertex still, whatever follows. */
  final private val PerVertex = 2.0

  /** Neighbours have more neighbours in common than any two vertices. */
  final private val Closeness = 10.0
}
