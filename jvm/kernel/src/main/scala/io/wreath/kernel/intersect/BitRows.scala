package io.wreath.kernel.intersect

import io.wreath.kernel.lists.ElementCounter

/**
 * Loops over rows of a [[LocalBitMatrix]] and the like: words `row + from until row + until` of an
 * array, bit j of a row in word `j / 64`.
 *
 * Requires: in a matrix of [[LocalBitMatrix.NarrowWidth]] or less, that rows are given whole.
 * Cost: one AND and one population count a word.
 * Thread-safety: no state.
 */
private[wreath] object BitRows {
  import LocalBitMatrix.{NarrowWidth, wordsFor}

  /** The bits of word `word` that belong to the range of bits from `low` on. */
  def maskFrom(low: Int, word: Int): Long =
    if (low <= (word << 6)) -1L else if (low >= ((word + 1) << 6)) 0L else -1L << low

  /** The bits of word `word` that belong to the range of bits before `high`. */
  def maskUntil(high: Int, word: Int): Long =
    if (high >= ((word + 1) << 6)) -1L else if (high <= (word << 6)) 0L else -1L >>> -high

  /** `out(from until until) = a & b`, word by word. */
  def and(
      a: Array[Long],
      aRow: Int,
      b: Array[Long],
      bRow: Int,
      out: Array[Long],
      from: Int,
      until: Int): Unit = {
    var z = from
    while (z < until) {
      out(z) = a(aRow + z) & b(bRow + z)
      z += 1
    }
  }

  /** How many bits from `low` until `high` are set in words `from until until` of a row. */
  def count(set: Array[Long], row: Int, from: Int, until: Int, low: Int, high: Int): Int = {
    val end = Math.min(until, wordsFor(high))
    var z = Math.max(from, low >>> 6)
    var n = 0
    while (z < end) {
      n += java.lang.Long.bitCount(set(row + z) & maskFrom(low, z) & maskUntil(high, z))
      z += 1
    }
    n
  }

  /**
   * The last two levels in one loop: for each bit j of a row of candidates, from `low` until
   * `high`, the number of bits that `set` and row j of `matrix` have in common.
   *
   * @param read may end it; of the largest matrix it takes more than ten milliseconds
   */
  def countPairs(
      candidates: Array[Long],
      candidateRow: Int,
      candidateFrom: Int,
      candidateUntil: Int,
      low: Int,
      high: Int,
      set: Array[Long],
      setRow: Int,
      setFrom: Int,
      setUntil: Int,
      matrix: LocalBitMatrix,
      read: ElementCounter): Long = {
    val bits = matrix.bits
    val width = matrix.width
    val rowFrom = matrix.rowFrom
    val rowUntil = matrix.rowUntil
    val end = Math.min(candidateUntil, wordsFor(high))
    val between = wordsBetweenLooks(setUntil - setFrom)
    var total = 0L
    var q = Math.max(candidateFrom, low >>> 6)
    while (q < end) {
      if (q % between == between - 1) read.look()
      var word = candidates(candidateRow + q) & maskFrom(low, q) & maskUntil(high, q)
      if (width <= NarrowWidth) total += countNarrow(word, q << 6, set, setRow, bits, width)
      else {
        while (word != 0L) {
          val j = (q << 6) + java.lang.Long.numberOfTrailingZeros(word)
          word &= word - 1
          total += countCommon(
            set,
            setRow,
            bits,
            j * width,
            Math.max(setFrom, rowFrom(j)),
            Math.min(setUntil, rowUntil(j)))
        }
      }
      q += 1
    }
    total
  }

  /**
   * Counts the cliques of a matrix: bindings of `levels` variables, each in the row of every
   * variable before it and in the given set.
   *
   * @param buffers a row for each level of recursion, indexed by the levels that remain
   * @param read    is told of the work, and may end it
   */
  def countChain(
      levels: Int,
      set: Array[Long],
      setRow: Int,
      setFrom: Int,
      setUntil: Int,
      matrix: LocalBitMatrix,
      buffers: Array[Array[Long]],
      read: ElementCounter): Long =
    if (levels == 1) count(set, setRow, setFrom, setUntil, 0, setUntil << 6).toLong
    else if (levels == 2) {
      val end = setUntil << 6
      countPairs(
        set,
        setRow,
        setFrom,
        setUntil,
        0,
        end,
        set,
        setRow,
        setFrom,
        setUntil,
        matrix,
        read)
    } else {
      val bits = matrix.bits
      val width = matrix.width
      val out = buffers(levels)
      var total = 0L
      var q = setFrom
      while (q < setUntil) {
        var word = set(setRow + q)
        while (word != 0L) {
          val j = (q << 6) + java.lang.Long.numberOfTrailingZeros(word)
          word &= word - 1
          val from = Math.max(setFrom, matrix.rowFrom(j))
          val until = Math.min(setUntil, matrix.rowUntil(j))
          if (andAny(set, setRow, bits, j * width, out, from, until)) {
            // The most that the pairs of a row can take.
            val words = (until - from).toLong
            read.worked(16L * words * words)
            val below = countChain(levels - 1, out, 0, from, until, matrix, buffers, read)
            total = Math.addExact(total, below)
          }
        }
        q += 1
      }
      total
    }

  /** Words of candidates that are worth a look, where each of their bits is a row of `words` to go through. */
  private def wordsBetweenLooks(words: Int): Int =
    Math.max(1, (ElementCounter.BetweenChecks << 2).toInt / (64 * Math.max(1, words)))

  /** [[and]], and whether any bit is left. */
  private def andAny(
      a: Array[Long],
      aRow: Int,
      b: Array[Long],
      bRow: Int,
      out: Array[Long],
      from: Int,
      until: Int): Boolean = {
    var any = 0L
    var z = from
    while (z < until) {
      val common = a(aRow + z) & b(bRow + z)
      out(z) = common
      any |= common
      z += 1
    }
    any != 0L
  }

  /** The candidates of one word, `first` being its lowest, in a matrix of [[NarrowWidth]]. */
  private def countNarrow(
      candidates: Long,
      first: Int,
      set: Array[Long],
      setRow: Int,
      bits: Array[Long],
      width: Int): Int = {
    import java.lang.Long.{bitCount, numberOfTrailingZeros}
    var word = candidates
    var n = 0
    if (width == 1) {
      val a = set(setRow)
      while (word != 0L) {
        n += bitCount(a & bits(first + numberOfTrailingZeros(word)))
        word &= word - 1
      }
    } else if (width == 2) {
      val a = set(setRow)
      val b = set(setRow + 1)
      while (word != 0L) {
        val row = 2 * (first + numberOfTrailingZeros(word))
        n += bitCount(a & bits(row)) + bitCount(b & bits(row + 1))
        word &= word - 1
      }
    } else if (width == 3) {
      val a = set(setRow)
      val b = set(setRow + 1)
      val c = set(setRow + 2)
      while (word != 0L) {
        val row = 3 * (first + numberOfTrailingZeros(word))
        n += bitCount(a & bits(row)) + bitCount(b & bits(row + 1)) + bitCount(c & bits(row + 2))
        word &= word - 1
      }
    } else {
      val a = set(setRow)
      val b = set(setRow + 1)
      val c = set(setRow + 2)
      val d = set(setRow + 3)
      while (word != 0L) {
        val row = 4 * (first + numberOfTrailingZeros(word))
        n += bitCount(a & bits(row)) + bitCount(b & bits(row + 1)) +
          bitCount(c & bits(row + 2)) + bitCount(d & bits(row + 3))
        word &= word - 1
      }
    }
    n
  }

  private def countCommon(
      a: Array[Long],
      aRow: Int,
      b: Array[Long],
      bRow: Int,
      from: Int,
      until: Int): Int = {
    var n = 0
    var z = from
    while (z < until) {
      n += java.lang.Long.bitCount(a(aRow + z) & b(bRow + z))
      z += 1
    }
    n
  }

  /**
   * [[countPairs]] for a last level with bounds: the common bits of candidate j count from
   * `setLow` and `j + lowShift` on, until `setHigh` and `j + highShift`.
   */
  def countPairsWithin(
      candidates: Array[Long],
      candidateRow: Int,
      candidateFrom: Int,
      candidateUntil: Int,
      low: Int,
      high: Int,
      set: Array[Long],
      setRow: Int,
      setFrom: Int,
      setUntil: Int,
      setLow: Int,
      setHigh: Int,
      lowShift: Int,
      highShift: Int,
      matrix: LocalBitMatrix,
      read: ElementCounter): Long = {
    val bits = matrix.bits
    val width = matrix.width
    val end = Math.min(candidateUntil, wordsFor(high))
    val between = wordsBetweenLooks(setUntil - setFrom)
    var total = 0L
    var q = Math.max(candidateFrom, low >>> 6)
    while (q < end) {
      if (q % between == between - 1) read.look()
      var word = candidates(candidateRow + q) & maskFrom(low, q) & maskUntil(high, q)
      while (word != 0L) {
        val j = (q << 6) + java.lang.Long.numberOfTrailingZeros(word)
        word &= word - 1
        total += countCommonWithin(
          set,
          setRow,
          bits,
          j * width,
          Math.max(setFrom, matrix.rowFrom(j)),
          Math.min(setUntil, matrix.rowUntil(j)),
          Math.max(setLow, j + lowShift),
          Math.min(setHigh, j + highShift))
      }
      q += 1
    }
    total
  }

  private def countCommonWithin(
      a: Array[Long],
      aRow: Int,
      b: Array[Long],
      bRow: Int,
      from: Int,
      until: Int,
      low: Int,
      high: Int): Int =
    if (low >= high) 0
    else {
      val begin = Math.max(from, low >>> 6)
      val end = Math.min(until, wordsFor(high))
      if (begin >= end) 0
      else {
        // Whole words first, then the bits of the outer two words that are out of range.
        val head = a(aRow + begin) & b(bRow + begin) & ~maskFrom(low, begin)
        val tail = a(aRow + end - 1) & b(bRow + end - 1) & ~maskUntil(high, end - 1)
        countCommon(a, aRow, b, bRow, begin, end) -
          java.lang.Long.bitCount(head) - java.lang.Long.bitCount(tail)
      }
    }
}
