package io.wreath.spark.streaming

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * Rows of edges with a number each, as bytes: what a task sends to the driver, and the driver to
 * the tasks that keep the state. One array instead of an object a row.
 */
final class ChangeBlock(bytes: Array[Byte], val size: Int, fields: Int)
    extends Serializable {

  /** Each row with its number. The row is not reused. */
  def iterator: Iterator[(UnsafeRow, Int)] = {
    val in = new DataInputStream(new ByteArrayInputStream(bytes))
    Iterator.fill(size) {
      val number = in.readInt()
      val data = new Array[Byte](in.readInt())
      in.readFully(data)
      val row = new UnsafeRow(fields)
      row.pointTo(data, data.length)
      (row, number)
    }
  }
}

object ChangeBlock {

  /** So many bytes make a block: small beside a task's memory, large beside its overhead. */
  private val BytesPerBlock = 4 << 20

  def of(rows: Iterator[(UnsafeRow, Int)], fields: Int): ChangeBlock = {
    val block = new Builder(fields)
    rows.foreach { case (row, number) => block.add(row, number) }
    block.result()
  }

  /**
   * The rows of a task in blocks.
   *
   * @param row    an edge's row from a row of the stream; may be reused
   * @param number what goes with it; rows with 0 are left out
   * @param keepsNulls whether rows with a NULL end stay: of one that is deleted by its key the ends
   *   need not be there, and of one that comes they are state, since it may be deleted so
   */
  def encode(
      input: Iterator[InternalRow],
      fields: Int,
      row: InternalRow => UnsafeRow,
      number: InternalRow => Int,
      keepsNulls: Boolean): Iterator[ChangeBlock] = new Iterator[ChangeBlock] {

    override def hasNext: Boolean = input.hasNext

    override def next(): ChangeBlock = {
      val block = new Builder(fields)
      while (input.hasNext && block.sizeInBytes < BytesPerBlock) {
        val in = input.next()
        val edge = row(in)
        // A NULL end matches nothing, whether it comes or goes.
        if (keepsNulls || !edge.isNullAt(0) && !edge.isNullAt(1)) {
          val n = number(in)
          if (n != 0) block.add(edge, n)
        }
      }
      block.result()
    }
  }

  final private class Builder(fields: Int) {
    private val bytes = new ByteArrayOutputStream
    private val out = new DataOutputStream(bytes)
    private var size = 0

    def sizeInBytes: Int = bytes.size

    def add(row: UnsafeRow, number: Int): Unit = {
      val data = row.getBytes
      out.writeInt(number)
      out.writeInt(data.length)
      out.write(data)
      size += 1
    }

    def result(): ChangeBlock = new ChangeBlock(bytes.toByteArray, size, fields)
  }
}
