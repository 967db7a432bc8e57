package io.wreath.kernel.delta

/**
 * A piece of the work of one batch: in one phase, the changed edges `from until until` of one
 * relation as seeds of all its terms, which share what they read of a seed's ends; or of one.
 *
 * A single seed can be cut further, by term and by the codes of the first variable that the seed leaves free
 * (or, if it leaves none, of the last one that it binds): a hub's edge is the work of many tasks.
 *
 * @param isInsert the phase: matches that the batch's inserts bring, or that its deletes take
 */
final case class DeltaMorsel(
    isInsert: Boolean,
    relation: Int,
    from: Int,
    until: Int,
    term: Int = DeltaMorsel.AllTerms,
    codeFrom: Int = 0,
    codeUntil: Int = Int.MaxValue) {

  if (relation < 0 || term < DeltaMorsel.AllTerms || from < 0 || until < from || codeFrom < 0 || codeUntil < codeFrom) {
    throw new IllegalArgumentException(
      s"Relation $relation, term $term, seeds $from until $until and codes $codeFrom until $codeUntil are no piece " +
        "of a batch.")
  }
}

object DeltaMorsel {

  /** Stands for the terms of all pattern edges of the relation. */
  final val AllTerms = -1

  /** The whole work of a batch, uncut: every phase and relation that has seeds. */
  def all(program: DeltaProgram, changes: Array[GraphChange]): Array[DeltaMorsel] = {
    val morsels = Array.newBuilder[DeltaMorsel]
    var phase = 0
    while (phase < 2) {
      var relation = 0
      while (relation < program.pattern.relationCount) {
        val seeds = changes(relation).seeds(isInsert = phase == 1).size
        if (seeds > 0 && program.termsOf(relation).length > 0) {
          morsels += DeltaMorsel(isInsert = phase == 1, relation, 0, seeds)
        }
        relation += 1
      }
      phase += 1
    }
    morsels.result()
  }
}
