package io.wreath.kernel.dictionary

import java.util.Arrays
import java.util.stream.IntStream

import io.wreath.kernel.lists.Pieces

/**
 * Ids that were collected in parts, each sorted and without repeats, to one dictionary.
 *
 * Thread-safety: no state; parts may be looked up in parallel.
 */
object IdMerge {

  /**
   * All ids of the parts, sorted, each once. Cost: rounds of merges, on all cores.
   *
   * @param interrupt runs every few milliseconds on any thread, and ends the merge by throwing
   */
  def distinct(
      parts: Array[Array[Long]],
      interrupt: Runnable = Pieces.NoInterrupt): Array[Long] =
    if (parts.isEmpty) Array.emptyLongArray
    else {
      val total = parts.iterator.map(_.length.toLong).sum
      if (total > Pieces.MaxArrayLength) {
        throw new IllegalArgumentException(
          s"At most ${Pieces.MaxArrayLength} ids can be merged, but there are $total.")
      }
      var left = parts
      while (left.length > 1) {
        val (now, merged) = (left, new Array[Array[Long]]((left.length + 1) / 2))
        IntStream.range(0, merged.length).parallel().forEach { i =>
          merged(i) =
            if (2 * i + 1 == now.length) now(2 * i)
            else merge(now(2 * i), now(2 * i + 1), interrupt)
        }
        left = merged
      }
      left(0)
    }

  /** Both sorted and without repeats, as the result is. */
  private def merge(a: Array[Long], b: Array[Long], interrupt: Runnable): Array[Long] = {
    val all = new Array[Long](a.length + b.length)
    var (i, j, n) = (0, 0, 0)
    while (i < a.length || j < b.length) {
      interrupt.run()
      val end = Math.min(all.length.toLong, n.toLong + Pieces.Length).toInt
      while (n < end && i < a.length && j < b.length) {
        val x = a(i)
        val y = b(j)
        all(n) = Math.min(x, y)
        n += 1
        if (x <= y) i += 1
        if (y <= x) j += 1
      }
      if (j == b.length) {
        val rest = Math.min(a.length - i, Pieces.Length)
        System.arraycopy(a, i, all, n, rest)
        i += rest
        n += rest
      } else if (i == a.length) {
        val rest = Math.min(b.length - j, Pieces.Length)
        System.arraycopy(b, j, all, n, rest)
        j += rest
        n += rest
      }
    }
    if (n == all.length) all else Arrays.copyOf(all, n)
  }

  /** The codes of ascending ids, -1 where the dictionary has none. */
  def positions(
      ids: Array[Long],
      dictionary: VertexDictionary,
      interrupt: Runnable = Pieces.NoInterrupt): Array[Int] =
    dictionary match {
      case sorted: SortedDictionary => walk(ids, sorted.ids, interrupt)
      case _ =>
        val codes = new Array[Int](ids.length)
        Pieces.foreach(ids.length, interrupt) { (from, until) =>
          var i = from
          while (i < until) {
            codes(i) = dictionary.encode(ids(i))
            i += 1
          }
        }
        codes
    }

  /** Both ascend, so one walk finds all; long stretches that are not asked for are leapt over. */
  private def walk(ids: Array[Long], all: Array[Long], interrupt: Runnable): Array[Int] = {
    val codes = new Array[Int](ids.length)
    var from = 0
    var i = 0
    while (i < ids.length) {
      if (Pieces.isDue(i, i + 1)) interrupt.run()
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
