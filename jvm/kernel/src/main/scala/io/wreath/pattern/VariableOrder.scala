package io.wreath.pattern

/** The order in which a join binds the variables: a permutation of `0 until n`. */
final case class VariableOrder(variables: IndexedSeq[Int]) {

  if (variables.sorted != variables.indices) {
    throw new IllegalArgumentException(
      s"A variable order must name each of its ${variables.size} variables once, " +
        s"but is (${variables.mkString(", ")}).")
  }
}

object VariableOrder {

  /** 0, 1, …, n - 1. */
  def natural(n: Int): VariableOrder = VariableOrder(0 until n)
}
