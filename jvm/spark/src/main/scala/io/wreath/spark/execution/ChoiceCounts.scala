package io.wreath.spark.execution

/**
 * How many ways there are to choose a row for each edge of a binding, of edges that must be different
 * rows: a closed form, so that thousands of parallel edges are not gone through.
 *
 * {{{
 *   k edges over the same m rows                             m * (m - 1) * … * (m - k + 1)
 *   k directed ones among them, over m1 of the m rows        m1 * … * (m1 - k + 1), then the others
 *                                                            over the m - k rows that are left
 * }}}
 * Edges between other vertices, or of other tables, have other rows. Not thread-safe.
 *
 * @param choices whose edges are counted
 * @param pairs of elements that must be different rows
 */
final private[execution] class ChoiceCounts(
    choices: RowChoices,
    pairs: Seq[(Int, Int)],
    elements: PatternElements) {
  import choices.{backFirst, backUntil, first, until}

  private[this] val count = choices.edges.length
  private[this] val relation = choices.edges.map(elements.relationOf)
  private[this] val differ = Array.tabulate(count, count) { (i, j) =>
    val (a, b) = (choices.edges(i), choices.edges(j))
    pairs.contains((a, b)) || pairs.contains((b, a))
  }
  private[this] val group = new Array[Int](count)

  /** The ways under the binding that `choices` has started with; -1 where there is no closed form. */
  def ways(): Long = {
    groupByRows()
    var product = 1L
    var i = 0
    while (product > 0 && i < count) {
      if (group(i) == i) {
        val own = waysOf(i)
        product = if (own < 0) -1L else Math.multiplyExact(product, own)
      }
      i += 1
    }
    product
  }

  /** Gives edges that have rows in common the same number, that of the first of them. */
  private def groupByRows(): Unit = {
    var i = 0
    while (i < count) {
      group(i) = i
      var j = 0
      while (j < i) {
        if (overlap(i, j) && group(i) != group(j)) merge(group(i), group(j), i)
        j += 1
      }
      i += 1
    }
  }

  private def merge(a: Int, b: Int, last: Int): Unit = {
    var i = 0
    while (i <= last) {
      if (group(i) == Math.max(a, b)) group(i) = Math.min(a, b)
      i += 1
    }
  }

  /** Parallel rows come together, so that ranges are the same or have nothing in common. */
  private def overlap(i: Int, j: Int): Boolean =
    relation(i) == relation(j) && (first(i) == first(j) || startsBack(i, first(j)) ||
      startsBack(j, first(i)) || (hasBack(i) && startsBack(j, backFirst(i))))

  private def hasBack(i: Int): Boolean = backFirst(i) < backUntil(i)

  private def startsBack(i: Int, row: Int): Boolean = hasBack(i) && backFirst(i) == row

  private def sizeOf(i: Int): Int = until(i) - first(i) + backUntil(i) - backFirst(i)

  private def waysOf(leader: Int): Long = {
    var all = true
    var none = true
    var i = leader
    while (i < count) {
      var j = leader
      while (j < i) {
        if (group(i) == leader && group(j) == leader && overlap(i, j)) {
          if (differ(i)(j)) none = false else all = false
        }
        j += 1
      }
      i += 1
    }
    if (all) injective(leader) else if (none) independent(leader) else -1L
  }

  private def independent(leader: Int): Long = {
    var product = 1L
    var i = leader
    while (i < count) {
      if (group(i) == leader) product = Math.multiplyExact(product, sizeOf(i).toLong)
      i += 1
    }
    product
  }

  /** Edges over one range first, each range by itself; then those over both. */
  private def injective(leader: Int): Long = {
    var product = 1L
    var taken = 0
    var i = leader
    while (i < count) {
      if (group(i) == leader && !hasBack(i)) {
        product = Math.multiplyExact(product, Math.max(0L, sizeOf(i).toLong - sameBefore(i)))
        taken += 1
      }
      i += 1
    }
    i = leader
    while (i < count) {
      if (group(i) == leader && hasBack(i)) {
        product = Math.multiplyExact(product, Math.max(0L, sizeOf(i).toLong - taken))
        taken += 1
      }
      i += 1
    }
    product
  }

  /** How many edges before this one have the same range, and no other. */
  private def sameBefore(i: Int): Int = {
    var n = 0
    var j = 0
    while (j < i) {
      if (relation(j) == relation(i) && !hasBack(j) && first(j) == first(i)) n += 1
      j += 1
    }
    n
  }
}
