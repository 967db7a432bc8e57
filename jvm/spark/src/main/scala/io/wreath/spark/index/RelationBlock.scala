package io.wreath.spark.index

import java.io.{ByteArrayInputStream, DataInputStream, DataOutputStream}
import java.nio.ByteBuffer
import java.util.BitSet

import io.wreath.kernel.dictionary.{DenseDictionary, IdMerge, VertexDictionary}
import io.wreath.spark.index.keys.BytePages

/** A block of [[BlockEncoder]]'s, as the driver reads it. */
final private[index] class RelationBlock(
    val count: Int,
    val keys: Array[KeyColumn],
    val columns: BytePages)

/** One key of a block's rows: a number for each row, and what the numbers stand for. */
sealed private[index] trait KeyColumn {
  def numbers: PackedInts
}

/** Integers of one column; `least` and `greatest` occur. */
sealed private[index] trait LongColumn extends KeyColumn {
  def least: Long
  def greatest: Long

  /** Ascending, each once. */
  def distinct: Array[Long]

  /** The code of each number. */
  def codes(dictionary: VertexDictionary): Array[Int]
}

/** Distances from `least`. */
final private[index] class PackedColumn(
    override val least: Long,
    override val greatest: Long,
    count: Int,
    override val numbers: PackedInts)
    extends LongColumn {

  // Known once the dictionary of all blocks has gaps; a bit for each value of the range.
  private lazy val present: BitSet = {
    val all = new Array[Int](count)
    numbers.unpack(all, 0, count)
    val bits = new BitSet((greatest - least).toInt + 1)
    var i = 0
    while (i < count) {
      bits.set(all(i))
      i += 1
    }
    bits
  }

  override lazy val distinct: Array[Long] = present.stream().asLongStream().map(_ + least).toArray

  override def codes(dictionary: VertexDictionary): Array[Int] = {
    val range = (greatest - least).toInt + 1
    dictionary match {
      case dense: DenseDictionary =>
        val first = (least - dense.min).toInt
        val codes = new Array[Int](range)
        var v = 0
        while (v < range) {
          codes(v) = first + v
          v += 1
        }
        codes
      case _ =>
        val found = IdMerge.positions(distinct, dictionary)
        val codes = new Array[Int](range)
        var next = 0
        var v = present.nextSetBit(0)
        while (v >= 0) {
          codes(v) = found(next)
          next += 1
          v = present.nextSetBit(v + 1)
        }
        codes
    }
  }
}

/** Places among `distinct`. */
final private[index] class CodedLongColumn(
    override val distinct: Array[Long],
    override val numbers: PackedInts)
    extends LongColumn {
  override def least: Long = distinct.head
  override def greatest: Long = distinct.last
  override def codes(dictionary: VertexDictionary): Array[Int] =
    IdMerge.positions(distinct, dictionary)
}

/** Places among `distinct`, which are in their order. */
final private[index] class BytesColumn(
    val distinct: BytePages,
    override val numbers: PackedInts)
    extends KeyColumn

private[index] object RelationBlock {

  val Packed = 0
  val CodedLongs = 1
  val CodedBytes = 2

  /** Ranges as short as this are packed however few rows there are. */
  val AlwaysPacked = 1024L

  def parse(bytes: Array[Byte], mode: CsrBroadcastMode): RelationBlock = {
    val block = ByteBuffer.wrap(bytes)
    val count = block.getInt()
    block.getLong() // the size of the columns, for who does not read them
    val keys = mode.keyTypes.map(_ => parseKey(block, count)).toArray
    val columns = if (mode.columns.isEmpty) BytePages.empty else readPages(block)
    new RelationBlock(count, keys, columns)
  }

  private def parseKey(block: ByteBuffer, count: Int): KeyColumn = block.get().toInt match {
    case Packed =>
      val (least, greatest) = (block.getLong(), block.getLong())
      new PackedColumn(least, greatest, count, PackedInts.view(block, count))
    case CodedLongs =>
      val distinct = readAscending(block)
      new CodedLongColumn(distinct, PackedInts.view(block, count))
    case _ =>
      val distinct = readPages(block)
      new BytesColumn(distinct, PackedInts.view(block, count))
  }

  private def readPages(block: ByteBuffer): BytePages = {
    val stream = new ByteArrayInputStream(block.array, block.position(), block.remaining)
    val pages = BytePages.readFrom(new DataInputStream(stream))
    block.position(block.limit() - stream.available)
    pages
  }

  /** The first id, then the distances to the next, seven bits a byte. */
  def writeAscending(ids: Array[Long], out: DataOutputStream): Unit = {
    out.writeInt(ids.length)
    out.writeLong(ids(0))
    var i = 1
    while (i < ids.length) {
      var distance = ids(i) - ids(i - 1) // as an unsigned number, where it overflows
      while ((distance & ~0x7fL) != 0) {
        out.writeByte((distance.toInt & 0x7f) | 0x80)
        distance >>>= 7
      }
      out.writeByte(distance.toInt)
      i += 1
    }
  }

  private def readAscending(block: ByteBuffer): Array[Long] = {
    val ids = new Array[Long](block.getInt())
    ids(0) = block.getLong()
    var i = 1
    while (i < ids.length) {
      var distance = 0L
      var shift = 0
      var b = block.get()
      while (b < 0) {
        distance |= (b & 0x7fL) << shift
        shift += 7
        b = block.get()
      }
      distance |= b.toLong << shift
      ids(i) = ids(i - 1) + distance
      i += 1
    }
    ids
  }
}
