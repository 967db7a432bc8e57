package io.wreath.kernel.count

import scala.runtime.ScalaRunTime

/**
 * What weighs the vertices of one variable: a number for each code. Factors are compared by how they
 * are made, so that what several sums need is made once.
 */
sealed private[count] trait VertexFactor

/** One within a domain, by number, zero outside. */
final private[count] case class Within(domain: Int) extends VertexFactor

/**
 * One for each vertex: its variable is not summed over, for a number is asked for each of its vertices.
 *
 * @param place among the variables of which that is so
 */
final private[count] case class Grouped(place: Int) extends VertexFactor

/** One where a condition holds that reads this vertex alone, all its variables being the same. */
final private[count] case class Passed(test: Int) extends VertexFactor

/** How often the vertex has an edge to itself. */
final private[count] case class Looped(relation: Int, weighs: Boolean) extends VertexFactor

/** The sum over a variable that hangs off this one and nothing else: of edges times its own factors. */
final private[count] case class Along(edge: EdgeFactor, of: Vector[VertexFactor])
    extends VertexFactor {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)
  override lazy val toString: String = ScalaRunTime._toString(this)
}

/**
 * How many sets of `size` vertices the vertex is in of which each two are joined by these lists.
 *
 * @param within what all of them have to be, by factors of zero and one
 */
final private[count] case class Pairwise(size: Int, lists: Lists, within: Vector[VertexFactor])
    extends VertexFactor

/** The lists of one relation in one direction; each edge weighs as often as it occurs, or once. */
final private[count] case class Lists(relation: Int, forward: Boolean, weighs: Boolean)

/**
 * The sum over a variable that two others have as their neighbour, for each edge between these: of
 * both edges to it times its own factors. Plain lists give the triangles on each edge.
 *
 * @param from lists of the row's vertex
 * @param back lists of the column's vertex
 */
final private[count] case class Closing(
    from: EdgeFactor,
    back: EdgeFactor,
    of: Vector[VertexFactor]) {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)
  override lazy val toString: String = ScalaRunTime._toString(this)

  def opposite: Closing = Closing(back, from, of)

  /** Whether plain edges of one graph are closed: those are kept with it. */
  def isTriangle(base: Lists)(implicit relations: IndexedSeq[RelationTraits]): Boolean = {
    val t = relations(base.relation)
    of.isEmpty && from == EdgeFactor.of(Vector(base), Vector.empty) && back == from &&
    t.isSymmetric && !t.hasDuplicates && !t.hasSelfLoops
  }
}

/**
 * What weighs the pairs of two variables: the edges that are in all of some lists, with the product
 * of how often they occur and of what closes them.
 *
 * @param order 1 where the row's code must be the lesser one, -1 where it must be the greater, else 0
 */
final private[count] case class EdgeFactor(
    lists: Vector[Lists],
    closings: Vector[Closing],
    order: Int) {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)
  override lazy val toString: String = ScalaRunTime._toString(this)

  /** The same read from the other end. */
  def opposite(symmetric: Int => Boolean): EdgeFactor =
    if (order == 0 && closings.isEmpty && lists.forall(l => symmetric(l.relation))) this
    else
      EdgeFactor.of(
        lists.map(l => if (symmetric(l.relation)) l else l.copy(forward = !l.forward)),
        closings.map(_.opposite)).ordered(-order)

  /** Both weigh the same pairs; neither is ordered yet. */
  def times(other: EdgeFactor): EdgeFactor =
    EdgeFactor.of(lists ++ other.lists, closings ++ other.closings)

  def closed(by: Closing): EdgeFactor = EdgeFactor.of(lists, closings :+ by).ordered(order)

  def ordered(by: Int): EdgeFactor = copy(order = by)
}

private[count] object EdgeFactor {

  /** Lists that do not weigh are asked once, however often they are named. */
  def of(lists: Vector[Lists], closings: Vector[Closing]): EdgeFactor = {
    val (weighing, plain) = lists.partition(_.weighs)
    EdgeFactor(
      (weighing ++ plain.distinct).sortBy(l => (l.relation, l.forward, l.weighs)),
      closings.sortBy(_.toString),
      0)
  }
}
