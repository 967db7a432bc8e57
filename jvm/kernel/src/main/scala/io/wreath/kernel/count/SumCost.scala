package io.wreath.kernel.count

import scala.collection.mutable

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

  /** What of several sums is made once costs once. */
  def of(sums: Iterable[HeldSum]): Double = {
    val seen = nodes(sums)
    Element *
      (sums.size * statistics.vertices.toDouble * PerVertex + seen.iterator.map(costOf).sum)
  }

  /** The bytes of the factors, which tasks share, and of the vectors of one task. */
  def bytes(sums: Iterable[HeldSum]): Long = {
    val vertices = statistics.vertices.toDouble
    nodes(sums).iterator
      .map {
        case _: Reached => 12.0 * vertices
        case _: VertexFactor => 8.0 * vertices
        case e: EdgeFactor if weighing(e) > 1.0 || e.lists.sizeIs > 1 => 16.0 * edges(e)
        case _ => 0.0
      }
      .sum
      .toLong
  }

  private def nodes(sums: Iterable[HeldSum]): mutable.LinkedHashSet[Any] = {
    val seen = mutable.LinkedHashSet.empty[Any]
    sums.foreach { s =>
      s.held.foreach(visit(_, seen))
      s.totals.foreach(visit(_, seen))
    }
    seen
  }

  /** All that has to be made, each once. */
  private def visit(node: Any, seen: mutable.Set[Any]): Unit = if (seen.add(node)) {
    node match {
      case Along(edge, of) =>
        visit(edge, seen)
        of.foreach(visit(_, seen))
      case Closing(from, back, of) =>
        visit(from, seen)
        visit(back, seen)
        of.foreach(visit(_, seen))
      case e: EdgeFactor => e.closings.foreach(visit(_, seen))
      case Row(edge, _) => visit(edge, seen)
      case Pushed(from, edge, _) =>
        visit(from, seen)
        visit(edge, seen)
      case Product(of, factors) =>
        of.foreach(visit(_, seen))
        factors.foreach(visit(_, seen))
      // The last product is summed up as it is made.
      case Sum(Product(of, factors)) =>
        of.foreach(visit(_, seen))
        factors.foreach(visit(_, seen))
      case Sum(of) => visit(of, seen)
      case Joined(from, edge, to) =>
        visit(from, seen)
        visit(edge, seen)
        visit(to, seen)
      case _ =>
    }
  }

  private def costOf(node: Any): Double = node match {
    case Along(edge, _) => edges(edge)
    case Closing(from, back, _) =>
      val isMirrored = from == back && back.lists.forall(l => relations(l.relation).isSymmetric)
      if (isMirrored && below.isDefined && back.lists.size == 1) below.get.closings
      else edges(from) * reached(back, Some(from)) / (if (isMirrored) 2 else 1)
    case e: EdgeFactor if e.lists.map(l => (l.relation, l.forward)).distinct.size > 1 =>
      e.lists.map(l => length(l).edges.toDouble).sum
    case r: Row => support(r)
    case p: Pushed => Scatter * weighing(p.edge) * walked(p.from, p.edge, p.isBelow)
    case p: Product => p.of.map(support).min
    case Sum(Product(of, _)) => of.map(support).min
    case Sum(of) => support(of)
    case Joined(from, edge, to) => Gather * weighing(edge) * walked(from, edge, isBelow(to))
    case _ => 0.0
  }

  /** Edges that have numbers of their own take longer to walk. */
  private def weighing(e: EdgeFactor): Double =
    if (e.closings.isEmpty && !e.lists.exists(_.weighs)) 1.0 else Weighing

  private def isBelow(v: Reached): Boolean = v match {
    case r: Row => r.isBelow
    case p: Pushed => p.isBelow
    case p: Product => p.of.exists(isBelow)
  }

  private def length(l: Lists): RelationStatistics = statistics.relations(l.relation)

  private def edges(e: EdgeFactor): Double = e.lists.map(length(_).edges.toDouble).min

  private def held(e: EdgeFactor): Double =
    e.lists.map(l => length(l).active(l.forward)).min.max(1.0)

  /** The mean length of lists of vertices that were reached along other lists, or by any. */
  private def reached(e: EdgeFactor, by: Option[EdgeFactor]): Double = e.lists.map { l =>
    by.flatMap(_.lists.find(_.relation == l.relation)) match {
      case Some(b) => length(l).reachedLength(l.forward, b.forward)
      case None => length(l).meanLength(l.forward)
    }
  }.min

  private def lastEdge(v: Reached): Option[EdgeFactor] = v match {
    case Row(edge, _) => Some(edge)
    case Pushed(_, edge, _) => Some(edge)
    case Product(of, _) => of.headOption.flatMap(lastEdge)
  }

  /** The vertices that may be held where a vector is made. */
  private def heldBy(v: Reached): Double = v match {
    case Row(edge, _) => held(edge)
    case Pushed(from, _, _) => heldBy(from)
    case Product(of, _) => of.map(heldBy).min
  }

  /** Elements of lists that are walked from the codes of a vector, for all held vertices. */
  private def walked(from: Reached, edge: EdgeFactor, toBelow: Boolean): Double = {
    val codes = support(from)
    val far = reached(edge, lastEdge(from))
    val (step, most) = below match {
      case Some(m) if toBelow && isBelow(from) && m.steps > 0 =>
        (m.wedges / m.steps, edges(edge) / 2)
      case _ if toBelow => (far / 2, edges(edge))
      case _ => (far, edges(edge))
    }
    codes + Math.min(codes * step, heldBy(from) * most)
  }

  /** How many codes a vector has, for all held vertices together. */
  private def support(v: Reached): Double = v match {
    case Row(edge, isBelow) =>
      if (isBelow) below.fold(edges(edge) / 2)(_.steps) else edges(edge)
    case Pushed(from, edge, toBelow) =>
      val places = heldBy(from) * statistics.vertices.max(1L)
      places * -Math.expm1(-walked(from, edge, toBelow) / places)
    case Product(of, factors) =>
      of.map(support).min * factors.collect { case Within(d) => fractions(d) }.product
  }
}

private object SumCost {

  /** What an element costs here, in elements of a join, which looks at many of them at once: measured. */
  final private val Element = 3.0

  /** To add to a number somewhere costs more than to read it in order. */
  final private val Scatter = 2.0
  final private val Gather = 1.5
  final private val Weighing = 1.3

  /** To hold a vertex still, whatever follows. */
  final private val PerVertex = 2.0
}
