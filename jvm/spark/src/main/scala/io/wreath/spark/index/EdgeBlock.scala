package io.wreath.spark.index

import java.util.Arrays

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String

/** Some edges, as compact as they travel from the executors to the driver. */
sealed trait EdgeBlock extends Serializable {
  def size: Int
}

/** Edges between integers, as two parallel columns. */
final case class LongBlock(sources: Array[Long], targets: Array[Long]) extends EdgeBlock {
  override def size: Int = sources.length
}

/** Edges between byte strings: each string once, sorted, and the ends by their place in `keys`. */
final case class BytesBlock(
    keys: Array[Array[Byte]],
    sources: Array[Int],
    targets: Array[Int])
    extends EdgeBlock {
  override def size: Int = sources.length
}

object EdgeBlock {

  /** Large enough that a block's own cost is nothing, small enough to be allocated at once. */
  private val RowsPerBlock = 1 << 16

  /** Reads the first two columns of `rows`; a row with a NULL end is no edge. */
  def encode(rows: Iterator[InternalRow], keyType: DataType): Iterator[EdgeBlock] = {
    val edges = rows.filterNot(r => r.isNullAt(0) || r.isNullAt(1))
    val encoder: Iterator[InternalRow] => EdgeBlock =
      if (VertexKeys.isLong(keyType)) longs(_, keyType) else bytes(_, keyType)
    new Iterator[EdgeBlock] {
      override def hasNext: Boolean = edges.hasNext
      override def next(): EdgeBlock = encoder(edges)
    }
  }

  private def longs(edges: Iterator[InternalRow], keyType: DataType): EdgeBlock = {
    val source = LongKeys.reader(keyType, 0)
    val target = LongKeys.reader(keyType, 1)
    val sources, targets = new Array[Long](RowsPerBlock)
    var n = 0
    while (n < RowsPerBlock && edges.hasNext) {
      val row = edges.next()
      sources(n) = source(row)
      targets(n) = target(row)
      n += 1
    }
    LongBlock(Arrays.copyOf(sources, n), Arrays.copyOf(targets, n))
  }

  private def bytes(edges: Iterator[InternalRow], keyType: DataType): EdgeBlock = {
    val source = BytesKeys.reader(keyType, 0)
    val target = BytesKeys.reader(keyType, 1)
    val numbers = new mutable.HashMap[UTF8String, Int]
    def number(key: UTF8String): Int = {
      val known = numbers.getOrElse(key, -1)
      if (known >= 0) {
        known
      } else {
        // The row that the key points into is reused by the next.
        numbers(key.copy()) = numbers.size
        numbers.size - 1
      }
    }
    val sources, targets = new Array[Int](RowsPerBlock)
    var n = 0
    while (n < RowsPerBlock && edges.hasNext) {
      val row = edges.next()
      sources(n) = number(source(row))
      targets(n) = number(target(row))
      n += 1
    }
    val sorted = numbers.toArray.sortWith((a, b) => a._1.binaryCompare(b._1) < 0)
    val rank = new Array[Int](sorted.length)
    sorted.indices.foreach(i => rank(sorted(i)._2) = i)
    BytesBlock(
      sorted.map(_._1.getBytes),
      Array.tabulate(n)(i => rank(sources(i))),
      Array.tabulate(n)(i => rank(targets(i))))
  }
}
