package io.wreath.kernel.count

import io.wreath.kernel.lists.{ElementCounter, GallopingSearch}

/** Where codes lie, by what is held. */
final private[count] class RunningBounds(bounds: Bounds, held: Array[Int]) {
  private[this] val after = bounds.after.toArray
  private[this] val before = bounds.before.toArray

  /** Codes are greater. */
  def low: Int = {
    var most = -1
    var i = 0
    while (i < after.length) {
      most = Math.max(most, held(after(i)))
      i += 1
    }
    most
  }

  /** Codes are less. */
  def high: Int = {
    var least = Int.MaxValue
    var i = 0
    while (i < before.length) {
      least = Math.min(least, held(before(i)))
      i += 1
    }
    least
  }
}

/**
 * A number for each of `size` codes, of which few are not zero, while vertices are held still. It is made
 * when it is first asked for, and cleared before the last of them changes.
 *
 * Not thread-safe.
 */
abstract private[count] class SparseVector(val size: Int, shared: SparseVector = null) {

  /** By code. */
  val values: Array[Long] = new Array[Long](size)

  /** The codes that have a number, each once, `count` of them. */
  val codes: Array[Int] =
    if (shared == null) new Array[Int](size + 1) // written before it is judged
    else shared.codes
  var count: Int = 0
  private[this] var isMade = false

  /** Makes the numbers for the held vertices, unless that was done. */
  final def make(): Unit = if (!isMade) {
    isMade = true
    fill()
  }

  protected def fill(): Unit

  /** What else is cleared with it. */
  protected def beside: Array[Long] = null

  final def clear(): Unit = if (isMade) {
    val v = values
    val c = codes
    var i = 0
    while (i < count) {
      v(c(i)) = 0L
      i += 1
    }
    val others = beside
    if (others != null) {
      i = 0
      while (i < count) {
        others(c(i)) = 0L
        i += 1
      }
    }
    count = 0
    isMade = false
  }
}

/** The neighbours of a held vertex. */
final private[count] class RowVector(
    edges: EdgeNumbers,
    held: Array[Int],
    of: Int,
    bounds: RunningBounds,
    read: ElementCounter)
    extends SparseVector(edges.columns) {

  override protected def fill(): Unit = {
    val list = edges.lists.neighbours
    val x = held(of)
    val low = bounds.low
    val high = bounds.high
    val begin = edges.lists.from(x)
    val end = edges.lists.until(x)
    val from =
      if (low < 0) begin
      else if (low == x) edges.lists.after(x)
      else GallopingSearch.lowerBound(list, begin, end, low + 1)
    val until =
      if (high >= size) end else GallopingSearch.lowerBound(list, from, end, high)
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

/** One step on from the codes of another vector. Lists are walked from their end. */
final private[count] class PushedVector(
    source: SparseVector,
    edges: EdgeNumbers,
    bounds: RunningBounds,
    read: ElementCounter)
    extends SparseVector(edges.columns) {

  private[this] var rider: BesideVector = _

  /** Walks for another vector too, which it can do for one. */
  def carry(other: BesideVector): Unit = rider = other

  def carries: Boolean = rider != null

  override protected def beside: Array[Long] = if (rider == null) null else rider.values

  override protected def fill(): Unit = {
    source.make()
    if (rider != null) rider.start()
    val low = bounds.low
    val high = bounds.high
    var i = 0
    while (i < source.count) {
      val v = source.codes(i)
      if (rider != null) walkBoth(v, low, high)
      else if (edges.weights == null) walk(v, source.values(v), low, high)
      else walkWeighed(v, source.values(v), low, high)
      i += 1
    }
    read.worked(source.count.toLong)
  }

  private def walk(v: Int, number: Long, low: Int, high: Int): Unit = {
    val list = edges.lists.neighbours
    val from = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = values
    val found = codes
    var n = count
    var i = last
    while (i >= from && list(i) > low) {
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

  /** Here the numbers of the source, and the weights, are all one. */
  private def walkBoth(v: Int, low: Int, high: Int): Unit = {
    val plain = rider.plain(v)
    val factor = rider.factor(v)
    val weights = rider.weights
    val list = edges.lists.neighbours
    val from = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = values
    val others = rider.values
    val found = codes
    var n = count
    var i = last
    while (i >= from && list(i) > low) {
      val c = list(i)
      val before = numbers(c)
      val more =
        if (weights == null) plain
        else Math.addExact(plain, Math.multiplyExact(factor, weights(i)))
      numbers(c) = before + 1L
      others(c) = Math.addExact(others(c), more)
      found(n) = c
      n += ((before - 1L) >>> 63).toInt
      i -= 1
    }
    count = n
    read.add(last - i)
  }

  private def walkWeighed(v: Int, number: Long, low: Int, high: Int): Unit = {
    val list = edges.lists.neighbours
    val weights = edges.weights
    val from = edges.lists.from(v)
    val last = edges.lastBefore(v, high)
    val numbers = values
    val found = codes
    var n = count
    var i = last
    while (i >= from && list(i) > low) {
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

/**
 * A vector that is made with another one, on the same walk: at each edge it takes a number of the source,
 * and another one times the weight of the edge.
 *
 * @param plains their numbers are taken as they are
 * @param weighed their numbers are taken times the weights
 * @param weights null if there are none
 */
final private[count] class BesideVector(
    lead: PushedVector,
    plains: Array[SparseVector],
    weighed: Array[SparseVector],
    val weights: Array[Long])
    extends SparseVector(lead.size, lead) {
  lead.carry(this)

  override protected def fill(): Unit = {
    lead.make()
    count = lead.count
  }

  def start(): Unit = {
    plains.foreach(_.make())
    weighed.foreach(_.make())
  }

  def plain(v: Int): Long = sum(plains, v)

  def factor(v: Int): Long = sum(weighed, v)

  private def sum(of: Array[SparseVector], v: Int): Long = {
    var sum = 0L
    var i = 0
    while (i < of.length) {
      sum = Math.addExact(sum, of(i).values(v))
      i += 1
    }
    sum
  }
}

/** One for each code that another vector has. */
final private[count] class AmongVector(of: SparseVector) extends SparseVector(of.size) {

  override protected def fill(): Unit = {
    of.make()
    System.arraycopy(of.codes, 0, codes, 0, of.count)
    count = of.count
    var i = 0
    while (i < count) {
      values(codes(i)) = 1L
      i += 1
    }
  }
}

/**
 * What a condition leaves of a vector.
 *
 * @param depths as [[Passing]] has them
 */
final private[count] class PassingVector(
    of: SparseVector,
    test: CodeTest,
    depths: Array[Int],
    held: Array[Int],
    read: ElementCounter)
    extends SparseVector(of.size) {
  private[this] val asked = new Array[Int](depths.length)

  override protected def fill(): Unit = {
    of.make()
    var n = 0
    var i = 0
    while (i < of.count) {
      val c = of.codes(i)
      var place = 0
      while (place < asked.length) {
        asked(place) = if (depths(place) < 0) c else held(depths(place))
        place += 1
      }
      if (test.accepts(asked)) {
        values(c) = of.values(c)
        codes(n) = c
        n += 1
      }
      read.worked(ElementCounter.Candidate)
      i += 1
    }
    count = n
  }
}

/** Of the codes of one vector, their numbers times what they find along edges in another one. */
final private[count] class GatheredVector(from: SparseVector, to: EdgeSums, read: ElementCounter)
    extends SparseVector(from.size) {

  override protected def fill(): Unit = {
    var n = 0
    if (to.make()) {
      from.make()
      var i = 0
      while (i < from.count) {
        val c = from.codes(i)
        val number = Math.multiplyExact(from.values(c), to.at(c))
        if (number != 0L) {
          values(c) = number
          codes(n) = c
          n += 1
        }
        i += 1
      }
      read.worked(from.count.toLong)
    }
    count = n
  }
}

/** The product of vectors, weighed by code. */
final private[count] class ProductVector(
    of: Array[SparseVector],
    weights: Array[Long],
    read: ElementCounter)
    extends SparseVector(of(0).size) {

  override protected def fill(): Unit = {
    val first = Products.shortest(of)
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
  def shortest(of: Array[SparseVector]): SparseVector = {
    var best = of(0)
    var i = 0
    while (i < of.length) {
      of(i).make()
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
