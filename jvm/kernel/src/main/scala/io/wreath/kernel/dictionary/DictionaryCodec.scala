package io.wreath.kernel.dictionary

import java.io.{DataInput, DataOutput, IOException}

import io.wreath.kernel.lists.ArrayCodec

/** The byte layout of a [[VertexDictionary]]: a header, and the ids where they have gaps. */
object DictionaryCodec {

  val Version: Int = 1

  final private val Magic = 0x57524944 // "WRID"
  final private val Dense = 0L
  final private val Sorted = 1L

  def write(dictionary: VertexDictionary, out: DataOutput): Unit = {
    val codec = new ArrayCodec
    def header(kind: Long, min: Long): Unit =
      codec.writeHeader(Magic, Version, Array(kind, min, dictionary.size.toLong), out)
    dictionary match {
      case d: DenseDictionary => header(Dense, d.min)
      case d: SortedDictionary =>
        header(Sorted, 0L)
        codec.writeLongs(d.ids, out)
      case other =>
        throw new IllegalArgumentException(
          s"Version $Version cannot store a dictionary of class ${other.getClass.getName}.")
    }
  }

  def read(in: DataInput): VertexDictionary = {
    val codec = new ArrayCodec
    val header = codec.readHeader(Magic, Version, 3, "a dictionary of ids", in)
    val size = header(2).toInt
    if (header(0) == Dense) DenseDictionary(header(1), size)
    else {
      val ids = codec.readLongs(size, in)
      var i = 1
      while (i < ids.length) {
        if (ids(i - 1) >= ids(i)) throw new IOException("The ids of a dictionary are corrupt.")
        i += 1
      }
      new SortedDictionary(ids)
    }
  }
}
