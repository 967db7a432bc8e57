package io.wreath.kernel.delta

import io.wreath.kernel.lists.{Adjacency, ElementCounter, Pieces}
import io.wreath.kernel.partition.ListCuts

/**
 * Cuts the work of one batch into morsels of about equal estimated cost.
 *
 * The cost of a seed in a term is the length of the shortest list of the first free variable, and of the lists that
 * its elements are looked up in next; without free variable it is [[DeltaSplitter.Idle]]. A seed that alone costs more than a share is cut into its terms, and these
 * on the codes of their shortest list, so that a hub's edge becomes the work of several tasks.
 *
 * Cost: a few loads, and a sample of a list, for each seed and term.
 * Thread-safety: no state.
 */
object DeltaSplitter {

  /** Cost of taking a seed, in list elements. */
  final private val Idle = 4.0

  /**
   * About `morsels` pieces, none empty, that cover the work exactly once.
   *
   * @param interrupt runs once in a while, and ends the split by throwing
   */
  def split(
      program: DeltaProgram,
      changes: Array[GraphChange],
      morsels: Int,
      interrupt: Runnable = Pieces.NoInterrupt): Array[DeltaMorsel] = {
    if (morsels < 1) {
      throw new IllegalArgumentException(s"The work cannot be cut into $morsels morsels.")
    }
    val work = new ElementCounter(interrupt)
    val whole = DeltaMorsel.all(program, changes)
    val estimates = whole.map { m =>
      program.termsOf(m.relation).map(new SeedCost(program, changes, m.isInsert, _))
    }
    val costs = whole.zip(estimates).map { case (m, terms) =>
      Array.tabulate(m.until) { seed =>
        work.worked(ElementCounter.Candidate)
        terms.iterator.map(_.cost(seed)).sum
      }
    }
    val share = costs.iterator.map(_.sum).sum / morsels
    whole.indices.toArray.flatMap(i => cut(whole(i), costs(i), estimates(i), share, work))
  }

  private def cut(
      m: DeltaMorsel,
      cost: Array[Double],
      terms: Array[SeedCost],
      share: Double,
      work: ElementCounter): Array[DeltaMorsel] = {
    val pieces = Array.newBuilder[DeltaMorsel]
    var from = 0
    var sum = 0.0
    var i = 0
    while (i < m.until) {
      work.worked(ElementCounter.Candidate)
      val isHeavy = cost(i) > share
      if (from < i && (isHeavy || sum + cost(i) > share)) {
        pieces += m.copy(from = from, until = i)
        from = i
        sum = 0.0
      }
      if (isHeavy) {
        terms.foreach { t =>
          t.ranges(i, t.cost(i) / share, work).foreach { case (low, high) =>
            pieces += DeltaMorsel(m.isInsert, m.relation, i, i + 1, t.term, low, high)
          }
        }
        from = i + 1
      } else sum += cost(i)
      i += 1
    }
    if (from < m.until) pieces += m.copy(from = from, until = m.until)
    pieces.result()
  }

  /** Estimates of the seeds of one phase and term. */
  final private class SeedCost(
      program: DeltaProgram,
      changes: Array[GraphChange],
      isInsert: Boolean,
      val term: Int) {
    private[this] val levels = program.terms(term).program.levels
    private[this] val seedLevels = program.terms(term).seedLevels
    private[this] val change = changes(program.relation(term))
    private[this] val seeds = change.seeds(isInsert)
    private[this] val hasFree = seedLevels < levels.length
    private[this] val ofLists = if (hasFree) levels(seedLevels).listLevel else Array.emptyIntArray
    private[this] val relations = DeltaTerm.relations(changes, isInsert)
    private[this] val graphs: Array[Adjacency] = Array.tabulate(ofLists.length) { i =>
      relations(levels(seedLevels).listRelation(i)).direction(levels(seedLevels).listForward(i))
    }

    /** What the next level looks candidates of the first free one up in; null if it does not. */
    private[this] val next: Adjacency =
      if (levels.length - seedLevels < 2) null
      else {
        val l = levels(seedLevels + 1)
        val i = l.listLevel.indexOf(seedLevels)
        if (i < 0) null else relations(l.listRelation(i)).direction(l.listForward(i))
      }

    def cost(seed: Int): Double =
      if (!hasFree) Idle
      else if (ofLists.isEmpty)
        Idle + change.vertexCount + (if (next == null) 0L else change.after.rowCount)
      else {
        val i = shortest(seed)
        val (g, v) = (graphs(i), vertex(seed, i))
        Idle + g.degree(v) +
          (if (next == null) 0.0 else ListCuts.onward(g.array(v), g.from(v), g.until(v), next))
      }

    /** Ranges of codes that cut the candidates of `seed` into about so many parts of equal cost. */
    def ranges(seed: Int, parts: Double, work: ElementCounter): Seq[(Int, Int)] =
      if (!hasFree) Seq((0, Int.MaxValue))
      else if (ofLists.isEmpty) {
        val bounds = (0 until parts.ceil.toInt).map(p => (change.vertexCount / parts * p).toInt)
        val cuts = bounds.distinct :+ Int.MaxValue
        cuts.zip(cuts.tail)
      } else {
        val i = shortest(seed)
        ListCuts.ranges(
          graphs(i),
          if (next == null) graphs(i) else next,
          vertex(seed, i),
          parts,
          work)
      }

    private def vertex(seed: Int, list: Int): Int =
      if (ofLists(list) == 0) seeds.sources(seed) else seeds.targets(seed)

    private def shortest(seed: Int): Int = {
      var best = 0
      var i = 1
      while (i < ofLists.length) {
        if (graphs(i).degree(vertex(seed, i)) < graphs(best).degree(vertex(seed, best))) best = i
        i += 1
      }
      best
    }
  }
}
