package io.wreath.kernel.join

import io.wreath.kernel.intersect.NeighbourhoodMarks

/**
 * Counts a [[TailPair]]: |X| * |Y| - |X and Y|, X being the candidates that rest while those of Y
 * change. X is marked once, and what Y has in common with it is found in the last list of Y.
 *
 * In a house, |Y| is |N(a) and N(c)|, whichever b led to c: it is remembered by c as long as a stays.
 *
 * Not thread-safe.
 */
final private[join] class PairCount(
    state: JoinState,
    known: LevelCandidates,
    prefix: Int,
    pair: TailPair) {
  private[this] val resting = pair.resting
  private[this] val changing = pair.changing
  private[this] val ofResting = state.levels(resting)
  private[this] val ofChanging = state.levels(changing)

  /** The last level that decides what is marked: not those that it only has to differ from. */
  private[this] val dependsOn = decides(ofResting).max
  private[this] val stableDependsOn = ofChanging.listLevel.dropRight(1).maxOption.getOrElse(-1)

  // The candidates of X, marked, and those of them that all lists of Y but the last have.
  private[this] var candidates = Array.emptyIntArray
  private[this] var candidateCount = 0
  private[this] val isCandidate = new Array[Byte](state.domain(resting).size)
  private[this] var common = Array.emptyIntArray
  private[this] var commonCount = 0
  private[this] val isCommon = new Array[Byte](state.domain(resting).size)
  private[this] var markedStamp = -1L
  private[this] var stableStamp = -1L

  /** The level that alone, with level 0, decides about Y, if there are others between; else -1. */
  private[this] val remembersBy = {
    val by = decides(ofChanging).filter(_ > 0)
    if (by.size == 1 && by.head >= 2) by.head else -1
  }
  private[this] val remembered =
    if (remembersBy < 0) null else Array.fill(state.domain(remembersBy).size)(-1)
  private[this] var rememberedCodes = Array.emptyIntArray
  private[this] var rememberedCount = 0
  private[this] var rememberedStamp = -1L

  private def decides(l: JoinLevel): Array[Int] =
    (l.listLevel ++ l.lowerLevel ++ l.upperLevel).filter(_ < prefix).distinct.sorted

  def count(): Long = {
    known.open(changing, prefix)
    markResting()
    var ofX = candidateCount.toLong
    var ofY = countChanging().toLong
    var both =
      if (ofX == 0 || ofY == 0) 0L
      else known.countInLast(common, commonCount, isCommon).toLong
    var i = 0
    while (i < ofResting.notEqualLevel.length) {
      if (state.isFirstOfEquals(ofResting.notEqualLevel, i, prefix)) {
        val by = ofResting.notEqualLevel(i)
        if (has(isCandidate, state.codes(by))) {
          ofX -= 1
          if (has(isCommon, state.codes(by)) && known.excludes(changing, by)) both -= 1
        }
      }
      i += 1
    }
    i = 0
    while (i < ofChanging.notEqualLevel.length) {
      val by = ofChanging.notEqualLevel(i)
      if (state.isFirstOfEquals(ofChanging.notEqualLevel, i, prefix) &&
        known.excludes(changing, by)) {
        ofY -= 1
        // What X must differ from too has been taken away above.
        if (has(isCommon, state.codes(by)) && !isExcluded(state.codes(by))) both -= 1
      }
      i += 1
    }
    Math.multiplyExact(ofX, ofY) - both
  }

  private def has(marks: Array[Byte], code: Int): Boolean =
    code < marks.length && marks(code) != 0

  /** Whether X must differ from `code`. */
  private def isExcluded(code: Int): Boolean = {
    val notEqual = ofResting.notEqualLevel
    var found = false
    var i = 0
    while (i < notEqual.length) {
      if (notEqual(i) < prefix && state.codes(notEqual(i)) == code) found = true
      i += 1
    }
    found
  }

  private def countChanging(): Int =
    if (remembersBy < 0) known.countOpened(changing)
    else {
      val stamp = known.stamp(0)
      if (rememberedStamp != stamp) {
        rememberedStamp = stamp
        while (rememberedCount > 0) {
          rememberedCount -= 1
          remembered(rememberedCodes(rememberedCount)) = -1
        }
      }
      val code = state.codes(remembersBy)
      if (remembered(code) < 0) {
        remembered(code) = known.countOpened(changing)
        if (rememberedCount == rememberedCodes.length) {
          rememberedCodes = java.util.Arrays.copyOf(rememberedCodes, 2 * rememberedCount + 64)
        }
        rememberedCodes(rememberedCount) = code
        rememberedCount += 1
      }
      remembered(code)
    }

  private def markResting(): Unit = {
    val stamp = known.stamp(dependsOn)
    val ofStable = known.stamp(stableDependsOn)
    if (markedStamp != stamp || stableStamp != ofStable) {
      markedStamp = stamp
      stableStamp = ofStable
      NeighbourhoodMarks.clear(isCandidate, candidates, 0, candidateCount)
      NeighbourhoodMarks.clear(isCommon, common, 0, commonCount)
      known.fill(resting, prefix)
      val from = known.position(resting)
      candidateCount = known.end(resting) - from
      if (candidates.length < candidateCount) {
        candidates = new Array[Int](2 * candidateCount)
        common = new Array[Int](2 * candidateCount)
      }
      System.arraycopy(known.candidates(resting), from, candidates, 0, candidateCount)
      known.open(changing, prefix)
      commonCount = 0
      state.read.worked(candidateCount.toLong)
      var i = 0
      while (i < candidateCount) {
        if (known.isStable(changing, candidates(i))) {
          common(commonCount) = candidates(i)
          commonCount += 1
        }
        i += 1
      }
      NeighbourhoodMarks.mark(isCandidate, candidates, 0, candidateCount)
      NeighbourhoodMarks.mark(isCommon, common, 0, commonCount)
    }
  }
}
