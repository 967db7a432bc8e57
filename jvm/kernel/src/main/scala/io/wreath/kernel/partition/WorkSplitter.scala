package io.wreath.kernel.partition

import scala.collection.mutable

import io.wreath.kernel.csr.{Adjacency, CsrGraph}
import io.wreath.kernel.join.{Domain, JoinProgram, Morsel}

/**
 * Cuts the work of a join into morsels of about equal estimated cost: ranges of the first variable's
 * codes, and, of a vertex that alone costs more than a morsel should, ranges of the second
 * variable's.
 *
 * {{{
 *   codes of a    0 … 411 | 412 … 977 | 978: b < 300 | 978: b >= 300 | 979 … 1500
 * }}}
 * Cost: that of [[WorkEstimate]] for each code of the first variable.
 * Thread-safety: no state.
 */
object WorkSplitter {

  /**
   * Morsels, about as many as asked and none empty, that cover all codes of the first variable's
   * domain exactly, in ascending order.
   *
   * @param morsels how many are asked for, at most
   * @param domains by variable; null stands for all codes
   * @param least what a morsel must cost to be worth a task of its own, in list elements
   */
  def split(
      program: JoinProgram,
      graphs: Array[CsrGraph],
      morsels: Int,
      domains: Array[Domain] = null,
      least: Double = 0.0): Array[Morsel] = {
    if (morsels < 1) {
      throw new IllegalArgumentException(s"The work cannot be cut into $morsels morsels.")
    }
    val all = if (domains == null) Domain.of(program.pattern, graphs) else domains
    val domain = all(program.order.variables.head)
    val estimate = new WorkEstimate(program, graphs)
    val n = Math.max(0, domain.until - domain.from)
    val costs = new Array[Double](n)
    var total = 0.0
    var v = 0
    while (v < n) {
      val code = domain.from + v
      costs(v) = if (domain.has(code)) estimate.of(code) else WorkEstimate.Idle
      total += costs(v)
      v += 1
    }
    val share = Math.max(total / morsels, least)
    val cutter = secondLists(program, graphs)
    val found = mutable.ArrayBuffer.empty[Morsel]
    var from = 0
    var gathered = 0.0
    def close(until: Int): Unit = {
      if (from < until) found += Morsel(domain.from + from, domain.from + until)
      from = until
      gathered = 0.0
    }
    v = 0
    while (v < n) {
      if (cutter.isDefined && costs(v) > 1.5 * share) {
        close(v)
        found ++= pieces(cutter.get, domain.from + v, costs(v), share)
        from = v + 1
      } else {
        // Of a range that ends here or after this code, the one nearer to the share.
        if (gathered + costs(v) - share > share - gathered) close(v)
        gathered += costs(v)
        if (gathered >= share) close(v + 1)
      }
      v += 1
    }
    close(n)
    found.toArray
  }

  /**
   * The lists of the first variable that hold the second, where it pays to cut them: where a further
   * variable hangs off the second. Else what a vertex gives rise to is counted, or is no more than
   * its list.
   */
  private def secondLists(program: JoinProgram, graphs: Array[CsrGraph]): Option[Adjacency] = {
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

  /** Ranges of the second variable's codes, with about as much to do in each. */
  private def pieces(
      lists: Adjacency,
      v: Int,
      cost: Double,
      share: Double): Seq[Morsel] = {
    val list = lists.array(v)
    val from = lists.from(v)
    val until = lists.until(v)
    val count = Math.min(Math.ceil(cost / share), (until - from).toDouble).toInt
    if (count < 2) Seq(Morsel(v, v + 1))
    else {
      val sums = new Array[Double](until - from + 1)
      var i = from
      while (i < until) {
        val onward = if (list(i) < lists.vertexCount) lists.degree(list(i)) else 0
        sums(i - from + 1) = sums(i - from) + 1.0 + onward
        i += 1
      }
      val cuts = (1 until count).map { k =>
        list(from + firstAtLeast(sums, sums.last / count * k) - 1)
      }.distinct
      val bounds = 0 +: cuts.map(_ + 1) :+ Int.MaxValue
      bounds.zip(bounds.tail).map { case (low, high) => Morsel(v, v + 1, low, high) }
    }
  }

  private def firstAtLeast(sums: Array[Double], target: Double): Int = {
    var low = 1
    var high = sums.length - 1
    while (low < high) {
      val middle = (low + high) >>> 1
      if (sums(middle) < target) low = middle + 1 else high = middle
    }
    low
  }
}
