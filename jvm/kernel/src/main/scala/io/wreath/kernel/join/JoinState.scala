package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.lists.{Adjacency, ElementCounter, GallopingSearch}

/**
 * What the techniques of one [[SeededJoin]] share: the program with its relations looked up, the
 * current binding, and the checks of a single candidate.
 *
 * Not thread-safe: one instance per task.
 *
 * @param binding by variable, for callers; joins that take turns may share it
 */
final private[join] class JoinState(
    program: JoinProgram,
    private[this] var graphs: Array[_ <: Relation],
    predicates: IndexedSeq[BindingPredicate],
    domains: Array[Domain],
    val tuning: JoinTuning,
    val scratch: JoinScratch,
    val binding: Array[Int]) {

  /** Without the `<>` that lists and bounds imply: neighbours differ where no edge is a loop. */
  val levels: Array[JoinLevel] = program.levels.map(l =>
    l.differingFrom(l.notEqualLevel.filterNot { by =>
      l.lowerShiftBy(by).exists(_ > 0) || l.upperShiftBy(by).exists(_ <= 0) ||
      l.listLevel.indices.exists(i =>
        l.listLevel(i) == by && !graphs(l.listRelation(i)).hasSelfLoops(scratch.read.interrupt))
    }))
  val levelCount: Int = levels.length

  /** The levels before this one are bound by the seed. */
  val seedLevels: Int = program.seedLevels

  /** By level, the codes that its variable may be bound to. */
  val domain: Array[Domain] = levels.map(l => domains(l.variable))

  /** The binding by level. */
  val codes: Array[Int] = new Array[Int](levelCount)

  /** What was read of lists so far. */
  val read: ElementCounter = scratch.read

  /** By level, how many candidates it was bound to so far. */
  val bound: Array[Long] = new Array[Long](levelCount)

  /** By level, the adjacency of each of its lists. */
  val lists: Array[Array[Adjacency]] = levels.map(l => new Array[Adjacency](l.listCount))

  private[this] val needed: Array[Array[Adjacency]] =
    levels.map(l => new Array[Adjacency](l.neededRelation.length))
  private[this] val loops: Array[Array[Adjacency]] =
    levels.map(l => new Array[Adjacency](l.loopRelation.length))
  lookUpLists()

  private def lookUpLists(): Unit = {
    var level = 0
    while (level < levelCount) {
      val l = levels(level)
      var i = 0
      while (i < l.listCount) {
        lists(level)(i) = graphs(l.listRelation(i)).direction(l.listForward(i))
        i += 1
      }
      i = 0
      while (i < l.neededRelation.length) {
        needed(level)(i) = graphs(l.neededRelation(i)).direction(l.neededForward(i))
        i += 1
      }
      i = 0
      while (i < l.loopRelation.length) {
        loops(level)(i) = graphs(l.loopRelation(i)).forward
        i += 1
      }
      level += 1
    }
  }

  /** Goes on with other relations, of which no more is known than of the first ones, over all their codes. */
  def attach(relations: Array[_ <: Relation], codes: Int): Unit = {
    graphs = relations
    lookUpLists()
    if (domain(0).size != codes)
      java.util.Arrays.fill(domain.asInstanceOf[Array[AnyRef]], Domain.whole(codes))
  }

  /** The levels that each predicate reads. */
  val predicateLevels: IndexedSeq[Set[Int]] = {
    val levelOf = new Array[Int](levelCount)
    levels.indices.foreach(l => levelOf(levels(l).variable) = l)
    predicates.map(_.variables.map(levelOf(_)).toSet)
  }

  private[this] val predicatesAt: Array[Array[BindingPredicate]] = {
    val due = predicateLevels.map(_.maxOption.getOrElse(0))
    levels.indices.map(l =>
      predicates.indices.filter(due(_) == l).map(predicates).toArray).toArray
  }

  /** Whether any edge of the pattern reads a relation in which edges occur more than once. */
  val isWeighted: Boolean =
    program.pattern.edges.exists(e => !e.matchesOnce && graphs(e.relation).hasDuplicates)

  /** By level, whether binding it can change the weight. */
  private[this] val weighs: Array[Boolean] = levels.map { l =>
    (l.listRelation.iterator.zip(l.listRepeat) ++ l.loopRelation.iterator.zip(l.loopRepeat))
      .exists { case (relation, repeat) => repeat > 0 && graphs(relation).hasDuplicates }
  }

  // A part of what a heavy seed gives rise to: codes of the first level that it leaves free or, where
  // it leaves none, of the last one.
  private[this] val cutLevel = Math.min(seedLevels, levelCount - 1)
  private[this] var cutFrom = 0
  private[this] var cutUntil = Int.MaxValue

  /** Whether a seed is worked on in parts. */
  var isCut: Boolean = false

  /** Confines the first level after the seed's, beside its domain, to a range of codes. */
  def confine(from: Int, until: Int): Unit = {
    cutFrom = from
    cutUntil = until
    isCut = from > 0 || until < Int.MaxValue
  }

  /** Whether candidates of `level` are refused for other reasons than lists and bounds. */
  def hasPredicates(level: Int): Boolean =
    predicatesAt(level).length > 0 || domain(level).bits != null

  /** Whether the candidates of `level` lie within bounds that narrow its lists. */
  def isBounded(level: Int): Boolean =
    levels(level).isBounded || domain(level).isRange || (isCut && level == cutLevel)

  /** The codes of `level` that its domain and the morsel leave: `from until until`. */
  def domainFrom(level: Int): Int =
    if (level == cutLevel) Math.max(domain(level).from, cutFrom) else domain(level).from

  def domainUntil(level: Int): Int =
    if (level == cutLevel) Math.min(domain(level).until, cutUntil) else domain(level).until

  private[this] val countable: Array[Boolean] = Array.tabulate(levelCount) { level =>
    loops(level).length == 0 && predicatesAt(level).length == 0 && !weighs(level)
  }

  /** Whether the bindings of `level` are its intersection, all of weight one, no questions asked. */
  def isPlain(level: Int): Boolean = isCountable(level) && domain(level).bits == null

  /** Whether they are that, but for those that the bits of its domain exclude. */
  def isCountable(level: Int): Boolean = countable(level)

  /** The least code of its domain that comparisons of `level` with levels before `end` admit. */
  def lowerBound(level: Int, end: Int): Int = {
    val l = levels(level)
    var bound = domainFrom(level)
    var i = 0
    while (i < l.lowerLevel.length) {
      val by = l.lowerLevel(i)
      if (by < end) bound = Math.max(bound, codes(by) + l.lowerShift(i))
      i += 1
    }
    bound
  }

  /** The bound above the codes of its domain that the same comparisons admit. */
  def upperBound(level: Int, end: Int): Int = {
    val l = levels(level)
    var bound = domainUntil(level)
    var i = 0
    while (i < l.upperLevel.length) {
      val by = l.upperLevel(i)
      if (by < end) bound = Math.min(bound, codes(by) + l.upperShift(i))
      i += 1
    }
    bound
  }

  /**
   * By level and a level before it, whether all lists of the former have what the latter is bound
   * to, and nothing else is asked: because it was taken from the same list, or because the list's
   * own vertex was taken from its neighbours.
   */
  private[this] val surelyCandidate: Array[Array[Boolean]] =
    levels.map { l =>
      Array.tabulate(levelCount) { by =>
        l.notEqualLevel.contains(by) && isUnconfined(
          levels.indexOf(l)) && l.listLevel.indices.forall { i =>
          val (of, relation, forward) = (l.listLevel(i), l.listRelation(i), l.listForward(i))
          hasList(by, of, relation, forward) || hasList(of, by, relation, !forward) ||
          (graphs(relation).isSymmetric(read.interrupt) && hasList(of, by, relation, forward))
        }
      }
    }

  private def isUnconfined(level: Int): Boolean =
    !isBounded(level) && domain(level).bits == null

  private def hasList(level: Int, of: Int, relation: Int, forward: Boolean): Boolean = {
    val l = levels(level)
    l.listLevel.indices.exists(i =>
      l.listLevel(i) == of && l.listRelation(i) == relation && l.listForward(i) == forward)
  }

  /** Whether what `by`, a level before, is bound to is in all lists of `level`, whatever it is. */
  def isSurelyCandidate(level: Int, by: Int): Boolean =
    surelyCandidate(level)(by) && !(isCut && level == cutLevel)

  /** Whether `of(i)`, before `bound`, has a code that no `of(j)` before it has. */
  def isFirstOfEquals(of: Array[Int], i: Int, bound: Int): Boolean = {
    var isFirst = of(i) < bound
    var j = 0
    while (j < i) {
      if (of(j) < bound && codes(of(j)) == codes(of(i))) isFirst = false
      j += 1
    }
    isFirst
  }

  /** Checks what the lists and bounds of `level` do not: `<>`, self-loops, degrees to go on. */
  def accepts(level: Int, code: Int): Boolean = {
    val notEqual = levels(level).notEqualLevel
    var ok = true
    var i = 0
    while (ok && i < notEqual.length) {
      ok = codes(notEqual(i)) != code
      i += 1
    }
    val further = needed(level)
    i = 0
    while (ok && i < further.length) {
      ok = further(i).degree(code) > 0
      i += 1
    }
    ok && hasLoops(level, code)
  }

  /** Whether `code` has the edges to itself that `level` asks for. */
  def hasLoops(level: Int, code: Int): Boolean = {
    val self = loops(level)
    var ok = true
    var i = 0
    while (ok && i < self.length) {
      ok = has(self(i), code, code)
      i += 1
    }
    ok
  }

  /** Binds a level of the seed; false if its lists, bounds or conditions exclude the code. */
  def bindSeed(level: Int, code: Int): Boolean =
    (!isBounded(level) || (lowerBound(level, level) <= code && code < upperBound(
      level,
      level))) &&
      isInLists(level, code) && accepts(level, code) && bind(level, code)

  /** Whether all lists of `level` have `code`. */
  private def isInLists(level: Int, code: Int): Boolean = {
    val of = lists(level)
    var ok = true
    var i = 0
    while (ok && i < of.length) {
      ok = has(of(i), codes(levels(level).listLevel(i)), code)
      i += 1
    }
    ok
  }

  /** A candidate was not taken, which takes its time too. */
  def passOver(): Unit = read.worked(ElementCounter.Candidate)

  /** Binds `level`; false if a predicate whose variables are now complete refuses. */
  def bind(level: Int, code: Int): Boolean = {
    read.worked(ElementCounter.Candidate)
    bound(level) += 1
    codes(level) = code
    binding(levels(level).variable) = code
    val due = predicatesAt(level)
    val bits = domain(level).bits
    var ok = bits == null || (bits(code >>> 6) >>> code & 1L) != 0L
    var i = 0
    while (ok && i < due.length) {
      ok = due(i).accepts(binding)
      i += 1
    }
    ok
  }

  /** Product of the multiplicities of the edges within levels `0 until levelsBound`. */
  def weight(levelsBound: Int): Long = {
    var product = 1L
    if (isWeighted) {
      var level = 0
      while (level < levelsBound) {
        if (weighs(level)) product = Math.multiplyExact(product, ownWeight(level))
        level += 1
      }
    }
    product
  }

  /** The part of the weight that binding `level` brings. */
  def ownWeight(level: Int): Long = {
    val l = levels(level)
    var product = 1L
    var i = 0
    while (i < l.listCount) {
      val m = multiplicity(lists(level)(i), codes(l.listLevel(i)), codes(level))
      product = multiplyPower(product, m, l.listRepeat(i))
      i += 1
    }
    i = 0
    while (i < l.loopRelation.length) {
      val m = multiplicity(loops(level)(i), codes(level), codes(level))
      product = multiplyPower(product, m, l.loopRepeat(i))
      i += 1
    }
    product
  }

  private def multiplyPower(product: Long, factor: Int, power: Int): Long = {
    var result = product
    var i = 0
    while (i < power) {
      result = Math.multiplyExact(result, factor.toLong)
      i += 1
    }
    result
  }

  /** Whether the list of `from` has `to`. */
  def has(a: Adjacency, from: Int, to: Int): Boolean =
    GallopingSearch.find(a.array(from), a.from(from), a.until(from), to) >= 0

  /** How often the list of `from` has `to`; 0 if not at all. */
  private def multiplicity(a: Adjacency, from: Int, to: Int): Int = {
    val at = GallopingSearch.find(a.array(from), a.from(from), a.until(from), to)
    if (at < 0) 0
    else {
      val mult = a.multiplicities(from)
      if (mult == null) 1 else mult(at)
    }
  }
}
