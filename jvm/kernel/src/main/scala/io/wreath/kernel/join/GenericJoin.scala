package io.wreath.kernel.join

import io.wreath.kernel.csr.CsrGraph

/**
 * Enumerates or counts the bindings of a [[JoinProgram]] by generic join: one variable at a time,
 * each bound to the intersection of the neighbour lists that earlier bindings give.
 *
 * Use: [[open]] a morsel, then [[next]] or [[nextRun]] until it is false, or [[count]] once. Every few
 * thousand bindings, found or given up, `interrupt` runs; it ends the join by throwing.
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
    if (!asked) null else BitPlan.of(program).map(new BitLevels(state, _, graphs)).orNull
  }

  private[this] var first = 0
  private[this] var firstUntil = 0
  private[this] var underFirst = false
  private[this] var onBits = false
  private[this] var isOnlyRunTaken = false

  /** The current binding, indexed by variable. The array is reused; copy what must last. */
  val binding: Array[Int] = state.binding

  /** Starts over with the bindings of `m`. */
  def open(m: Morsel): Unit = {
    val domain = state.domain(0)
    if (m.until > domain.size) {
      throw new IllegalArgumentException(s"$m leaves the codes 0 until ${domain.size}.")
    }
    first = Math.max(m.from, domain.from)
    firstUntil = if (program.isContradictory) first else Math.min(m.until, domain.until)
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
    while (!found && nextPrefix()) {
      if (onBits) bits.takeRun(run) else lists.takeRun(run)
      found = run.from < run.until
    }
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

  /** How many rows the current binding stands for: the product of its edges' multiplicities. */
  def weight: Long = state.weight(state.levelCount)

  /**
   * Rows of the opened morsel that [[next]] has not passed yet, that is the sum of their weights.
   * Throws ArithmeticException if it exceeds a Long.
   */
  def count(): Long = {
    var total = 0L
    if (underFirst) while (underFirst && next()) total = Math.addExact(total, weight)
    while (nextFirst()) {
      val rows =
        if (isSingle) state.weight(1) else if (runsOnBits()) bits.count() else lists.count()
      total = Math.addExact(total, rows)
    }
    total
  }

  /** List elements read since construction. */
  def elementsTouched: Long = state.read.elements

  private def nextUnderFirst(): Boolean = if (onBits) bits.next() else lists.next()

  private def runsOnBits(): Boolean = bits != null && bits.fits(state.codes(0))

  /** Binds level 0 to the next code of the morsel that has the lists it needs. */
  private def nextFirst(): Boolean = {
    var found = false
    while (!found && first < firstUntil) {
      val code = first
      first += 1
      found = (bits == null || !bits.isHopeless(code)) && state.accepts(0, code) &&
        state.bind(0, code)
    }
    found
  }
}

private object GenericJoin {

  final private val MinLevelsForBits = 4
}
