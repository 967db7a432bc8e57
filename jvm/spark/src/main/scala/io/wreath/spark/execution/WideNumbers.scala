package io.wreath.spark.execution

import java.math.{BigDecimal => JavaBigDecimal, BigInteger}

import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.types.Decimal

/**
 * Whole numbers of 128 bits in two longs, `high * 2^64 + low` with `low` unsigned: sums of which no part
 * overflows where the whole does not. Generated code calls these.
 */
private[wreath] object WideNumbers {

  /** The high half of `high:low + value * times`; throws where it exceeds 128 bits. */
  def addedHigh(high: Long, low: Long, value: Long, times: Long): Long =
    summedHigh(high, low, Math.multiplyHigh(value, times), value * times)

  /** The low half of `low + value * times`. */
  def addedLow(low: Long, value: Long, times: Long): Long = low + value * times

  /** The high half of a sum of two. */
  def summedHigh(high: Long, low: Long, otherHigh: Long, otherLow: Long): Long = {
    val carry = if (java.lang.Long.compareUnsigned(low + otherLow, low) < 0) 1L else 0L
    val sum = high + otherHigh + carry
    // Of two of one sign, and another sign than their sum.
    if (((high ^ sum) & (otherHigh ^ sum)) < 0) throw overflow()
    sum
  }

  /** The low half of a sum of two. */
  def summedLow(low: Long, otherLow: Long): Long = low + otherLow

  def decimal(high: Long, low: Long): Decimal = {
    val unsigned = BigInteger.valueOf(low >>> 1).shiftLeft(1).add(BigInteger.valueOf(low & 1L))
    val whole = BigInteger.valueOf(high).shiftLeft(java.lang.Long.SIZE).add(unsigned)
    if (whole.bitLength > MostBits) throw overflow()
    Decimal(BigDecimal(whole))
  }

  /** As a Long; throws where it does not fit. */
  def exactLong(whole: Decimal): Long = {
    val number = integer(whole)
    if (number.bitLength >= java.lang.Long.SIZE) throw overflow()
    number.longValue
  }

  /** As a Long that has wrapped around. */
  def wrappedLong(whole: Decimal): Long = integer(whole).longValue

  /** The decimal that has these digits and so many of them behind the point. */
  def scaled(whole: Decimal, scale: Int): Decimal =
    Decimal(BigDecimal(new JavaBigDecimal(integer(whole), scale)))

  private def integer(whole: Decimal): BigInteger = whole.toJavaBigDecimal.toBigIntegerExact

  /** What a decimal of 38 digits always holds. */
  private val MostBits = 126

  private def overflow(): ArithmeticException =
    SparkInternals.overflow(new ArithmeticException("long overflow"))
}
