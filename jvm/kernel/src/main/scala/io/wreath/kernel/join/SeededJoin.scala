package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation

/**
 * Binds or counts the levels of a [[JoinProgram]] under a seed, which binds the first of them: what all
 * joins have in common, wherever their seeds come from.
 *
 * Use: [[bindSeed]] each level of the seed and, if all accept, [[take]] it; then [[start]] and [[next]] or
 * [[nextRun]] until it is false, or [[count]] or [[any]] once. [[release]] before another join uses the scratch.
 * Cost: no allocation after the first seeds, but for the growth of the scratch.
 * Not thread-safe: one instance per task. The relations behind it are shared.
 *
 * @param domains by variable, the codes that are tried
 * @param choice made for the program
 * @param binding by variable, what [[next]] advances; joins that take turns may share it
 * @param seeds what other programs have found in the lists of the same seed
 */
final private[wreath] class SeededJoin(
    program: JoinProgram,
    relations: Array[_ <: Relation],
    predicates: IndexedSeq[BindingPredicate],
    domains: Array[Domain],
    choice: TechniqueChoice,
    scratch: JoinScratch,
    binding: Array[Int],
    seeds: SeedSets) {

  private[join] val state: JoinState =
    new JoinState(program, relations, predicates, domains, choice.tuning, scratch, binding)
  private[this] val lists = new ListLevels(state, seeds)
  private[this] val levelCount = state.levelCount
  private[this] val free = state.seedLevels

  /** Whether the seed binds all levels. */
  private[this] val isAllSeed = free == levelCount
  private[this] var isSeedLeft = false

  /** Null where bit rows are not used. */
  private[this] val bits: BitLevels =
    if (choice.bits == null) null else new BitLevels(state, choice.bits, relations)

  // Made when rows are counted.
  private[this] var listCounts: ListCounts = _
  private[this] var bitCounts: BitCounts = _
  private[this] var countedLevels = 0
  private[this] var countsCut = false
  private[this] var onBits = false
  private[this] var isOnlyRunTaken = false

  /**
   * Goes on with other relations, of which no more is known than of the first ones, over all their codes:
   * the next version of graphs that change. Only where the seed has more levels than one.
   */
  def attach(relations: Array[_ <: Relation], codes: Int): Unit = {
    if (state.domain(0).size != codes) countedLevels = 0
    state.attach(relations, codes)
    lists.known.attach()
    if (listCounts != null) listCounts.reset()
  }

  /** Confines the first level after the seed's to a range of codes, of what each seed gives rise to. */
  def confine(from: Int, until: Int): Unit = {
    state.confine(from, until)
    if (listCounts != null) listCounts.reset()
  }

  /** Binds a level of the seed; false if its lists, bounds or conditions exclude the code. */
  def bindSeed(level: Int, code: Int): Boolean =
    !program.isContradictory && state.bindSeed(level, code)

  /** Whether no row can have `code` at level 0. */
  def isHopeless(code: Int): Boolean = bits != null && bits.isHopeless(code)

  /**
   * Takes the current binding of the seed's levels as the prefix of all that follows.
   *
   * @param comesAgain whether the next seed will have the first of them bound alike
   */
  def take(comesAgain: Boolean = false): Unit = lists.known.touchSeed(comesAgain)

  /** Gets the free levels ready for [[next]] or [[nextRun]]. */
  def start(): Unit = {
    isOnlyRunTaken = false
    isSeedLeft = true
    if (!isAllSeed) {
      onBits = runsOnBits()
      if (onBits) bits.start() else lists.start()
    }
  }

  /** Advances to the next binding under the seed. */
  def next(): Boolean =
    if (!isAllSeed) { if (onBits) bits.next() else lists.next() }
    else {
      val found = isSeedLeft
      isSeedLeft = false
      found
    }

  /** Advances to the next bindings under the seed that differ in the last level alone, which is free. */
  def nextRun(run: BindingRun): Boolean = {
    var found = false
    val last = levelCount - 1
    val boundBefore = state.bound(last)
    while (!found && nextPrefix()) {
      if (onBits) bits.takeRun(run) else lists.takeRun(run)
      found = run.from < run.until
    }
    // Some ways to take a run bind its codes one by one, others not at all.
    if (found) state.bound(last) = boundBefore + run.until - run.from
    found
  }

  /** Where one level is free the seed is all of the prefix, and that level is filled when it starts. */
  private def nextPrefix(): Boolean =
    if (levelCount == free + 1) {
      val isFirst = !isOnlyRunTaken
      isOnlyRunTaken = true
      isFirst
    } else if (onBits) bits.nextPrefix()
    else lists.nextPrefix()

  /** Whether there is any binding under the seed. */
  def any(): Boolean = {
    start()
    next()
  }

  /** Rows under the seed. Throws ArithmeticException if they exceed a Long. */
  def count(): Long = {
    prepareCounts(free)
    if (isAllSeed) state.weight(free)
    else if (bitCounts != null && fitsBits()) bitCounts.count()
    else listCounts.count()
  }

  /** Gets the free levels ready for [[nextGroup]]. */
  def startGroups(): Unit = lists.start()

  /**
   * Advances to the next binding of the first `levels` levels, more than the seed has, that has any row.
   *
   * @return the number of its rows, or 1 where any is enough, or 0 when there is none left
   */
  def nextGroup(levels: Int, anyRow: Boolean): Long = {
    prepareCounts(levels)
    var rows = 0L
    while (rows == 0L && lists.advance(levels - 1)) {
      if (levels == levelCount) rows = if (anyRow) 1L else state.weight(levels)
      else {
        if (!anyRow) rows = listCounts.count()
        else {
          lists.startAt(levels)
          if (lists.next()) rows = 1L
        }
        lists.resumeAt(levels - 1)
      }
    }
    rows
  }

  /** Leaves the scratch without marks. */
  def release(): Unit = lists.known.release()

  /** Gets ready to count rows under a binding of the first `levels` levels. */
  private def prepareCounts(levels: Int): Unit =
    if (countedLevels != levels || countsCut != state.isCut) {
      countedLevels = levels
      countsCut = state.isCut
      listCounts = null
      bitCounts = null
      if (levels < levelCount) {
        choice.countTechnique(state, levels) match {
          case CountTechnique.Bits(group, otherwise) =>
            bitCounts = new BitCounts(state, bits, choice.bits, group)
            listCounts = new ListCounts(state, lists, levels, otherwise)
          case CountTechnique.Factors(plan) =>
            listCounts = new ListCounts(state, lists, levels, plan)
        }
      }
    }

  private def fitsBits(): Boolean = bits != null && bits.fits(state.codes(0))

  private def runsOnBits(): Boolean = choice.rowsOnBits && fitsBits()
}
