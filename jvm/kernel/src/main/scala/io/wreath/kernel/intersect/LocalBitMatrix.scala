package io.wreath.kernel.intersect

import java.util.Arrays

import io.wreath.kernel.lists.{Adjacency, ElementCounter, GallopingSearch}

/**
 * One direction of one relation, restricted to a set of vertices (a neighbourhood) and relabelled
 * to `0 until size`: row i has bit j if the list of member i contains member j.
 *
 * Intersecting lists within the neighbourhood is then an AND of rows, 64 candidates at a time,
 * and labels keep the order of codes, so that `<` is a range of bits. Each row of a wide matrix
 * knows its first and last non-zero word: with edges that all ascend, half of it is empty.
 *
 * Requires: at most `maxSize` members.
 * Cost of [[build]]: reads the list of each member once, or searches it if it is far longer than
 * the neighbourhood; size^2 / 64 words of memory, which grow to the largest neighbourhood seen.
 * Not thread-safe: one per task.
 */
final private[wreath] class LocalBitMatrix(maxSize: Int) {

  private[this] val found = new Array[Int](maxSize + 1)

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
   * @param side   1 for the bits after the vertex of a row only, -1 for those before, 0 for all
   * @param labels by code the label of a member, and -1 for all other vertices
   */
  def build(
      adjacency: Adjacency,
      side: Int,
      members: Array[Int],
      from: Int,
      until: Int,
      labels: Array[Int],
      read: ElementCounter): Unit = {
    val size = until - from
    width = LocalBitMatrix.wordsFor(size)
    val words = size * width
    if (bits.length < words) bits = new Array[Long](Math.max(words, 2 * bits.length))
    else clear(words, read)
    var touched = 0L
    var i = 0
    while (i < size) {
      val v = members(from + i)
      val list = adjacency.array(v)
      var listFrom = adjacency.from(v)
      var listUntil = adjacency.until(v)
      if (side > 0) listFrom = adjacency.after(v)
      if (side < 0) listUntil = GallopingSearch.lowerBound(list, listFrom, listUntil, v)
      val row = i * width
      if (Intersection.worthGalloping(size, listUntil - listFrom)) {
        touched += size
        LocalBitMatrix.search(bits, row, members, from, until, list, listFrom, listUntil)
      } else {
        touched += listUntil - listFrom
        LocalBitMatrix.scan(bits, row, labels, list, listFrom, listUntil, found)
      }
      var first = 0
      var end = width
      if (width > LocalBitMatrix.NarrowWidth) {
        while (first < width && bits(row + first) == 0L) first += 1
        while (end > first && bits(row + end - 1) == 0L) end -= 1
      }
      rowFrom(i) = first
      rowUntil(i) = end
      if (touched >= ElementCounter.BetweenChecks) {
        read.add(touched)
        touched = 0L
      }
      i += 1
    }
    read.add(touched)
  }

  /** In pieces: of the largest matrix it takes a tenth of a second. */
  private def clear(words: Int, read: ElementCounter): Unit = {
    var z = 0
    while (z < words) {
      val end = Math.min(words, z + ElementCounter.BetweenChecks.toInt)
      Arrays.fill(bits, z, end, 0L)
      read.worked((end - z).toLong)
      z = end
    }
  }
}

private[wreath] object LocalBitMatrix {

  /**
   * Rows of up to this many words are read as a whole, without a loop: on ego-twitter most rows
   * have one or two words, and mispredicting the end of a loop costs more than a few words.
   */
  final val NarrowWidth = 4

  /** Words that a row of `size` bits takes. */
  def wordsFor(size: Int): Int = (size + 63) >>> 6

  /**
   * Sets the bits of the members in a list. Most elements are no members and which ones are is
   * unpredictable, so the labels are first collected without a branch, in `found`.
   */
  private def scan(
      bits: Array[Long],
      row: Int,
      labels: Array[Int],
      list: Array[Int],
      from: Int,
      until: Int,
      found: Array[Int]): Unit = {
    var n = 0
    var i = from
    while (i < until) {
      val label = labels(list(i))
      found(n) = label
      n += (label >>> 31) ^ 1 // -1 is the only negative label
      i += 1
    }
    // Labels ascend, so each word is complete when the next one begins.
    var at = row
    var word = 0L
    i = 0
    while (i < n) {
      val label = found(i)
      val next = row + (label >>> 6)
      if (next != at) {
        bits(at) = word
        at = next
        word = 0L
      }
      word |= 1L << label
      i += 1
    }
    bits(at) = word
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
}
