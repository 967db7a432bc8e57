package io.wreath.kernel.join

import java.util.Arrays

import io.wreath.kernel.intersect.NeighbourhoodMarks

/**
 * Counts rows under a given binding of the first levels, by lists: binds the rest of the prefix of a
 * [[CountPlan]] one by one, and multiplies what the tail has.
 *
 * Not thread-safe.
 *
 * @param bound how many levels are bound when [[count]] is called
 */
final private[join] class ListCounts(
    state: JoinState,
    lists: ListLevels,
    bound: Int,
    plan: CountPlan) {
  private[this] val prefix = plan.prefix
  private[this] val known = lists.known
  private[this] val groups = plan.groups

  // The number that each group had under the binding with this stamp.
  private[this] val counted = new Array[Long](groups.length)
  private[this] val countedStamp = Array.fill(groups.length)(-1L)

  /** Whether the last level of the prefix and the tail can be counted in one loop. */
  private[this] val countsLists = prefix > bound && {
    val before = state.levels(prefix - 1)
    val group = plan.onlyGroup
    group != null && known.hasMarks(group.level) && state.isCountable(
      group.level) && !state.isWeighted &&
    state.isPlain(prefix - 1) && before.listCount > 0 && !before.isSkipping && {
      val l = state.levels(group.level)
      group.level == prefix && l.listCount >= 2 && l.listLevel.last == prefix - 1 &&
      l.listLevel(l.listCount - 2) < prefix - 1 && !l.notEqualLevel.exists(_ < prefix)
    }
  }

  private[this] val lowShift = shift(_.lowerShiftBy(prefix - 1))
  private[this] val highShift = shift(_.upperShiftBy(prefix - 1))

  /** How the tail is bounded by the level before it. */
  private def shift(by: JoinLevel => Option[Int]): Int =
    if (countsLists) by(state.levels(prefix)).getOrElse(NeighbourhoodMarks.NoShift)
    else NeighbourhoodMarks.NoShift

  /** Forgets what was counted: the first free level may be confined to other codes now. */
  def reset(): Unit = Arrays.fill(countedStamp, -1L)

  /** Rows under the current binding of the first `bound` levels. */
  def count(): Long =
    if (prefix == bound) countTail()
    else {
      var total = 0L
      lists.startAt(bound)
      if (!countsLists) {
        while (lists.advance(prefix - 1)) total = Math.addExact(total, countTail())
      } else if (prefix - 1 == bound) total = countLists()
      else {
        while (lists.advance(prefix - 2)) {
          known.fill(prefix - 1)
          total = Math.addExact(total, countLists())
        }
      }
      total
    }

  private def countLists(): Long =
    known.countLists(prefix, plan.onlyGroup.polynomial, lowShift, highShift)

  private def countTail(): Long = {
    var product = state.weight(prefix)
    var i = 0
    while (product > 0 && i < groups.length) {
      product = Math.multiplyExact(product, countGroup(i))
      i += 1
    }
    product
  }

  private def countGroup(i: Int): Long = {
    val group = groups(i)
    val stamp = known.stamp(group.dependsOn)
    if (countedStamp(i) != stamp) {
      countedStamp(i) = stamp
      counted(i) =
        if (state.isCountable(group.level)) {
          group.polynomial.applyAsLong(known.count(group.level, prefix).toLong)
        } else countOneByOne(group.level)
    }
    counted(i)
  }

  /** For a level whose candidates are asked or weigh. */
  private def countOneByOne(level: Int): Long = {
    var total = 0L
    known.fill(level)
    while (lists.step(level)) total = Math.addExact(total, state.ownWeight(level))
    total
  }
}
