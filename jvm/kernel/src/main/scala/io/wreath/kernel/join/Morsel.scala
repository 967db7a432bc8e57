package io.wreath.kernel.join

/**
 * A piece of the work of one join: the bindings whose first variable has a code in
 * `from until until`.
 */
final case class Morsel(from: Int, until: Int) {

  if (from < 0 || until < from) {
    throw new IllegalArgumentException(s"A morsel cannot reach from code $from until $until.")
  }
}
