package io.wreath.kernel.csr

import java.util.Arrays

/**
 * Ids that were collected in parts, each sorted and without repeats, to one dictionary.
 *
 * Thread-safety: no state; parts may be looked up in parallel.
 */
object IdMerge {

  /** All ids of the parts, sorted, each once. Cost: one sort, on all cores. */
  def distinct(parts: Array[Array[Long]]): Array[Long] =
    if (parts.length == 1) parts(0)
    else {
      val total = parts.iterator.map(_.length.toLong).sum
      if (total > CsrBuilder.MaxArrayLength) {
        throw new IllegalArgumentException(
          s"At most ${CsrBuilder.MaxArrayLength} ids can be merged, but there are $total.")
      }
      val all = new Array[Long](total.toInt)
      var n = 0
      parts.foreach { part =>
        System.arraycopy(part, 0, all, n, part.length)
        n += part.length
      }
      Arrays.parallelSort(all)
      n = 0
      var i = 0
      while (i < all.length) {
        if (n == 0 || all(n - 1) != all(i)) {
          all(n) = all(i)
          n += 1
        }
        i += 1
      }
      Arrays.copyOf(all, n)
    }

  /** The codes of ascending ids, -1 where the dictionary has none. */
  def positions(ids: Array[Long], dictionary: VertexDictionary): Array[Int] =
    dictionary match {
      case sorted: SortedDictionary => walk(ids, sorted.ids)
      case _ =>
        val codes = new Array[Int](ids.length)
        var i = 0
        while (i < ids.length) {
          codes(i) = dictionary.encode(ids(i))
          i += 1
        }
        codes
    }

  /** Both ascend, so one walk finds all; long stretches that are not asked for are leapt over. */
  private def walk(ids: Array[Long], all: Array[Long]): Array[Int] = {
    val codes = new Array[Int](ids.length)
    var from = 0
    var i = 0
    while (i < ids.length) {
      var step = 1
      while (from + step < all.length && all(from + step) < ids(i)) {
        from += step
        step += step
      }
      val at = Arrays.binarySearch(all, from, Math.min(all.length, from + step + 1), ids(i))
      codes(i) = if (at >= 0) at else -1
      from = if (at >= 0) at else Math.min(-1 - at, all.length)
      i += 1
    }
    codes
  }
}
