package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * The bindings of a task as rows: those of a run differ in one vertex, so only that is written
 * anew. A row is reused: who keeps it copies it. Not thread-safe: one per task.
 *
 * @param lastColumns where the variable that is bound last stands in a row
 */
final private[execution] class RunRows(
    runs: BindingRuns,
    writer: BindingRowWriter.OfKeys,
    lastColumns: Array[Int])
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
    var i = 0
    while (i < lastColumns.length) {
      writer.overwrite(lastColumns(i), runs.codes(at))
      i += 1
    }
    runs.position = at + 1
    row
  }
}
