package io.wreath.kernel.csr

import java.io.{DataInput, DataOutput, IOException}

import io.wreath.kernel.lists.ArrayCodec

/**
 * The byte layout of a [[CsrGraph]], used by broadcast, spill and checkpoint.
 *
 * {{{
 *   int  magic, int version
 *   long sources, targets, distinct edges, has multiplicities; int CRC-32 of these
 *   int  offsets[sources + 1], neighbours[edges], multiplicities[edges]     forward lists
 * }}}
 *
 * The reverse lists are not written: transposing is one pass and takes less time than the bytes
 * would on the wire.
 *
 * Thread-safety: no state.
 */
object CsrCodec {

  val Version: Int = 2

  final private val Magic = 0x57524541 // "WREA"

  def write(graph: CsrGraph, out: DataOutput): Unit = {
    val forward = graph.forward
    val codec = new ArrayCodec
    codec.writeHeader(
      Magic,
      Version,
      Array(
        forward.vertexCount.toLong,
        graph.reverse.vertexCount.toLong,
        forward.edgeCount.toLong,
        if (forward.mult == null) 0L else 1L),
      out)
    codec.writeInts(forward.offsets, out)
    codec.writeInts(forward.neighbours, out)
    if (forward.mult != null) codec.writeInts(forward.mult, out)
  }

  def read(in: DataInput): CsrGraph = {
    val codec = new ArrayCodec
    val header = codec.readHeader(Magic, Version, 4, "a graph index", in)
    val (sources, targets, edges) = (header(0).toInt, header(1).toInt, header(2).toInt)
    val offsets = codec.readInts(sources + 1, in)
    val neighbours = codec.readInts(edges, in)
    val mult = if (header(3) == 0) null else codec.readInts(edges, in)
    checkLists(offsets, neighbours, targets)
    val forward = new Csr(offsets, neighbours, mult)
    new CsrGraph(forward, CsrBuilder.transpose(forward, targets))
  }

  /** Joins index arrays by what is read here: better a sentence now than a wrong row later. */
  private def checkLists(offsets: Array[Int], neighbours: Array[Int], targets: Int): Unit = {
    val sources = offsets.length - 1
    var sound = offsets(0) == 0 && offsets(sources) == neighbours.length
    var v = 0
    while (sound && v < sources) {
      val end = offsets(v + 1)
      sound = offsets(v) <= end && end <= neighbours.length
      var previous = -1
      var i = offsets(v)
      while (sound && i < end) {
        sound = neighbours(i) > previous && neighbours(i) < targets
        previous = neighbours(i)
        i += 1
      }
      v += 1
    }
    if (!sound) throw new IOException("The neighbour lists of the graph index are corrupt.")
  }
}
