package io.wreath.kernel.join

/**
 * A condition that comparisons of codes cannot say; called as soon as its variables are bound.
 *
 * `accepts` gets the reused array of the join, indexed by variable: entries of variables that are
 * not among `variables` have no meaning, and the array must neither be kept nor written to.
 */
trait BindingPredicate {

  def variables: IndexedSeq[Int]

  def accepts(binding: Array[Int]): Boolean
}
