package io.wreath.kernel.intersect

import io.wreath.kernel.csr.Adjacency

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

  /**
   * The last two levels of a join in one loop: how many marked elements the lists of all
   * candidates `candidates(from) until candidates(until)` have together.
   *
   * @param set what is marked, in `setFrom until setUntil`; lists that are far longer are searched
   *            for its elements instead of being read
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
      read: ElementCounter): Long = {
    val isOwnSet = candidates eq set
    var total = 0L
    var elements = 0L
    var i = from
    while (i < until) {
      val v = candidates(i)
      val list = adjacency.array(v)
      val listFrom = adjacency.from(v)
      val listUntil = adjacency.until(v)
      if (listFrom < listUntil) {
        // In a triangle the candidates are the set. If moreover edges ascend, the list of v has
        // only what comes after v, so only the rest of the set needs to be searched for.
        val rest = if (isOwnSet && list(listFrom) > v) i + 1 else setFrom
        if (Intersection.worthGalloping(setUntil - rest, listUntil - listFrom)) {
          elements += setUntil - rest
          total += Intersection.gallopCount(set, rest, setUntil, list, listFrom, listUntil)
        } else {
          elements += listUntil - listFrom
          total += count(marks, list, listFrom, listUntil)
        }
      }
      i += 1
    }
    read.elements += elements
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
      out: Array[Int]): Int = {
    var n = 0
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
