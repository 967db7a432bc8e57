package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.types._

/** How a value that names a vertex is kept as a 64-bit integer of the same order. */
object VertexKey {

  def isSupported(tpe: DataType): Boolean = tpe match {
    case ByteType | ShortType | IntegerType | LongType => true
    case DateType | TimestampType | TimestampNTZType => true
    case _ => false
  }

  /** Bytes that a value takes in Spark's own rows; only four widths occur. */
  private def width(tpe: DataType): Int = tpe.defaultSize

  /** Reads column `i`, which is not NULL. */
  def reader(tpe: DataType, i: Int): InternalRow => Long = width(tpe) match {
    case 1 => _.getByte(i).toLong
    case 2 => _.getShort(i).toLong
    case 4 => _.getInt(i).toLong
    case 8 => _.getLong(i)
  }

  /** Writes column `i`, which is not NULL. */
  def writer(tpe: DataType, i: Int): (UnsafeRowWriter, Long) => Unit = width(tpe) match {
    case 1 => (w, v) => w.write(i, v.toByte)
    case 2 => (w, v) => w.write(i, v.toShort)
    case 4 => (w, v) => w.write(i, v.toInt)
    case 8 => (w, v) => w.write(i, v)
  }

  /** The value as Spark's expressions want it. */
  def boxed(tpe: DataType): Long => Any = width(tpe) match {
    case 1 => v => v.toByte
    case 2 => v => v.toShort
    case 4 => v => v.toInt
    case 8 => v => v
  }
}
