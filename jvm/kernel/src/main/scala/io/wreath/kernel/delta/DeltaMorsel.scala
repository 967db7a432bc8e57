package io.wreath.kernel.delta

/**
 * A piece of the work of one batch: in one phase, the seeds `from until until` of one term.
 *
 * A single seed can be cut further, by the codes of the first variable that the seed leaves free
 * (or, if it leaves none, of the last one that it binds): a hub's edge is the work of many tasks.
 *
 * @param isInsert the phase: matches that the batch's inserts bring, or that its deletes take
 */
final case class DeltaMorsel(
    isInsert: Boolean,
    term: Int,
    from: Int,
    until: Int,
    codeFrom: Int = 0,
    codeUntil: Int = Int.MaxValue) {

  if (term < 0 || from < 0 || until < from || codeFrom < 0 || codeUntil < codeFrom) {
    throw new IllegalArgumentException(
      s"Term $term, seeds $from until $until and codes $codeFrom until $codeUntil are no piece " +
        "of a batch.")
  }
}

object DeltaMorsel {

  /** The whole work of a batch, uncut: every phase and term that has seeds. */
  def all(program: DeltaProgram, changes: Array[GraphChange]): Array[DeltaMorsel] =
    (for {
      isInsert <- Iterator(false, true)
      term <- 0 until program.termCount
      seeds = changes(program.relation(term)).seeds(isInsert).size
      if seeds > 0
    } yield DeltaMorsel(isInsert, term, 0, seeds)).toArray
}
