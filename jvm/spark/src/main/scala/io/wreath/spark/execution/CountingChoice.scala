package io.wreath.spark.execution

import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.count.{BelowMoments, Elimination, KnownEliminations}
import io.wreath.kernel.csr.{CsrGraph, Relation}
import io.wreath.kernel.join.Domain
import io.wreath.pattern.GraphPattern

/**
 * How the matches of a pattern are counted where nothing but their number is asked for.
 *
 * @param elimination by summing over variables, where that is done
 * @param reason why it is not, if it is not and might have been
 * @param enumeration what binding them would cost, in list elements
 */
final private[execution] case class CountingChoice(
    elimination: Option[Elimination],
    reason: Option[String],
    enumeration: Double) {

  /** For EXPLAIN. */
  def text(names: Int => String): String = (elimination, reason) match {
    case (Some(e), _) =>
      val steps = e.steps.map { case (v, into) =>
        s"${names(v)} into ${into.map(names).mkString("(", ")-(", ")")}"
      }
      val core =
        if (e.core.size < 2) e.core.map(names).mkString
        else e.core.map(names).mkString("core ", ", ", "")
      val sums = if (e.size == 1) "1 sum" else s"${e.size} sums"
      val order = if (e.byDegree) ", vertices by degree" else ""
      (steps :+ core).mkString("by elimination: ", ", ", "") +
        f", $sums$order, cost ${e.cost}%.1e, $enumeration%.1e by enumeration"
    case (None, Some(why)) => s"not by elimination: $why"
    case _ => ""
  }
}

private[execution] object CountingChoice {

  val enumerate: CountingChoice = CountingChoice(None, None, 0.0)

  def declined(why: String): CountingChoice = CountingChoice(None, Some(why), 0.0)

  /**
   * @param setting 'auto', 'eliminate' wherever it can be done, or 'enumerate'
   * @param graphs as the index has them
   * @param groups the variables whose vertices are counted for, if it is not one number
   * @param hasRoom whether there is room for so many bytes beside the indexes
   * @param mayOrder whether there is room for lists by degree
   * @param binding what it costs to bind the variables
   */
  def of(
      setting: String,
      pattern: GraphPattern,
      graphs: Array[Relation],
      domains: Array[Domain],
      groups: Seq[Int],
      hasRoom: Long => Boolean,
      mayOrder: => Boolean,
      binding: => Double): CountingChoice = {
    lazy val enumeration = binding
    if (setting == "enumerate") enumerate
    else if (setting == "auto" && enumeration < SearchWorth) {
      declined(f"enumeration costs $enumeration%.1e, less than to look for sums")
    } else {
      val look = Cancellation.look()
      val below = graphs match {
        case Array(g: CsrGraph)
            if g.isSymmetric(look) && !g.hasDuplicates && !g.hasSelfLoops(look) && mayOrder =>
          Some(BelowMoments.of(g.ranked(look).graph.forward))
        case _ => None
      }
      val most = if (setting == "auto") enumeration else Double.PositiveInfinity
      KnownEliminations.of(pattern, graphs, domains, below, groups, most, look) match {
        case Left(why) => declined(why)
        case Right(e) if !hasRoom(e.bytes) =>
          declined(s"there is no room for its ${e.bytes} bytes")
        case Right(e) if setting == "eliminate" || e.cost < most =>
          CountingChoice(Some(e), None, enumeration)
        case Right(e) =>
          declined(f"it costs ${e.cost}%.1e, enumeration $enumeration%.1e")
      }
    }
  }

  /**
   * List elements that a join reads in about the time that it takes to look for sums: some milliseconds, and more
   * the first time.
   */
  final private val SearchWorth = 3e6
}
