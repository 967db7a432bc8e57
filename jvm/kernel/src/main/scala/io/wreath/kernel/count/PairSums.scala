package io.wreath.kernel.count

import java.math.BigInteger

/** Sums of 128 bits for some codes, and what they come to. Not thread-safe. */
final private[count] class PairSums(val size: Int) {
  private[this] val high = new Array[Long](size)
  private[this] val low = new Array[Long](size)
  private[this] val isFound = new Array[Boolean](size)
  private[this] val codes = new Array[Int](size)
  private[this] var count = 0
  private[this] var at = 0

  var code: Int = -1
  var rows: Long = 0L

  def clear(): Unit = {
    var i = 0
    while (i < count) {
      val c = codes(i)
      high(c) = 0L
      low(c) = 0L
      isFound(c) = false
      i += 1
    }
    count = 0
    at = 0
  }

  /** Begins with the first code again. */
  def rewind(): Unit = at = 0

  def add(c: Int, times: Long, value: Long): Unit =
    addWide(c, Math.multiplyHigh(times, value), times * value)

  /** Adds all that others are. */
  def add(others: PairSums): Unit = others.addTo(this)

  private def addTo(all: PairSums): Unit = {
    var i = 0
    while (i < count) {
      val c = codes(i)
      all.addWide(c, high(c), low(c))
      i += 1
    }
  }

  private def addWide(c: Int, moreHigh: Long, more: Long): Unit = {
    if (!isFound(c)) {
      isFound(c) = true
      codes(count) = c
      count += 1
    }
    val sum = low(c) + more
    val carry = if (java.lang.Long.compareUnsigned(sum, more) < 0) 1L else 0L
    low(c) = sum
    high(c) = Math.addExact(high(c), Math.addExact(moreHigh, carry))
  }

  /** Advances to the next code of which the sum, divided by `over`, is not zero. */
  def next(over: Long): Boolean = {
    rows = 0L
    while (rows == 0L && at < count) {
      code = codes(at)
      at += 1
      // Few need more than a Long.
      val fits = high(code) == low(code) >> 63
      rows =
        if (fits && low(code) >= 0 && low(code) % over == 0) low(code) / over
        else {
          val whole = BigInteger
            .valueOf(high(code))
            .shiftLeft(64)
            .add(new BigInteger(java.lang.Long.toUnsignedString(low(code))))
          EliminationRun.matches(whole, over)
        }
    }
    rows > 0L
  }
}
