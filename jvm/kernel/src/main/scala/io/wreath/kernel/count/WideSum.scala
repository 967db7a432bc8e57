package io.wreath.kernel.count

import java.math.BigInteger

/** A sum of products that may leave a Long and come back: inclusion takes more than exclusion leaves. */
final private[count] class WideSum {
  private[this] var high = 0L
  private[this] var low = 0L

  def add(times: Long, value: Long): Unit = {
    val more = times * value
    val sum = low + more
    val carry = if (java.lang.Long.compareUnsigned(sum, low) < 0) 1L else 0L
    low = sum
    high = Math.addExact(high, Math.addExact(Math.multiplyHigh(times, value), carry))
  }

  def result: BigInteger =
    BigInteger.valueOf(high).shiftLeft(64).add(new BigInteger(
      java.lang.Long.toUnsignedString(low)))
}
