package io.wreath.spark.streaming

import java.util.{Arrays, HashMap => JHashMap}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.types.{DataType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.kernel.delta.{DeltaIds, VertexOrder}
import io.wreath.kernel.dictionary.IdTable

/**
 * The values of the codes `0 until size`, in the order in which a stream first named them, and how
 * the values compare.
 *
 * Thread-safety: immutable.
 */
sealed trait StreamIds extends VertexOrder {

  def size: Int

  /** Writes a vertex's value into a row. */
  def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit

  /** A vertex's value, as Spark's expressions want it. */
  def value(code: Int): Any

  /** These, followed by `more`. */
  def extended(more: IdBlock): StreamIds

  def toBlock: IdBlock

  def sizeInBytes: Long
}

/** Values of consecutive codes, on their way to executors. */
sealed trait IdBlock extends Serializable {
  def size: Int

  /** Those at some positions. */
  def selected(positions: Array[Int]): IdBlock
}

final case class LongIds(values: Array[Long]) extends IdBlock {
  override def size: Int = values.length
  override def selected(positions: Array[Int]): IdBlock = LongIds(positions.map(values))
}

final case class BytesIds(values: Array[Array[Byte]]) extends IdBlock {
  override def size: Int = values.length
  override def selected(positions: Array[Int]): IdBlock = BytesIds(positions.map(values))
}

object IdBlock {

  /** All of one kind; at least one. */
  def concat(blocks: Seq[IdBlock]): IdBlock = blocks.head match {
    case _: LongIds => LongIds(blocks.iterator.collect { case LongIds(v) => v }.toArray.flatten)
    case _: BytesIds => BytesIds(blocks.iterator.collect { case BytesIds(v) =>
        v
      }.toArray.flatten)
  }
}

object StreamIds {

  def empty(tpe: DataType): StreamIds =
    if (StreamKeys.isLong(tpe)) new LongStreamIds(DeltaIds.of(Array.empty), tpe)
    else new BytesStreamIds(Array.empty, tpe)

  final private class LongStreamIds(ids: DeltaIds, tpe: DataType) extends StreamIds {

    override def size: Int = ids.size

    override def toBlock: IdBlock = LongIds(Array.tabulate(ids.size)(ids.decode))

    override def compare(a: Int, b: Int): Int = ids.compare(a, b)

    override def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit =
      writeLong(writer, column, ids.decode(code))

    override def value(code: Int): Any = toValue(ids.decode(code))

    private val writeLong = StreamKeys.writer(tpe)
    private val toValue = StreamKeys.toValue(tpe)

    override def sizeInBytes: Long = 8L * ids.size

    override def extended(more: IdBlock): StreamIds = more match {
      case LongIds(values) if values.isEmpty => this
      case LongIds(values) => new LongStreamIds(ids.extended(values), tpe)
      case other => throw new IllegalArgumentException(s"$other are no 64-bit integers.")
    }
  }

  final private class BytesStreamIds(ids: Array[UTF8String], tpe: DataType) extends StreamIds {

    private val isString = tpe.isInstanceOf[StringType]

    override def size: Int = ids.length

    override def toBlock: IdBlock = BytesIds(ids.map(_.getBytes))

    override def compare(a: Int, b: Int): Int = ids(a).binaryCompare(ids(b))

    override def write(writer: UnsafeRowWriter, column: Int, code: Int): Unit =
      writer.write(column, ids(code))

    override def value(code: Int): Any = if (isString) ids(code) else ids(code).getBytes

    override def sizeInBytes: Long = ids.iterator.map(BytesStreamIds.Overhead + _.numBytes).sum

    override def extended(more: IdBlock): StreamIds = more match {
      case BytesIds(values) if values.isEmpty => this
      case BytesIds(values) =>
        val all = Arrays.copyOf(ids, ids.length + values.length)
        values.indices.foreach(i => all(ids.length + i) = UTF8String.fromBytes(values(i)))
        new BytesStreamIds(all, tpe)
      case other => throw new IllegalArgumentException(s"$other are no byte strings.")
    }
  }

  private object BytesStreamIds {

    /** A reference, a UTF8String and an array's header. */
    val Overhead = 48L
  }
}

/**
 * Gives codes to the vertices of a stream, on the driver.
 *
 * Codes of one dictionary keep their meaning; after a restart there is a new one.
 * Not thread-safe.
 */
sealed trait StreamDictionary {

  def keyType: DataType

  def size: Int

  /** So many codes, the first ones, keep their meaning for good: tables beside the stream use them. */
  var pinned: Int = 0

  /** The codes of source and target, the columns 0 and 1 of an edge's row; new ones if need be. */
  def source(row: InternalRow): Int
  def target(row: InternalRow): Int

  /** The values of the codes `from until size`. */
  def idsFrom(from: Int): IdBlock
}

object StreamDictionary {

  def apply(tpe: DataType): StreamDictionary =
    if (StreamKeys.isLong(tpe)) new Longs(tpe) else new Bytes(tpe)

  /** One that gives its first codes to these ids, all different, in their order. */
  def of(tpe: DataType, ids: IdBlock, pinned: Int): StreamDictionary = {
    val dictionary = ids match {
      case LongIds(values) =>
        val d = new Longs(tpe)
        values.foreach(d.codes.ordinal)
        d
      case BytesIds(values) =>
        val d = new Bytes(tpe)
        values.foreach(v => d.encode(UTF8String.fromBytes(v)))
        d
    }
    dictionary.pinned = pinned
    dictionary
  }

  final private class Longs(tpe: DataType) extends StreamDictionary {
    override def keyType: DataType = tpe

    val codes = new IdTable
    private val readSource = StreamKeys.longs(tpe, 0)
    private val readTarget = StreamKeys.longs(tpe, 1)

    override def size: Int = codes.size
    override def source(row: InternalRow): Int = codes.ordinal(readSource(row))
    override def target(row: InternalRow): Int = codes.ordinal(readTarget(row))
    override def idsFrom(from: Int): IdBlock = LongIds(codes.idsFrom(from))
  }

  final private class Bytes(tpe: DataType) extends StreamDictionary {
    override def keyType: DataType = tpe

    private val codes = new JHashMap[UTF8String, Integer]
    private val values = new java.util.ArrayList[UTF8String]
    private val readSource = StreamKeys.bytes(tpe, 0)
    private val readTarget = StreamKeys.bytes(tpe, 1)

    override def size: Int = values.size
    override def source(row: InternalRow): Int = encode(readSource(row))
    override def target(row: InternalRow): Int = encode(readTarget(row))

    override def idsFrom(from: Int): IdBlock =
      BytesIds(Array.tabulate(size - from)(i => values.get(from + i).getBytes))

    def encode(value: UTF8String): Int = {
      val known = codes.get(value)
      if (known != null) known
      else {
        val mine = value.copy()
        codes.put(mine, values.size)
        values.add(mine)
        values.size - 1
      }
    }
  }
}
