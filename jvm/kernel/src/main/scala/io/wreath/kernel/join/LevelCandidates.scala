package io.wreath.kernel.join

import io.wreath.kernel.intersect.{Intersection, NeighbourhoodMarks}
import io.wreath.kernel.lists.{GallopingSearch, Pieces}

/**
 * The candidates of each level under a binding of the levels before it, by intersecting neighbour
 * lists: written down by [[fill]], or only counted.
 *
 * A level's lists come from earlier levels, and all but those of the one that was bound last stay the
 * same while that one loops. So the others are intersected once and marked ("the stable set"), and the
 * last list probes the marks. For a triangle a, b, c this marks N(a) once and probes it with N(b)
 * for every b. Where all lists of a level change at once, the shortest ones are intersected first.
 *
 * Requires: [[touch]] for every new binding of a level, and [[touchSeed]] for every seed, before a later
 * level is asked for; [[release]] before another instance uses the scratch.
 * Cost: per binding of the levels before it, a level reads its last list once, or searches it
 * if the stable set is shorter by [[Intersection.GallopRatio]]; memory is that of the scratch, which
 * grows to the longest intersections.
 * Not thread-safe.
 *
 * @param seeds what other programs have found in the lists of the same seed
 */
final private[join] class LevelCandidates(state: JoinState, seeds: SeedSets) {
  private[this] val levels = state.levels
  private[this] val lists = state.lists
  private[this] val levelCount = state.levelCount
  private[this] val free = state.seedLevels
  private[this] val scratch = state.scratch
  private[this] val read = state.read

  /** The candidates of each level: elements of an array or, where null, the positions themselves. */
  val candidates: Array[Array[Int]] = new Array[Array[Int]](levelCount)

  /** Where the candidates of a level begin; whoever goes through them moves it on. */
  val position: Array[Int] = new Array[Int](levelCount)
  val end: Array[Int] = new Array[Int](levelCount)

  /** By level, the level with which its last list changes; those of a seed change at once. */
  private[this] val changesWith: Array[Int] =
    levels.map(l => if (l.listCount == 0) -1 else Math.max(l.listLevel.last, free - 1))

  /** By level, how many of its lists change less often than the last. */
  private[this] val stableCount: Array[Int] = levels.indices.map { l =>
    levels(l).listLevel.count(by => Math.max(by, free - 1) < changesWith(l))
  }.toArray

  /** By level, the level with which the lists that change less often do change. */
  private[this] val stableBy: Array[Int] =
    levels.indices.map(l =>
      if (stableCount(l) == 0) -1 else levels(l).listLevel(stableCount(l) - 1)).toArray

  /** By level, how many of its lists come from the seed. */
  private[this] val seedLists: Array[Int] = levels.map(_.listLevel.count(_ < free))

  // Where lists stay while the level before loops: what they have in common, and since when.
  private[this] val filledStamp = Array.fill(levelCount)(-1L)
  private[this] val filled = new Array[Array[Int]](levelCount)
  private[this] val filledEnd = new Array[Int](levelCount)

  // The stable set of each level, valid for one binding of the level it changes with: one of its own,
  // or one that other programs share.
  private[this] val ownSets: Array[StableSet] =
    Array.tabulate(levelCount)(new StableSet(scratch, _, state.tuning.marks))
  private[this] val stable = ownSets.clone()
  private[this] val stableStamp = Array.fill(levelCount)(-1L)

  private[this] val slices = new SliceIntersection(
    levels.map(_.listCount).max,
    scratch,
    levelCount,
    state.tuning.marks)
  attach()

  // Each binding of a level gets a new stamp; what was computed for it remembers the stamp.
  private[this] val stamps = new Array[Long](levelCount)
  private[this] var clock = 0L
  private[this] var firstStays = false

  // The list that was looked up last.
  private[this] var list = Array.emptyIntArray
  private[this] var from = 0
  private[this] var until = 0
  private[this] var openBound = 0

  /** Takes up the lists and codes that the state has been given. */
  def attach(): Unit = {
    release()
    var most = 0
    var level = 0
    while (level < levelCount) {
      most = Math.max(most, state.domain(level).size)
      ownSets(level).over(state.domain(level).size)
      level += 1
    }
    slices.over(most)
  }

  /** Says that `level` has a new binding. */
  def touch(level: Int): Unit = {
    clock += 1
    stamps(level) = clock
  }

  /**
   * Says that the levels of the seed have a new binding.
   *
   * @param comesAgain whether the next seed will have the first of them bound alike
   */
  def touchSeed(comesAgain: Boolean): Unit = {
    clock += 1
    firstStays = comesAgain
    var level = 0
    while (level < free) {
      stamps(level) = clock
      level += 1
    }
  }

  /** Names the current binding of `level`, and with it those of the levels before; 0 of none. */
  def stamp(level: Int): Long = if (level < 0) 0L else stamps(level)

  /** Leaves the scratch without marks. */
  def release(): Unit = {
    slices.release()
    var level = free
    while (level < levelCount) {
      ownSets(level).release()
      stableStamp(level) = -1L
      filledStamp(level) = -1L
      level += 1
    }
  }

  /** Computes the candidates of `level` that its lists and its bounds by levels before it leave. */
  def fill(level: Int): Unit = fill(level, level)

  /** [[fill]] with bounds by the levels before `bound` alone. */
  def fill(level: Int, bound: Int): Unit = {
    val count = levels(level).listCount
    if (count == 0) {
      candidates(level) = null
      position(level) = state.lowerBound(level, bound)
      end(level) = state.upperBound(level, bound)
    } else {
      if (count == 1) lookUpLast(level, bound)
      else if (isShared(level)) lookUpShared(level, bound)
      else if (changesWith(level) < level - 1) lookUpOnce(level, bound)
      else intersect(level, bound)
      candidates(level) = list
      position(level) = from
      end(level) = until
    }
  }

  /**
   * How many candidates [[fill]] would find that differ from what `<>` forbids; all comparisons
   * with levels before `bound` alone. The level has lists, and nothing else is asked of it.
   */
  def count(level: Int, bound: Int): Int = {
    if (isShared(level)) {
      lookUpShared(level, bound)
      val n = countFound(level)
      if (n == 0) 0 else n - countExcludedOf(level, bound)
    } else if (stableCount(level) == 0 && levels(level).listCount > 1) {
      val n = countFresh(level, bound)
      if (n == 0 || !levels(level).isSkipping) n
      else {
        lookUpLast(level, bound)
        n - countExcluded(level, bound)
      }
    } else {
      open(level, bound)
      val n = countOpened(level)
      if (n == 0) 0 else n - countExcluded(level, bound)
    }
  }

  /** How many codes the lists of `level`, which all change at once, have in common. */
  private def countFresh(level: Int, bound: Int): Int = {
    gather(level, 0, levels(level).listCount, bound)
    if (state.domain(level).bits == null) slices.count(2 * level)
    else {
      from = 0
      until = slices.into(2 * level)
      list = slices.result
      countFound(level)
    }
  }

  /** How many distinct codes that `level` must differ from would be candidates else. */
  private def countExcluded(level: Int, bound: Int): Int = {
    val notEqual = levels(level).notEqualLevel
    var n = 0
    var i = 0
    while (i < notEqual.length) {
      if (state.isFirstOfEquals(notEqual, i, bound) && excludes(level, notEqual(i))) n += 1
      i += 1
    }
    n
  }

  /** [[countExcluded]] among the candidates that were looked up. */
  private def countExcludedOf(level: Int, bound: Int): Int = {
    val notEqual = levels(level).notEqualLevel
    var n = 0
    var i = 0
    while (i < notEqual.length) {
      val code = state.codes(notEqual(i))
      if (state.isFirstOfEquals(notEqual, i, bound) && state.domain(level).has(code) &&
        GallopingSearch.find(list, from, until, code) >= 0) n += 1
      i += 1
    }
    n
  }

  /** Whether other programs have all lists of `level` in common with this one. */
  private def isShared(level: Int): Boolean =
    seeds.at(level) >= 0 && seedLists(level) == levels(level).listCount &&
      !(state.isCut && level == free)

  private def lookUpShared(level: Int, bound: Int): Unit = {
    val set = seeds.sets.made(seeds.at(level))
    list = set.array
    from = set.from
    until = set.until
    narrow(level, bound)
  }

  /** Looks up list `i` of `level`. */
  private def lookUp(level: Int, i: Int): Unit = {
    val of = state.codes(levels(level).listLevel(i))
    val adjacency = lists(level)(i)
    list = adjacency.array(of)
    from = adjacency.from(of)
    until = adjacency.until(of)
  }

  private def lookUpLast(level: Int, bound: Int): Unit = {
    lookUp(level, levels(level).listCount - 1)
    narrow(level, bound)
  }

  /** Leaves of what was looked up what the bounds of `level` admit. */
  private def narrow(level: Int, bound: Int): Unit =
    if (state.isBounded(level)) {
      from = GallopingSearch.lowerBound(list, from, until, state.lowerBound(level, bound))
      until = GallopingSearch.lowerBound(list, from, until, state.upperBound(level, bound))
    }

  /**
   * [[intersect]] for a level whose lists stay while the level before it loops: they are intersected
   * once, and bounds by later levels cut the result. In a diamond, `c < d` in N(a) and N(b) are so.
   */
  private def lookUpOnce(level: Int, bound: Int): Unit = {
    val by = changesWith(level)
    if (filledStamp(level) != stamps(by)) {
      filledStamp(level) = stamps(by)
      intersect(level, Math.min(bound, by + 1))
      filled(level) = list
      filledEnd(level) = until
    }
    list = filled(level)
    from = 0
    until = filledEnd(level)
    narrow(level, bound)
  }

  /** Looks up what the lists of a level with two or more have in common. */
  private def intersect(level: Int, bound: Int): Unit = {
    val count = levels(level).listCount
    val steady = stableCount(level)
    var n = 0
    var out = list
    if (steady == 0) {
      gather(level, 0, count, bound)
      n = slices.into(2 * level)
      out = slices.result
    } else {
      makeStable(level)
      lookUpLast(level, bound)
      if (from < until) {
        val set = stable(level)
        out = scratch.buffer(2 * level, Math.min(set.size, until - from) + 1)
        n = set.into(list, from, until, out)
        var i = count - 2
        while (n > 0 && i >= steady) {
          lookUp(level, i)
          read.add(SliceIntersection.elementsRead(n, until - from))
          n = Intersection.into(out, 0, n, list, from, until, out, read)
          i -= 1
        }
      }
    }
    list = out
    from = 0
    until = n
  }

  /** Takes up lists `begin until end` of `level`, narrowed where there is a bound. */
  private def gather(level: Int, begin: Int, end: Int, bound: Int): Unit = {
    slices.clear()
    var i = begin
    while (i < end) {
      lookUp(level, i)
      if (bound >= 0) narrow(level, bound)
      slices.add(list, from, until, firstStays && levels(level).listLevel(i) == 0)
      i += 1
    }
  }

  /** Brings the stable set of `level`, which has lists that stay, up to date. */
  private def makeStable(level: Int): Unit = {
    val stamp = stamps(stableBy(level))
    if (stableStamp(level) != stamp) {
      stableStamp(level) = stamp
      val own = ownSets(level)
      own.release()
      stable(level) = own
      val count = stableCount(level)
      val ofSeed = if (seeds.at(level) >= 0) seedLists(level) else 0
      if (ofSeed > 0) {
        val shared = seeds.sets.made(seeds.at(level))
        if (ofSeed == count && state.domain(level).bits == null) stable(level) = shared
        else meet(level, shared, ofSeed, count)
      } else if (count == 1) {
        lookUp(level, 0)
        own.become(list, from, until)
      } else {
        gather(level, 0, count, -1)
        val n = slices.into(2 * level + 1)
        own.become(slices.result, 0, n)
      }
      if (state.domain(level).bits != null) confineStable(level)
    }
  }

  /** Makes the stable set of `level` of a shared one and the lists `begin until end`. */
  private def meet(level: Int, shared: StableSet, begin: Int, end: Int): Unit = {
    val out = scratch.buffer(2 * level + 1, shared.size + 1)
    var n = 0
    if (begin == end) {
      n = shared.size
      System.arraycopy(shared.array, shared.from, out, 0, n)
    } else {
      lookUp(level, begin)
      n = shared.into(list, from, until, out)
    }
    var i = begin + 1
    while (n > 0 && i < end) {
      lookUp(level, i)
      read.add(SliceIntersection.elementsRead(n, until - from))
      n = Intersection.into(out, 0, n, list, from, until, out, read)
      i += 1
    }
    ownSets(level).become(out, 0, n)
  }

  /** Leaves out of the stable set what the bits of the domain exclude. */
  private def confineStable(level: Int): Unit = {
    val bits = state.domain(level).bits
    val own = ownSets(level)
    val set = own.array
    val out = scratch.buffer(2 * level + 1, own.size + 1)
    var n = 0
    var i = own.from
    while (i < own.until) {
      if (Pieces.isStart(i)) read.look()
      val code = set(i)
      out(n) = code
      n += (bits(code >>> 6) >>> code & 1L).toInt
      i += 1
    }
    own.become(out, 0, n)
  }

  /**
   * Counts a level and the one before it in one loop: the sum, over the candidates of
   * `level - 1`, of what `polynomial` makes of the number of candidates of `level`. The last list of
   * `level` hangs off `level - 1`, no other does, and nothing but bounds is asked of either.
   */
  def countLists(
      level: Int,
      polynomial: OrderPolynomial,
      lowShift: Int,
      highShift: Int): Long = {
    val before = level - 1
    if (position(before) >= end(before)) 0L
    else {
      makeStable(level)
      val set = stable(level)
      if (set.isEmpty) 0L
      else {
        NeighbourhoodMarks.countLists(
          set.marked(),
          set.array,
          set.from,
          set.until,
          lists(level)(levels(level).listCount - 1),
          candidates(before),
          position(before),
          end(before),
          state.domain(level).size,
          state.isBounded(level),
          state.lowerBound(level, before),
          state.upperBound(level, before),
          lowShift,
          highShift,
          if (polynomial.isIdentity) null else polynomial,
          read)
      }
    }
  }

  /** Whether [[countLists]] has marks for the codes of `level`. */
  def hasMarks(level: Int): Boolean =
    state.tuning.marks != Use.Never && scratch.hasMarksFor(state.domain(level).size)

  /** Takes up `level`, which has lists and asks for nothing else, for the calls that follow. */
  def open(level: Int, bound: Int): Unit = {
    if (stableCount(level) > 0) makeStable(level)
    openBound = bound
    lookUpLast(level, bound)
  }

  /** How many candidates the opened level has, apart from `<>`. */
  private def countOpened(level: Int): Int =
    if (from == until) 0
    else if (levels(level).listCount == 1) countFound(level)
    else if (stableCount(level) == levels(level).listCount - 1) {
      stable(level).count(list, from, until)
    } else {
      intersect(level, openBound)
      val n = countFound(level)
      lookUpLast(level, openBound)
      n
    }

  /** How many codes of what was looked up the domain of `level` has. */
  private def countFound(level: Int): Int =
    if (state.domain(level).bits == null) until - from
    else {
      read.add(until - from)
      NeighbourhoodMarks.countBits(state.domain(level).bits, list, from, until, read)
    }

  /** How many of `elements(0) until elements(n)`, which are marked in `set`, are in its last list. */
  def countInLast(elements: Array[Int], n: Int, set: Array[Byte]): Int =
    if (n == 0 || from == until) 0
    else if (Intersection.worthGalloping(n, until - from)) {
      read.searched(n)
      Intersection.gallopCount(elements, 0, n, list, from, until, read)
    } else {
      read.add(until - from)
      NeighbourhoodMarks.count(set, list, from, until, read)
    }

  /** Whether all lists of the opened level but the last have `code`. */
  private def isStable(level: Int, code: Int): Boolean = {
    val steady = stableCount(level)
    var ok = steady == 0 || stable(level).has(code)
    var i = steady
    while (ok && i < levels(level).listCount - 1) {
      ok = state.has(lists(level)(i), state.codes(levels(level).listLevel(i)), code)
      i += 1
    }
    ok
  }

  /** Whether `code` is a candidate of the opened level, apart from `<>`. */
  def isOpened(level: Int, code: Int): Boolean =
    GallopingSearch.find(list, from, until, code) >= 0 && isStable(level, code) &&
      state.domain(level).has(code)

  /** Whether what `by` is bound to would be a candidate of the opened level but for `<>`. */
  def excludes(level: Int, by: Int): Boolean =
    state.isSurelyCandidate(level, by) || isOpened(level, state.codes(by))
}
