package io.wreath.kernel.delta

/**
 * Cuts the work of one batch into morsels of about equal estimated cost.
 *
 * The cost of a seed is the length of the shortest list of the first free variable, times the
 * average length of what its elements read next; a seed without free variable costs
 * [[DeltaSplitter.Idle]]. A seed that alone costs more than a share is cut on the codes of its
 * shortest list, so that a hub's edge becomes the work of several tasks.
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
    val costs = whole.map { m =>
      val estimate = new SeedCost(program, changes, m)
      Array.tabulate(m.until)(estimate.cost)
    }
    val share = costs.iterator.map(_.sum).sum / morsels
    whole.zip(costs).flatMap { case (m, cost) => cut(program, changes, m, cost, share) }
  }

  private def cut(
      program: DeltaProgram,
      changes: Array[GraphChange],
      m: DeltaMorsel,
      cost: Array[Double],
      share: Double): Array[DeltaMorsel] = {
    val pieces = Array.newBuilder[DeltaMorsel]
    lazy val estimate = new SeedCost(program, changes, m)
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
        val cuts = estimate.codeCuts(i, Math.ceil(cost(i) / share).toInt)
        (0 +: cuts).zip(cuts :+ Int.MaxValue).foreach { case (low, high) =>
          pieces += m.copy(from = i, until = i + 1, codeFrom = low, codeUntil = high)
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
      m: DeltaMorsel) {
    private[this] val term = program.terms(m.term)
    private[this] val seeds = changes(term.relation).seeds(m.isInsert)
    private[this] val hasFree = term.seedLevels < term.levels.length
    private[this] val lists =
      if (hasFree) term.levels(term.seedLevels).lists else Array.empty[ListRef]
    private[this] val graphs = lists.map { l =>
      val change = changes(l.relation)
      (if (m.isInsert) change.after else change.before).direction(l.isForward)
    }

    /** What one candidate of the first free level costs: the lists that the next level reads. */
    private[this] val perCandidate: Double =
      if (term.levels.length - term.seedLevels < 2) 1.0
      else {
        val g = changes(term.relation).after
        1.0 + g.rowCount.toDouble / Math.max(1, g.vertexCount)
      }

    def cost(seed: Int): Double =
      if (!hasFree) Idle
      else if (lists.isEmpty) Idle + changes(term.relation).vertexCount * perCandidate
      else {
        val i = shortest(seed)
        Idle + graphs(i).degree(vertex(seed, i)) * perCandidate
      }

    /** Ascending codes that cut the candidates of `seed` into about `parts` equal parts. */
    def codeCuts(seed: Int, parts: Int): Array[Int] =
      if (!hasFree) Array.empty
      else {
        val n = changes(term.relation).vertexCount
        val cuts = (1 until parts).iterator.map { part =>
          if (lists.isEmpty) (n.toLong * part / parts).toInt
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
      if (lists(list).level == 0) seeds.sources(seed) else seeds.targets(seed)

    private def shortest(seed: Int): Int =
      lists.indices.minBy(i => graphs(i).degree(vertex(seed, i)))
  }
}
