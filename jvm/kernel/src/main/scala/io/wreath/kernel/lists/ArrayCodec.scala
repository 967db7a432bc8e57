package io.wreath.kernel.lists

import java.io.{DataInput, DataOutput, IOException}
import java.nio.ByteBuffer
import java.util.zip.CRC32

/**
 * Headers and arrays as bytes, big-endian, for the codecs of an index.
 *
 * A header has a checksum because its lengths are allocated before anything else can be checked.
 * Not thread-safe: one for each stream. Memory: one buffer of 64 KiB beside the arrays.
 */
final private[wreath] class ArrayCodec {

  import ArrayCodec._

  private[this] val chunk = ByteBuffer.allocate(ChunkBytes)

  def writeHeader(magic: Int, version: Int, fields: Array[Long], out: DataOutput): Unit = {
    val header = ByteBuffer.allocate(8 * fields.length)
    fields.foreach(header.putLong)
    out.writeInt(magic)
    out.writeInt(version)
    out.write(header.array)
    out.writeInt(checksum(header.array))
  }

  /** @param what in words, for who reads the error */
  def readHeader(
      magic: Int,
      version: Int,
      fields: Int,
      what: String,
      in: DataInput): Array[Long] = {
    if (in.readInt() != magic) throw new IOException(s"These bytes are not $what.")
    val found = in.readInt()
    if (found != version) {
      throw new IOException(
        s"The bytes of $what have format version $found, but only version $version can be read.")
    }
    val bytes = new Array[Byte](8 * fields)
    in.readFully(bytes)
    if (in.readInt() != checksum(bytes)) throw new IOException(s"The header of $what is corrupt.")
    val header = ByteBuffer.wrap(bytes)
    Array.fill(fields)(header.getLong())
  }

  def writeInts(values: Array[Int], out: DataOutput): Unit = {
    val perChunk = ChunkBytes / 4
    var at = 0
    while (at < values.length) {
      val n = Math.min(perChunk, values.length - at)
      chunk.asIntBuffer().put(values, at, n)
      out.write(chunk.array, 0, n * 4)
      at += n
    }
  }

  def readInts(count: Int, in: DataInput): Array[Int] = {
    val values = new Array[Int](count)
    val perChunk = ChunkBytes / 4
    var at = 0
    while (at < count) {
      val n = Math.min(perChunk, count - at)
      in.readFully(chunk.array, 0, n * 4)
      chunk.asIntBuffer().get(values, at, n)
      at += n
    }
    values
  }

  def writeLongs(values: Array[Long], out: DataOutput): Unit = {
    val perChunk = ChunkBytes / 8
    var at = 0
    while (at < values.length) {
      val n = Math.min(perChunk, values.length - at)
      chunk.asLongBuffer().put(values, at, n)
      out.write(chunk.array, 0, n * 8)
      at += n
    }
  }

  def readLongs(count: Int, in: DataInput): Array[Long] = {
    val values = new Array[Long](count)
    val perChunk = ChunkBytes / 8
    var at = 0
    while (at < count) {
      val n = Math.min(perChunk, count - at)
      in.readFully(chunk.array, 0, n * 8)
      chunk.asLongBuffer().get(values, at, n)
      at += n
    }
    values
  }
}

private object ArrayCodec {
  final private val ChunkBytes = 1 << 16

  private def checksum(bytes: Array[Byte]): Int = {
    val crc = new CRC32
    crc.update(bytes)
    crc.getValue.toInt
  }
}
