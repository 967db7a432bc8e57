package io.wreath.kernel.join

import io.wreath.kernel.lists.{Adjacency, GallopingSearch}

/**
 * Counts patterns of two corners, a and c, that are joined by nothing but paths of two edges: a
 * 4-cycle has two such paths, (a)-(b)-(c) and (a)-(d)-(c).
 *
 * All paths from a are walked once, and counted by where they end. The paths to one c are as many
 * ways to bind the variable between, so that c contributes the product over the pattern's paths, or
 * what an [[OrderPolynomial]] says of paths that are alike (`b < d`). No list is intersected.
 *
 * {{{
 *   for b in N(a): for c in N(b): n[c]++          then the sum over c of C(n[c], 2)
 * }}}
 * Cost: O(paths of two edges from a), and an Int for each vertex and kind of path.
 * Not thread-safe.
 */
final private[join] class WedgeCounts(state: JoinState, groups: Array[TailGroup]) {
  private[this] val walks: Array[Wedge] = groups.map(new Wedge(state, _))
  private[this] val corner = state.levels(1)
  private[this] val polynomials = groups.map(_.polynomial)

  /** Rows under the current binding of level 0. */
  def count(): Long = {
    var i = 0
    while (i < walks.length) {
      walks(i).walk()
      i += 1
    }
    val total = if (walks.length == 1) sumOfOne(walks(0)) else sumOfProducts()
    i = 0
    while (i < walks.length) {
      walks(i).clear()
      i += 1
    }
    total
  }

  private def sumOfOne(wedge: Wedge): Long = {
    val polynomial = polynomials(0)
    val ends = wedge.ends
    val n = wedge.counts
    var total = 0L
    var i = 0
    while (i < wedge.endCount) {
      val c = ends(i)
      if (isCorner(c)) total = Math.addExact(total, polynomial.applyAsLong(n(c).toLong))
      i += 1
    }
    total
  }

  private def sumOfProducts(): Long = {
    val first = walks(0)
    var total = 0L
    var i = 0
    while (i < first.endCount) {
      val c = first.ends(i)
      if (isCorner(c)) {
        var product = 1L
        var j = 0
        while (product > 0 && j < walks.length) {
          val ways = polynomials(j).applyAsLong(walks(j).counts(c).toLong)
          product = Math.multiplyExact(product, ways)
          j += 1
        }
        total = Math.addExact(total, product)
      }
      i += 1
    }
    total
  }

  /** `<>` with level 0 is the only thing that the walks leave open. */
  private def isCorner(c: Int): Boolean = corner.notEqualLevel.length == 0 || c != state.codes(0)
}

private[join] object WedgeCounts {

  /** The way to count `state` by wedges, if there is one. */
  def of(state: JoinState): Option[CountTechnique.Wedges] = {
    val isCorner = state.levelCount >= 3 && !state.isWeighted && {
      val c = state.levels(1)
      c.listCount == 0 && state.isPlain(1) && state.predicateLevels.forall(_.forall(_ == 0))
    }
    if (!isCorner) None
    else {
      val plan = CountPlan.of(state, 2)
      val areWedges = plan.prefix == 2 && plan.pairs.isEmpty && plan.groups.forall { g =>
        state.isPlain(g.level) && state.levels(g.level).listLevel.sameElements(Seq(0, 1))
      }
      if (areWedges) Some(CountTechnique.Wedges(plan.groups)) else None
    }
  }
}

/** The paths of two edges from level 0 through the variable of one group, by where they end. */
final private class Wedge(state: JoinState, group: TailGroup) {
  private[this] val middle = state.levels(group.level)
  private[this] val first: Adjacency = state.lists(group.level)(0)
  // From the variable between to the corner: the way back of the corner's list.
  private[this] val second: Adjacency =
    state.opposite(middle.listRelation(1), middle.listForward(1))
  private[this] val skipsCorner = middle.notEqualLevel.contains(1)
  private[this] val skipsFirst = middle.notEqualLevel.contains(0)

  // middle >= corner + shift, turned round: corner < middle + 1 - shift; likewise from below.
  private[this] val highShift = middle.lowerShiftBy(1).map(1 - _)
  private[this] val lowShift = middle.upperShiftBy(1).map(1 - _)
  private[this] val isTied = highShift.isDefined || lowShift.isDefined
  private[this] val lowBy = lowShift.getOrElse(0)
  private[this] val highBy = highShift.getOrElse(0)
  private[this] val hasLow = lowShift.isDefined
  private[this] val hasHigh = highShift.isDefined

  /** By code, how many paths end there. */
  val counts: Array[Int] = new Array[Int](state.domain(1).size)

  /** Where any path ends, each once. */
  val ends: Array[Int] = new Array[Int](state.domain(1).size + 1) // written before it is judged
  var endCount: Int = 0

  def walk(): Unit = {
    val a = state.codes(0)
    val low = state.lowerBound(1, 1)
    val high = state.upperBound(1, 1)
    val isBounded = state.isBounded(1) || isTied
    val list = first.array(a)
    var from = first.from(a)
    var until = first.until(a)
    if (state.isBounded(group.level)) {
      from = GallopingSearch.lowerBound(list, from, until, state.lowerBound(group.level, 1))
      until = GallopingSearch.lowerBound(list, from, until, state.upperBound(group.level, 1))
    }
    var i = from
    while (i < until) {
      val b = list(i)
      if (!skipsFirst || b != a) {
        var least = low
        var end = high
        if (hasLow) least = Math.max(least, b + lowBy)
        if (hasHigh) end = Math.min(end, b + highBy)
        walkFrom(b, isBounded, least, end)
      }
      i += 1
    }
    state.read.worked((until - from).toLong)
  }

  private def walkFrom(b: Int, isBounded: Boolean, low: Int, high: Int): Unit = {
    val list = second.array(b)
    var from = second.from(b)
    var until = second.until(b)
    if (isBounded) {
      from = GallopingSearch.lowerBound(list, from, until, low)
      if (high < counts.length) until = GallopingSearch.lowerBound(list, from, until, high)
    }
    state.read.add(until - from)
    val own = if (skipsCorner) GallopingSearch.find(list, from, until, b) else -1
    if (own < 0) tally(list, from, until)
    else {
      tally(list, from, own)
      tally(list, own + 1, until)
    }
  }

  private def tally(list: Array[Int], from: Int, until: Int): Unit = {
    val n = counts
    val found = ends
    var e = endCount
    var i = from
    while (i < until) {
      val c = list(i)
      val before = n(c)
      n(c) = before + 1
      found(e) = c
      e += (before - 1) >>> 31 // one if there was none before
      i += 1
    }
    endCount = e
  }

  def clear(): Unit = {
    var i = 0
    while (i < endCount) {
      counts(ends(i)) = 0
      i += 1
    }
    endCount = 0
  }
}
