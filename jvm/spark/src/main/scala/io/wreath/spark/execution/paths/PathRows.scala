package io.wreath.spark.execution.paths

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.metric.SQLMetric

/**
 * The rows of one task: reads rows that ask until a batch is full, and gives a row for each path that is found.
 * Paths are searched for only as rows are taken. A row is reused.
 *
 * @param ends of the paths that a row asks for
 * @param asks room for a batch
 */
final private[paths] class PathRows(
    asking: Iterator[InternalRow],
    ends: PathEnds,
    asks: PathAsks,
    finder: PathFinder,
    writer: PathRowWriter,
    sources: SQLMetric,
    found: SQLMetric)
    extends Iterator[InternalRow] {

  // A row that did not fit the batch before.
  private[this] var waiting: InternalRow = _
  // Vertices without edges have no codes here, but the path without a step.
  private[this] val alone = new ArrayBuffer[InternalRow]
  private[this] var aloneAt = 0
  private[this] var isAlone = false

  private[this] var at = 0
  private[this] var end = 0
  private[this] var isOpen = false
  private[this] var isEnded = false

  override def hasNext: Boolean = {
    while (!isEnded && at == end) advance()
    !isEnded
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no more paths")
    val row = if (isAlone) alone(aloneAt - 1) else asks.row(at)
    at += 1
    found += 1
    writer.write(row)
  }

  private def advance(): Unit =
    if (aloneAt < alone.size) {
      isAlone = true
      writer.takeEmpty(ends.keysAlone, ends.codeAlone(alone(aloneAt)))
      aloneAt += 1
      at = 0
      end = 1
    } else {
      isAlone = false
      if (isOpen && finder.next()) {
        writer.take(finder)
        at = asks.firstRow(finder.ask)
        end = asks.firstRow(finder.ask + 1)
      } else if (!fill()) isEnded = true
    }

  private def fill(): Boolean = {
    asks.clear()
    alone.clear()
    aloneAt = 0
    var isFull = false
    while (!isFull && (waiting != null || asking.hasNext)) {
      // The child uses its row again.
      val row = if (waiting != null) waiting else asking.next()
      waiting = null
      if (ends.find(row)) {
        if (ends.sourceFound < 0) {
          alone += row.copy()
          isFull = alone.size == PathAsks.MostRows
        } else {
          val kept = row.copy()
          if (!asks.add(kept, ends.sourceFound, ends.targetFound)) {
            waiting = kept
            isFull = true
          }
        }
      }
    }
    asks.close()
    sources += asks.sourceCount
    finder.open(asks)
    isOpen = true
    asks.count > 0 || alone.nonEmpty
  }
}
