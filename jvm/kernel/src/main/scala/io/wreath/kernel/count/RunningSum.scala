package io.wreath.kernel.count

import io.wreath.kernel.lists.ElementCounter

/** A number while a vertex is held still. */
abstract private[count] class RunningTotal {
  def at(x: Int): Long
}

/** The sum of a product of vectors. */
final private[count] class ProductTotal(of: Array[SparseVector], weights: Array[Long])
    extends RunningTotal {

  override def at(x: Int): Long = {
    val first = Products.shortest(of, x)
    var sum = 0L
    var i = 0
    while (i < first.count) {
      sum = Math.addExact(sum, Products.at(of, weights, first.codes(i)))
      i += 1
    }
    sum
  }
}

/** The sum over the edges from codes of one vector to codes of another. */
final private[count] class JoinedTotal(
    from: SparseVector,
    edges: EdgeNumbers,
    to: SparseVector,
    isBelow: Boolean,
    read: ElementCounter)
    extends RunningTotal {

  override def at(x: Int): Long = {
    to.make(x)
    var sum = 0L
    if (to.count > 0) {
      from.make(x)
      val bound = if (isBelow) x else -1
      var i = 0
      while (i < from.count) {
        val v = from.codes(i)
        val met = if (edges.weights == null) walk(v, bound) else walkWeighed(v, bound)
        sum = Math.addExact(sum, Math.multiplyExact(from.values(v), met))
        i += 1
      }
      read.worked(from.count.toLong)
    }
    sum
  }

  private def walk(v: Int, bound: Int): Long = {
    val list = edges.lists.neighbours
    val begin = edges.lists.from(v)
    val last = edges.lists.until(v) - 1
    val numbers = to.values
    var sum = 0L
    var i = last
    while (i >= begin && list(i) > bound) {
      sum = Math.addExact(sum, numbers(list(i)))
      i -= 1
    }
    read.add(last - i)
    sum
  }

  private def walkWeighed(v: Int, bound: Int): Long = {
    val list = edges.lists.neighbours
    val begin = edges.lists.from(v)
    val last = edges.lists.until(v) - 1
    val numbers = to.values
    var sum = 0L
    var i = last
    while (i >= begin && list(i) > bound) {
      val number = numbers(list(i))
      if (number != 0L) {
        sum = Math.addExact(sum, Math.multiplyExact(number, edges.weights(i)))
      }
      i -= 1
    }
    read.add(last - i)
    sum
  }
}

/** One of the sums, for the vertices that are held one after the other. */
final private[count] class RunningSum(
    val times: Long,
    val codes: Int,
    held: Array[Long],
    totals: Array[RunningTotal]) {

  def at(x: Int): Long = {
    var product = if (held == null) 1L else held(x)
    var i = 0
    while (product != 0L && i < totals.length) {
      product = Math.multiplyExact(product, totals(i).at(x))
      i += 1
    }
    product
  }
}
