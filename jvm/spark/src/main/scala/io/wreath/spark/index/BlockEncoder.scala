package io.wreath.spark.index

import java.io.{ByteArrayOutputStream, DataOutputStream}
import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  SpecializedGetters,
  UnsafeProjection
}
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

import io.wreath.kernel.dictionary.IdTable
import io.wreath.spark.index.keys.{BytePages, BytesNumbers, KeyBytes, LongKeys, VertexKeys}

/**
 * Turns rows of a relation, keys first, into blocks of bytes: as compact as they travel from the
 * executors to the driver, and sorted as far as the driver would have to sort them.
 *
 * {{{
 *   int rows, long bytes of the columns
 *   for each key   packed: long least, long greatest, distances from the least
 *                  coded:  the distinct keys in their order, and the place of each row's key there
 *   the columns, an UnsafeRow for each row
 * }}}
 * Distances and places take as many bytes as the largest needs. A row with a NULL key matches
 * nothing, and is left out.
 *
 * Not thread-safe: one for each task.
 */
final private[index] class BlockEncoder(mode: CsrBroadcastMode) {

  import BlockEncoder._

  private val keys: Array[KeyCollector] = mode.keyTypes.zipWithIndex.map { case (tpe, i) =>
    if (VertexKeys.isLong(tpe)) new LongCollector(tpe, i) else new BytesCollector(tpe, i)
  }.toArray

  private val columnsOf: UnsafeProjection =
    if (mode.columns.isEmpty) null
    else UnsafeProjection.create(mode.columns.zipWithIndex.map { case (c, i) =>
      BoundReference(keys.length + i, c.dataType, nullable = true)
    })

  private var columns = new BytePages.Builder
  private var count = 0

  def isEmpty: Boolean = count == 0

  def isFull: Boolean =
    count >= MaxRows || columns.sizeInBytes + keys.iterator.map(_.bytes).sum > MaxBytes

  def add(row: InternalRow): Unit = {
    var k = 0
    while (k < keys.length && !row.isNullAt(k)) k += 1
    if (k == keys.length) {
      k = 0
      while (k < keys.length) {
        keys(k).add(row)
        k += 1
      }
      if (columnsOf != null) {
        val r = columnsOf(row)
        columns.append(r.getBaseObject, r.getBaseOffset, r.getSizeInBytes)
      }
      count += 1
    }
  }

  /** Adds a batch of rows, whose columns are these of the batch. */
  def add(batch: ColumnarBatch, ordinals: Array[Int]): Unit = {
    val vectors = ordinals.map(batch.column)
    val rows = batch.numRows
    val plain = columnsOf == null && keys.indices.forall(k => keys(k).canRead(vectors(k)))
    if (plain) {
      keys.indices.foreach(k => keys(k).add(vectors(k), rows))
      count += rows
    } else {
      val ordered = new ColumnarBatch(vectors, rows).rowIterator()
      while (ordered.hasNext) add(ordered.next())
    }
  }

  /** What was added since the last block. */
  def block(): Array[Byte] = {
    // Large enough at once: a stream that grows holds its bytes twice.
    val size = columns.sizeInBytes + keys.iterator.map(_.bytes).sum + 8L * count
    val bytes = new ByteArrayOutputStream(math.min(size, Int.MaxValue / 2).toInt + 64)
    val out = new DataOutputStream(bytes)
    out.writeInt(count)
    out.writeLong(columns.sizeInBytes)
    keys.foreach(_.writeTo(out))
    if (columnsOf != null) columns.result().writeTo(out)
    columns = new BytePages.Builder
    count = 0
    bytes.toByteArray
  }
}

object BlockEncoder {

  /** Enough that distinct keys are sent once for many rows; two long columns are 16 MiB. */
  private[index] val MaxRows = 1 << 20

  /** A block of long strings or wide rows ends earlier: a task holds it several times over. */
  private val MaxBytes = 8L << 20

  /** Ids in a range of at most this many values a row are sent as distances: no hashing. */
  private[index] val PackedRangePerRow = 16L

  def blocks(rows: Iterator[InternalRow], mode: CsrBroadcastMode): Iterator[Array[Byte]] = {
    val encoder = new BlockEncoder(mode)
    new Iterator[Array[Byte]] {
      override def hasNext: Boolean = {
        while (!encoder.isFull && rows.hasNext) encoder.add(rows.next())
        !encoder.isEmpty
      }
      override def next(): Array[Byte] =
        if (hasNext) encoder.block() else throw new NoSuchElementException("no more blocks")
    }
  }

  /** The same from batches; `ordinals` are the relation's columns among theirs. */
  def blocksOfBatches(
      batches: Iterator[ColumnarBatch],
      ordinals: Array[Int],
      mode: CsrBroadcastMode): Iterator[Array[Byte]] = {
    val encoder = new BlockEncoder(mode)
    new Iterator[Array[Byte]] {
      override def hasNext: Boolean = {
        while (!encoder.isFull && batches.hasNext) encoder.add(batches.next(), ordinals)
        !encoder.isEmpty
      }
      override def next(): Array[Byte] =
        if (hasNext) encoder.block() else throw new NoSuchElementException("no more blocks")
    }
  }

  /** One key of many rows. */
  sealed private trait KeyCollector {
    def add(row: SpecializedGetters): Unit

    /** Whether all of a column can be added at once. */
    def canRead(column: ColumnVector): Boolean = false

    def add(column: ColumnVector, rows: Int): Unit = throw new UnsupportedOperationException

    /** Of what has been added, where it may be much. */
    def bytes: Long

    /** Writes what was added, and forgets it. */
    def writeTo(out: DataOutputStream): Unit
  }

  final private class LongCollector(tpe: DataType, column: Int) extends KeyCollector {
    private val reader = LongKeys.reader(tpe)
    private var values = new Array[Long](1 << 10)
    private var count = 0

    override def add(row: SpecializedGetters): Unit = {
      if (count == values.length) values = Arrays.copyOf(values, 2 * count)
      values(count) = reader(row, column)
      count += 1
    }

    // Wider and narrower integers are rare; they go row by row.
    private val isInt = tpe == IntegerType || tpe == DateType
    private val isLong = tpe == LongType || tpe == TimestampType || tpe == TimestampNTZType

    override def canRead(column: ColumnVector): Boolean = (isInt || isLong) && !column.hasNull

    override def add(column: ColumnVector, rows: Int): Unit = {
      if (count + rows > values.length) {
        values = Arrays.copyOf(values, Math.max(count + rows, 2 * values.length))
      }
      var i = 0
      if (isInt) {
        while (i < rows) {
          values(count + i) = column.getInt(i)
          i += 1
        }
      } else {
        while (i < rows) {
          values(count + i) = column.getLong(i)
          i += 1
        }
      }
      count += rows
    }

    override def bytes: Long = 0L

    override def writeTo(out: DataOutputStream): Unit = {
      var min = Long.MaxValue
      var max = Long.MinValue
      var i = 0
      while (i < count) {
        min = Math.min(min, values(i))
        max = Math.max(max, values(i))
        i += 1
      }
      val range = max - min // negative where it overflows
      val numbers = new Array[Int](count)
      if (range >= 0 && range <= RelationBlock.AlwaysPacked + PackedRangePerRow * count) {
        i = 0
        while (i < count) {
          numbers(i) = (values(i) - min).toInt
          i += 1
        }
        out.writeByte(RelationBlock.Packed)
        out.writeLong(min)
        out.writeLong(max)
      } else {
        val table = new IdTable
        table.addAll(values, count, numbers)
        out.writeByte(RelationBlock.CodedLongs)
        RelationBlock.writeAscending(table.rank(numbers, Array.empty), out)
      }
      PackedInts.write(numbers, count, out)
      count = 0
    }
  }

  final private class BytesCollector(tpe: DataType, column: Int) extends KeyCollector {
    private val encoding = KeyBytes(tpe)
    private val buffer = new KeyBytes.Buffer
    private var table = new BytesNumbers
    private var numbers = new Array[Int](1 << 10)
    private var count = 0

    override def add(row: SpecializedGetters): Unit = {
      if (count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * count)
      buffer.clear()
      encoding.append(row, column, buffer)
      numbers(count) = table.number(buffer.bytes, buffer.length)
      count += 1
    }

    override def bytes: Long = table.sizeInBytes

    override def writeTo(out: DataOutputStream): Unit = {
      val (sorted, rank) = table.sorted()
      var i = 0
      while (i < count) {
        numbers(i) = rank(numbers(i))
        i += 1
      }
      out.writeByte(RelationBlock.CodedBytes)
      sorted.writeTo(out)
      PackedInts.write(numbers, count, out)
      table = new BytesNumbers
      count = 0
    }
  }
}
