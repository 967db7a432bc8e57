package io.wreath.spark.execution

import java.util.BitSet

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BasePredicate,
  Expression,
  GenericInternalRow,
  Predicate
}

import io.wreath.kernel.join.BindingPredicate
import io.wreath.spark.index.VertexKeys

/** One of Spark's predicates, asked by the join as soon as the variables it reads are bound. */
final private[execution] class CatalystPredicate private (
    override val variables: IndexedSeq[Int],
    predicate: BasePredicate,
    keys: VertexKeys)
    extends BindingPredicate {

  private val values = new Array[Any](variables.length)
  private val row = new GenericInternalRow(values)
  private val numbers = variables.toArray

  override def accepts(binding: Array[Int]): Boolean = {
    var i = 0
    while (i < numbers.length) {
      values(i) = keys.value(binding(numbers(i)))
      i += 1
    }
    predicate.eval(row)
  }
}

private[execution] object CatalystPredicate {

  /** @param variables the column of each variable; the predicate reads some of them */
  def apply(
      condition: Expression,
      variables: Seq[Attribute],
      keys: VertexKeys,
      vertexCount: Int,
      partition: Int): BindingPredicate = {
    val read = variables.indices.filter(v => condition.references.contains(variables(v)))
    val predicate = Predicate.create(condition, read.map(variables))
    predicate.initialize(partition)
    val plain = new CatalystPredicate(read, predicate, keys)
    if (read.size == 1) new Remembered(plain, vertexCount) else plain
  }

  /** A predicate on one vertex is asked of it again and again, and evaluated once. */
  final private class Remembered(predicate: BindingPredicate, vertices: Int)
      extends BindingPredicate {

    private val known = new BitSet(vertices)
    private val accepted = new BitSet(vertices)
    private val variable = predicate.variables.head

    override def variables: IndexedSeq[Int] = predicate.variables

    override def accepts(binding: Array[Int]): Boolean = {
      val code = binding(variable)
      if (!known.get(code)) {
        accepted.set(code, predicate.accepts(binding))
        known.set(code)
      }
      accepted.get(code)
    }
  }
}
