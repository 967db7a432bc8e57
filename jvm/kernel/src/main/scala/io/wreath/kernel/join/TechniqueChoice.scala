package io.wreath.kernel.join

/**
 * How a join finds the candidates of its levels. This is decided here and nowhere else:
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
 * How rows are counted where they need not be bound is decided by [[CountPlan]].
 *
 * @param bits null where bit rows are not used
 * @param rowsOnBits whether rows are taken from them, too, and not only counts
 */
final private[wreath] class TechniqueChoice private (
    private[wreath] val bits: BitPlan,
    private[join] val rowsOnBits: Boolean,
    private[wreath] val texts: IndexedSeq[String])

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
    new TechniqueChoice(
      bits,
      rowsOnBits,
      levels.indices.map(l => text(program, l, rowsOnBits, tuning.marks)))
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
