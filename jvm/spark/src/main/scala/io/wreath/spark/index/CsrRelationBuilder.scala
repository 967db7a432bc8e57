package io.wreath.spark.index

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.wreath.kernel.csr.{CsrBuilder, DenseDictionary, IndexedGraph}

/** Blocks of edges, from whatever executor, to one index on the driver. */
object CsrRelationBuilder {

  /** What an edge takes at least: its neighbour in each direction. */
  val MinBytesPerEdge: Long = 2L * Integer.BYTES

  /** The largest array that a JVM is sure to give. */
  val MaxEdges: Long = Int.MaxValue - 8L

  /** Requires: at most [[MaxEdges]] edges in all, and blocks of one kind. */
  def build(blocks: Iterator[EdgeBlock]): CsrRelation = {
    val all = blocks.toArray
    val count = all.iterator.map(_.size.toLong).sum.toInt
    val bytes = all.collect { case b: BytesBlock => b }
    if (bytes.nonEmpty) fromBytes(bytes, count) else fromLongs(all, count)
  }

  private def fromLongs(blocks: Array[EdgeBlock], count: Int): CsrRelation = {
    val sources, targets = new Array[Long](count)
    var at = 0
    blocks.foreach {
      case block: LongBlock =>
        System.arraycopy(block.sources, 0, sources, at, block.size)
        System.arraycopy(block.targets, 0, targets, at, block.size)
        at += block.size
      case _: BytesBlock => throw new IllegalArgumentException("blocks of two kinds")
    }
    new CsrRelation(CsrBuilder.fromIds(sources, targets, count), None)
  }

  private def fromBytes(blocks: Array[BytesBlock], count: Int): CsrRelation = {
    val keys = distinct(blocks.flatMap(_.keys.map(UTF8String.fromBytes)))
    val sources, targets = new Array[Int](count)
    var at = 0
    blocks.foreach { block =>
      val codes = block.keys.map(k => Arrays.binarySearch(keys, UTF8String.fromBytes(k), order))
      var i = 0
      while (i < block.size) {
        sources(at) = codes(block.sources(i))
        targets(at) = codes(block.targets(i))
        at += 1
        i += 1
      }
    }
    val graph = CsrBuilder.fromCodes(sources, targets, count, keys.length)
    new CsrRelation(
      IndexedGraph(DenseDictionary(0L, keys.length), graph),
      Some(BytesTable.of(keys)))
  }

  private val order: java.util.Comparator[AnyRef] =
    (a, b) => a.asInstanceOf[UTF8String].binaryCompare(b.asInstanceOf[UTF8String])

  private def distinct(keys: Array[UTF8String]): Array[UTF8String] = {
    Arrays.sort(keys.asInstanceOf[Array[AnyRef]], order)
    var n = 0
    keys.foreach { key =>
      if (n == 0 || keys(n - 1) != key) {
        keys(n) = key
        n += 1
      }
    }
    Arrays.copyOf(keys, n)
  }
}
