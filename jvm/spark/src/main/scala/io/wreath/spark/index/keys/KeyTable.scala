package io.wreath.spark.index.keys

import java.io.{DataInput, DataOutput, IOException}

import io.wreath.kernel.dictionary.{DictionaryCodec, IdMerge, SortedDictionary, VertexDictionary}

/**
 * The keys of an index by code; codes are `0 until size` and keep the keys' order.
 *
 * Two kinds: what fits a 64-bit integer of the same order is kept as one; all else as bytes that
 * compare as the keys do ([[KeyBytes]]). Thread-safety: immutable.
 */
sealed trait KeyTable {
  def size: Int

  def sizeInBytes: Long

  /**
   * The code in `other` of each of these keys, -1 where it has none. What is not -1 ascends. The
   * two must be of one type's keys.
   *
   * @param look runs once in a while, and ends the search by throwing
   */
  def codesIn(other: KeyTable, look: Runnable): Array[Int]
}

final case class LongKeyTable(dictionary: VertexDictionary) extends KeyTable {
  override def size: Int = dictionary.size

  override def sizeInBytes: Long = dictionary.sizeInBytes

  override def codesIn(other: KeyTable, look: Runnable): Array[Int] = other match {
    case LongKeyTable(theirs) =>
      dictionary match {
        case sorted: SortedDictionary => IdMerge.positions(sorted.ids, theirs, look)
        case dense =>
          Array.tabulate(dense.size) { c =>
            if ((c & 1023) == 0) look.run()
            theirs.encode(dense.decode(c))
          }
      }
    case _ => throw new IllegalArgumentException("numbers have no codes among byte strings")
  }
}

final case class BytesKeyTable(records: BytePages) extends KeyTable {
  override def size: Int = records.size

  override def sizeInBytes: Long = records.sizeInBytes

  override def codesIn(other: KeyTable, look: Runnable): Array[Int] = other match {
    case BytesKeyTable(theirs) =>
      val codes = new Array[Int](size)
      var at = 0
      var i = 0
      while (i < size) {
        if ((i & 1023) == 0) look.run()
        var order = -1
        while (at < theirs.size && { order = theirs.compare(at, records, i); order < 0 }) at += 1
        codes(i) = if (at < theirs.size && order == 0) at else -1
        i += 1
      }
      codes
    case _ => throw new IllegalArgumentException("byte strings have no codes among numbers")
  }
}

private[index] object KeyTable {

  private val Longs = 0
  private val Bytes = 1

  def write(table: KeyTable, out: DataOutput): Unit = table match {
    case LongKeyTable(dictionary) =>
      out.writeByte(Longs)
      DictionaryCodec.write(dictionary, out)
    case BytesKeyTable(records) =>
      out.writeByte(Bytes)
      records.writeTo(out)
  }

  def read(in: DataInput): KeyTable = in.readByte().toInt match {
    case Longs => LongKeyTable(DictionaryCodec.read(in))
    case Bytes => BytesKeyTable(BytePages.readFrom(in))
    case other => throw new IOException(s"$other is not a kind of key table.")
  }
}
