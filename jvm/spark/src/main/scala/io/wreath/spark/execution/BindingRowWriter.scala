package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  BindReferences,
  BoundReference,
  Expression,
  GenericInternalRow,
  JoinedRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.types.LongType

/** Writes a binding as a row. Not thread-safe: one per task, and one row, reused. */
sealed private[execution] trait BindingRowWriter {

  /**
   * @param binding codes by variable
   * @param rows by element, the row it stands for
   * @param count the last column, where there is one for it
   */
  def write(binding: Array[Int], rows: Array[Int], count: Long): UnsafeRow
}

private[execution] object BindingRowWriter {

  /**
   * @param output over the variables and columns of a pattern
   * @param withCount whether a number comes after the columns of `output`
   */
  def apply(
      output: Seq[Expression],
      withCount: Boolean,
      elements: PatternElements): BindingRowWriter =
    if (output.forall(elements.isVariable)) ofKeys(output, withCount, elements)
    else new OfValues(output, withCount, elements)

  /** @param output variables */
  def ofKeys(
      output: Seq[Expression],
      withCount: Boolean,
      elements: PatternElements): OfKeys =
    new OfKeys(output.collect { case a: Attribute => a }, withCount, elements)

  /** Vertices only: their keys go from the index into the row, and no object is made. */
  final class OfKeys(
      output: Seq[Attribute],
      withCount: Boolean,
      elements: PatternElements)
      extends BindingRowWriter {

    private val variableOf = output.map(elements.variableOf(_).get).toArray
    private val keys = output.map(o => elements.space.keys(o.dataType)).toArray
    private val writer = new UnsafeRowWriter(variableOf.length + (if (withCount) 1 else 0))

    writer.resetRowWriter()

    override def write(binding: Array[Int], rows: Array[Int], count: Long): UnsafeRow = {
      writer.reset()
      var i = 0
      while (i < variableOf.length) {
        keys(i).write(writer, i, binding(variableOf(i)))
        i += 1
      }
      if (withCount) writer.write(i, count)
      writer.getRow
    }

    /** Changes one column, of fixed width, of the row that was written last. */
    def overwrite(column: Int, code: Int): Unit = keys(column).write(writer, column, code)
  }

  final private class OfValues(
      output: Seq[Expression],
      withCount: Boolean,
      elements: PatternElements)
      extends BindingRowWriter {

    private val read = AttributeSet(output).toSeq
    private val reader = new BindingReader(read, elements)
    private val number = new GenericInternalRow(new Array[Any](if (withCount) 1 else 0))
    private val joined = new JoinedRow
    private val count = if (withCount) Seq(BoundReference(read.size, LongType, false)) else Nil
    private val projection =
      UnsafeProjection.create(BindReferences.bindReferences(output, read) ++ count)

    override def write(binding: Array[Int], rows: Array[Int], count: Long): UnsafeRow = {
      if (withCount) number.setLong(0, count)
      projection(joined(reader.read(binding, rows), number))
    }
  }
}
