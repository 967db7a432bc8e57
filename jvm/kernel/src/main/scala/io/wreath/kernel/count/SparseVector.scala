package io.wreath.kernel.count

import io.wreath.kernel.lists.ElementCounter

/**
 * A number for each of `size` codes, of which few are not zero, while a vertex is held still. It is made
 * when it is first asked for, and cleared after that vertex.
 *
 * Not thread-safe.
 */
abstract private[count] class SparseVector(val size: Int) {

  /** By code. */
  val values: Array[Long] = new Array[Long](size)

  /** The codes that have a number, each once, `count` of them. */
  val codes: Array[Int] = new Array[Int](size + 1) // written before it is judged
  var count: Int = 0
  private[this] var isMade = false

  /** Makes the numbers for the vertex `x`, unless that was done. */
  final def make(x: Int): Unit = if (!isMade) {
    isMade = true
    fill(x)
  }

  protected def fill(x: Int): Unit

  final def clear(): Unit = if (isMade) {
    val v = values
    val c = codes
    var i = 0
    while (i < count) {
      v(c(i)) = 0L
      i += 1
    }
    count = 0
    isMade = false
  }
}

/** The neighbours of the held vertex. */
final private[count] class RowVector(
    edges: EdgeNumbers,
    isBelow: Boolean,
    read: ElementCounter)
    extends SparseVector(edges.columns) {

  override protected def fill(x: Int): Unit = {
    val list = edges.lists.neighbours
    val from = if (isBelow) edges.lists.after(x) else edges.lists.from(x)
    val until = edges.lists.until(x)
    var n = 0
    var i = from
    while (i < until) {
      val weight = if (edges.weights == null) 1L else edges.weights(i)
      if (weight != 0L) {
        values(list(i)) = weight
        codes(n) = list(i)
        n += 1
      }
      i += 1
    }
    count = n
    read.add(until - from)
  }
}

/** One step on from the codes of another vector. Lists are walked from their end, to the held vertex. */
final private[count] class PushedVector(
    source: SparseVector,
    edges: EdgeNumbers,
    isBelow: Boolean,
    read: ElementCounter)
    extends SparseVector(edges.columns) {

  override protected def fill(x: Int): Unit = {
    source.make(x)
    val bound = if (isBelow) x else -1
    var i = 0
    while (i < source.count) {
      val v = source.codes(i)
      if (edges.weights == null) walk(v, source.values(v), bound)
      else walkWeighed(v, source.values(v), bound)
      i += 1
    }
    read.worked(source.count.toLong)
  }

  private def walk(v: Int, number: Long, bound: Int): Unit = {
    val list = edges.lists.neighbours
    val from = edges.lists.from(v)
    val last = edges.lists.until(v) - 1
    val numbers = values
    val found = codes
    var n = count
    var i = last
    while (i >= from && list(i) > bound) {
      val c = list(i)
      val before = numbers(c)
      numbers(c) = Math.addExact(before, number)
      found(n) = c
      n += ((before - 1L) >>> 63).toInt // one if there was none before
      i -= 1
    }
    count = n
    read.add(last - i)
  }

  private def walkWeighed(v: Int, number: Long, bound: Int): Unit = {
    val list = edges.lists.neighbours
    val weights = edges.weights
    val from = edges.lists.from(v)
    val last = edges.lists.until(v) - 1
    val numbers = values
    val found = codes
    var n = count
    var i = last
    while (i >= from && list(i) > bound) {
      val weight = weights(i)
      if (weight != 0L) {
        val c = list(i)
        val before = numbers(c)
        numbers(c) = Math.addExact(before, Math.multiplyExact(number, weight))
        found(n) = c
        n += ((before - 1L) >>> 63).toInt
      }
      i -= 1
    }
    count = n
    read.add(last - i)
  }
}

/** The product of vectors, weighed by code. */
final private[count] class ProductVector(
    of: Array[SparseVector],
    weights: Array[Long],
    read: ElementCounter)
    extends SparseVector(of(0).size) {

  override protected def fill(x: Int): Unit = {
    val first = Products.shortest(of, x)
    var n = 0
    var i = 0
    while (i < first.count) {
      val c = first.codes(i)
      val number = Products.at(of, weights, c)
      if (number != 0L) {
        values(c) = number
        codes(n) = c
        n += 1
      }
      i += 1
    }
    count = n
    read.worked(first.count.toLong)
  }
}

private[count] object Products {

  /** Of some vectors, which it makes, the one with the fewest codes. */
  def shortest(of: Array[SparseVector], x: Int): SparseVector = {
    var best = of(0)
    var i = 0
    while (i < of.length) {
      of(i).make(x)
      if (of(i).count < best.count) best = of(i)
      i += 1
    }
    best
  }

  def at(of: Array[SparseVector], weights: Array[Long], code: Int): Long = {
    var product = if (weights == null) 1L else weights(code)
    var i = 0
    while (product != 0L && i < of.length) {
      product = Math.multiplyExact(product, of(i).values(code))
      i += 1
    }
    product
  }
}
