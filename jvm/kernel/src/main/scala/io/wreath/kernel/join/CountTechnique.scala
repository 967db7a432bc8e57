package io.wreath.kernel.join

/**
 * How rows are counted under a binding of the first levels of a join: the first of these that applies.
 *
 *  1. '''Bits''', if rows could run on them, all variables that are not bound have the same candidates, and
 *     these are found on the fourth level or later. A seed whose neighbourhood is too wide for a matrix goes
 *     on with what follows.
 *  2. '''Factors''': as few variables as possible are bound, and what the others have is multiplied ([[CountPlan]]).
 */
sealed private[join] trait CountTechnique extends Serializable {

  /** By level, what is said of it; `rows` is what would be said if it were bound. */
  def texts(rows: IndexedSeq[String]): IndexedSeq[String]
}

private[join] object CountTechnique {

  /** @param group of which the candidates are counted, under a binding of all levels before it */
  final case class Bits(group: TailGroup, otherwise: CountPlan) extends CountTechnique {
    override def texts(rows: IndexedSeq[String]): IndexedSeq[String] =
      rows.head +: rows.tail.map(_ => "bits")
  }

  final case class Factors(plan: CountPlan) extends CountTechnique {
    override def texts(rows: IndexedSeq[String]): IndexedSeq[String] =
      rows.indices.map(l => if (l < plan.prefix) rows(l) else "factor")
  }

  /** @param levels that are bound; some are left */
  def of(program: JoinProgram, state: JoinState, bits: BitPlan, levels: Int): CountTechnique = {
    val plan = planOf(state, levels)
    val isOfSeed = program.isOfCodes && levels == 1
    if (isOfSeed) onBits(state, bits, plan).getOrElse(Factors(plan)) else Factors(plan)
  }

  /** A level that is cut has other candidates than its likes, and cannot be counted with them. */
  private def planOf(state: JoinState, levels: Int): CountPlan = {
    val least = if (state.isCut) Math.min(state.seedLevels + 1, state.levelCount - 1) else 1
    CountPlan.of(state, Math.max(levels, least))
  }

  private def onBits(state: JoinState, bits: BitPlan, plan: CountPlan): Option[Bits] = {
    val isForced = state.tuning.bitMatrix == Use.Always
    // A tail of several parts is multiplied; the bits of one part alone would have to be bound.
    val isOnePart = plan.onlyGroup != null && state.isPlain(plan.onlyGroup.level)
    if (bits == null) None
    else if (isOnePart && (isForced || plan.prefix + 1 >= TechniqueChoice.MinLevelsForBits)) {
      Some(Bits(plan.onlyGroup, plan))
    } else if (isForced) {
      Some(Bits(CountPlan.of(state, state.levelCount - 1).onlyGroup, plan))
    } else None
  }
}
