package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{DataType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.spark.WreathErrors

/**
 * By how many rows a row of the stream changes its edge; see
 * [[io.wreath.spark.logical.StreamingEdges]].
 */
sealed trait ChangeReader extends Serializable {
  def diff(row: InternalRow): Int
}

object ChangeReader {

  /** @param column position and type of the column that tells, if there is one */
  def apply(column: Option[(Int, DataType)]): ChangeReader = column match {
    case None => InsertsOnly
    case Some((i, StringType)) => ChangeTypes(i)
    case Some((i, tpe)) => Diffs(i, tpe)
  }

  private case object InsertsOnly extends ChangeReader {
    override def diff(row: InternalRow): Int = 1
  }

  /** In the words of Delta's change data feed. */
  final private case class ChangeTypes(column: Int) extends ChangeReader {

    override def diff(row: InternalRow): Int = {
      val kind = if (row.isNullAt(column)) null else row.getUTF8String(column)
      if (Insert == kind || Postimage == kind) 1
      else if (Delete == kind || Preimage == kind) -1
      else
        throw WreathErrors.unknownChange("_change_type", if (kind == null) "NULL" else s"'$kind'")
    }
  }

  private val Insert = UTF8String.fromString("insert")
  private val Delete = UTF8String.fromString("delete")
  private val Preimage = UTF8String.fromString("update_preimage")
  private val Postimage = UTF8String.fromString("update_postimage")

  final private case class Diffs(column: Int, tpe: DataType) extends ChangeReader {

    @transient private lazy val value = StreamKeys.longs(tpe, column)

    override def diff(row: InternalRow): Int = {
      if (row.isNullAt(column)) throw WreathErrors.unknownChange("diff", "NULL")
      val d = value(row)
      if (d != d.toInt) throw WreathErrors.unknownChange("diff", d.toString)
      d.toInt
    }
  }
}
