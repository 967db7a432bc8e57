package io.wreath.kernel.partition

import java.util.Arrays

import scala.collection.mutable

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{Domain, JoinProgram, JoinTuning, Morsel}
import io.wreath.kernel.lists.{Adjacency, ElementCounter, Pieces}

/**
 * Cuts the work of a join into morsels of about equal estimated cost, and deals them to tasks. A morsel
 * is a range of the first variable's codes, or, of a vertex that alone costs more than a task should,
 * a range of the second variable's.
 *
 * {{{
 *   codes of a    0 … 411 | 412 … 977 | 978: b < 300 | 978: b >= 300 | 979 … 1500
 *   task          1         2           1              2               1
 * }}}
 * A task gets several morsels from all over, because the estimate errs most where the degrees are
 * high: it reads the first two steps from an edge, and cliques lie deeper. Vertices of like degree
 * err alike, so each task is given its part of them.
 *
 * Where it is known what the same join took before, ranges that took more than three times their share are cut
 * smaller than the estimate says ([[MeasuredWork]]).
 *
 * Cost: that of [[WorkEstimate]] for each code of the first variable.
 * Thread-safety: no state.
 */
object WorkSplitter {

  /**
   * The morsels of each task, of which there are about as many as asked and none without; together
   * they cover all codes of the first variable's domain exactly.
   *
   * @param tasks how many are asked for, at most
   * @param domains by variable; null stands for all codes
   * @param cores how many tasks run at a time
   * @param least what a task should cost at least to be worth its start, in list elements
   * @param interrupt runs once in a while, and ends the split by throwing
   * @param tuning that the join will be given
   * @param measured what the same join took when it ran last
   */
  def split(
      program: JoinProgram,
      graphs: Array[_ <: Relation],
      tasks: Int,
      domains: Array[Domain] = null,
      cores: Int = 1,
      least: Double = 0.0,
      interrupt: Runnable = Pieces.NoInterrupt,
      tuning: JoinTuning = JoinTuning(),
      measured: MeasuredWork = MeasuredWork.none): Array[Array[Morsel]] = {
    if (tasks < 1) {
      throw new IllegalArgumentException(s"The work cannot be cut into $tasks tasks.")
    }
    val all = if (domains == null) Domain.of(program.pattern, graphs) else domains
    val domain = all(program.order.variables.head)
    val estimate = new WorkEstimate(program, graphs, tuning)
    val codes = domain.codes
    val costs = new Array[Double](codes.length)
    val work = new ElementCounter(interrupt)
    var total = 0.0
    var v = 0
    while (v < costs.length) {
      costs(v) = estimate.of(codes(v))
      work.worked(Estimated)
      total += costs(v)
      v += 1
    }
    val count = worthwhile(total * estimate.depth, tasks, cores, least)
    if (count == 1 && costs.length > 0) Array(Array(Morsel(domain.from, domain.until)))
    else {
      val raised = measured.correct(codes, costs)
      // Each piece of a vertex makes its bit matrix anew: there it is cut no further than it must.
      if (estimate.isOnBits) Arrays.fill(raised, false)
      val second = secondLists(program, graphs)
      deal(cut(codes, costs, raised, costs.sum / count, second, work), count)
    }
  }

  /**
   * How many tasks are worth their start. More of them even out what the estimate got wrong, and each
   * takes time of its own: of both the sum is least where there are as many rounds of tasks as the
   * square root of the work.
   */
  private def worthwhile(work: Double, tasks: Int, cores: Int, least: Double): Int =
    if (least <= 0) tasks
    else if (work < least) 1
    else Math.min(tasks.toDouble, cores * Math.ceil(Math.sqrt(work / cores / least))).toInt

  /**
   * A morsel and what it is thought to cost.
   *
   * @param heaviest the cost of the heaviest vertex in it
   */
  final private case class Piece(morsel: Morsel, cost: Double, heaviest: Double)

  /**
   * @param raised vertices of which the estimate says too little: cut up as far as a task's work is, so that each
   *   task gets its part of them
   * @param share what a task should cost
   * @param second where a vertex can be cut, see [[secondLists]]
   */
  private def cut(
      codes: Array[Int],
      costs: Array[Double],
      raised: Array[Boolean],
      share: Double,
      second: Option[Adjacency],
      work: ElementCounter): Seq[Piece] = {
    val wanted = share / MorselsOfTask
    val found = mutable.ArrayBuffer.empty[Piece]
    var from = 0
    var gathered = 0.0
    var heaviest = 0.0
    def close(until: Int): Unit = {
      if (from < until) {
        found += Piece(Morsel(codes(from), codes(until - 1) + 1), gathered, heaviest)
      }
      from = until
      gathered = 0.0
      heaviest = 0.0
    }
    var v = 0
    while (v < costs.length) {
      work.worked(1L)
      if (second.isDefined && costs(v) > share) {
        close(v)
        val lists = second.get
        val piece = if (raised(v)) wanted else share
        val pieces = ListCuts.ranges(lists, lists, codes(v), costs(v) / piece, work)
        found ++= pieces.map { case (low, high) =>
          Piece(Morsel(codes(v), codes(v) + 1, low, high), costs(v) / pieces.size, costs(v))
        }
        from = v + 1
      } else {
        // Of a range that ends here or after this code, the one nearer to what is wanted.
        if (gathered + costs(v) - wanted > wanted - gathered) close(v)
        gathered += costs(v)
        heaviest = Math.max(heaviest, costs(v))
        if (gathered >= wanted) close(v + 1)
      }
      v += 1
    }
    close(costs.length)
    found.toSeq
  }

  /** Gives each piece, those with heavy vertices first, to the task that has least. */
  private def deal(pieces: Seq[Piece], tasks: Int): Array[Array[Morsel]] = {
    val load = new Array[Double](tasks)
    val dealt = Array.fill(tasks)(mutable.ArrayBuffer.empty[Morsel])
    pieces.sortBy(-_.heaviest).foreach { p =>
      val task = load.indices.minBy(load(_))
      dealt(task) += p.morsel
      load(task) += p.cost
    }
    dealt.filter(_.nonEmpty).map(_.sortBy(m => (m.from, m.secondFrom)).toArray)
  }

  /** What it takes to estimate a vertex: a sample of its neighbours, in list elements. */
  final private val Estimated = 32L

  /** Into how many morsels the work of a task is cut, about. */
  final private val MorselsOfTask = 8

  /**
   * The lists of the first variable that hold the second, where it pays to cut them: where a further
   * variable hangs off the second. Else what a vertex gives rise to is counted, or is no more than
   * its list.
   */
  private def secondLists(
      program: JoinProgram,
      graphs: Array[_ <: Relation]): Option[Adjacency] = {
    val levels = program.levels
    if (levels.length < 3) None
    else {
      val second = levels(1)
      val goesOn = levels.drop(2).exists(_.listLevel.contains(1))
      if (goesOn && second.listCount > 0) {
        Some(graphs(second.listRelation(0)).direction(second.listForward(0)))
      } else None
    }
  }
}
