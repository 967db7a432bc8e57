package io.wreath.kernel.join

import io.wreath.kernel.csr.CsrGraph

/**
 * Enumerates or counts the bindings of a [[JoinProgram]] by generic join: one variable at a time,
 * each bound to the intersection of the neighbour lists that earlier bindings give.
 *
 * Use: [[open]] a morsel, then [[next]] or [[nextRun]] until it is false, [[nextGroup]] until it is 0,
 * or [[count]] once. `interrupt` runs several times a millisecond, whatever is done, and ends the join by
 * throwing; after that the join cannot be used.
 *
 * Requires: graphs in the order of the relation indices; ends that meet in a variable coded alike.
 * `domains`, by variable, narrow the codes that are tried; null stands for all.
 * Cost: O(AGM bound * log maxDegree); no allocation after construction.
 * Not thread-safe: one instance per task. The graphs behind it are shared.
 */
final class GenericJoin private[wreath] (
    program: JoinProgram,
    graphs: Array[CsrGraph],
    predicates: IndexedSeq[BindingPredicate],
    domains: Array[Domain],
    tuning: JoinTuning,
    interrupt: Runnable) {

  def this(
      program: JoinProgram,
      graphs: Array[CsrGraph],
      predicates: IndexedSeq[BindingPredicate] = Vector.empty,
      domains: Array[Domain] = null,
      interrupt: Runnable = () => ()) =
    this(program, graphs, predicates, domains, JoinTuning(), interrupt)

  if (graphs.length < program.pattern.relationCount) {
    throw new IllegalArgumentException(
      s"The pattern names ${program.pattern.relationCount} relations, but ${graphs.length} " +
        "graphs were given.")
  }

  private[this] val state = {
    val whole = Domain.of(program.pattern, graphs)
    val narrowed = if (domains == null) whole else domains
    whole.indices.foreach { v =>
      if (narrowed(v).size != whole(v).size) {
        throw new IllegalArgumentException(
          s"Variable $v has ${whole(v).size} codes, but a domain of ${narrowed(v).size} was given.")
      }
    }
    new JoinState(program, graphs, predicates, narrowed, tuning, interrupt)
  }
  private[this] val lists = new ListLevels(state)
  private[this] val isSingle = state.levelCount == 1

  /** Null where the pattern or the tuning does not allow for it. */
  private[this] val bits: BitLevels = {
    val asked = tuning.bitMatrix match {
      case Use.Always => true
      case Use.Never => false
      // Marks need no matrix to be built, and a triangle would read it only once.
      case Use.WhenWorth => state.levelCount >= GenericJoin.MinLevelsForBits
    }
    if (!asked) null else bitPlan.map(new BitLevels(state, _, graphs)).orNull
  }

  private def bitPlan: Option[BitPlan] = BitPlan.of(program)

  // Made when rows are counted.
  private[this] var listCounts: ListCounts = _
  private[this] var bitCounts: BitCounts = _
  private[this] var wedgeCounts: WedgeCounts = _
  private[this] var houseCounts: HouseCounts = _
  private[this] var groupLevels = 0
  private[this] var countsCut = false
  private[this] var isCut = false

  private[this] val firstDomain = state.domain(0)
  private[this] var first = 0
  private[this] var firstUntil = 0
  private[this] var underFirst = false
  private[this] var onBits = false
  private[this] var isOnlyRunTaken = false

  /** The current binding, indexed by variable. The array is reused; copy what must last. */
  val binding: Array[Int] = state.binding

  /** Starts over with the bindings of `m`. */
  def open(m: Morsel): Unit = {
    if (m.until > firstDomain.size) {
      throw new IllegalArgumentException(s"$m leaves the codes 0 until ${firstDomain.size}.")
    }
    state.confineSecond(m)
    isCut = m.isCut
    if (listCounts != null) listCounts.reset()
    first = Math.max(m.from, firstDomain.from)
    firstUntil = if (program.isContradictory) first else Math.min(m.until, firstDomain.until)
    underFirst = false
  }

  /** Advances to the next distinct binding; false when the morsel is exhausted. */
  def next(): Boolean = {
    var found = underFirst && nextUnderFirst()
    while (!found && nextFirst()) {
      if (isSingle) found = true
      else {
        startUnderFirst()
        found = nextUnderFirst()
      }
    }
    if (!found) underFirst = false
    found
  }

  /** The bindings that [[nextRun]] advanced to. */
  val run: BindingRun = new BindingRun

  private[this] val single = new Array[Int](1)

  /** The variable in which the bindings of a run differ. */
  def lastVariable: Int = program.order.variables.last

  /**
   * Advances to the next bindings that differ in the last variable alone, all of one weight; false
   * when the morsel is exhausted. [[binding]] has the other variables. Not to be mixed with [[next]]
   * within one morsel.
   */
  def nextRun(): Boolean =
    if (isSingle || state.isWeighted) {
      // Each binding has a weight of its own.
      val found = next()
      if (found) {
        single(0) = binding(lastVariable)
        run.set(single, 0, 1)
      }
      found
    } else {
      var found = underFirst && nextRunUnderFirst()
      while (!found && nextFirst()) {
        startUnderFirst()
        found = nextRunUnderFirst()
      }
      if (!found) underFirst = false
      found
    }

  private def nextRunUnderFirst(): Boolean = {
    var found = false
    val last = state.levelCount - 1
    val boundBefore = state.bound(last)
    while (!found && nextPrefix()) {
      if (onBits) bits.takeRun(run) else lists.takeRun(run)
      found = run.from < run.until
    }
    // Some ways to take a run bind its codes one by one, others not at all.
    if (found) state.bound(last) = boundBefore + run.until - run.from
    found
  }

  /** Of two variables the first is all of the prefix, and the second is filled when it starts. */
  private def nextPrefix(): Boolean =
    if (state.levelCount == 2) {
      val isFirst = !isOnlyRunTaken
      isOnlyRunTaken = true
      isFirst
    } else if (onBits) bits.nextPrefix()
    else lists.nextPrefix()

  private def startUnderFirst(): Unit = {
    underFirst = true
    isOnlyRunTaken = false
    onBits = runsOnBits()
    if (onBits) bits.start() else lists.start()
  }

  /**
   * How many rows the current binding stands for: the product of its edges' multiplicities. Throws
   * ArithmeticException if it exceeds a Long.
   */
  def weight: Long = state.weight(state.levelCount)

  /** [[weight]], or the greatest Long where it is more: as many rows as nobody will ever take. */
  def rowsToTake: Long =
    try weight
    catch { case _: ArithmeticException => Long.MaxValue }

  /**
   * Rows of the opened morsel that [[next]] has not passed yet, that is the sum of their weights.
   * Throws ArithmeticException if it exceeds a Long.
   */
  def count(): Long = {
    prepareCounts(1)
    var total = 0L
    if (underFirst) while (underFirst && next()) total = Math.addExact(total, weight)
    while (nextFirst()) total = Math.addExact(total, countUnderFirst())
    total
  }

  /**
   * Advances to the next binding of the first `levels` variables that has any row, all others left
   * open; false when the morsel is exhausted. [[binding]] has these variables. Not to be mixed with
   * [[next]] or [[nextRun]] within one morsel, nor with other numbers of levels.
   *
   * @param anyRow whether it is enough to know that there is a row
   * @return the number of its rows, or 1 where any is enough, or 0 when the morsel is exhausted.
   *   Throws ArithmeticException if it exceeds a Long
   */
  def nextGroup(levels: Int, anyRow: Boolean = false): Long = {
    if (levels < 1 || levels > state.levelCount) {
      throw new IllegalArgumentException(
        s"$levels of the ${state.levelCount} variables cannot be bound.")
    }
    prepareCounts(levels)
    var rows = 0L
    if (levels == 1) {
      while (rows == 0L && nextFirst()) {
        rows = if (anyRow) anyUnderFirst() else countUnderFirst()
      }
    } else {
      rows = if (underFirst) nextGroupUnderFirst(levels, anyRow) else 0L
      while (rows == 0L && nextFirst()) {
        underFirst = true
        lists.start()
        rows = nextGroupUnderFirst(levels, anyRow)
      }
      if (rows == 0L) underFirst = false
    }
    rows
  }

  private def anyUnderFirst(): Long =
    if (isSingle) 1L
    else {
      startUnderFirst()
      val found = nextUnderFirst()
      underFirst = false
      if (found) 1L else 0L
    }

  private def nextGroupUnderFirst(levels: Int, anyRow: Boolean): Long = {
    var rows = 0L
    while (rows == 0L && lists.advance(levels - 1)) {
      if (levels == state.levelCount) rows = if (anyRow) 1L else weight
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

  /** Chooses how rows are counted under a binding of the first `levels` levels. */
  private def prepareCounts(levels: Int): Unit =
    if (groupLevels != levels || countsCut != isCut) {
      groupLevels = levels
      countsCut = isCut
      listCounts = null
      bitCounts = null
      wedgeCounts = null
      houseCounts =
        if (program.housesWeigh == 0) null
        else new HouseCounts(state, graphs(0), program.housesWeigh)
      if (levels == 1 && !isSingle) {
        wedgeCounts = WedgeCounts.of(state).orNull
        if (bits != null) bitCounts = chooseBitCounts()
      }
      if (levels < state.levelCount) {
        listCounts = new ListCounts(state, lists, levels, countPlan(levels))
      }
    }

  /** A level that is cut has other candidates than its likes, and cannot be counted with them. */
  private def countPlan(levels: Int): CountPlan = {
    val least = if (isCut) Math.min(2, state.levelCount - 1) else 1
    CountPlan.of(state, Math.max(levels, least))
  }

  private def chooseBitCounts(): BitCounts = {
    val whole = countPlan(1)
    val isForced = tuning.bitMatrix == Use.Always
    // A tail of several parts is multiplied; the bits of one part alone would have to be bound.
    if (whole.onlyGroup != null && state.isPlain(whole.onlyGroup.level) &&
      (isForced || whole.prefix + 1 >= GenericJoin.MinLevelsForBits)) {
      new BitCounts(state, bits, bitPlan.get, whole.onlyGroup)
    } else if (isForced) {
      new BitCounts(
        state,
        bits,
        bitPlan.get,
        CountPlan.of(state, state.levelCount - 1).onlyGroup)
    } else null
  }

  private def countUnderFirst(): Long =
    if (isSingle) state.weight(1)
    else if (houseCounts != null) houseCounts.count()
    else if (wedgeCounts != null) wedgeCounts.count()
    else if (bitCounts != null && fitsBits()) bitCounts.count()
    else {
      lists.known.touch(0)
      listCounts.count()
    }

  /** List elements read since construction; words of bit rows, 64 elements at a time, are not in it. */
  def elementsTouched: Long = state.read.elements

  /** How many elements were searched for in a list instead of reading it. */
  def seeks: Long = state.read.seeks

  /** How many variables are bound one after the other. */
  def levelCount: Int = state.levelCount

  /**
   * How often the variable of a level, in the order of the join, was bound. What is counted without
   * being bound does not show.
   */
  def bindingsAt(level: Int): Long = state.bound(level)

  private def nextUnderFirst(): Boolean = if (onBits) bits.next() else lists.next()

  private def fitsBits(): Boolean = bits != null && bits.fits(state.codes(0))

  /** A last level that stays while the one before it loops is a slice of a list, ready to be read. */
  private[this] val lastStays = state.levelCount >= 3 && {
    val l = state.levels(state.levelCount - 1)
    l.listCount > 0 && l.listLevel(l.listCount - 1) < state.levelCount - 2
  }

  private def runsOnBits(): Boolean =
    fitsBits() && (!lastStays || tuning.bitMatrix == Use.Always)

  /** Binds level 0 to the next code of the morsel that has the lists it needs. */
  private def nextFirst(): Boolean = {
    var found = false
    while (!found && first < firstUntil) {
      val code = firstDomain.next(first)
      first = code + 1
      found =
        code < firstUntil && (bits == null || !bits.isHopeless(code)) && state.accepts(0, code) &&
          state.bind(0, code)
      if (!found) state.passOver()
    }
    found
  }
}

private object GenericJoin {

  final private val MinLevelsForBits = 4
}
