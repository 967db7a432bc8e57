package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow

/**
 * What a cursor goes through, as rows. A row is reused: who keeps it copies it.
 *
 * @param isCount whether the number of rows that a row stands for comes with it
 */
final private[execution] class CursorRows(
    cursor: BindingCursor,
    writer: BindingRowWriter,
    isCount: Boolean)
    extends Iterator[InternalRow] {

  private[this] var row: InternalRow = _
  private[this] var isAhead = false
  private[this] var more = true

  override def hasNext: Boolean = {
    if (!isAhead && more) {
      more = cursor.next()
      isAhead = more
    }
    isAhead
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no more bindings")
    isAhead = false
    if (!cursor.isRepeated) {
      val weight = if (isCount) cursor.weight else 0L
      row = writer.write(cursor.binding, cursor.choices.rows, weight)
    }
    row
  }
}
