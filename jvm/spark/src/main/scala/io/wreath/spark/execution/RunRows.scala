package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * The bindings of a task as rows: those of a run differ in one column, so only that is written
 * anew. A row is reused: who keeps it copies it. Not thread-safe: one per task.
 *
 * @param lastColumn where the variable that is bound last stands in a row; -1 if it is not read
 */
final private[execution] class RunRows(
    runs: BindingRuns,
    writer: BindingRowWriter.OfKeys,
    lastColumn: Int)
    extends Iterator[InternalRow] {

  private[this] var row: UnsafeRow = _

  override def hasNext: Boolean = runs.position < runs.until || nextRun()

  private def nextRun(): Boolean = {
    val more = runs.next()
    if (more) row = writer.write(runs.binding, Array.emptyIntArray, 0L)
    more
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no more bindings")
    val at = runs.position
    if (lastColumn >= 0) writer.overwrite(lastColumn, runs.codes(at))
    runs.position = at + 1
    row
  }
}
