package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, BasePredicate, Expression, Predicate}
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.join.BindingPredicate

/**
 * One of Spark's predicates over vertices and columns of elements, asked by the join as soon as
 * its variables are bound. Not thread-safe.
 *
 * Where it reads an edge of which there are several, it lets the binding pass if any of them
 * passes; which ones do is asked again, row by row, when the binding is complete.
 */
final private[execution] class ElementPredicate(
    condition: Expression,
    elements: PatternElements,
    partition: Int)
    extends BindingPredicate
    with RowPredicate {

  override val variables: IndexedSeq[Int] = elements.variablesRead(condition)

  private val atoms = elements.atomsRead(condition)

  private val read: Seq[Attribute] = condition.references.toSeq
  private val reader = new BindingReader(read, elements)
  private val choices =
    new RowChoices(atoms, elements, Nil, Cancellation.look())
  private val predicate: BasePredicate = Predicate.create(condition, read)
  predicate.initialize(partition)

  override def accepts(binding: Array[Int]): Boolean = {
    choices.start(binding)
    var ok = accepts(binding, choices.rows)
    while (!ok && choices.next()) ok = accepts(binding, choices.rows)
    ok
  }

  /** The same for given rows of the elements. */
  override def accepts(binding: Array[Int], rows: Array[Int]): Boolean =
    predicate.eval(reader.read(binding, rows))
}
