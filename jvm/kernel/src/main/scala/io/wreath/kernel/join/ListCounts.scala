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
  private[this] val pairs = plan.pairs.map(new PairCount(state, known, prefix, _))

  // The number that each group had under the binding with this stamp.
  private[this] val counted = new Array[Long](groups.length)
  private[this] val countedStamp = Array.fill(groups.length)(-1L)

  /** Whether the last level of the prefix and the tail can be counted in one loop. */
  private[this] val countsLists = prefix > bound && state.tuning.marks != Use.Never && {
    val before = state.levels(prefix - 1)
    val group = plan.onlyGroup
    group != null && state.isPlain(group.level) && !state.isWeighted &&
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

  /** Forgets what was counted: level 1 may be confined to other codes now. */
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
    i = 0
    while (product > 0 && i < pairs.length) {
      product = Math.multiplyExact(product, pairs(i).count())
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
        if (state.isPlain(group.level)) {
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

/** Counts a [[TailPair]]. Not thread-safe. */
final private class PairCount(
    state: JoinState,
    known: LevelCandidates,
    prefix: Int,
    pair: TailPair) {
  private[this] val resting = pair.resting
  private[this] val marks = new Array[Byte](state.domain(resting).size)

  /** The last level that decides what is marked: not those that it only has to differ from. */
  private[this] val dependsOn = {
    val l = state.levels(resting)
    (l.listLevel ++ l.lowerLevel ++ l.upperLevel).filter(_ < prefix).max
  }
  private[this] val excluding = state.levels(resting).notEqualLevel.filter(_ < prefix)

  // What is marked: a copy, for the candidates of a level may be in an array that is used again.
  private[this] var marked = Array.emptyIntArray
  private[this] var markedCount = 0
  private[this] var markedStamp = -1L

  /** |X| * |Y| - |X and Y|, X being the candidates that rest. */
  def count(): Long = {
    markResting()
    val both = known.countBoth(pair.changing, prefix, marks)
    var ofX = markedCount.toLong
    val ofY = both >>> 32
    var common = both & 0xffffffffL
    var i = 0
    while (i < excluding.length) {
      val code = state.codes(excluding(i))
      if (code < marks.length && marks(code) != 0 && state.isFirstOfEquals(excluding, i, prefix)) {
        ofX -= 1
        if (known.isCounted(pair.changing, prefix, code)) common -= 1
      }
      i += 1
    }
    Math.multiplyExact(ofX, ofY) - common
  }

  private def markResting(): Unit = {
    val stamp = known.stamp(dependsOn)
    if (markedStamp != stamp) {
      markedStamp = stamp
      NeighbourhoodMarks.clear(marks, marked, 0, markedCount)
      known.fill(resting, prefix)
      val from = known.position(resting)
      markedCount = known.end(resting) - from
      if (marked.length < markedCount) marked = new Array[Int](2 * markedCount)
      System.arraycopy(known.candidates(resting), from, marked, 0, markedCount)
      NeighbourhoodMarks.mark(marks, marked, 0, markedCount)
    }
  }
}
