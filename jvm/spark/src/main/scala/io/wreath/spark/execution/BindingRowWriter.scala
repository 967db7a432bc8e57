package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter

import io.wreath.spark.index.VertexKeys

/**
 * Writes a binding's codes as a row of the vertices' values. Not thread-safe: one per task, and one
 * row, reused.
 *
 * @param variables the variable of each column
 */
final private[execution] class BindingRowWriter(variables: Seq[Int], keys: VertexKeys) {

  private val variableOf = variables.toArray
  private val writer = new UnsafeRowWriter(variableOf.length)

  writer.resetRowWriter()

  def write(binding: Array[Int]): UnsafeRow = {
    writer.reset()
    var i = 0
    while (i < variableOf.length) {
      keys.write(writer, i, binding(variableOf(i)))
      i += 1
    }
    writer.getRow
  }
}
