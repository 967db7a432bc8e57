package io.wreath.kernel.intersect

import io.wreath.kernel.lists.GallopingSearch

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
      out: Array[Int]): Int = {
    val aLength = aUntil - aFrom
    val bLength = bUntil - bFrom
    if (worthGalloping(aLength, bLength)) gallopInto(a, aFrom, aUntil, b, bFrom, bUntil, out)
    else if (worthGalloping(bLength, aLength)) {
      gallopInto(b, bFrom, bUntil, a, aFrom, aUntil, out)
    } else mergeInto(a, aFrom, aUntil, b, bFrom, bUntil, out)
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

  private def mergeInto(
      a: Array[Int],
      aFrom: Int,
      aUntil: Int,
      b: Array[Int],
      bFrom: Int,
      bUntil: Int,
      out: Array[Int]): Int = {
    var i = aFrom
    var j = bFrom
    var n = 0
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
      out: Array[Int]): Int = {
    var i = shortFrom
    var j = longFrom
    var n = 0
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
