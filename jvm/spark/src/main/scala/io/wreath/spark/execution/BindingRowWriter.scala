package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.csr.VertexDictionary
import io.wreath.spark.index.VertexKey

/**
 * Writes a binding's codes as a row of ids. Not thread-safe: one per task, one row, reused.
 *
 * @param variables the variable of each column
 */
final private[execution] class BindingRowWriter(
    types: Seq[DataType],
    variables: Seq[Int],
    dictionary: VertexDictionary) {

  private val writer = new UnsafeRowWriter(types.size, 0)
  private val columns = types.indices.map(i => VertexKey.writer(types(i), i)).toArray
  private val variableOf = variables.toArray

  writer.resetRowWriter()

  def write(binding: Array[Int]): UnsafeRow = {
    writer.reset()
    var i = 0
    while (i < columns.length) {
      columns(i)(writer, dictionary.decode(binding(variableOf(i))))
      i += 1
    }
    writer.getRow
  }
}
