package io.wreath.kernel.partition

import io.wreath.kernel.lists.{Adjacency, ElementCounter}

/**
 * What the elements of a list cost, and where to cut a long one: the same for all seeds, whether codes or
 * changed edges.
 *
 * Thread-safety: no state.
 */
private[kernel] object ListCuts {

  /** How many of a list's vertices are looked at, and of many one in 64 more. */
  final private val Sample = 8

  /** The lengths of the lists in `next` of the vertices in a stretch of a list, of a long one by a sample. */
  def onward(list: Array[Int], from: Int, until: Int, next: Adjacency): Double = {
    val step = Math.max(1, (until - from) / (Sample + ((until - from) >>> 6)))
    var sum = 0L
    var n = 0
    var i = from
    while (i < until) {
      sum += degree(next, list(i))
      n += 1
      i += step
    }
    if (n == 0) 0.0 else sum.toDouble * (until - from) / n
  }

  /**
   * Ranges of codes that cut the list of `v` into about `parts`, with about as much to do in each.
   *
   * @param next the lists that the vertices in the list are looked up in
   */
  def ranges(
      lists: Adjacency,
      next: Adjacency,
      v: Int,
      parts: Double,
      work: ElementCounter): Seq[(Int, Int)] = {
    val list = lists.array(v)
    val from = lists.from(v)
    val until = lists.until(v)
    val count = Math.min(Math.ceil(parts), (until - from).toDouble).toInt
    val cuts =
      if (count < 2) Nil
      else {
        val sums = new Array[Double](until - from + 1)
        var i = from
        while (i < until) {
          sums(i - from + 1) = sums(i - from) + 1.0 + degree(next, list(i))
          work.worked(4L)
          i += 1
        }
        (1 until count).map { k =>
          list(from + firstAtLeast(sums, sums.last / count * k) - 1)
        }.distinct
      }
    val bounds = 0 +: cuts.map(_ + 1) :+ Int.MaxValue
    bounds.zip(bounds.tail)
  }

  /** A vertex of another kind has no list here. */
  private def degree(lists: Adjacency, v: Int): Int =
    if (v < lists.vertexCount) lists.degree(v) else 0

  private def firstAtLeast(sums: Array[Double], target: Double): Int = {
    var low = 1
    var high = sums.length - 1
    while (low < high) {
      val middle = (low + high) >>> 1
      if (sums(middle) < target) low = middle + 1 else high = middle
    }
    low
  }
}
