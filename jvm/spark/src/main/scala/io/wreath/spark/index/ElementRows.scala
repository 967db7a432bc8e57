package io.wreath.spark.index

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * The columns of an indexed table beside its keys, by row number. A join reads them only for rows
 * that survive it.
 *
 * Thread-safety: immutable; each task points a row of its own at it.
 */
trait ElementRows {

  /** Columns in the order in which they are stored. */
  def columns: Seq[IndexedColumn]

  /** Points `row`, which must have as many fields as there are columns, at the given row. */
  def read(number: Int, row: UnsafeRow): Unit

  def sizeInBytes: Long
}
