package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation

/**
 * How a join finds the candidates of its levels, and counts. This is decided here and nowhere else, on the
 * driver; a task gets the decision with its program. Level by level, the first of these that applies:
 *
 *  1. '''Bit rows''', if a seed is a code of the first variable, all other variables lie in one list of it
 *     ([[BitPlan]]), and there are four variables or more. A triangle would read each row once, and
 *     marks need no matrix to be built. Not for rows whose last variable stays while the one before it
 *     loops: its candidates are a slice of a list then, ready to be read. A seed whose neighbourhood is too wide
 *     for a matrix goes on with what follows.
 *  2. '''A list''', if the level has only one; '''all''' codes of its domain, if it has none.
 *  3. '''Marks''', if some of its lists stay while the level before it loops: what these have in common is
 *     marked once, and the others are looked up in it. Where it is short, or there are too many codes for
 *     a byte each, it is searched or merged instead ([[StableSet]]).
 *  4. '''Intersection''' of all of its lists, the shortest first, by search, merging or marks, as their lengths say
 *     ([[SliceIntersection]]).
 *
 * Where rows are counted by group, or it is asked which groups have any, the variables of the group are
 * bound as above but never on bit rows. How rows are counted that need not be bound is the list of [[CountTechnique]].
 *
 * A setting forces it (`tuning`): bits are taken wherever a [[BitPlan]] can be made, marks and bits are never taken.
 *
 * @param bits null where bit rows are not used
 * @param rowsOnBits whether rows are taken from them, too, and not only counts
 * @param rows by level, how it is bound where rows are asked for
 * @param lists the same without bits
 * @param counting how rows are counted, where that is asked for
 */
final private[wreath] class TechniqueChoice private (
    program: JoinProgram,
    private[join] val tuning: JoinTuning,
    private[wreath] val bits: BitPlan,
    private[join] val rowsOnBits: Boolean,
    private[wreath] val rows: IndexedSeq[String],
    private[wreath] val lists: IndexedSeq[String],
    counting: Option[CountChoice])
    extends Serializable {

  /**
   * The same, with a decision on how to count rows by group; `groupLevels` may be 0, for all rows.
   *
   * @param predicates the variables of each
   */
  private[wreath] def counting(
      relations: Array[_ <: Relation],
      predicates: IndexedSeq[IndexedSeq[Int]],
      domains: Array[Domain],
      groupLevels: Int): TechniqueChoice = {
    val levels = Math.max(groupLevels, 1)
    if (levels == program.levelCount) this
    else {
      val state = new JoinState(
        program,
        relations,
        predicates.map(new UnaskedPredicate(_)),
        Domain.narrowed(program.pattern, relations, domains),
        tuning,
        new JoinScratch(),
        new Array[Int](program.levelCount))
      val whole = CountTechnique.of(program, state, bits, levels)
      // Any part is like any other here.
      state.confine(1, Int.MaxValue)
      val cut = CountTechnique.of(program, state, bits, levels)
      new TechniqueChoice(
        program,
        tuning,
        bits,
        rowsOnBits,
        rows,
        lists,
        Some(new CountChoice(levels, whole, cut)))
    }
  }

  /** By level, how rows are counted. */
  private[wreath] def counts: IndexedSeq[String] = counting.fold(lists)(_.whole.texts(lists))

  /** How rows are counted under a binding of so many levels. Decided here where nobody has before. */
  private[join] def countTechnique(state: JoinState, levels: Int): CountTechnique =
    counting match {
      case Some(c) if c.levels == levels => if (state.isCut) c.cut else c.whole
      case _ => CountTechnique.of(program, state, bits, levels)
    }

  /** A condition of which only the variables are known. */
  final private class UnaskedPredicate(val variables: IndexedSeq[Int]) extends BindingPredicate {
    override def accepts(binding: Array[Int]): Boolean =
      throw new IllegalStateException("Nothing is asked where it is decided what to do.")
  }
}

/**
 * How rows are counted under a binding of the first levels.
 *
 * @param cut the same where a seed is worked on in parts
 */
final private[join] class CountChoice(
    val levels: Int,
    val whole: CountTechnique,
    val cut: CountTechnique)
    extends Serializable

private[wreath] object TechniqueChoice {

  /** With fewer variables than this, a bit matrix is not worth building. */
  final private[join] val MinLevelsForBits = 4

  def of(program: JoinProgram, tuning: JoinTuning): TechniqueChoice = {
    val levels = program.levels
    val asksForBits = program.isOfCodes && (tuning.bitMatrix match {
      case Use.Always => true
      case Use.Never => false
      case Use.WhenWorth => levels.length >= MinLevelsForBits
    })
    val bits = if (asksForBits) BitPlan.of(program).orNull else null
    val lastStays = levels.length >= 3 && levels.last.listCount > 0 &&
      levels.last.listLevel.last < levels.length - 2
    val rowsOnBits = bits != null && (!lastStays || tuning.bitMatrix == Use.Always)
    def texts(onBits: Boolean): IndexedSeq[String] =
      levels.indices.map(l => text(program, l, onBits, tuning.marks))
    new TechniqueChoice(
      program,
      tuning,
      bits,
      rowsOnBits,
      texts(rowsOnBits),
      texts(onBits = false),
      counting = None)
  }

  private def text(program: JoinProgram, level: Int, onBits: Boolean, marks: Use): String = {
    val lists = program.levels(level).listLevel
    // The lists of a seed change all at once.
    def changesWith(by: Int): Int = Math.max(by, program.seedLevels - 1)
    if (level < program.seedLevels) "seed"
    else if (onBits) "bits"
    else if (lists.isEmpty) "all"
    else if (lists.length == 1) "list"
    else if (marks != Use.Never && changesWith(lists.head) < changesWith(lists.last)) "marks"
    else "intersection"
  }
}
