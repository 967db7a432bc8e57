package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

/** Edges as two parallel columns of ids: how they travel from the executors to the driver. */
final case class EdgeBlock(sources: Array[Long], targets: Array[Long]) {
  def size: Int = sources.length
}

object EdgeBlock {

  /** Large enough that a block's own cost is nothing, small enough to be allocated at once. */
  private val RowsPerBlock = 1 << 16

  /** Reads the first two columns of `rows`; a row with a NULL end is no edge. */
  def encode(rows: Iterator[InternalRow], keyType: DataType): Iterator[EdgeBlock] = {
    val source = VertexKey.reader(keyType, 0)
    val target = VertexKey.reader(keyType, 1)
    val edges = rows.filterNot(r => r.isNullAt(0) || r.isNullAt(1))
    new Iterator[EdgeBlock] {
      override def hasNext: Boolean = edges.hasNext

      override def next(): EdgeBlock = {
        val sources = new Array[Long](RowsPerBlock)
        val targets = new Array[Long](RowsPerBlock)
        var n = 0
        while (n < RowsPerBlock && edges.hasNext) {
          val row = edges.next()
          sources(n) = source(row)
          targets(n) = target(row)
          n += 1
        }
        if (n == RowsPerBlock) EdgeBlock(sources, targets)
        else EdgeBlock(sources.take(n), targets.take(n))
      }
    }
  }
}
