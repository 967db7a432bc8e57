package io.wreath.kernel.partition

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.intersect.{Intersection, LocalBitMatrix}
import io.wreath.kernel.join.BitPlan
import io.wreath.kernel.lists.{Adjacency, GallopingSearch}

/**
 * Estimates what a vertex of the first variable costs on bit rows beside the lists that its matrix is
 * built from: the words that are read under each pair, triple, and so on, of its neighbours that hang
 * together. How many do, no degree tells, so a few of the neighbours are asked:
 *
 * {{{
 *   neighbours of v         one in so many, b:    those of them that b is joined to
 *                           two of these, c:      those that c is joined to as well
 *   words                   (pairs + triples + …) * (1 + words of a row / 4)
 * }}}
 * Of many variables, each further one is bound as much more often as the triples are more than the pairs.
 *
 * Cost: a handful of intersections for each vertex with [[BitEstimate.Least]] neighbours or more; the words
 * of fewer are no more than the lists they were made from.
 * Not thread-safe.
 *
 * @param variables of the join, four or more
 */
final private[partition] class BitEstimate(
    plan: BitPlan,
    variables: Int,
    graphs: Array[_ <: Relation]) {
  private[this] val base: Adjacency = graphs(plan.relation).direction(plan.forward)

  /** The lists that the rows are made from; null where no two of the neighbours have to be joined. */
  private[this] val rows: Adjacency =
    if (plan.matrixRelation.length == 0) null
    else graphs(plan.matrixRelation(0)).direction(plan.matrixForward(0))
  private[this] val rowSide = if (rows == null) 0 else plan.matrixSide(0)

  private[this] var joined = new Array[Int](64)

  /** What the words of `v` are worth, in list elements. */
  def of(v: Int): Double = {
    val members = base.array(v)
    val from = if (plan.side > 0) base.after(v) else base.from(v)
    val until = if (plan.side < 0) base.after(v) else base.until(v)
    val size = until - from
    if (rows == null || size < BitEstimate.Least) 0.0
    else {
      if (joined.length < size) joined = new Array[Int](2 * size)
      val step = Math.max(1, size / (BitEstimate.Sample + (size >>> 7)))
      var work = 0.0
      var sampled = 0
      var i = from + step / 2
      while (i < until) {
        val common = inRow(members(i), members, from, until)
        if (common > 0) {
          val row = 1.0 + BitEstimate.Word * words(members, from, until, common)
          work += row * bindings(common)
        }
        sampled += 1
        i += step
      }
      val cleared = BitEstimate.Cleared * size * LocalBitMatrix.wordsFor(size)
      cleared + (if (sampled == 0) 0.0 else work * size / sampled)
    }
  }

  /** How often rows meet under a neighbour that is joined to `common` others, now in `joined`. */
  private def bindings(common: Int): Double = {
    var sum = common.toDouble
    if (variables > 4 && common > 1) {
      val growth = 0.5 * (countInRow(joined(common / 4), common) +
        countInRow(joined(common / 2), common))
      var next = common * growth
      var further = variables - 4
      while (further > 0) {
        sum += next
        next *= growth
        further -= 1
      }
    }
    sum
  }

  /** Words of the row whose members are in `joined`: from the first to the last that is not empty. */
  private def words(members: Array[Int], from: Int, until: Int, common: Int): Int = {
    val width = LocalBitMatrix.wordsFor(until - from)
    if (width <= LocalBitMatrix.NarrowWidth) width
    else {
      val first = GallopingSearch.lowerBound(members, from, until, joined(0)) - from
      val last = GallopingSearch.lowerBound(members, from, until, joined(common - 1)) - from
      (last >>> 6) - (first >>> 6) + 1
    }
  }

  private def inRow(u: Int, members: Array[Int], from: Int, until: Int): Int =
    if (u >= rows.vertexCount) 0
    else Intersection.into(members, from, until, rows.array(u), rowFrom(u), rowUntil(u), joined)

  private def countInRow(u: Int, common: Int): Int =
    if (u >= rows.vertexCount) 0
    else Intersection.count(joined, 0, common, rows.array(u), rowFrom(u), rowUntil(u))

  private def rowFrom(u: Int): Int = if (rowSide > 0) rows.after(u) else rows.from(u)

  private def rowUntil(u: Int): Int = if (rowSide < 0) rows.after(u) else rows.until(u)
}

private object BitEstimate {

  /** Fewer neighbours are not asked: their rows are one word each. */
  final private val Least = 64

  /** How many neighbours are asked, and of many one in 128 more. */
  final private val Sample = 3

  /** What it costs to clear a word of the matrix. */
  final private val Cleared = 0.1

  /** What a word of a row costs beside the start of its loop, which costs as much as a list element. */
  final private val Word = 0.25
}
