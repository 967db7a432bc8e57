package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow

/** What a cursor goes through, as rows. A row is reused: who keeps it copies it. */
final private[execution] class CursorRows(cursor: BindingCursor, writer: BindingRowWriter)
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
      row = writer.write(cursor.binding, cursor.choices.rows, cursor.weight)
    }
    row
  }
}
