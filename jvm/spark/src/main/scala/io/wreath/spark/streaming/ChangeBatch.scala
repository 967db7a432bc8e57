package io.wreath.spark.streaming

import java.util.{HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.delta.EdgeDelta

/**
 * The rows of one micro-batch, each once, with the sum of its changes. Rows that come and go in
 * the same batch are gone.
 */
final class ChangeBatch private (
    val rows: Array[UnsafeRow],
    val diffs: Array[Int]) {

  def size: Int = rows.length

  /** The positions of the rows that lose more than they gain. */
  def deletes: Array[Int] = diffs.indices.filter(diffs(_) < 0).toArray

  /**
   * The batch as it takes effect.
   *
   * @param there for each of [[deletes]], how many such rows there are
   */
  def effective(there: Array[Long]): ChangeBatch = {
    val possible = diffs.clone()
    deletes.zip(there).foreach { case (i, n) =>
      possible(i) = Math.max(diffs(i).toLong, -n).toInt
    }
    val kept = possible.indices.filter(possible(_) != 0).toArray
    new ChangeBatch(kept.map(rows), kept.map(possible))
  }

  /** Rows that are deleted: the sum of diffs below zero, as a positive number. */
  def deletedRows: Long = diffs.iterator.filter(_ < 0).map(-_.toLong).sum

  /** This batch and a later one as one. */
  def followedBy(later: ChangeBatch): ChangeBatch =
    if (size == 0) later else ChangeBatch.of(changes ++ later.changes)

  def filter(isKept: UnsafeRow => Boolean): ChangeBatch = {
    val kept = Cancellation.looking(rows.indices.iterator).filter(i => isKept(rows(i))).toArray
    if (kept.length == size) this else new ChangeBatch(kept.map(rows), kept.map(diffs))
  }

  private def changes: Iterator[(UnsafeRow, Int)] = rows.iterator.zip(diffs.iterator)

  /** Without rows that have a NULL end: they match nothing. */
  private def withEnds: ChangeBatch = filter(r => !r.isNullAt(0) && !r.isNullAt(1))

  /**
   * The batch by code.
   *
   * @param properties of an edge's row, those that patterns read; null where they read none
   */
  def toStep(dictionary: StreamDictionary, from: Int, properties: UnsafeProjection): GraphStep =
    withEnds.encoded(dictionary, from, properties)

  private def encoded(
      dictionary: StreamDictionary,
      from: Int,
      properties: UnsafeProjection): GraphStep = {
    val sources = new Array[Int](size)
    val targets = new Array[Int](size)
    val look = Cancellation.look()
    var i = 0
    while (i < size) {
      if ((i & 1023) == 0) look.run()
      sources(i) = dictionary.source(rows(i))
      targets(i) = dictionary.target(rows(i))
      i += 1
    }
    val readsRows = properties != null
    val changes =
      if (!readsRows) Array.empty[RowChange]
      else {
        Array.tabulate(size) { i =>
          if ((i & 1023) == 0) look.run()
          RowChange(sources(i), targets(i), properties(rows(i)).copy(), diffs(i))
        }
      }
    // A row that takes another's place changes no multiplicity, but may change matches.
    val delta =
      EdgeDelta.consolidate(sources, targets, diffs, size, keepsUnchanged = readsRows, look)
    new GraphStep(delta, dictionary.idsFrom(from), changes)
  }
}

object ChangeBatch {

  val empty: ChangeBatch = new ChangeBatch(Array.empty, Array.empty)

  def consolidate(blocks: Iterator[ChangeBlock]): ChangeBatch = of(blocks.flatMap(_.iterator))

  /** @param changes rows that are not reused, any of them any number of times */
  def of(changes: Iterator[(UnsafeRow, Int)]): ChangeBatch = {
    val sums = new JHashMap[UnsafeRow, Sum]
    val order = Array.newBuilder[UnsafeRow]
    Cancellation.looking(changes).foreach { case (row, diff) =>
      val sum = sums.get(row)
      if (sum == null) {
        sums.put(row, new Sum(diff))
        order += row
      } else {
        sum.value = Math.addExact(sum.value, diff)
      }
    }
    val rows = order.result().filter(sums.get(_).value != 0)
    new ChangeBatch(rows, rows.map(sums.get(_).value))
  }

  final private class Sum(var value: Int)
}
