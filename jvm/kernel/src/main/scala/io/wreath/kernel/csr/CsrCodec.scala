package io.wreath.kernel.csr

import java.io.{DataInput, DataOutput, IOException}
import java.nio.ByteBuffer
import java.util.zip.CRC32

/**
 * The byte layout of an [[IndexedGraph]], used by broadcast, spill and checkpoint.
 *
 * {{{
 *   int  magic, int version
 *   header: int dictionary kind, long least id, int vertices, int edges, int has multiplicities
 *   int  CRC-32 of the header
 *   long ids[vertices]            sorted dictionary only
 *   int  offsets[vertices + 1], neighbours[edges], multiplicities[edges]     forward lists
 * }}}
 *
 * Big-endian. The reverse lists are not written: transposing is one pass and takes less time
 * than the bytes would on the wire. The header has a checksum because its lengths are allocated
 * before anything else can be checked.
 *
 * Thread-safety: no state. Memory: one buffer of 64 KiB beside the arrays.
 */
object CsrCodec {

  val Version: Int = 1

  final private val Magic = 0x57524541 // "WREA"
  final private val ChunkBytes = 1 << 16
  final private val HeaderBytes = 24
  final private val Dense = 0
  final private val Sorted = 1

  def write(g: IndexedGraph, out: DataOutput): Unit = {
    val forward = g.graph.forward
    if (g.dictionary.size != forward.vertexCount) {
      throw new IllegalArgumentException(
        s"The dictionary has ${g.dictionary.size} ids, but the graph has " +
          s"${forward.vertexCount} vertices.")
    }
    val header = ByteBuffer.allocate(HeaderBytes)
    g.dictionary match {
      case d: DenseDictionary => header.putInt(Dense).putLong(d.min)
      case _: SortedDictionary => header.putInt(Sorted).putLong(0L)
      case other =>
        throw new IllegalArgumentException(
          s"Version $Version cannot store a dictionary of class ${other.getClass.getName}.")
    }
    header.putInt(forward.vertexCount).putInt(forward.edgeCount)
    header.putInt(if (forward.mult == null) 0 else 1)
    out.writeInt(Magic)
    out.writeInt(Version)
    out.write(header.array)
    out.writeInt(checksum(header.array))

    val chunk = ByteBuffer.allocate(ChunkBytes)
    g.dictionary match {
      case d: SortedDictionary => writeLongs(d.ids, chunk, out)
      case _ =>
    }
    writeInts(forward.offsets, chunk, out)
    writeInts(forward.neighbours, chunk, out)
    if (forward.mult != null) writeInts(forward.mult, chunk, out)
  }

  def read(in: DataInput): IndexedGraph = {
    if (in.readInt() != Magic) throw new IOException("These bytes are not a graph index.")
    val version = in.readInt()
    if (version != Version) {
      throw new IOException(
        s"The graph index has format version $version, but only version $Version can be read.")
    }
    val bytes = new Array[Byte](HeaderBytes)
    in.readFully(bytes)
    if (in.readInt() != checksum(bytes)) {
      throw new IOException("The header of the graph index is corrupt.")
    }
    val header = ByteBuffer.wrap(bytes)
    val kind = header.getInt()
    val min = header.getLong()
    val vertices = header.getInt()
    val edges = header.getInt()
    val duplicates = header.getInt()

    val chunk = ByteBuffer.allocate(ChunkBytes)
    val dictionary =
      if (kind == Dense) DenseDictionary(min, vertices)
      else new SortedDictionary(readLongs(vertices, chunk, in))
    val offsets = readInts(vertices + 1, chunk, in)
    val neighbours = readInts(edges, chunk, in)
    val mult = if (duplicates == 0) null else readInts(edges, chunk, in)
    checkLists(offsets, neighbours, vertices)
    val forward = new Csr(offsets, neighbours, mult)
    IndexedGraph(dictionary, new CsrGraph(forward, CsrBuilder.transpose(forward)))
  }

  /** Joins index arrays by what is read here: better a sentence now than a wrong row later. */
  private def checkLists(offsets: Array[Int], neighbours: Array[Int], vertices: Int): Unit = {
    var sound = offsets(0) == 0 && offsets(vertices) == neighbours.length
    var v = 0
    while (sound && v < vertices) {
      val end = offsets(v + 1)
      sound = offsets(v) <= end && end <= neighbours.length
      var previous = -1
      var i = offsets(v)
      while (sound && i < end) {
        sound = neighbours(i) > previous && neighbours(i) < vertices
        previous = neighbours(i)
        i += 1
      }
      v += 1
    }
    if (!sound) throw new IOException("The neighbour lists of the graph index are corrupt.")
  }

  private def checksum(bytes: Array[Byte]): Int = {
    val crc = new CRC32
    crc.update(bytes)
    crc.getValue.toInt
  }

  private def writeInts(values: Array[Int], chunk: ByteBuffer, out: DataOutput): Unit = {
    val perChunk = ChunkBytes / 4
    var at = 0
    while (at < values.length) {
      val n = Math.min(perChunk, values.length - at)
      chunk.asIntBuffer().put(values, at, n)
      out.write(chunk.array, 0, n * 4)
      at += n
    }
  }

  private def readInts(count: Int, chunk: ByteBuffer, in: DataInput): Array[Int] = {
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

  private def writeLongs(values: Array[Long], chunk: ByteBuffer, out: DataOutput): Unit = {
    val perChunk = ChunkBytes / 8
    var at = 0
    while (at < values.length) {
      val n = Math.min(perChunk, values.length - at)
      chunk.asLongBuffer().put(values, at, n)
      out.write(chunk.array, 0, n * 8)
      at += n
    }
  }

  private def readLongs(count: Int, chunk: ByteBuffer, in: DataInput): Array[Long] = {
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
