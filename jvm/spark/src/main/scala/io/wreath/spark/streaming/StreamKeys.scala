package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * The types that name the vertices of a stream: those that are 64-bit integers of the same order,
 * and those that are compared byte by byte. Unlike those of an index, codes of a stream do not keep
 * the values' order, and values are never looked up.
 */
object StreamKeys {

  def isSupported(tpe: DataType): Boolean = isLong(tpe) || tpe == StringType || tpe == BinaryType

  def isLong(tpe: DataType): Boolean = tpe match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType => true
    case DateType | TimestampType | TimestampNTZType => true
    case d: DecimalType => d.precision <= Decimal.MAX_LONG_DIGITS
    case _ => false
  }

  /** Reads column `i` of a row, which is not NULL. */
  def longs(tpe: DataType, i: Int): InternalRow => Long = tpe match {
    case BooleanType => r => if (r.getBoolean(i)) 1L else 0L
    case d: DecimalType => _.getDecimal(i, d.precision, d.scale).toUnscaledLong
    case ByteType => _.getByte(i).toLong
    case ShortType => _.getShort(i).toLong
    case IntegerType | DateType => _.getInt(i).toLong
    case _ => _.getLong(i)
  }

  /** Reads column `i` of a row, which is not NULL; valid until the row changes. */
  def bytes(tpe: DataType, i: Int): InternalRow => UTF8String = tpe match {
    case BinaryType => r => UTF8String.fromBytes(r.getBinary(i))
    case _ => _.getUTF8String(i)
  }

  def toValue(tpe: DataType): Long => Any = tpe match {
    case BooleanType => _ != 0L
    case d: DecimalType => Decimal(_, d.precision, d.scale)
    case ByteType => _.toByte
    case ShortType => _.toShort
    case IntegerType | DateType => _.toInt
    case _ => v => v
  }

  def writer(tpe: DataType): (UnsafeRowWriter, Int, Long) => Unit = tpe match {
    case BooleanType => (w, i, v) => w.write(i, v != 0L)
    case d: DecimalType =>
      (w, i, v) => w.write(i, Decimal(v, d.precision, d.scale), d.precision, d.scale)
    case ByteType => (w, i, v) => w.write(i, v.toByte)
    case ShortType => (w, i, v) => w.write(i, v.toShort)
    case IntegerType | DateType => (w, i, v) => w.write(i, v.toInt)
    case _ => (w, i, v) => w.write(i, v)
  }
}
