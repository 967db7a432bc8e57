package io.wreath.spark.index.keys

import java.math.{BigDecimal => JavaDecimal, BigInteger}
import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, SpecializedGetters}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * Keys of one type as byte strings that are equal where the keys are, and compared byte by byte,
 * unsigned, are ordered as Spark orders the keys. So sorting, merging and searching need to know
 * nothing of types.
 *
 * Strings and binaries are themselves. A decimal is 16 bytes, the sign flipped. A struct is its
 * fields one after the other: 0 for NULL, or 1 and the field, in which a string ends in 00 00 and
 * has 00 FF for each 00, so that no string is the beginning of another's encoding.
 *
 * Not thread-safe where it says so; immutable else.
 */
sealed private[index] trait KeyBytes {

  /** Appends column `i` of a row, which is not NULL. */
  def append(row: SpecializedGetters, i: Int, to: KeyBytes.Buffer): Unit

  /** The key, as Spark's expressions want it. */
  def value(bytes: Array[Byte], from: Int, length: Int): Any
}

private[index] object KeyBytes {

  def apply(tpe: DataType): KeyBytes = tpe match {
    case StringType | BinaryType => new Plain(tpe)
    case d: DecimalType => new LargeDecimal(d)
    case s: StructType => new Struct(s)
    case other => throw new IllegalArgumentException(s"$other is not kept as bytes")
  }

  /** The encoding of one key. */
  def encode(tpe: DataType, key: Any): Array[Byte] = {
    val buffer = new Buffer
    KeyBytes(tpe).append(new GenericInternalRow(Array[Any](key)), 0, buffer)
    Arrays.copyOf(buffer.bytes, buffer.length)
  }

  /** Bytes that are being put together. Not thread-safe. */
  final class Buffer {
    var bytes: Array[Byte] = new Array[Byte](64)
    var length: Int = 0

    def clear(): Unit = length = 0

    def put(b: Int): Unit = {
      reserve(1)
      bytes(length) = b.toByte
      length += 1
    }

    def put(from: Array[Byte]): Unit = {
      reserve(from.length)
      System.arraycopy(from, 0, bytes, length, from.length)
      length += from.length
    }

    def put(s: UTF8String): Unit = {
      reserve(s.numBytes)
      s.writeToMemory(bytes, org.apache.spark.unsafe.Platform.BYTE_ARRAY_OFFSET.toLong + length)
      length += s.numBytes
    }

    private def reserve(n: Int): Unit =
      if (n > bytes.length - length) {
        bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, n), bytes.length * 2))
      }
  }

  final private class Plain(tpe: DataType) extends KeyBytes {
    private val isString = tpe.isInstanceOf[StringType]

    override def append(row: SpecializedGetters, i: Int, to: Buffer): Unit =
      if (isString) to.put(row.getUTF8String(i)) else to.put(row.getBinary(i))

    override def value(bytes: Array[Byte], from: Int, length: Int): Any =
      if (isString) UTF8String.fromBytes(bytes, from, length)
      else Arrays.copyOfRange(bytes, from, from + length)
  }

  final private class LargeDecimal(tpe: DecimalType) extends KeyBytes {
    override def append(row: SpecializedGetters, i: Int, to: Buffer): Unit = {
      val unscaled = row.getDecimal(i, tpe.precision, tpe.scale).toJavaBigDecimal.unscaledValue
      val digits = unscaled.toByteArray
      val sign = if (unscaled.signum < 0) 0xff else 0
      // The first byte of all: its highest bit says which numbers are not negative.
      if (digits.length == DecimalBytes) to.put(digits(0) ^ 0x80) else to.put(sign ^ 0x80)
      var n = DecimalBytes - 1
      while (n > digits.length) {
        to.put(sign)
        n -= 1
      }
      var d = digits.length - n
      while (d < digits.length) {
        to.put(digits(d).toInt)
        d += 1
      }
    }

    override def value(bytes: Array[Byte], from: Int, length: Int): Any = {
      val digits = Arrays.copyOfRange(bytes, from, from + DecimalBytes)
      digits(0) = (digits(0) ^ 0x80).toByte
      val exact = new JavaDecimal(new BigInteger(digits), tpe.scale)
      Decimal(exact, tpe.precision, tpe.scale)
    }
  }

  /** 38 digits are less than 2 to the 127th. */
  final private val DecimalBytes = 16

  final private class Struct(tpe: StructType) extends KeyBytes {
    private val fields = tpe.fields.map(f => Field(f.dataType))

    override def append(row: SpecializedGetters, i: Int, to: Buffer): Unit =
      appendFields(row.getStruct(i, fields.length), to)

    def appendFields(struct: InternalRow, to: Buffer): Unit = {
      var f = 0
      while (f < fields.length) {
        if (struct.isNullAt(f)) to.put(0)
        else {
          to.put(1)
          fields(f).append(struct, f, to)
        }
        f += 1
      }
    }

    override def value(bytes: Array[Byte], from: Int, length: Int): Any =
      readFields(new Cursor(bytes, from))

    def readFields(at: Cursor): InternalRow =
      new GenericInternalRow(fields.map(f => if (at.next() == 0) null else f.read(at)))
  }

  final private class Cursor(val bytes: Array[Byte], var at: Int) {
    def next(): Int = {
      at += 1
      bytes(at - 1) & 0xff
    }
  }

  /** A field of a struct: says by itself where it ends. */
  sealed private trait Field {
    def append(struct: InternalRow, i: Int, to: Buffer): Unit
    def read(at: Cursor): Any
  }

  private object Field {
    def apply(tpe: DataType): Field = tpe match {
      case s: StructType => new NestedField(new Struct(s))
      case _ if VertexKeys.isLong(tpe) => new LongField(tpe)
      case d: DecimalType => new DecimalField(new LargeDecimal(d))
      case _ => new BytesField(tpe)
    }
  }

  final private class NestedField(struct: Struct) extends Field {
    override def append(row: InternalRow, i: Int, to: Buffer): Unit = struct.append(row, i, to)
    override def read(at: Cursor): Any = struct.readFields(at)
  }

  final private class LongField(tpe: DataType) extends Field {
    private val reader = LongKeys.reader(tpe)
    private val toValue = LongKeys.toValue(tpe)

    override def append(struct: InternalRow, i: Int, to: Buffer): Unit = {
      val v = reader(struct, i) ^ Long.MinValue
      var shift = 56
      while (shift >= 0) {
        to.put((v >>> shift).toInt)
        shift -= 8
      }
    }

    override def read(at: Cursor): Any = {
      var v = 0L
      var i = 0
      while (i < 8) {
        v = (v << 8) | at.next()
        i += 1
      }
      toValue(v ^ Long.MinValue)
    }
  }

  final private class DecimalField(decimal: LargeDecimal) extends Field {
    override def append(struct: InternalRow, i: Int, to: Buffer): Unit =
      decimal.append(struct, i, to)

    override def read(at: Cursor): Any = {
      at.at += DecimalBytes
      decimal.value(at.bytes, at.at - DecimalBytes, DecimalBytes)
    }
  }

  final private class BytesField(tpe: DataType) extends Field {
    private val isString = tpe.isInstanceOf[StringType]

    override def append(struct: InternalRow, i: Int, to: Buffer): Unit = {
      val bytes = if (isString) struct.getUTF8String(i).getBytes else struct.getBinary(i)
      bytes.foreach { b =>
        to.put(b.toInt)
        if (b == 0) to.put(0xff)
      }
      to.put(0)
      to.put(0)
    }

    override def read(at: Cursor): Any = {
      val buffer = new Buffer
      var open = true
      while (open) {
        val b = at.next()
        // A 00 is followed by FF where it is one, and by another 00 where the field ends.
        if (b == 0) open = at.next() == 0xff
        if (open) buffer.put(b)
      }
      val bytes = Arrays.copyOf(buffer.bytes, buffer.length)
      if (isString) UTF8String.fromBytes(bytes) else bytes
    }
  }
}
