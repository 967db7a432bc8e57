package io.wreath.spark.streaming

import scala.collection.immutable.LongMap

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.wreath.Cancellation

/**
 * The properties of the edges of one version of a graph: for each pair of vertices its parallel
 * rows, each with how often it occurs. Only kept where a pattern reads properties.
 *
 * Thread-safety: immutable; versions share what they have in common.
 */
final class EdgeRows private (rows: LongMap[Array[EdgeRow]], val size: Long) {

  /** The rows from `source` to `target`; not to be written to. */
  def get(source: Int, target: Int): Array[EdgeRow] =
    rows.getOrElse(EdgeRows.key(source, target), EdgeRows.None)

  def applied(changes: Iterator[RowChange]): EdgeRows = {
    var next = rows
    var count = size
    Cancellation.looking(changes).foreach { c =>
      val key = EdgeRows.key(c.source, c.target)
      val before = next.getOrElse(key, EdgeRows.None)
      val after = EdgeRows.changed(before, c)
      count += after.length - before.length
      next = if (after.isEmpty) next - key else next.updated(key, after)
    }
    new EdgeRows(next, count)
  }

  /** All rows, as changes to an empty version. */
  def toChanges: Array[RowChange] =
    rows.iterator.flatMap { case (key, parallel) =>
      parallel.iterator.map(r =>
        RowChange((key >>> 32).toInt, key.toInt, r.properties, r.multiplicity))
    }.toArray

  def sizeInBytes: Long = EdgeRows.sizeInBytes(size)
}

/** One row of an edge: the properties that patterns read. */
final case class EdgeRow(properties: UnsafeRow, multiplicity: Int)

/** `diff` rows more, or less, of an edge by code. */
final case class RowChange(
    source: Int,
    target: Int,
    properties: UnsafeRow,
    diff: Int)

object EdgeRows {

  private val None = Array.empty[EdgeRow]

  /**
   * An estimate: a leaf of the trie and its share of branches, an array, a row of a few columns.
   */
  private val BytesPerRow = 200L

  def sizeInBytes(rows: Long): Long = rows * BytesPerRow

  val empty: EdgeRows = new EdgeRows(LongMap.empty, 0L)

  private def key(source: Int, target: Int): Long = source.toLong << 32 | target

  private def changed(rows: Array[EdgeRow], c: RowChange): Array[EdgeRow] = {
    val at = rows.indexWhere(_.properties == c.properties)
    val m = Math.addExact(if (at < 0) 0 else rows(at).multiplicity, c.diff)
    if (m < 0) {
      throw new IllegalStateException(
        s"An edge from ${c.source} to ${c.target} would occur $m times.")
    }
    if (at < 0 && m == 0) rows
    else if (at < 0) rows :+ EdgeRow(c.properties, m)
    else if (m == 0) rows.patch(at, Nil, 1)
    else rows.updated(at, EdgeRow(c.properties, m))
  }
}
