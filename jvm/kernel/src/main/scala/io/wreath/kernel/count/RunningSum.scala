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

/** For one code after the other, the sum over its edges to codes of a vector. */
final private[count] class EdgeSums(
    edges: EdgeNumbers,
    to: SparseVector,
    bounds: RunningBounds,
    read: ElementCounter) {
  private[this] var low = -1
  private[this] var high = Int.MaxValue

  /** Makes the vector; false if it has no codes. */
  def make(): Boolean = {
    to.make()
    low = bounds.low
    high = bounds.high
    to.count > 0
  }

  def at(v: Int): Long = if (edges.weights == null) walk(v) else walkWeighed(v)

  private def walk(v: Int): Long = {
    val list = edges.lists.neighbours
    val begin = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = to.values
    val least = low
    var sum = 0L
    var i = last
    while (i >= begin && list(i) > least) {
      sum = Math.addExact(sum, numbers(list(i)))
      i -= 1
    }
    read.add(last - i)
    sum
  }

  private def walkWeighed(v: Int): Long = {
    val list = edges.lists.neighbours
    val begin = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = to.values
    val least = low
    var sum = 0L
    var i = last
    while (i >= begin && list(i) > least) {
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

/** The sum over the edges from codes of one vector to codes of another. */
final private[count] class JoinedTotal(from: SparseVector, to: EdgeSums, read: ElementCounter)
    extends RunningTotal {

  override def at(): Long = {
    var sum = 0L
    if (to.make()) {
      from.make()
      var i = 0
      while (i < from.count) {
        val v = from.codes(i)
        sum = Math.addExact(sum, Math.multiplyExact(from.values(v), to.at(v)))
        i += 1
      }
      read.worked(from.count.toLong)
    }
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
