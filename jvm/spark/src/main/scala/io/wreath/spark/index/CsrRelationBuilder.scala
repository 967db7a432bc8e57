package io.wreath.spark.index

import io.wreath.kernel.csr.CsrBuilder

/** Blocks of edges, from whatever executor, to one index on the driver. */
object CsrRelationBuilder {

  /** What an edge takes at least: its neighbour in each direction. */
  val MinBytesPerEdge: Long = 2L * Integer.BYTES

  /** The largest array that a JVM is sure to give. */
  val MaxEdges: Long = Int.MaxValue - 8L

  /** Requires: at most [[MaxEdges]] edges in all. */
  def build(blocks: Iterator[EdgeBlock]): CsrRelation = {
    val all = blocks.toArray
    val count = all.iterator.map(_.size.toLong).sum.toInt
    val sources = new Array[Long](count)
    val targets = new Array[Long](count)
    var at = 0
    all.foreach { block =>
      System.arraycopy(block.sources, 0, sources, at, block.size)
      System.arraycopy(block.targets, 0, targets, at, block.size)
      at += block.size
    }
    new CsrRelation(CsrBuilder.fromIds(sources, targets, count))
  }
}
