package io.wreath.kernel.delta

import io.wreath.kernel.lists.Adjacency

/**
 * Cuts the work of one batch into morsels of about equal estimated cost.
 *
 * The cost of a seed in a term is the length of the shortest list of the first free variable, times
 * the average length of what its elements read next; without free variable it is
 * [[DeltaSplitter.Idle]]. A seed that alone costs more than a share is cut into its terms, and these
 * on the codes of their shortest list, so that a hub's edge becomes the work of several tasks.
 *
 * Cost: a few loads a seed and term.
 * Thread-safety: no state.
 */
object DeltaSplitter {

  /** Cost of taking a seed, in list elements. */
  final private val Idle = 4.0

  /** About `morsels` pieces, none empty, that cover the work exactly once. */
  def split(
      program: DeltaProgram,
      changes: Array[GraphChange],
      morsels: Int): Array[DeltaMorsel] = {
    if (morsels < 1) {
      throw new IllegalArgumentException(s"The work cannot be cut into $morsels morsels.")
    }
    val whole = DeltaMorsel.all(program, changes)
    val estimates = whole.map { m =>
      program.termsOf(m.relation).map(new SeedCost(program, changes, m.isInsert, _))
    }
    val costs = whole.zip(estimates).map { case (m, terms) =>
      Array.tabulate(m.until)(seed => terms.iterator.map(_.cost(seed)).sum)
    }
    val share = costs.iterator.map(_.sum).sum / morsels
    whole.indices.toArray.flatMap(i => cut(whole(i), costs(i), estimates(i), share))
  }

  private def cut(
      m: DeltaMorsel,
      cost: Array[Double],
      terms: Array[SeedCost],
      share: Double): Array[DeltaMorsel] = {
    val pieces = Array.newBuilder[DeltaMorsel]
    var from = 0
    var sum = 0.0
    var i = 0
    while (i < m.until) {
      val isHeavy = cost(i) > share
      if (from < i && (isHeavy || sum + cost(i) > share)) {
        pieces += m.copy(from = from, until = i)
        from = i
        sum = 0.0
      }
      if (isHeavy) {
        terms.foreach { t =>
          val cuts = t.codeCuts(i, Math.ceil(t.cost(i) / share).toInt)
          (0 +: cuts).zip(cuts :+ Int.MaxValue).foreach { case (low, high) =>
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
    private[this] val graphs: Array[Adjacency] = {
      val relations = DeltaTerm.relations(changes, isInsert)
      Array.tabulate(ofLists.length) { i =>
        relations(levels(seedLevels).listRelation(i)).direction(levels(seedLevels).listForward(i))
      }
    }

    /** What one candidate of the first free level costs: the lists that the next level reads. */
    private[this] val perCandidate: Double =
      if (levels.length - seedLevels < 2) 1.0
      else 1.0 + change.after.rowCount.toDouble / Math.max(1, change.vertexCount)

    def cost(seed: Int): Double =
      if (!hasFree) Idle
      else if (ofLists.isEmpty) Idle + change.vertexCount * perCandidate
      else {
        val i = shortest(seed)
        Idle + graphs(i).degree(vertex(seed, i)) * perCandidate
      }

    /** Ascending codes that cut the candidates of `seed` into about `parts` equal parts. */
    def codeCuts(seed: Int, parts: Int): Array[Int] =
      if (!hasFree) Array.empty
      else {
        val n = change.vertexCount
        val cuts = (1 until parts).iterator.map { part =>
          if (ofLists.isEmpty) (n.toLong * part / parts).toInt
          else {
            val i = shortest(seed)
            val v = vertex(seed, i)
            val g = graphs(i)
            val at = g.from(v) + (g.degree(v).toLong * part / parts).toInt
            if (at < g.until(v)) g.array(v)(at) else n
          }
        }
        cuts.filter(_ > 0).distinct.toArray
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
