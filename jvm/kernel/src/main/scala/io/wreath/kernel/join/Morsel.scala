package io.wreath.kernel.join

/**
 * A piece of the work of one join: the bindings whose first variable has a code in
 * `from until until` and whose second variable, in the order of the join, has one in
 * `secondFrom until secondUntil`. The latter cuts what a single heavy vertex gives rise to.
 */
final case class Morsel(
    from: Int,
    until: Int,
    secondFrom: Int = 0,
    secondUntil: Int = Int.MaxValue) {

  if (from < 0 || until < from || secondFrom < 0 || secondUntil < secondFrom) {
    throw new IllegalArgumentException(
      s"A morsel cannot reach from code $from until $until, nor from $secondFrom until $secondUntil.")
  }

  /** Whether the second variable is confined. */
  def isCut: Boolean = secondFrom > 0 || secondUntil < Int.MaxValue
}
