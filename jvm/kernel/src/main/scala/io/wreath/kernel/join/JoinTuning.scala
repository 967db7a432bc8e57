package io.wreath.kernel.join

/** Whether a join may choose a technique by its estimates, must use it, or must not. */
sealed private[wreath] trait Use

private[wreath] object Use {
  case object WhenWorth extends Use
  case object Always extends Use
  case object Never extends Use
}

/**
 * Overrides of the join's own choices, so that tests can hold every path to the oracle on graphs
 * that are too small for it to be chosen.
 */
final private[wreath] case class JoinTuning(
    marks: Use = Use.WhenWorth,
    bitMatrix: Use = Use.WhenWorth)
