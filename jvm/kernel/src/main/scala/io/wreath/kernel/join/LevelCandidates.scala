package io.wreath.kernel.join

import io.wreath.kernel.intersect.{GallopingSearch, Intersection, NeighbourhoodMarks}

/**
 * The candidates of each level under a binding of the levels before it, by intersecting neighbour
 * lists: written down by [[fill]], or only counted.
 *
 * A level's lists come from earlier levels, and all but the one that was bound last stay the same
 * while that one loops. So the others are intersected once and marked ("the stable set"), and the
 * last list probes the marks. For a triangle a, b, c this marks N(a) once and probes it with N(b)
 * for every b.
 *
 * Requires: [[touch]] for every new binding of a level, before a later level is asked for.
 * Cost: per binding of the levels before it, a level reads its last list once, or searches it
 * if the stable set is shorter by [[Intersection.GallopRatio]]; no allocation after construction.
 * Not thread-safe.
 */
final private[join] class LevelCandidates(state: JoinState) {
  private[this] val levels = state.levels
  private[this] val lists = state.lists
  private[this] val levelCount = state.levelCount

  /** The candidates of each level: elements of an array or, where null, the positions themselves. */
  val candidates: Array[Array[Int]] = new Array[Array[Int]](levelCount)

  /** Where the candidates of a level begin; whoever goes through them moves it on. */
  val position: Array[Int] = new Array[Int](levelCount)
  val end: Array[Int] = new Array[Int](levelCount)

  private[this] val buffers: Array[Array[Int]] = levels.indices.map { l =>
    if (lists(l).length < 2) null else new Array[Int](lists(l).map(_.maxDegree).min + 1)
  }.toArray

  // Where lists stay while the level before loops: what they have in common, and since when.
  private[this] val filledStamp = Array.fill(levelCount)(-1L)
  private[this] val filledEnd = new Array[Int](levelCount)

  // The stable set of each level, valid for one binding of the level it changes with.
  private[this] val stable = new Array[Array[Int]](levelCount)
  private[this] val stableFrom = new Array[Int](levelCount)
  private[this] val stableUntil = new Array[Int](levelCount)
  private[this] val stableStamp = new Array[Long](levelCount)
  // Of three lists or more the first two are intersected; what the domain excludes is left out.
  private[this] val stableBuffers: Array[Array[Int]] = levels.indices.map { l =>
    val written = lists(l).take(if (lists(l).length < 3) 1 else 2).map(_.maxDegree)
    if (lists(l).length < 2 || (lists(l).length == 2 && state.domain(l).bits == null)) null
    else new Array[Int](written.min + 1)
  }.toArray
  private[this] val marks: Array[Array[Byte]] = levels.indices.map { l =>
    if (lists(l).length < 2) null else new Array[Byte](state.domain(l).size)
  }.toArray
  private[this] val isMarked = new Array[Boolean](levelCount)

  // Each binding of a level gets a new stamp; what was computed for it remembers the stamp.
  private[this] val stamps = new Array[Long](levelCount)
  private[this] var clock = 0L

  // The part of a level's last list that its bounds leave.
  private[this] var list = Array.emptyIntArray
  private[this] var from = 0
  private[this] var until = 0

  /** Says that `level` has a new binding. */
  def touch(level: Int): Unit = {
    clock += 1
    stamps(level) = clock
  }

  /** Names the current binding of `level`, and with it those of the levels before; 0 of none. */
  def stamp(level: Int): Long = if (level < 0) 0L else stamps(level)

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
      if (count > 1 && levels(level).listLevel(count - 1) < level - 1) fillOnce(level, bound)
      else {
        narrowLast(level, bound)
        if (count == 1) {
          candidates(level) = list
          position(level) = from
          end(level) = until
        } else {
          candidates(level) = buffers(level)
          position(level) = 0
          end(level) = if (from == until) 0 else intersect(level)
        }
      }
    }
  }

  /**
   * [[fill]] for a level whose lists stay while the level before it loops: they are intersected once,
   * and bounds by later levels cut the result. In a diamond, `c < d` in N(a) and N(b) are so.
   */
  private def fillOnce(level: Int, bound: Int): Unit = {
    val l = levels(level)
    val by = l.listLevel(l.listCount - 1)
    if (filledStamp(level) != stamps(by)) {
      filledStamp(level) = stamps(by)
      narrowLast(level, Math.min(bound, by + 1))
      filledEnd(level) = if (from == until) 0 else intersect(level)
    }
    val out = buffers(level)
    candidates(level) = out
    position(level) = 0
    end(level) = filledEnd(level)
    if (state.isBounded(level)) {
      position(level) =
        GallopingSearch.lowerBound(out, 0, end(level), state.lowerBound(level, bound))
      end(level) =
        GallopingSearch.lowerBound(
          out,
          position(level),
          end(level),
          state.upperBound(level, bound))
    }
  }

  /**
   * How many candidates [[fill]] would find that differ from what `<>` forbids; all comparisons
   * with levels before `bound` alone. The level has lists, and nothing else is asked of it.
   */
  def count(level: Int, bound: Int): Int = {
    narrowLast(level, bound)
    if (from == until) 0
    else {
      val n = countOpened(level)
      if (n == 0) 0 else n - countExcluded(level, bound)
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

  private def narrowLast(level: Int, bound: Int): Unit = {
    val l = levels(level)
    val of = state.codes(l.listLevel(l.listCount - 1))
    val adjacency = lists(level)(l.listCount - 1)
    list = adjacency.array(of)
    from = adjacency.from(of)
    until = adjacency.until(of)
    if (state.isBounded(level)) {
      from = GallopingSearch.lowerBound(list, from, until, state.lowerBound(level, bound))
      until = GallopingSearch.lowerBound(list, from, until, state.upperBound(level, bound))
    }
  }

  /** Writes the candidates of a level with two lists or more to its buffer. */
  private def intersect(level: Int): Int = {
    makeStable(level)
    val set = stable(level)
    val setFrom = stableFrom(level)
    val setUntil = stableUntil(level)
    val out = buffers(level)
    if (setFrom == setUntil) 0
    else if (searches(setUntil - setFrom, until - from)) {
      state.read.searched(setUntil - setFrom)
      Intersection.gallopInto(set, setFrom, setUntil, list, from, until, out)
    } else {
      state.read.add(until - from)
      if (state.tuning.marks == Use.Never) {
        Intersection.into(set, setFrom, setUntil, list, from, until, out)
      } else {
        markStable(level)
        NeighbourhoodMarks.into(marks(level), list, from, until, out)
      }
    }
  }

  /** [[intersect]] without writing the elements down. */
  private def countIntersection(level: Int): Int = {
    makeStable(level)
    val set = stable(level)
    val setFrom = stableFrom(level)
    val setUntil = stableUntil(level)
    if (setFrom == setUntil) 0
    else if (searches(setUntil - setFrom, until - from)) {
      state.read.searched(setUntil - setFrom)
      Intersection.gallopCount(set, setFrom, setUntil, list, from, until)
    } else {
      state.read.add(until - from)
      if (state.tuning.marks == Use.Never) {
        Intersection.count(set, setFrom, setUntil, list, from, until)
      } else {
        markStable(level)
        NeighbourhoodMarks.count(marks(level), list, from, until)
      }
    }
  }

  private def searches(stableLength: Int, listLength: Int): Boolean =
    state.tuning.marks != Use.Always && Intersection.worthGalloping(stableLength, listLength)

  /** Brings the stable set of `level`, which has two lists or more, up to date. */
  private def makeStable(level: Int): Unit = {
    val l = levels(level)
    val count = l.listCount - 1
    val stamp = stamps(l.listLevel(count - 1))
    if (stableStamp(level) != stamp) {
      unmarkStable(level)
      stableStamp(level) = stamp
      val first = lists(level)(0)
      val of = state.codes(l.listLevel(0))
      stable(level) = first.array(of)
      stableFrom(level) = first.from(of)
      stableUntil(level) = first.until(of)
      var i = 1
      while (i < count) {
        val adjacency = lists(level)(i)
        val v = state.codes(l.listLevel(i))
        state.read.add(adjacency.degree(v))
        val n = Intersection.into(
          stable(level),
          stableFrom(level),
          stableUntil(level),
          adjacency.array(v),
          adjacency.from(v),
          adjacency.until(v),
          stableBuffers(level))
        stable(level) = stableBuffers(level)
        stableFrom(level) = 0
        stableUntil(level) = n
        i += 1
      }
      if (state.domain(level).bits != null) confineStable(level)
    }
  }

  /** Leaves out of the stable set what the bits of the domain exclude. */
  private def confineStable(level: Int): Unit = {
    val bits = state.domain(level).bits
    val set = stable(level)
    val out = stableBuffers(level)
    var n = 0
    var i = stableFrom(level)
    while (i < stableUntil(level)) {
      val code = set(i)
      out(n) = code
      n += (bits(code >>> 6) >>> code & 1L).toInt
      i += 1
    }
    stable(level) = out
    stableFrom(level) = 0
    stableUntil(level) = n
  }

  private def markStable(level: Int): Unit =
    if (!isMarked(level)) {
      state.read.add(stableUntil(level) - stableFrom(level))
      NeighbourhoodMarks.mark(marks(level), stable(level), stableFrom(level), stableUntil(level))
      isMarked(level) = true
    }

  private def unmarkStable(level: Int): Unit =
    if (isMarked(level)) {
      NeighbourhoodMarks.clear(marks(level), stable(level), stableFrom(level), stableUntil(level))
      isMarked(level) = false
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
      if (stableFrom(level) >= stableUntil(level)) 0L
      else {
        markStable(level)
        NeighbourhoodMarks.countLists(
          marks(level),
          stable(level),
          stableFrom(level),
          stableUntil(level),
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
          state.read)
      }
    }
  }

  /** Takes up `level`, which has lists and asks for nothing else, for the calls that follow. */
  def open(level: Int, bound: Int): Unit = {
    narrowLast(level, bound)
    if (levels(level).listCount > 1) makeStable(level)
  }

  /** How many candidates the opened level has, apart from `<>`. */
  def countOpened(level: Int): Int =
    if (from == until) 0
    else if (levels(level).listCount > 1) countIntersection(level)
    else if (state.domain(level).bits == null) until - from
    else {
      state.read.add(until - from)
      NeighbourhoodMarks.countBits(state.domain(level).bits, list, from, until)
    }

  /** How many of `elements(0) until elements(n)`, which are marked in `set`, are in its last list. */
  def countInLast(elements: Array[Int], n: Int, set: Array[Byte]): Int =
    if (n == 0 || from == until) 0
    else if (Intersection.worthGalloping(n, until - from)) {
      state.read.searched(n)
      Intersection.gallopCount(elements, 0, n, list, from, until)
    } else {
      state.read.add(until - from)
      NeighbourhoodMarks.count(set, list, from, until)
    }

  /** Whether all lists of the opened level but the last have `code`. */
  def isStable(level: Int, code: Int): Boolean =
    levels(level).listCount == 1 ||
      (if (isMarked(level)) code < marks(level).length && marks(level)(code) != 0
       else
         GallopingSearch.find(
           stable(level),
           stableFrom(level),
           stableUntil(level),
           code) >= 0)

  /** Whether `code` is a candidate of the opened level, apart from `<>`. */
  def isOpened(level: Int, code: Int): Boolean =
    isStable(level, code) && GallopingSearch.find(list, from, until, code) >= 0 &&
      state.domain(level).has(code)

  /** Whether what `by` is bound to would be a candidate of the opened level but for `<>`. */
  def excludes(level: Int, by: Int): Boolean =
    state.isSurelyCandidate(level, by) || isOpened(level, state.codes(by))
}
