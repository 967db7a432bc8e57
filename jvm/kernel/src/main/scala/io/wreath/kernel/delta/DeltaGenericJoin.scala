package io.wreath.kernel.delta

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join._
import io.wreath.kernel.lists.ElementCounter

/**
 * Enumerates or counts the matches of a [[DeltaProgram]] that one batch adds or takes away, by one
 * worst-case optimal join per term, seeded from the changed edges.
 *
 * Use: [[open]] each morsel of [[DeltaMorsel.all]] or of [[DeltaSplitter]], then either [[next]]
 * until it is false, or [[count]] once.
 *
 * Why it is right. A match of the graph before the batch that has a deleted edge is lost, and a
 * match of the graph after it that has an inserted edge is new; no other match changes. The delete
 * phase looks for the former: pattern edges before the seed's read `between`, which has no deleted
 * edge, those after it read `before`. The first deleted edge of a match therefore is its only
 * seed. The insert phase does the same with `between` and `after`. A lost match has a deleted edge
 * and thus cannot be among the new ones: no match is reported twice, nor with both signs. Where
 * edges occur more than once a match may lose and gain rows at once; [[DeltaWeights]] tells how it
 * is still reported once, with the difference.
 *
 * Requires: one change per relation index, all over one code space.
 * Cost: for inserts, the sum over any sequence of batches is O(edges of the pattern * AGM bound of
 * the last graph * log maxDegree): a term's join does part of what a whole join in the term's order
 * would do. A batch costs the lists beside its seeds, never a pass over the graph, unless a part
 * of the pattern is not connected to the seed.
 * Not thread-safe: one instance per task. The changes behind it are shared.
 *
 * @param predicates       conditions on bindings; asked as soon as their variables are bound
 * @param order            the order of ids, where the program was compiled without ordered codes
 * @param reportsRewritten also reports matches whose number of rows stays while an edge of theirs
 *                         is named in the batch; for callers who look at the rows' properties
 * @param scratch          memory to work in, which may come from the last batch's join
 * @param domains          by variable, the codes that it may be bound to; null for all of them
 * @param choices          by term, how it finds its candidates; null where nobody has decided yet
 */
final class DeltaGenericJoin(
    program: DeltaProgram,
    private[this] var changes: Array[GraphChange],
    predicates: IndexedSeq[BindingPredicate] = Vector.empty,
    order: VertexOrder = null,
    reportsRewritten: Boolean = false,
    scratch: JoinScratch = new JoinScratch,
    domains: Array[Domain] = null,
    choices: IndexedSeq[TechniqueChoice] = null) {

  DeltaGenericJoin.check(program, changes, order, domains)

  /** The current binding, indexed by variable. The array is reused; copy what must last. */
  val binding: Array[Int] = new Array[Int](program.pattern.variableCount)

  private[this] val techniques = if (choices == null) program.choices() else choices

  private[this] val weights = new DeltaWeights(program, binding, reportsRewritten)
  weights.attach(changes)
  private[this] val touchedAtStart = scratch.read.elements

  private[this] val conditions =
    predicates ++ program.onIds.map(c => new IdComparison(c.left, c.op, c.right, order))

  /** By phase and term, made when first opened. */
  private[this] val runs = new Array[SeededJoin](2 * program.termCount)
  private[this] val relations = new Array[Array[Relation]](2)
  private[this] val sets = new Array[SharedSets](2)

  // The terms of the open morsel, and the one whose turn it is. They take turns at each seed if they
  // share something; if not, each goes through all seeds, so that lists of a source stay marked.
  private[this] var terms: Array[Int] = Array.empty
  private[this] var takesTurns = false
  private[this] var turn = 0
  private[this] var run: SeededJoin = null
  private[this] var shared: SharedSets = null
  private[this] var seeds: EdgeDelta = EdgeDelta.empty
  private[this] var seedFrom = 0
  private[this] var seed = 0
  private[this] var seedUntil = 0
  private[this] var sourceStays = false
  private[this] var isInsert = false
  private[this] var underSeed = false

  /** Goes on with the next batch: cheaper than another join, where batches are small. */
  def attach(next: Array[GraphChange]): Unit = {
    if (program.onIds.nonEmpty || domains != null) {
      throw new IllegalArgumentException(
        "A join that compares ids, or has domains, knows those of one time only: make another for the next batch.")
    }
    DeltaGenericJoin.check(program, next, order, domains)
    close()
    changes = next
    weights.attach(next)
    var phase = 0
    while (phase < 2) {
      if (relations(phase) != null) {
        relations(phase) = DeltaTerm.relations(next, isInsert = phase == 1)
        sets(phase).attach(relations(phase), next(0).vertexCount)
        var term = 0
        while (term < program.termCount) {
          val run = runs(2 * term + phase)
          if (run != null) run.attach(relations(phase), next(0).vertexCount)
          term += 1
        }
      }
      phase += 1
    }
  }

  /** Starts over with the matches of `m`. */
  def open(m: DeltaMorsel): Unit = {
    val all = program.termsOf(m.relation)
    if (all.isEmpty || !(m.term == DeltaMorsel.AllTerms || all.contains(m.term))) {
      throw new IllegalArgumentException(s"$m names no term of ${program.termCount}.")
    }
    close()
    seeds = changes(m.relation).seeds(m.isInsert)
    if (m.until > seeds.size) {
      throw new IllegalArgumentException(s"$m leaves the ${seeds.size} seeds of its relation.")
    }
    isInsert = m.isInsert
    terms = if (m.term == DeltaMorsel.AllTerms) all else Array(m.term)
    val phase = if (isInsert) 1 else 0
    if (relations(phase) == null) preparePhase(phase)
    shared = sets(phase)
    terms.foreach { term =>
      val at = 2 * term + phase
      if (runs(at) == null) runs(at) = newRun(program.terms(term), phase)
      runs(at).confine(m.codeFrom, m.codeUntil)
    }
    takesTurns = terms.exists(program.terms(_).shared.exists(_ >= 0))
    turn = 0
    run = runOf(turn)
    seedFrom = m.from
    seed = m.from - 1
    seedUntil = if (program.isContradictory) m.from else m.until
  }

  private def preparePhase(phase: Int): Unit = {
    relations(phase) = DeltaTerm.relations(changes, isInsert = phase == 1)
    // The slots before this one are those of a term's levels.
    sets(phase) =
      new SharedSets(program.sharedLists, scratch, 2 * program.pattern.variableCount + 1)
    sets(phase).attach(relations(phase), changes(0).vertexCount)
  }

  private def newRun(term: DeltaTerm, phase: Int): SeededJoin =
    new SeededJoin(
      term.program,
      relations(phase),
      conditions,
      if (domains != null) domains
      else Array.fill(program.pattern.variableCount)(Domain.whole(changes(0).vertexCount)),
      techniques(term.index),
      scratch,
      binding,
      new SeedSets(sets(phase), term.shared))

  /** Advances to the next changed match; false when the morsel is exhausted. */
  def next(): Boolean = {
    var found = false
    var more = true
    while (!found && more) {
      if (underSeed && run.next()) found = weights.judge(terms(turn), isInsert)
      else {
        underSeed = nextSeed()
        more = underSeed
        if (underSeed) run.start()
      }
    }
    found
  }

  /** Rows that the current match gains, or loses if below zero. */
  def weight: Long = weights.rowsAfter - weights.rowsBefore

  /** Rows of the current match before the batch. */
  def rowsBefore: Long = weights.rowsBefore

  /** Rows of the current match after the batch. */
  def rowsAfter: Long = weights.rowsAfter

  /**
   * The sum of the weights of the matches of the morsel that [[next]] has not passed yet. Throws
   * ArithmeticException if it exceeds a Long.
   */
  def count(): Long = {
    var total = 0L
    if (!weights.areTrivial) {
      while (next()) total = Math.addExact(total, weight)
    } else {
      // What is left under the current seed, then whole seeds.
      while (underSeed && run.next()) total += 1
      while (nextSeed()) total = Math.addExact(total, run.count())
      underSeed = false
      if (!isInsert) total = -total
    }
    total
  }

  /** List elements read since construction. */
  def elementsTouched: Long = scratch.read.elements - touchedAtStart

  /** Gives the scratch back, clean; needed only before another join may use it. */
  def close(): Unit = {
    if (run != null) {
      run.release()
      shared.release()
    }
    run = null
    underSeed = false
    seedUntil = 0
  }

  /** Advances to the next seed that a term accepts. */
  private def nextSeed(): Boolean = {
    var found = false
    while (!found && moveOn()) {
      scratch.read.worked(ElementCounter.Candidate)
      found = takeSeed(seeds.sources(seed), seeds.targets(seed))
    }
    found
  }

  private def takeSeed(source: Int, target: Int): Boolean = {
    val isTaken =
      if (program.terms(terms(turn)).seedLevels == 1) source == target && run.bindSeed(0, source)
      else run.bindSeed(0, source) && run.bindSeed(1, target)
    if (isTaken) run.take(comesAgain = sourceStays)
    isTaken
  }

  /** Advances to the next pair of a seed and a term. */
  private def moveOn(): Boolean = {
    val hasTurn = run != null && turn + 1 < terms.length && seedFrom < seedUntil
    val hasSeed = seed + 1 < seedUntil
    if (takesTurns && hasTurn && seed >= seedFrom) give(turn + 1)
    else if (hasSeed) {
      take(seed + 1)
      if (takesTurns) give(0)
    } else if (!takesTurns && hasTurn) {
      give(turn + 1)
      take(seedFrom)
    }
    hasSeed || hasTurn
  }

  private def take(next: Int): Unit = {
    seed = next
    sourceStays = seed + 1 < seedUntil && seeds.sources(seed) == seeds.sources(seed + 1)
    shared.begin(seeds.sources(seed), seeds.targets(seed), sourceStays)
  }

  /** Makes it the turn of another term. */
  private def give(next: Int): Unit = if (next != turn) {
    run.release()
    turn = next
    run = runOf(turn)
  }

  private def runOf(turn: Int): SeededJoin = runs(2 * terms(turn) + (if (isInsert) 1 else 0))
}

private object DeltaGenericJoin {

  private def check(
      program: DeltaProgram,
      changes: Array[GraphChange],
      order: VertexOrder,
      domains: Array[Domain]): Unit = {
    if (changes.length < program.pattern.relationCount) {
      throw new IllegalArgumentException(
        s"The pattern names ${program.pattern.relationCount} relations, but ${changes.length} " +
          "changes were given.")
    }
    if (changes.exists(_.vertexCount != changes(0).vertexCount)) {
      throw new IllegalArgumentException(
        "The relations of one join must share a code space, but they have " +
          s"${changes.map(_.vertexCount).mkString(", ")} vertices.")
    }
    if (domains != null && domains.exists(_.size != changes(0).vertexCount)) {
      throw new IllegalArgumentException(
        s"There are ${changes(0).vertexCount} vertices, but domains of " +
          s"${domains.map(_.size).mkString(", ")} codes were given.")
    }
    if (order == null && program.onIds.nonEmpty) {
      throw new IllegalArgumentException(
        "The program was compiled for codes that do not keep the order of ids, so it needs a " +
          "VertexOrder.")
    }
  }
}
