package io.wreath.kernel.partition

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{JoinProgram, JoinTuning, TechniqueChoice}
import io.wreath.kernel.lists.Adjacency

/**
 * Estimates what a vertex of the first variable costs, in list elements.
 *
 * The cost of a code that has all lists the pattern asks of the first variable is the lengths of
 * these lists, and of the lists that the vertices in the shortest of them have in turn: what the
 * second and third variable will read; where comparisons leave only what comes after the first vertex,
 * or before it, only that counts. Any other code costs [[WorkEstimate.Idle]]. Where the join runs on bit
 * rows, their words are added ([[BitEstimate]]).
 *
 * Cost: the lengths of a few lists for each vertex.
 * Not thread-safe.
 *
 * @param tuning that the join will be given
 */
final private[partition] class WorkEstimate(
    program: JoinProgram,
    graphs: Array[_ <: Relation],
    tuning: JoinTuning) {
  private[this] val lists: Array[Adjacency] = {
    val level = program.levels(0)
    Array.tabulate(level.neededRelation.length) { i =>
      graphs(level.neededRelation(i)).direction(level.neededForward(i))
    }
  }

  /** Null where the join does not run on bit rows. */
  private[this] val bits: BitEstimate = {
    val plan = TechniqueChoice.of(program, tuning).bits
    if (plan == null) null else new BitEstimate(plan, program.levels.length, graphs)
  }

  def isOnBits: Boolean = bits != null

  /** Whether what is bound next to the first variable must come after it (1), before it (-1), or not (0). */
  private[this] val side: Int = {
    val all = program.levels.drop(1).filter(_.listLevel.contains(0))
    val neighbours = all.headOption.filter(_ eq program.levels(1)).fold(all)(Array(_))
    if (neighbours.isEmpty) 0
    else if (neighbours.forall(_.lowerShiftBy(0).isDefined)) 1
    else if (neighbours.forall(_.upperShiftBy(0).isDefined)) -1
    else 0
  }

  /**
   * How much more a join costs as a whole than its vertices do here. A variable after the third that
   * hangs off the one before it is bound under each of its bindings; how often, depends on how the
   * neighbours hang together, of which degrees know nothing. Measured on 4- and 5-cliques: 2.5 and 11.
   * Bit rows are estimated by themselves.
   */
  val depth: Double = if (bits != null) 1.0
  else {
    val levels = program.levels
    val further = (3 until levels.length).count(l => levels(l).listLevel.contains(l - 1))
    (1.0 + further) * (1.0 + further)
  }

  def of(v: Int): Double =
    if (lists.length == 0) WorkEstimate.Idle
    else {
      var sum = WorkEstimate.Idle
      var shortest = lists(0)
      var i = 0
      while (i < lists.length) {
        sum += lists(i).degree(v)
        if (lists(i).degree(v) < shortest.degree(v)) shortest = lists(i)
        i += 1
      }
      if (shortest.degree(v) == 0) WorkEstimate.Idle
      else sum + onward(shortest, v) + (if (bits == null) 0.0 else bits.of(v))
    }

  /** The lengths of the lists of the vertices in the list of `v`, of a long one by a sample. */
  private def onward(lists: Adjacency, v: Int): Double = {
    val from = if (side > 0) lists.after(v) else lists.from(v)
    val until = if (side < 0) lists.after(v) else lists.until(v)
    ListCuts.onward(lists.array(v), from, until, lists)
  }
}

private[partition] object WorkEstimate {

  /** Cost of passing over a code without edges, in list elements. */
  final val Idle = 0.25
}
