package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  GenericInternalRow,
  Predicate
}

import io.wreath.kernel.join.BindingPredicate

/**
 * One of Spark's predicates over vertices, asked by the join as soon as those are bound. One for
 * each task.
 *
 * @param columns the column of each variable; the predicate reads some of them
 */
final private[streaming] class StreamPredicate(
    condition: Expression,
    columns: Seq[Attribute],
    ids: StreamIds,
    partition: Int)
    extends BindingPredicate {

  override val variables: IndexedSeq[Int] =
    columns.indices.filter(v => condition.references.contains(columns(v)))

  private val numbers = variables.toArray
  private val row = new GenericInternalRow(numbers.length)
  private val predicate = Predicate.create(condition, variables.map(columns))

  predicate.initialize(partition)

  override def accepts(binding: Array[Int]): Boolean = {
    var i = 0
    while (i < numbers.length) {
      row.update(i, ids.value(binding(numbers(i))))
      i += 1
    }
    predicate.eval(row)
  }
}
