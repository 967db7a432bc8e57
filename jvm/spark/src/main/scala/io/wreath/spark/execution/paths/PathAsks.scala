package io.wreath.spark.execution.paths

import java.util.Arrays

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow

/**
 * What a batch of rows asks for: each two of a source and a target, or each source, once, with the rows that
 * ask for it. Not thread-safe: one for each task.
 *
 * {{{
 *   rows      (1,7) (4,2) (1,7) (1,3)
 *   asks      0: 1->3    1: 1->7 (twice)    2: 4->2         by source, then target; or the other way
 *   sources   1 4
 * }}}
 *
 * @param isBound whether rows name targets
 * @param byTarget whether asks for one target stand together, and not those of one source
 * @param mostSources that a batch has
 */
final private[paths] class PathAsks(
    val isBound: Boolean,
    byTarget: Boolean,
    mostSources: Int,
    codeCount: Int) {

  private[this] val rows = new ArrayBuffer[InternalRow]
  private[this] var keys = new Array[Long](64)
  private[this] var size = 0
  private[this] var distinct = new Array[Long](64)
  private[this] var distinctCount = 0
  // The rows of ask i stand from firsts(i) on in `order`.
  private[this] var firsts = new Array[Int](65)
  private[this] var order = new Array[Int](64)
  // A bit for each target, where a search finds others too.
  private[this] val wanted = if (isBound) new Array[Long]((codeCount + 63) >>> 6) else null

  /** In the order in which they came, until [[close]]; then ascending. */
  val sources: Array[Int] = new Array[Int](mostSources)
  private[this] var sourcesSeen = 0

  def sourceCount: Int = sourcesSeen

  def clear(): Unit = {
    if (isBound) {
      var i = 0
      while (i < distinctCount) {
        wanted(target(i) >>> 6) = 0L
        i += 1
      }
    }
    rows.clear()
    size = 0
    distinctCount = 0
    sourcesSeen = 0
  }

  /** False where there is no room for it: the batch is full. */
  def add(row: InternalRow, source: Int, target: Int): Boolean = {
    var i = sourcesSeen - 1
    while (i >= 0 && sources(i) != source) i -= 1
    if (size == PathAsks.MostRows || (i < 0 && sourcesSeen == mostSources)) false
    else {
      if (i < 0) {
        sources(sourcesSeen) = source
        sourcesSeen += 1
      }
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, 2 * size)
        order = Arrays.copyOf(order, 2 * size)
      }
      keys(size) = if (byTarget) key(target, source) else key(source, target)
      size += 1
      rows += row
      true
    }
  }

  // Codes are not negative; no target is -1.
  private def key(first: Int, second: Int): Long = (first + 1L) << 32 | (second + 1L)

  /** Puts together what is asked for. */
  def close(): Unit = {
    Arrays.sort(sources, 0, sourcesSeen)
    distinct = Arrays.copyOf(keys, size)
    Arrays.sort(distinct)
    distinctCount = 0
    var i = 0
    while (i < size) {
      if (i == 0 || distinct(i) != distinct(i - 1)) {
        distinct(distinctCount) = distinct(i)
        distinctCount += 1
      }
      i += 1
    }
    if (firsts.length <= distinctCount) firsts = new Array[Int](2 * distinctCount + 1)
    Arrays.fill(firsts, 0, distinctCount + 1, 0)
    i = 0
    while (i < size) {
      firsts(place(keys(i)) + 1) += 1
      i += 1
    }
    i = 0
    while (i < distinctCount) {
      firsts(i + 1) += firsts(i)
      i += 1
    }
    val next = Arrays.copyOf(firsts, distinctCount + 1)
    i = 0
    while (i < size) {
      val at = place(keys(i))
      order(next(at)) = i
      next(at) += 1
      i += 1
    }
    if (isBound) {
      i = 0
      while (i < distinctCount) {
        wanted(target(i) >>> 6) |= 1L << target(i)
        i += 1
      }
    }
  }

  private def place(key: Long): Int = Arrays.binarySearch(distinct, 0, distinctCount, key)

  /** How many different things are asked. */
  def count: Int = distinctCount

  private def first(ask: Int): Int = ((distinct(ask) >>> 32) - 1L).toInt
  private def second(ask: Int): Int = ((distinct(ask) & 0xffffffffL) - 1L).toInt

  def source(ask: Int): Int = if (byTarget) second(ask) else first(ask)

  /** -1 where all are asked for. */
  def target(ask: Int): Int = if (byTarget) first(ask) else second(ask)

  def isWanted(target: Int): Boolean =
    !isBound || (wanted(target >>> 6) >>> target & 1L) != 0L

  /** The ask from one of [[sources]] to a target, -1 if there is none. Requires: asks are by source. */
  def find(source: Int, target: Int): Int =
    Math.max(place(key(sources(source), target)), -1)

  /** The ask that a target of one of [[sources]] answers, -1 if none. */
  def askOf(source: Int, target: Int): Int =
    if (!isBound) source else if (isWanted(target)) find(source, target) else -1

  /** How many targets are asked for from one of [[sources]]. */
  def targetCount(source: Int): Int =
    if (!isBound) Int.MaxValue
    else insertion(key(sources(source) + 1, -1)) - insertion(key(sources(source), -1))

  private def insertion(key: Long): Int = {
    val at = place(key)
    if (at >= 0) at else -1 - at
  }

  /** The rows that ask for it are `row(i)` from `firstRow` until that of the next. */
  def firstRow(ask: Int): Int = firsts(ask)

  def row(i: Int): InternalRow = rows(order(i))
}

private object PathAsks {

  /** Rows that a task holds at once. */
  final val MostRows = 1 << 14
}
