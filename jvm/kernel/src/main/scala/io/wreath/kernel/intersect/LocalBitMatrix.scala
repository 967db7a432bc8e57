package io.wreath.kernel.intersect

import java.util.Arrays

import io.wreath.kernel.csr.Adjacency

/**
 * One direction of one relation, restricted to a set of vertices (a neighbourhood) and relabelled
 * to `0 until size`: row i has bit j if the list of member i contains member j.
 *
 * Intersecting lists within the neighbourhood is then an AND of rows, 64 candidates at a time,
 * and labels keep the order of codes, so that `<` is a range of bits. Each row knows its first
 * and last non-zero word: with edges that all ascend, half of every matrix is empty.
 *
 * Requires: at most `maxSize` members.
 * Cost of [[build]]: reads the list of each member once, or searches it if it is far longer than
 * the neighbourhood; size^2 / 64 words of memory, which grow to the largest neighbourhood seen.
 * Not thread-safe: one per task.
 */
final private[wreath] class LocalBitMatrix(maxSize: Int) {

  /** Words of a row. */
  var width: Int = 0

  /** Row i begins at word `i * width`. */
  var bits: Array[Long] = Array.emptyLongArray

  /** The words of row i that may be other than zero: `rowFrom(i) until rowUntil(i)`. */
  val rowFrom: Array[Int] = new Array[Int](maxSize)
  val rowUntil: Array[Int] = new Array[Int](maxSize)

  /**
   * Fills the matrix with the members `members(from) until members(until)`, ascending.
   *
   * @param labels by code the label of a member, and -1 for all other vertices
   * @return how many list elements were read
   */
  def build(
      adjacency: Adjacency,
      members: Array[Int],
      from: Int,
      until: Int,
      labels: Array[Int]): Long = {
    val size = until - from
    width = LocalBitMatrix.wordsFor(size)
    val words = size * width
    if (bits.length < words) bits = new Array[Long](Math.max(words, 2 * bits.length))
    else Arrays.fill(bits, 0, words, 0L)
    var touched = 0L
    var i = 0
    while (i < size) {
      val v = members(from + i)
      val list = adjacency.array(v)
      val listFrom = adjacency.from(v)
      val listUntil = adjacency.until(v)
      val row = i * width
      if (Intersection.worthGalloping(size, listUntil - listFrom)) {
        touched += size
        LocalBitMatrix.search(bits, row, members, from, until, list, listFrom, listUntil)
      } else {
        touched += listUntil - listFrom
        LocalBitMatrix.scan(bits, row, labels, list, listFrom, listUntil)
      }
      var first = 0
      while (first < width && bits(row + first) == 0L) first += 1
      var end = width
      while (end > first && bits(row + end - 1) == 0L) end -= 1
      rowFrom(i) = first
      rowUntil(i) = end
      i += 1
    }
    touched
  }
}

private[wreath] object LocalBitMatrix {

  /** Words that a row of `size` bits takes. */
  def wordsFor(size: Int): Int = (size + 63) >>> 6

  /** The bits of word `word` that belong to the range of bits from `low` on. */
  def maskFrom(low: Int, word: Int): Long =
    if (low <= (word << 6)) -1L else if (low >= ((word + 1) << 6)) 0L else -1L << low

  /** The bits of word `word` that belong to the range of bits before `high`. */
  def maskUntil(high: Int, word: Int): Long =
    if (high >= ((word + 1) << 6)) -1L else if (high <= (word << 6)) 0L else -1L >>> -high

  private def scan(
      bits: Array[Long],
      row: Int,
      labels: Array[Int],
      list: Array[Int],
      from: Int,
      until: Int): Unit = {
    var i = from
    while (i < until) {
      val label = labels(list(i))
      if (label >= 0) bits(row + (label >>> 6)) |= 1L << label
      i += 1
    }
  }

  private def search(
      bits: Array[Long],
      row: Int,
      members: Array[Int],
      membersFrom: Int,
      membersUntil: Int,
      list: Array[Int],
      from: Int,
      until: Int): Unit = {
    var m = membersFrom
    var at = from
    while (m < membersUntil && at < until) {
      at = GallopingSearch.lowerBound(list, at, until, members(m))
      if (at < until && list(at) == members(m)) {
        val label = m - membersFrom
        bits(row + (label >>> 6)) |= 1L << label
      }
      m += 1
    }
  }

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
      matrix: LocalBitMatrix): Long = {
    val bits = matrix.bits
    val width = matrix.width
    val rowFrom = matrix.rowFrom
    val rowUntil = matrix.rowUntil
    val end = Math.min(candidateUntil, wordsFor(high))
    var total = 0L
    var q = Math.max(candidateFrom, low >>> 6)
    while (q < end) {
      var word = candidates(candidateRow + q) & maskFrom(low, q) & maskUntil(high, q)
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
      q += 1
    }
    total
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
      matrix: LocalBitMatrix): Long = {
    val bits = matrix.bits
    val width = matrix.width
    val end = Math.min(candidateUntil, wordsFor(high))
    var total = 0L
    var q = Math.max(candidateFrom, low >>> 6)
    while (q < end) {
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
