package io.wreath.kernel.partition

import io.wreath.kernel.csr.{Adjacency, CsrGraph}
import io.wreath.kernel.join.{Domain, JoinProgram, Morsel}

/**
 * Cuts the codes of the first variable into ranges of about equal estimated cost.
 *
 * The cost of a code that has all lists the pattern asks of the first variable is the lengths of
 * these lists, and of the lists that the vertices in the shortest of them have in turn: what the
 * second and third variable will read. Any other code costs [[Idle]].
 *
 * Cost: one pass over the vertices and over one neighbour list of each.
 * Thread-safety: no state.
 */
object WorkSplitter {

  /** Cost of passing over a code without edges, in list elements. */
  final private val Idle = 0.25

  /**
   * At most `morsels` ranges, none empty, that cover all codes of the first variable's domain
   * exactly, in ascending order.
   *
   * @param domains by variable; null stands for all codes
   */
  def split(
      program: JoinProgram,
      graphs: Array[CsrGraph],
      morsels: Int,
      domains: Array[Domain] = null): Array[Morsel] = {
    if (morsels < 1) {
      throw new IllegalArgumentException(s"The work cannot be cut into $morsels morsels.")
    }
    val domain = (if (domains == null) Domain.of(program.pattern, graphs) else domains) (
      program.order.variables.head)
    val n = Math.max(0, domain.until - domain.from)
    val level = program.levels(0)
    val lists = Array.tabulate[Adjacency](level.neededRelation.length) { i =>
      graphs(level.neededRelation(i)).direction(level.neededForward(i))
    }
    // Costs add up to `until`; the cut after morsel i is where they pass i/morsels of the total.
    val until = new Array[Double](n + 1)
    var v = 0
    while (v < n) {
      val code = domain.from + v
      until(v + 1) = until(v) + (if (domain.has(code)) cost(lists, code) else Idle)
      v += 1
    }
    val cuts = new Array[Int](morsels + 1)
    var i = 1
    while (i < morsels) {
      cuts(i) = Math.max(cuts(i - 1), firstAtLeast(until, until(n) / morsels * i))
      i += 1
    }
    cuts(morsels) = n
    cuts.indices.tail.collect {
      case i if cuts(i - 1) < cuts(i) =>
        Morsel(domain.from + cuts(i - 1), domain.from + cuts(i))
    }.toArray
  }

  private def cost(lists: Array[Adjacency], v: Int): Double =
    if (lists.length == 0 || !lists.forall(_.degree(v) > 0)) Idle
    else {
      var sum = Idle
      var shortest = lists(0)
      var i = 0
      while (i < lists.length) {
        sum += lists(i).degree(v)
        if (lists(i).degree(v) < shortest.degree(v)) shortest = lists(i)
        i += 1
      }
      val list = shortest.array(v)
      val end = shortest.until(v)
      i = shortest.from(v)
      while (i < end) {
        sum += onward(shortest, list(i))
        i += 1
      }
      sum
    }

  /** Length of the list that a second vertex goes on with; of its own kind, it may have none. */
  private def onward(from: Adjacency, v: Int): Int =
    if (v < from.vertexCount) from.degree(v) else 0

  private def firstAtLeast(sums: Array[Double], target: Double): Int = {
    var low = 0
    var high = sums.length - 1
    while (low < high) {
      val middle = (low + high) >>> 1
      if (sums(middle) < target) low = middle + 1 else high = middle
    }
    low
  }
}
