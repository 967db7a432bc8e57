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
    bitMatrix: Use = Use.WhenWorth,
    confinedLists: Use = Use.WhenWorth)
    extends Serializable

private[wreath] object JoinTuning {

  /** The choice that is forced, by the name a setting has for it. */
  val named: Map[String, JoinTuning] = Map(
    "auto" -> JoinTuning(),
    "lists" -> JoinTuning(Use.Never, Use.Never),
    "marks" -> JoinTuning(Use.Always, Use.Never),
    "bits" -> JoinTuning(Use.WhenWorth, Use.Always),
    "confined" -> JoinTuning(confinedLists = Use.Always))
}
