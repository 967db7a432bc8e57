package io.wreath.kernel.intersect

import java.util.function.LongUnaryOperator

import io.wreath.kernel.lists.{Adjacency, ElementCounter, GallopingSearch, Pieces}

/**
 * Intersection with a set that stays while many lists pass by: the set is marked once in an array
 * of one byte per vertex, and each element of a list is then a load instead of a comparison.
 *
 * Requires: `marks` as long as there are vertices, all zero before [[mark]]; [[clear]] with the
 * same elements undoes it, which is cheaper than zeroing the array.
 * Cost: O(list) for [[count]] and [[into]], independent of the size of the set and without
 * unpredictable branches. Bytes rather than epochs, because the marks have to stay in cache.
 * Thread-safety: no state, but `marks` belongs to one task.
 */
object NeighbourhoodMarks {

  /** Says that there is no bound: no shift that a comparison gives. */
  final private[wreath] val NoShift = Int.MinValue

  def mark(marks: Array[Byte], set: Array[Int], from: Int, until: Int): Unit = {
    var i = from
    while (i < until) {
      marks(set(i)) = 1
      i += 1
    }
  }

  def clear(marks: Array[Byte], set: Array[Int], from: Int, until: Int): Unit = {
    var i = from
    while (i < until) {
      marks(set(i)) = 0
      i += 1
    }
  }

  /** How many elements of the list are marked. */
  def count(marks: Array[Byte], list: Array[Int], from: Int, until: Int): Int = {
    var n = 0
    var i = from
    while (i < until) {
      n += marks(list(i))
      i += 1
    }
    n
  }

  /** [[mark]], with a look in between where the set is long. */
  private[wreath] def mark(
      marks: Array[Byte],
      set: Array[Int],
      from: Int,
      until: Int,
      read: ElementCounter): Unit = {
    var i = from
    while (until - i > Pieces.Length) {
      mark(marks, set, i, i + Pieces.Length)
      i += Pieces.Length
      read.look()
    }
    mark(marks, set, i, until)
  }

  /** [[clear]], with a look in between where the set is long. */
  private[wreath] def clear(
      marks: Array[Byte],
      set: Array[Int],
      from: Int,
      until: Int,
      read: ElementCounter): Unit = {
    var i = from
    while (until - i > Pieces.Length) {
      clear(marks, set, i, i + Pieces.Length)
      i += Pieces.Length
      read.look()
    }
    clear(marks, set, i, until)
  }

  /** [[count]], with a look in between where the list is long. */
  private[wreath] def count(
      marks: Array[Byte],
      list: Array[Int],
      from: Int,
      until: Int,
      read: ElementCounter): Int = {
    var n = 0
    var i = from
    while (until - i > Pieces.Length) {
      n += count(marks, list, i, i + Pieces.Length)
      i += Pieces.Length
      read.look()
    }
    n + count(marks, list, i, until)
  }

  /** [[countBits]], with a look in between where the list is long. */
  private[wreath] def countBits(
      bits: Array[Long],
      list: Array[Int],
      from: Int,
      until: Int,
      read: ElementCounter): Int = {
    var n = 0
    var i = from
    while (until - i > Pieces.Length) {
      n += countBits(bits, list, i, i + Pieces.Length)
      i += Pieces.Length
      read.look()
    }
    n + countBits(bits, list, i, until)
  }

  /** How many elements of the list have their bit set: bit x of word x / 64. */
  def countBits(bits: Array[Long], list: Array[Int], from: Int, until: Int): Int = {
    var n = 0L
    var i = from
    while (i < until) {
      val x = list(i)
      n += bits(x >>> 6) >>> x & 1L
      i += 1
    }
    n.toInt
  }

  /**
   * Two levels of a join in one loop: how many marked elements the lists of all candidates
   * `candidates(from) until candidates(until)` have together.
   *
   * @param set what is marked, in `setFrom until setUntil`; lists that are far longer are searched
   *            for its elements instead of being read
   * @param low  elements of a list count from `low`, and from its candidate plus `lowShift`, on
   * @param high and until `high`, and until its candidate plus `highShift`; either shift may be
   *             [[NoShift]]
   * @param counted what to make of the number of each list before it is added; null for itself
   */
  private[wreath] def countLists(
      marks: Array[Byte],
      set: Array[Int],
      setFrom: Int,
      setUntil: Int,
      adjacency: Adjacency,
      candidates: Array[Int],
      from: Int,
      until: Int,
      size: Int,
      isBounded: Boolean,
      low: Int,
      high: Int,
      lowShift: Int,
      highShift: Int,
      counted: LongUnaryOperator,
      read: ElementCounter): Long = {
    // Lists of one graph share an array, so the range has to tell whether they are the same list.
    val isOwnSet = (candidates eq set) && from >= setFrom && until <= setUntil
    var total = 0L
    var elements = 0L
    var i = from
    while (i < until) {
      val v = candidates(i)
      val list = adjacency.array(v)
      var listFrom = adjacency.from(v)
      var listUntil = adjacency.until(v)
      if (isBounded) {
        if (lowShift == 1) listFrom = adjacency.after(v)
        val least = if (lowShift == NoShift) low else Math.max(low, v + lowShift)
        listFrom = GallopingSearch.lowerBound(list, listFrom, listUntil, least)
        val end = if (highShift == NoShift) high else Math.min(high, v + highShift)
        if (end < size) {
          listUntil = GallopingSearch.lowerBound(list, listFrom, listUntil, end)
        }
      }
      if (listFrom < listUntil) {
        // In a triangle the candidates are the set. If moreover edges ascend, the list of v has
        // only what comes after v, so only the rest of the set needs to be searched for.
        val rest = if (isOwnSet && list(listFrom) > v) i + 1 else setFrom
        var n = 0L
        if (Intersection.worthGalloping(setUntil - rest, listUntil - listFrom)) {
          read.searched(setUntil - rest)
          n = Intersection
            .gallopCount(set, rest, setUntil, list, listFrom, listUntil, read)
            .toLong
        } else {
          elements += listUntil - listFrom
          n = count(marks, list, listFrom, listUntil, read).toLong
        }
        total = Math.addExact(total, if (counted == null) n else counted.applyAsLong(n))
        if (elements >= ElementCounter.BetweenChecks) {
          read.add(elements)
          elements = 0L
        }
      }
      i += 1
    }
    read.add(elements)
    total
  }

  /**
   * Writes the marked elements of the list to `out`, from 0 on, and returns how many there are.
   * `out` needs room for one element more, for each element is written before it is judged.
   */
  def into(
      marks: Array[Byte],
      list: Array[Int],
      from: Int,
      until: Int,
      out: Array[Int]): Int = append(marks, list, from, until, out, 0)

  /** [[into]], with a look in between where the list is long. */
  private[wreath] def into(
      marks: Array[Byte],
      list: Array[Int],
      from: Int,
      until: Int,
      out: Array[Int],
      read: ElementCounter): Int = {
    var n = 0
    var i = from
    while (until - i > Pieces.Length) {
      n = append(marks, list, i, i + Pieces.Length, out, n)
      i += Pieces.Length
      read.look()
    }
    append(marks, list, i, until, out, n)
  }

  private def append(
      marks: Array[Byte],
      list: Array[Int],
      from: Int,
      until: Int,
      out: Array[Int],
      at: Int): Int = {
    var n = at
    var i = from
    while (i < until) {
      val x = list(i)
      out(n) = x
      n += marks(x)
      i += 1
    }
    n
  }
}
