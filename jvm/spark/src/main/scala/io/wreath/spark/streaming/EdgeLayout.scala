package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  GenericInternalRow,
  JoinedRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.{LongType, StructType}

/**
 * How the rows of edges lie in a state store: by what names an edge, with how often the row occurs
 * and the rest of it.
 *
 * @param row the columns of an edge's row
 * @param keyColumns positions in `row` of what names an edge; empty: the whole row does. If there
 *   are some, no two edges have the same
 */
final case class EdgeLayout(row: Seq[Attribute], keyColumns: Seq[Int]) {

  def isKeyed: Boolean = keyColumns.nonEmpty

  /** The columns that name an edge. */
  val key: Seq[Attribute] = if (isKeyed) keyColumns.map(row) else row

  private val rest: Seq[Attribute] =
    if (isKeyed) row.indices.filterNot(keyColumns.contains).map(row) else Nil

  // A field, so that it is the same column wherever the layout is sent.
  private val multiplicity: Attribute =
    AttributeReference("multiplicity", LongType, nullable = false)()

  private val values: Seq[Attribute] = multiplicity +: rest

  def keySchema: StructType = EdgeLayout.nullable(key)

  def valueSchema: StructType = EdgeLayout.nullable(values)

  /** The key of a row. The result is reused, or is the row itself. */
  def keyOf: UnsafeRow => UnsafeRow =
    if (!isKeyed) identity else UnsafeProjection.create(key, row)(_)

  /** What goes with the key of a row that occurs so often. The result is reused. */
  def valueOf: (UnsafeRow, Long) => UnsafeRow = {
    val projection = UnsafeProjection.create(values, multiplicity +: row)
    val number = new GenericInternalRow(1)
    val joined = new JoinedRow
    (r, n) => {
      number.update(0, n)
      projection(joined(number, r))
    }
  }

  /** The row of a key and a value. The result is reused, or is the key itself. */
  def rowOf: (UnsafeRow, InternalRow) => UnsafeRow =
    if (!isKeyed) (k, _) => k
    else {
      val projection = UnsafeProjection.create(row, key ++ values)
      val joined = new JoinedRow
      (k, v) => projection(joined(k, v))
    }

  /** How often the row of a value occurs. */
  def multiplicityOf(value: InternalRow): Long = if (value == null) 0L else value.getLong(0)

  /** A row or a key in words, for messages. */
  def describe(columns: Seq[Attribute], values: InternalRow): String =
    columns.map(_.name)
      .zip(values.toSeq(columns.map(_.dataType)))
      .map { case (name, value) => s"$name = $value" }
      .mkString("(", ", ", ")")
}

object EdgeLayout {

  private def nullable(columns: Seq[Attribute]): StructType =
    DataTypeUtils.fromAttributes(columns.map(_.withNullability(true)))
}
