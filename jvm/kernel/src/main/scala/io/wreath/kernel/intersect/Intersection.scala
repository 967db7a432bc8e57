package io.wreath.kernel.intersect

import io.wreath.kernel.lists.{ElementCounter, GallopingSearch, Pieces}

/**
 * Intersection of two ascending lists without repeats, by merging or by galloping.
 *
 * Requires: room in `out` for one element more than the shorter list has, because the merge
 * writes before it knows whether to keep. `out` may be the array of the first list if it starts
 * at or before `aFrom`.
 * Cost: O(short * log(long / short)) when one list is [[GallopRatio]] times the other, else
 * O(short + long) without unpredictable branches.
 * Thread-safety: no state.
 */
object Intersection {

  /** From this ratio of lengths on, searching the long list beats walking it. */
  final val GallopRatio = 32

  /** Whether `long` elements are better searched than read for the sake of `short` ones. */
  def worthGalloping(short: Int, long: Int): Boolean = long / GallopRatio > short

  /** Writes the common elements to `out`, from 0 on, and returns how many there are. */
  def into(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int]): Int = append(a, aFrom, aUntil, b, bFrom, bUntil, out, 0)

  /** [[into]], with a look in between where a list is long. */
  private[wreath] def into(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int],
      read: ElementCounter): Int =
    if (Math.max(aUntil - aFrom, bUntil - bFrom) <= Pieces.Length) {
      append(a, aFrom, aUntil, b, bFrom, bUntil, out, 0)
    } else inPieces(a, aFrom, aUntil, b, bFrom, bUntil, out, read)

  /** [[count]], with a look in between where a list is long. */
  private[wreath] def count(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      read: ElementCounter): Int =
    if (Math.max(aUntil - aFrom, bUntil - bFrom) <= Pieces.Length) {
      count(a, aFrom, aUntil, b, bFrom, bUntil)
    } else inPieces(a, aFrom, aUntil, b, bFrom, bUntil, null, read)

  /** [[gallopInto]], with a look in between where a list is long. */
  private[wreath] def gallopInto(
      short: Array[Int],
      shortFrom: Int,
      shortUntil: Int,
      long: Array[Int],
      longFrom: Int,
      longUntil: Int,
      out: Array[Int],
      read: ElementCounter): Int =
    if (longUntil - longFrom <= Pieces.Length) {
      appendGalloping(short, shortFrom, shortUntil, long, longFrom, longUntil, out, 0)
    } else inPieces(short, shortFrom, shortUntil, long, longFrom, longUntil, out, read)

  /** [[gallopCount]], with a look in between where a list is long. */
  private[wreath] def gallopCount(
      short: Array[Int],
      shortFrom: Int,
      shortUntil: Int,
      long: Array[Int],
      longFrom: Int,
      longUntil: Int,
      read: ElementCounter): Int =
    if (longUntil - longFrom <= Pieces.Length) {
      gallopCount(short, shortFrom, shortUntil, long, longFrom, longUntil)
    } else inPieces(short, shortFrom, shortUntil, long, longFrom, longUntil, null, read)

  /**
   * A piece of each list at a time, both up to the same element.
   *
   * @param out null where the common elements are only counted
   */
  private def inPieces(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int],
      read: ElementCounter): Int = {
    var i = aFrom
    var j = bFrom
    var n = 0
    while (i < aUntil && j < bUntil) {
      var iEnd = pieceEnd(i, aUntil)
      var jEnd = pieceEnd(j, bUntil)
      val x = a(iEnd - 1)
      val y = b(jEnd - 1)
      if (x <= y) jEnd = GallopingSearch.lowerBound(b, j, jEnd, x + 1)
      else iEnd = GallopingSearch.lowerBound(a, i, iEnd, y + 1)
      n =
        if (out == null) n + count(a, i, iEnd, b, j, jEnd)
        else append(a, i, iEnd, b, j, jEnd, out, n)
      i = iEnd
      j = jEnd
      read.look()
    }
    n
  }

  private def pieceEnd(from: Int, until: Int): Int =
    if (until - from > Pieces.Length) from + Pieces.Length else until

  private def append(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int],
      at: Int): Int = {
    val aLength = aUntil - aFrom
    val bLength = bUntil - bFrom
    if (worthGalloping(aLength, bLength)) {
      appendGalloping(a, aFrom, aUntil, b, bFrom, bUntil, out, at)
    } else if (worthGalloping(bLength, aLength)) {
      appendGalloping(b, bFrom, bUntil, a, aFrom, aUntil, out, at)
    } else appendMerging(a, aFrom, aUntil, b, bFrom, bUntil, out, at)
  }

  /** How many elements are common. */
  def count(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int): Int = {
    val aLength = aUntil - aFrom
    val bLength = bUntil - bFrom
    if (worthGalloping(aLength, bLength)) gallopCount(a, aFrom, aUntil, b, bFrom, bUntil)
    else if (worthGalloping(bLength, aLength)) {
      gallopCount(b, bFrom, bUntil, a, aFrom, aUntil)
    } else mergeCount(a, aFrom, aUntil, b, bFrom, bUntil)
  }

  private def appendMerging(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int],
      at: Int): Int = {
    var i = aFrom
    var j = bFrom
    var n = at
    while (i < aUntil && j < bUntil) {
      val x = a(i)
      val y = b(j)
      if (x == y) {
        out(n) = x
        n += 1
      }
      if (x <= y) i += 1
      if (y <= x) j += 1
    }
    n
  }

  private def mergeCount(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int): Int = {
    var i = aFrom
    var j = bFrom
    var n = 0
    while (i < aUntil && j < bUntil) {
      val x = a(i)
      val y = b(j)
      if (x == y) n += 1
      if (x <= y) i += 1
      if (y <= x) j += 1
    }
    n
  }

  /** [[into]] for a first list that is known to be far shorter. */
  def gallopInto(
      short: Array[Int],
      shortFrom: Int,
      shortUntil: Int,
      long: Array[Int],
      longFrom: Int,
      longUntil: Int,
      out: Array[Int]): Int =
    appendGalloping(short, shortFrom, shortUntil, long, longFrom, longUntil, out, 0)

  private def appendGalloping(
      short: Array[Int],
      shortFrom: Int,
      shortUntil: Int,
      long: Array[Int],
      longFrom: Int,
      longUntil: Int,
      out: Array[Int],
      at: Int): Int = {
    var i = shortFrom
    var j = longFrom
    var n = at
    while (i < shortUntil && j < longUntil) {
      val x = short(i)
      j = GallopingSearch.lowerBound(long, j, longUntil, x)
      if (j < longUntil && long(j) == x) {
        out(n) = x
        n += 1
      }
      i += 1
    }
    n
  }

  /** [[count]] for a first list that is known to be far shorter. */
  def gallopCount(
      short: Array[Int],
      shortFrom: Int,
      shortUntil: Int,
      long: Array[Int],
      longFrom: Int,
      longUntil: Int): Int = {
    var i = shortFrom
    var j = longFrom
    var n = 0
    while (i < shortUntil && j < longUntil) {
      val x = short(i)
      j = GallopingSearch.lowerBound(long, j, longUntil, x)
      if (j < longUntil && long(j) == x) n += 1
      i += 1
    }
    n
  }
}
