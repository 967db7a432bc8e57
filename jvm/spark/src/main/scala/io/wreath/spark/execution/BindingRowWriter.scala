package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection, UnsafeRow}

import io.wreath.spark.index.JoinSpace

/** Writes a binding as a row. Not thread-safe: one per task, and one row, reused. */
sealed private[execution] trait BindingRowWriter {

  /**
   * @param binding codes by variable
   * @param rows by element, the row it stands for
   */
  def write(binding: Array[Int], rows: Array[Int]): UnsafeRow
}

private[execution] object BindingRowWriter {

  def apply(output: Seq[Attribute], elements: JoinElements, space: JoinSpace): BindingRowWriter =
    if (output.forall(elements.variableOf(_).isDefined)) new OfKeys(output, elements, space)
    else new OfColumns(output, elements, space)

  /** Vertices only: their keys go from the index into the row, and no object is made. */
  final private class OfKeys(output: Seq[Attribute], elements: JoinElements, space: JoinSpace)
      extends BindingRowWriter {

    private val variableOf = output.map(elements.variableOf(_).get).toArray
    private val keys = output.map(o => space.keys(o.dataType)).toArray
    private val writer = new UnsafeRowWriter(variableOf.length)

    writer.resetRowWriter()

    override def write(binding: Array[Int], rows: Array[Int]): UnsafeRow = {
      writer.reset()
      var i = 0
      while (i < variableOf.length) {
        keys(i).write(writer, i, binding(variableOf(i)))
        i += 1
      }
      writer.getRow
    }
  }

  final private class OfColumns(output: Seq[Attribute], elements: JoinElements, space: JoinSpace)
      extends BindingRowWriter {

    private val reader = new BindingReader(output, elements, space)
    private val projection = UnsafeProjection.create(output.map(_.dataType).toArray)

    override def write(binding: Array[Int], rows: Array[Int]): UnsafeRow =
      projection(reader.read(binding, rows))
  }
}
