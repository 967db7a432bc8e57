package io.wreath.spark.index.keys

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.expressions.{SpecializedGetters, UnsafeProjection}
import org.apache.spark.sql.types._

import io.wreath.kernel.dictionary.VertexDictionary

/**
 * The values that name the vertices of an index, by code, as a type of Spark's; codes keep the
 * values' order. Not thread-safe: one for each task.
 */
trait VertexKeys {

  /** Codes are `0 until size`. */
  def size: Int

  /** Writes a vertex's value into a row. */
  def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit

  /** A vertex's value, as Spark's expressions want it. */
  def value(code: Int): Any

  /** How many keys are less than a value of Spark's expressions. */
  def lowerBound(value: Any): Int

  /** The code of a value of Spark's expressions, -1 if it has none. */
  def find(value: Any): Int
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

  /** Values that have an encoding of the same order; a collation compares otherwise. */
  def isBytes(tpe: DataType): Boolean = tpe match {
    case StringType => true
    case BinaryType => true
    case d: DecimalType => d.precision > Decimal.MAX_LONG_DIGITS
    case s: StructType => s.nonEmpty && s.forall(f => isSupported(f.dataType))
    case _ => false
  }

  /** A typed view of a table of keys. */
  def apply(table: KeyTable, tpe: DataType): VertexKeys = table match {
    case LongKeyTable(dictionary) => new LongKeys(dictionary, tpe)
    case BytesKeyTable(records) => new BytesKeys(records, tpe)
  }
}

final class LongKeys(dictionary: VertexDictionary, tpe: DataType) extends VertexKeys {

  override def size: Int = dictionary.size

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

  override def value(code: Int): Any = toValue(dictionary.decode(code))

  override def lowerBound(value: Any): Int = dictionary.lowerBound(fromValue(value))

  override def find(value: Any): Int = dictionary.encode(fromValue(value))

  private val width = tpe.defaultSize
  private val isBoolean = tpe == BooleanType
  private val toValue = LongKeys.toValue(tpe)
  private val fromValue = LongKeys.fromValue(tpe)
}

private[index] object LongKeys {

  /** Reads a column, which is not NULL, of a row. */
  def reader(tpe: DataType): (SpecializedGetters, Int) => Long = tpe match {
    case BooleanType => (r, i) => if (r.getBoolean(i)) 1L else 0L
    case d: DecimalType => (r, i) => r.getDecimal(i, d.precision, d.scale).toUnscaledLong
    case _ =>
      tpe.defaultSize match {
        case 8 => _.getLong(_)
        case 4 => _.getInt(_).toLong
        case 2 => _.getShort(_).toLong
        case _ => _.getByte(_).toLong
      }
  }

  def toValue(tpe: DataType): Long => Any = tpe match {
    case d: DecimalType => v => Decimal(v, d.precision, d.scale)
    case BooleanType => _ != 0
    case _ =>
      tpe.defaultSize match {
        case 8 => v => v
        case 4 => _.toInt
        case 2 => _.toShort
        case _ => _.toByte
      }
  }

  def fromValue(tpe: DataType): Any => Long = tpe match {
    case _: DecimalType => _.asInstanceOf[Decimal].toUnscaledLong
    case BooleanType => v => if (v.asInstanceOf[Boolean]) 1L else 0L
    case _ => _.asInstanceOf[Number].longValue
  }
}

/** Strings, binaries, structs and large decimals. */
final class BytesKeys(records: BytePages, tpe: DataType) extends VertexKeys {

  private val encoding = KeyBytes(tpe)
  private lazy val toUnsafe = UnsafeProjection.create(tpe.asInstanceOf[StructType])

  override def size: Int = records.size

  override def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit = tpe match {
    case d: DecimalType =>
      writer.write(column, value(code).asInstanceOf[Decimal], d.precision, d.scale)
    case _: StructType => writer.write(column, toUnsafe(value(code).asInstanceOf[InternalRow]))
    case _ => writer.write(column, records.page(code), records.from(code), records.length(code))
  }

  override def value(code: Int): Any =
    encoding.value(records.page(code), records.from(code), records.length(code))

  override def lowerBound(value: Any): Int = records.lowerBound(KeyBytes.encode(tpe, value))

  override def find(value: Any): Int = {
    val bytes = KeyBytes.encode(tpe, value)
    val at = records.lowerBound(bytes)
    if (at < size && records.compare(at, bytes, 0, bytes.length) == 0) at else -1
  }
}
