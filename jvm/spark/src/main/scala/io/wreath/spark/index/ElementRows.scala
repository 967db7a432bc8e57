package io.wreath.spark.index

import java.io.{DataInput, DataOutput}

import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  JoinedRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.Platform

import io.wreath.spark.index.keys.BytePages

/**
 * The columns of an indexed table beside its keys, by row number. A join reads them only for rows
 * that survive it.
 *
 * Thread-safety: immutable; each task points a row of its own at it.
 *
 * @param columns in the order in which they are stored
 * @param rows an UnsafeRow's bytes for each row; none at all where there are no columns
 */
final class ElementRows private[index] (
    val columns: Seq[IndexedColumn],
    private[index] val rows: BytePages) {

  /** Points `row`, which must have as many fields as there are columns, at the given row. */
  def read(number: Int, row: UnsafeRow): Unit =
    row.pointTo(
      rows.page(number),
      Platform.BYTE_ARRAY_OFFSET.toLong + rows.from(number),
      rows.length(number))

  /** Where a column is stored, -1 if it is not. */
  def ordinal(id: String): Int = columns.indexWhere(_.id == id)

  /** These columns, and those of `other` that are not among them, row by row. */
  private[index] def beside(other: ElementRows): ElementRows = {
    val added = other.columns.zipWithIndex.filterNot { case (c, _) => columns.contains(c) }
    val all = columns.zipWithIndex ++ added.map { case (c, i) => (c, columns.size + i) }
    val join = UnsafeProjection.create(all.map { case (c, i) =>
      BoundReference(i, c.dataType, nullable = true)
    })
    val (here, there) = (new UnsafeRow(columns.size), new UnsafeRow(other.columns.size))
    val both = new JoinedRow(here, there)
    val joined = new BytePages.Builder
    var i = 0
    while (i < rows.size) {
      read(i, here)
      other.read(i, there)
      val row = join(both)
      joined.append(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
      i += 1
    }
    new ElementRows(all.map(_._1), joined.result())
  }

  def sizeInBytes: Long = rows.sizeInBytes

  private[index] def writeTo(out: DataOutput): Unit = {
    out.writeInt(columns.size)
    columns.foreach { c =>
      writeText(c.id, out)
      writeText(c.dataType.json, out)
    }
    rows.writeTo(out)
  }

  // writeUTF ends at 65,535 bytes, and the type of a nested column may be longer.
  private def writeText(text: String, out: DataOutput): Unit = {
    val bytes = text.getBytes("UTF-8")
    out.writeInt(bytes.length)
    out.write(bytes)
  }
}

object ElementRows {

  val none: ElementRows = new ElementRows(Nil, BytePages.empty)

  private[index] def readFrom(in: DataInput): ElementRows = {
    def text(): String = {
      val bytes = new Array[Byte](in.readInt())
      in.readFully(bytes)
      new String(bytes, "UTF-8")
    }
    val columns = Vector.fill(in.readInt())(IndexedColumn(text(), DataType.fromJson(text())))
    new ElementRows(columns, BytePages.readFrom(in))
  }
}
