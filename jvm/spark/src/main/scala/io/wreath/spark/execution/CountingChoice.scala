package io.wreath.spark.execution

import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.count.{BelowMoments, Elimination, KnownEliminations}
import io.wreath.kernel.csr.{CsrGraph, Relation}

/**
 * How the matches of a pattern are counted where nothing but their number is asked for.
 *
 * @param elimination by summing over variables, where that is done
 * @param reason why it is not, if it is not and might have been
 * @param enumeration what binding them would cost, in list elements
 * @param found variables of which there were numbers before, for they are kept with the index
 */
final private[execution] case class CountingChoice(
    elimination: Option[Elimination],
    reason: Option[String],
    enumeration: Double,
    found: Set[Int] = Set.empty) {

  /** For EXPLAIN. */
  def text(names: Int => String): String = (elimination, reason) match {
    case (Some(e), _) =>
      val steps = e.steps.map { s =>
        val into = s.into.map(names).mkString("(", ")-(", ")")
        f"${names(s.variable)} into $into (${s.numbers}%,d ${if (found(s.variable)) "found"
          else "made"})"
      }
      val core =
        if (e.core.size < 2) e.core.map(names).mkString
        else e.core.map(names).mkString("core ", ", ", "")
      def several(n: Int, what: String): String = if (n == 1) s"1 $what" else s"$n ${what}s"
      val sums = s"${several(e.size, "sum")} of ${several(e.factors, "factor")}"
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
   * @param groups the variables whose vertices are counted for, if it is not one number
   * @param hasRoom whether there is room for so many bytes beside the index of a relation
   * @param binding what it costs to bind the variables
   */
  def of(
      setting: String,
      counted: CountedPattern,
      groups: Seq[Int],
      hasRoom: (Int, Long) => Boolean,
      binding: => Double): CountingChoice = {
    lazy val enumeration = binding
    val isFree = setting == "auto"
    if (setting == "enumerate") enumerate
    else if (counted.declines.isDefined) declined(counted.declines.get)
    else if (isFree && enumeration < SearchWorth) {
      declined(f"enumeration costs $enumeration%.1e, less than to look for sums")
    } else if (isFree && enumeration < EdgeWorth * counted.edgesToAsk) {
      declined(f"enumeration costs $enumeration%.1e, less than to ask all edges")
    } else {
      val look = Cancellation.look()
      val input = counted.input
      def mayOrder = groups.sizeIs < 2 && input.bytesByDegree.forall(hasRoom.tupled)
      val below = input.graphs match {
        case Array(g: CsrGraph)
            if g.isSymmetric(look) && !g.hasDuplicates && !g.hasSelfLoops(look) && mayOrder =>
          Some(BelowMoments.of(g.ranked(look).graph.forward))
        case _ => None
      }
      val most = if (isFree) enumeration else Double.PositiveInfinity
      KnownEliminations.of(
        counted.compiled,
        input.graphs,
        input.domains,
        below,
        groups,
        most,
        counted.asked,
        look) match {
        case Left(why) => declined(why)
        case Right(e) if !input.relations.forall(hasRoom(_, e.bytes)) =>
          declined(s"there is no room for its ${e.bytes} bytes")
        case Right(e) if setting == "eliminate" || e.cost < most =>
          CountingChoice(Some(e), None, enumeration, foundBy(e, input.graphs, look))
        case Right(e) =>
          declined(f"it costs ${e.cost}%.1e, enumeration $enumeration%.1e")
      }
    }
  }

  private def foundBy(e: Elimination, graphs: Array[Relation], look: Runnable): Set[Int] =
    e.steps.filter { s =>
      s.ofTriangles.map(graphs(_)).exists {
        case g: CsrGraph => (if (e.byDegree) g.ranked(look).graph else g).hasTriangles
        case _ => false
      }
    }.map(_.variable).toSet

  /**
   * List elements that a join reads in about the time that it takes to look for sums: some milliseconds, and more
   * the first time.
   */
  final private val SearchWorth = 3e6

  /** What it takes to ask a condition of an edge, in list elements: a guess. */
  final private val EdgeWorth = 20.0
}
