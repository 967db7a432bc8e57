package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.kernel.csr.VertexDictionary
import io.wreath.spark.WreathErrors

/**
 * The values that name the vertices of an index, by code; codes keep the values' order.
 *
 * Two kinds: what fits a 64-bit integer of the same order is kept as one ([[LongKeys]]); what is
 * compared byte by byte is kept as bytes ([[BytesKeys]]).
 */
trait VertexKeys {

  /** Writes a vertex's value into a row. */
  def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit

  /** A vertex's value, as Spark's expressions want it. */
  def value(code: Int): Any
}

object VertexKeys {

  def isSupported(tpe: DataType): Boolean = isLong(tpe) || isBytes(tpe)

  /** Values that are 64-bit integers of the same order. */
  def isLong(tpe: DataType): Boolean = tpe match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType => true
    case DateType | TimestampType | TimestampNTZType => true
    case d: DecimalType => d.precision <= Decimal.MAX_LONG_DIGITS
    case _ => false
  }

  /** Values that are compared byte by byte; a collation compares otherwise. */
  def isBytes(tpe: DataType): Boolean = tpe match {
    case StringType => true
    case BinaryType => true
    case _ => false
  }
}

final class LongKeys(dictionary: VertexDictionary, tpe: DataType) extends VertexKeys {

  override def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit = {
    val v = dictionary.decode(code)
    tpe match {
      case d: DecimalType =>
        writer.write(column, Decimal(v, d.precision, d.scale), d.precision, d.scale)
      case _ =>
        // Only the widths of Spark's own rows occur.
        width match {
          case 8 => writer.write(column, v)
          case 4 => writer.write(column, v.toInt)
          case 2 => writer.write(column, v.toShort)
          case _ if isBoolean => writer.write(column, v != 0)
          case _ => writer.write(column, v.toByte)
        }
    }
  }

  override def value(code: Int): Any = {
    val v = dictionary.decode(code)
    tpe match {
      case d: DecimalType => Decimal(v, d.precision, d.scale)
      case BooleanType => v != 0
      case _ =>
        width match {
          case 8 => v
          case 4 => v.toInt
          case 2 => v.toShort
          case _ => v.toByte
        }
    }
  }

  private val width = tpe.defaultSize
  private val isBoolean = tpe == BooleanType
}

object LongKeys {

  /** Reads column `i` of a row, which is not NULL. */
  def reader(tpe: DataType, i: Int): InternalRow => Long = tpe match {
    case BooleanType => r => if (r.getBoolean(i)) 1L else 0L
    case d: DecimalType => _.getDecimal(i, d.precision, d.scale).toUnscaledLong
    case _ =>
      tpe.defaultSize match {
        case 8 => _.getLong(i)
        case 4 => _.getInt(i).toLong
        case 2 => _.getShort(i).toLong
        case _ => _.getByte(i).toLong
      }
  }
}

/** Strings and binaries. */
final class BytesKeys(table: BytesTable, tpe: DataType) extends VertexKeys {

  private val isString = tpe.isInstanceOf[StringType]

  override def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit =
    writer.write(column, table.bytes, table.offsets(code), table.length(code))

  override def value(code: Int): Any =
    if (isString) table.get(code) else table.get(code).getBytes
}

object BytesKeys {

  /** Reads column `i` of a row, which is not NULL; valid until the row changes. */
  def reader(tpe: DataType, i: Int): InternalRow => UTF8String = tpe match {
    case BinaryType => r => UTF8String.fromBytes(r.getBinary(i))
    case _ => _.getUTF8String(i)
  }
}

/** Sorted distinct byte strings, in one array: an object for each would cost more than itself. */
final class BytesTable(val bytes: Array[Byte], val offsets: Array[Int]) {

  def size: Int = offsets.length - 1

  def length(code: Int): Int = offsets(code + 1) - offsets(code)

  /** A view of the shared array, not a copy. */
  def get(code: Int): UTF8String = UTF8String.fromBytes(bytes, offsets(code), length(code))

  def sizeInBytes: Long = bytes.length + 4L * offsets.length
}

object BytesTable {

  /** Requires: sorted, distinct. */
  def of(values: Array[UTF8String]): BytesTable = {
    val total = values.iterator.map(_.numBytes.toLong).sum
    val most = Int.MaxValue - 8L
    if (total > most) throw WreathErrors.indexTooLarge("the vertices' names", total, most)
    val bytes = new Array[Byte](total.toInt)
    val offsets = new Array[Int](values.length + 1)
    var i = 0
    while (i < values.length) {
      val value = values(i).getBytes
      System.arraycopy(value, 0, bytes, offsets(i), value.length)
      offsets(i + 1) = offsets(i) + value.length
      i += 1
    }
    new BytesTable(bytes, offsets)
  }
}
