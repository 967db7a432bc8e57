package io.wreath.kernel.count

import java.util.Arrays

import io.wreath.kernel.lists.ElementCounter

/** A number while a vertex is held still. */
abstract private[count] class RunningTotal {
  def at(): Long
}

/** The sum of a product of vectors. */
final private[count] class ProductTotal(of: Array[SparseVector], weights: Array[Long])
    extends RunningTotal {

  override def at(): Long = {
    val first = Products.shortest(of)
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
    bounds: RunningBounds,
    read: ElementCounter)
    extends RunningTotal {

  override def at(): Long = {
    to.make()
    var sum = 0L
    if (to.count > 0) {
      from.make()
      val low = bounds.low
      val high = bounds.high
      var i = 0
      while (i < from.count) {
        val v = from.codes(i)
        val met = if (edges.weights == null) walk(v, low, high) else walkWeighed(v, low, high)
        sum = Math.addExact(sum, Math.multiplyExact(from.values(v), met))
        i += 1
      }
      read.worked(from.count.toLong)
    }
    sum
  }

  private def walk(v: Int, low: Int, high: Int): Long = {
    val list = edges.lists.neighbours
    val begin = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = to.values
    var sum = 0L
    var i = last
    while (i >= begin && list(i) > low) {
      sum = Math.addExact(sum, numbers(list(i)))
      i -= 1
    }
    read.add(last - i)
    sum
  }

  private def walkWeighed(v: Int, low: Int, high: Int): Long = {
    val list = edges.lists.neighbours
    val begin = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = to.values
    var sum = 0L
    var i = last
    while (i >= begin && list(i) > low) {
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

/** The sum over codes of one vector, of all that another one has before them. */
final private[count] class ComparedTotal(
    less: SparseVector,
    than: SparseVector,
    read: ElementCounter)
    extends RunningTotal {
  private[this] var before = Array.emptyIntArray
  private[this] var after = Array.emptyIntArray

  override def at(): Long = {
    less.make()
    than.make()
    var sum = 0L
    if (less.count > 0 && than.count > 0) {
      if (before.length < less.count) before = new Array[Int](2 * less.count)
      if (after.length < than.count) after = new Array[Int](2 * than.count)
      inOrder(less, before)
      inOrder(than, after)
      var passed = 0L
      var i = 0
      var j = 0
      while (j < than.count) {
        while (i < less.count && before(i) < after(j)) {
          passed = Math.addExact(passed, less.values(before(i)))
          i += 1
        }
        sum = Math.addExact(sum, Math.multiplyExact(passed, than.values(after(j))))
        j += 1
      }
    }
    sum
  }

  private def inOrder(v: SparseVector, into: Array[Int]): Unit = {
    System.arraycopy(v.codes, 0, into, 0, v.count)
    Arrays.sort(into, 0, v.count)
    read.worked(v.count.toLong * 8L)
  }
}

/**
 * The sum over the codes of a vector, each held in turn.
 *
 * @param depth of what it holds
 * @param own vectors that depend on it
 */
final private[count] class HeldTotal(
    times: Long,
    val of: SparseVector,
    totals: Array[RunningTotal],
    own: Array[SparseVector],
    held: Array[Int],
    depth: Int,
    read: ElementCounter)
    extends RunningTotal {

  override def at(): Long = {
    of.make()
    var sum = 0L
    var i = 0
    while (i < of.count) {
      sum = Math.addExact(sum, at(of.codes(i)))
      i += 1
    }
    sum
  }

  /** What one of the codes adds. */
  def at(y: Int): Long = {
    held(depth) = y
    var product = Math.multiplyExact(times, of.values(y))
    var i = 0
    while (product != 0L && i < totals.length) {
      product = Math.multiplyExact(product, totals(i).at())
      i += 1
    }
    i = 0
    while (i < own.length) {
      own(i).clear()
      i += 1
    }
    read.worked(ElementCounter.Candidate)
    product
  }
}

/** One of the sums, for the vertices that are held one after the other. */
final private[count] class RunningSum(
    val times: Long,
    val codes: Int,
    weights: Array[Long],
    totals: Array[RunningTotal],
    val groups: HeldTotal) {

  def at(x: Int): Long = {
    var product = if (weights == null) 1L else weights(x)
    var i = 0
    while (product != 0L && i < totals.length) {
      product = Math.multiplyExact(product, totals(i).at())
      i += 1
    }
    product
  }
}
