package io.wreath.kernel.join

import io.wreath.kernel.intersect.BitRows
import io.wreath.kernel.lists.ElementCounter

/**
 * Counts rows under a given binding of level 0 on bit rows. Under the prefix of the plan, the tail is
 * one row whose bits are counted.
 *
 * Requires: level 0 of `state` bound, and that its neighbourhood fits, before [[count]].
 * Not thread-safe.
 *
 * @param tail the group that is all of the tail, or the last level alone
 */
final private[join] class BitCounts(
    state: JoinState,
    bits: BitLevels,
    plan: BitPlan,
    tail: TailGroup) {
  private[this] val levels = state.levels
  private[this] val bitLevels = plan.levels
  private[this] val hood = bits.hood
  private[this] val level = tail.level
  private[this] val polynomial = tail.polynomial
  private[this] val isPlain = state.isPlain(level)

  /** Whether counting can end with [[BitRows.countPairs]]: one row links the last two. */
  private[this] val countsPairs = level >= 2 && isPlain && polynomial.isIdentity && {
    val l = bitLevels(level)
    l.rowLevel.length == l.rowsBeforePrevious + 1 && !levels(level - 1).isSkipping &&
    !levels(level).isSkipping && !state.hasPredicates(level - 1) &&
    !state.domain(level).isRange && !state.isWeighted
  }

  /** Whether all levels can be counted by [[BitRows.countChain]]: a clique, in short. */
  private[this] val countsChain =
    plan.isChain && isPlain && level == state.levelCount - 1 && !state.isWeighted &&
      levels.indices.drop(1).forall { l =>
        !levels(l).isSkipping && !state.hasPredicates(l) && !state.domain(l).isRange
      }

  // How the tail is bounded by the level before it, in labels.
  private[this] val lowShift = BitCounts
    .shifts(bitLevels(level).lowerLevel, bitLevels(level).lowerShift, level - 1)
    .maxOption
    .getOrElse(-BitLevels.MaxSize)
  private[this] val highShift = BitCounts
    .shifts(bitLevels(level).upperLevel, bitLevels(level).upperShift, level - 1)
    .minOption
    .getOrElse(BitLevels.MaxSize)

  /** Rows under the current binding of level 0. */
  def count(): Long = {
    bits.start()
    if (!isPlain) countOneByOne()
    else if (countsChain) countChain()
    else if (level == 1) Math.multiplyExact(countTail(), state.weight(1))
    else if (countsPairs) {
      if (level == 2) countPairs()
      else {
        var total = 0L
        while (bits.advance(level - 2)) {
          state.read.worked(ElementCounter.Candidate * hood.size)
          total = Math.addExact(total, countPairs())
        }
        total
      }
    } else {
      var total = 0L
      while (bits.advance(level - 1)) {
        total = Math.addExact(total, Math.multiplyExact(countTail(), state.weight(level)))
      }
      total
    }
  }

  private def countOneByOne(): Long = {
    var total = 0L
    while (bits.advance(level)) total = Math.addExact(total, state.weight(level + 1))
    total
  }

  private def countChain(): Long = {
    val matrix = hood.matrices(0)
    var total = 0L
    var l = hood.lowest(1)
    while (l < hood.highest(1)) {
      val rows = BitRows.countChain(
        level - 1,
        matrix.bits,
        l * matrix.width,
        matrix.rowFrom(l),
        matrix.rowUntil(l),
        matrix,
        bits.buffers,
        state.read)
      total = Math.addExact(total, rows)
      state.read.worked(hood.size.toLong)
      l += 1
    }
    total
  }

  /** What the polynomial makes of the candidates of the tail, which is plain. */
  private def countTail(): Long = {
    bits.combine(level, bitLevels(level).rowLevel.length)
    val low = bits.lowLabel(level)
    val high = bits.highLabel(level)
    var n = 0
    if (low < high) {
      n = BitRows.count(
        bits.raw(level),
        bits.rawRow(level),
        bits.rawFrom(level),
        bits.rawUntil(level),
        low,
        high)
      if (levels(level).isSkipping) n -= countExcluded(low, high)
    }
    polynomial.applyAsLong(n.toLong)
  }

  /** How many distinct labels that the tail must differ from are among its candidates. */
  private def countExcluded(low: Int, high: Int): Int = {
    val notEqual = levels(level).notEqualLevel
    var n = 0
    var i = 0
    while (i < notEqual.length) {
      val l = bits.excludedBy(notEqual(i))
      val word = l >>> 6
      if (l >= low && l < high && word >= bits.rawFrom(level) && word < bits.rawUntil(level) &&
        state.isFirstOfEquals(notEqual, i, level) &&
        (bits.raw(level)(bits.rawRow(level) + word) >>> l & 1L) != 0L) {
        n += 1
      }
      i += 1
    }
    n
  }

  /** Counts the tail and the level before it under the current binding of the levels before them. */
  private def countPairs(): Long = {
    val before = level - 1
    val last = bitLevels(level)
    bits.combine(before, bitLevels(before).rowLevel.length)
    bits.combine(level, last.rowsBeforePrevious)
    val matrix = hood.matrices(last.rowMatrix(last.rowsBeforePrevious))
    if (!last.isBounded) {
      BitRows.countPairs(
        bits.raw(before),
        bits.rawRow(before),
        bits.rawFrom(before),
        bits.rawUntil(before),
        bits.lowLabel(before),
        bits.highLabel(before),
        bits.raw(level),
        bits.rawRow(level),
        bits.rawFrom(level),
        bits.rawUntil(level),
        matrix,
        state.read)
    } else {
      // The bounds by the level before the tail differ from candidate to candidate; those by
      // earlier levels do not.
      BitRows.countPairsWithin(
        bits.raw(before),
        bits.rawRow(before),
        bits.rawFrom(before),
        bits.rawUntil(before),
        bits.lowLabel(before),
        bits.highLabel(before),
        bits.raw(level),
        bits.rawRow(level),
        bits.rawFrom(level),
        bits.rawUntil(level),
        bits.lowLabelBefore(level, before),
        bits.highLabelBefore(level, before),
        lowShift,
        highShift,
        matrix,
        state.read)
    }
  }
}

private object BitCounts {

  /** The shifts of the bounds that `by` sets. */
  private def shifts(levels: Array[Int], shifts: Array[Int], by: Int): Seq[Int] =
    levels.indices.filter(levels(_) == by).map(shifts(_))
}
