package io.wreath.kernel.join

import scala.collection.mutable

import io.wreath.kernel.csr.Relation

/**
 * Enumerates or counts the bindings of a [[JoinProgram]] by generic join: one variable at a time,
 * each bound to the intersection of the neighbour lists that earlier bindings give. Its seeds are the
 * codes of the first variable.
 *
 * `interrupt` runs several times a millisecond, whatever is done, and ends the join by
 * throwing; after that the join cannot be used.
 *
 * Requires: relations in the order of their indices; ends that meet in a variable coded alike.
 * `domains`, by variable, narrow the codes that are tried; null stands for all.
 * Cost: O(AGM bound * log maxDegree); memory grows to the longest intersections.
 * Not thread-safe: one instance per task. The relations behind it are shared.
 */
final class GenericJoin private[wreath] (
    program: JoinProgram,
    relations: Array[_ <: Relation],
    predicates: IndexedSeq[BindingPredicate],
    domains: Array[Domain],
    choice: TechniqueChoice,
    interrupt: Runnable)
    extends MorselJoin {

  /** Chooses here how to join, where nobody has before. */
  private[wreath] def this(
      program: JoinProgram,
      relations: Array[_ <: Relation],
      predicates: IndexedSeq[BindingPredicate],
      domains: Array[Domain],
      tuning: JoinTuning,
      interrupt: Runnable) =
    this(
      program,
      relations,
      predicates,
      domains,
      TechniqueChoice.of(program, tuning),
      interrupt)

  def this(
      program: JoinProgram,
      relations: Array[_ <: Relation],
      predicates: IndexedSeq[BindingPredicate] = Vector.empty,
      domains: Array[Domain] = null,
      interrupt: Runnable = () => ()) =
    this(program, relations, predicates, domains, JoinTuning(), interrupt)

  if (relations.length < program.pattern.relationCount) {
    throw new IllegalArgumentException(
      s"The pattern names ${program.pattern.relationCount} relations, but ${relations.length} " +
        "were given.")
  }

  override val binding: Array[Int] = new Array[Int](program.levelCount)

  private[this] val join = new SeededJoin(
    program,
    relations,
    predicates,
    Domain.narrowed(program.pattern, relations, domains),
    choice,
    JoinScratch.ofWholeJoin(interrupt),
    binding,
    SeedSets.none(program.levelCount))
  private[this] val state = join.state
  private[this] val isSingle = state.levelCount == 1

  private[this] val firstDomain = state.domain(0)
  private[this] var first = 0
  private[this] var firstUntil = 0
  private[this] var underFirst = false

  // The morsels so far, and what had been done when each was opened.
  private[this] val opened = mutable.ArrayBuffer.empty[Morsel]
  private[this] val doneBefore = mutable.ArrayBuffer.empty[Long]

  override def morselWork: Seq[(Morsel, Long)] =
    opened.toSeq.zip(doneBefore.drop(1) :+ state.read.work).zip(doneBefore).map {
      case ((m, after), before) => (m, after - before)
    }

  override def open(m: Morsel): Unit = {
    if (m.until > firstDomain.size) {
      throw new IllegalArgumentException(s"$m leaves the codes 0 until ${firstDomain.size}.")
    }
    join.confine(m.secondFrom, m.secondUntil)
    first = Math.max(m.from, firstDomain.from)
    firstUntil = if (program.isContradictory) first else Math.min(m.until, firstDomain.until)
    underFirst = false
    opened += m
    doneBefore += state.read.work
  }

  override def next(): Boolean = {
    underFirst = underFirst && join.next()
    while (!underFirst && nextFirst()) {
      join.start()
      underFirst = join.next()
    }
    underFirst
  }

  override val run: BindingRun = new BindingRun

  private[this] val single = new Array[Int](1)

  /** The variable in which the bindings of a run differ. */
  def lastVariable: Int = program.order.variables.last

  override def nextRun(): Boolean =
    if (isSingle || state.isWeighted) {
      // Each binding has a weight of its own.
      val found = next()
      if (found) {
        single(0) = binding(lastVariable)
        run.set(single, 0, 1)
      }
      found
    } else {
      underFirst = underFirst && join.nextRun(run)
      while (!underFirst && nextFirst()) {
        join.start()
        underFirst = join.nextRun(run)
      }
      underFirst
    }

  override def weight: Long = state.weight(state.levelCount)

  override def count(): Long = {
    var total = 0L
    while (underFirst && next()) total = Math.addExact(total, weight)
    while (nextFirst()) total = Math.addExact(total, join.count())
    total
  }

  override def nextGroup(levels: Int, anyRow: Boolean): Long = {
    if (levels < 1 || levels > state.levelCount) {
      throw new IllegalArgumentException(
        s"$levels of the ${state.levelCount} variables cannot be bound.")
    }
    var rows = 0L
    if (levels == 1) {
      while (rows == 0L && nextFirst()) {
        rows = if (!anyRow) join.count() else if (join.any()) 1L else 0L
      }
    } else {
      rows = if (underFirst) join.nextGroup(levels, anyRow) else 0L
      while (rows == 0L && nextFirst()) {
        join.startGroups()
        rows = join.nextGroup(levels, anyRow)
      }
      underFirst = rows > 0L
    }
    rows
  }

  /** List elements read since construction; words of bit rows, 64 elements at a time, are not in it. */
  override def elementsTouched: Long = state.read.elements

  override def seeks: Long = state.read.seeks

  override def levelCount: Int = state.levelCount

  override def bindingsAt(level: Int): Long = state.bound(level)

  /** Takes the next code of the morsel that has the lists it needs as seed. */
  private def nextFirst(): Boolean = {
    var found = false
    while (!found && first < firstUntil) {
      val code = firstDomain.next(first)
      first = code + 1
      found =
        code < firstUntil && !join.isHopeless(code) && state.accepts(0, code) &&
          state.bind(0, code)
      if (found) join.take() else state.passOver()
    }
    found
  }
}
