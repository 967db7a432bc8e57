package io.wreath.kernel.join

import io.wreath.kernel.intersect.{GallopingSearch, Intersection, NeighbourhoodMarks}

/**
 * Binds levels 1 and up under a given binding of level 0, by intersecting neighbour lists.
 *
 * A level's lists come from earlier levels, and all but the one that was bound last stay the same
 * while that one loops. So the others are intersected once and marked ("the stable set"), and the
 * last list probes the marks. For a triangle a, b, c this marks N(a) once and probes it with N(b)
 * for every b. The candidates of a level are kept in a buffer of their own, which makes [[next]]
 * resumable at any point in constant memory.
 *
 * Requires: level 0 of `state` bound before [[start]] or [[count]].
 * Cost: per binding of the levels before it, a level reads its last list once, or searches it
 * if the stable set is shorter by [[Intersection.GallopRatio]]; no allocation after construction.
 * Not thread-safe.
 */
final private[join] class ListLevels(state: JoinState) {
  private[this] val levels = state.levels
  private[this] val lists = state.lists
  private[this] val last = state.levelCount - 1

  // The candidates of each level: elements of an array or, for a scan, the positions themselves.
  private[this] val candidates = new Array[Array[Int]](last + 1)
  private[this] val position = new Array[Int](last + 1)
  private[this] val end = new Array[Int](last + 1)
  private[this] val buffers: Array[Array[Int]] = levels.indices.map { l =>
    if (lists(l).length < 2) null else new Array[Int](lists(l).map(_.maxDegree).min + 1)
  }.toArray

  // The stable set of each level, valid for one binding of the level it changes with.
  private[this] val stable = new Array[Array[Int]](last + 1)
  private[this] val stableFrom = new Array[Int](last + 1)
  private[this] val stableUntil = new Array[Int](last + 1)
  private[this] val stableStamp = new Array[Long](last + 1)
  private[this] val stableBuffers: Array[Array[Int]] = levels.indices.map { l =>
    // Sized by the first two lists, for their intersection is the largest that is written.
    if (lists(l).length < 3) null else new Array[Int](lists(l).take(2).map(_.maxDegree).min + 1)
  }.toArray
  private[this] val marks: Array[Array[Byte]] = levels.indices.map { l =>
    if (lists(l).length < 2) null else new Array[Byte](state.domain(l).size)
  }.toArray
  private[this] val isMarked = new Array[Boolean](last + 1)

  // Each binding of a level gets a new stamp; a stable set remembers the one it was made for.
  private[this] val stamps = new Array[Long](last + 1)
  private[this] var clock = 0L

  private[this] var depth = 0

  /** Whether counting can end with [[NeighbourhoodMarks.countLists]]: nothing to check or weigh. */
  private[this] val countsPairs = last >= 2 && state.tuning.marks != Use.Never && {
    val l = levels(last)
    lists(last - 1).length > 0 && state.isPlain(last - 1) && !levels(last - 1).isSkipping &&
    l.listCount >= 2 && l.listLevel(l.listCount - 1) == last - 1 &&
    l.listLevel(l.listCount - 2) < last - 1 && !l.isSkipping && !state.isWeighted
  }

  // How the last level is bounded by the one before it.
  private[this] val lowShift =
    levels(last).lowerShiftBy(last - 1).getOrElse(NeighbourhoodMarks.NoShift)
  private[this] val highShift =
    levels(last).upperShiftBy(last - 1).getOrElse(NeighbourhoodMarks.NoShift)

  /** Takes the current binding of level 0 as the prefix of all that follows. */
  def start(): Unit = {
    touchFirst()
    depth = 1
    fill(1)
  }

  /** Advances to the next binding of all levels. */
  def next(): Boolean = advance(last)

  // Candidates of the last level that had to be checked one by one.
  private[this] var checked = Array.emptyIntArray

  /**
   * Advances to the next binding of all levels but the last, of which there must be two or more,
   * and fills the last. Not to be mixed with [[next]] under one binding of level 0.
   */
  def nextPrefix(): Boolean = {
    val more = advance(last - 1)
    if (more) fill(last)
    more
  }

  /** What the last level can be bound to under the current prefix; maybe nothing. */
  def takeRun(run: BindingRun): Unit =
    if (state.isPlain(last) && !levels(last).isSkipping && candidates(last) != null) {
      run.set(candidates(last), position(last), end(last))
    } else checkInto(run)

  private def checkInto(run: BindingRun): Unit = {
    if (checked.length < end(last) - position(last)) {
      checked = new Array[Int](Math.max(end(last) - position(last), 2 * checked.length))
    }
    var n = 0
    while (step(last)) {
      checked(n) = state.codes(last)
      n += 1
    }
    run.set(checked, 0, n)
  }

  /** Rows under the current binding of level 0. */
  def count(): Long =
    if (!state.isPlain(last)) countOneByOne()
    else {
      touchFirst()
      if (last == 1) Math.multiplyExact(countLast(), state.weight(1))
      else if (last == 2) countLastTwo()
      else {
        var total = 0L
        depth = 1
        fill(1)
        while (advance(last - 2)) {
          total = Math.addExact(total, countLastTwo())
        }
        total
      }
    }

  private def countOneByOne(): Long = {
    var total = 0L
    start()
    while (advance(last)) total = Math.addExact(total, state.weight(last + 1))
    total
  }

  private def touchFirst(): Unit = {
    clock += 1
    stamps(0) = clock
  }

  /** Advances to the next binding of levels 1 to `target`; `depth` is where it resumes. */
  private def advance(target: Int): Boolean = {
    var level = Math.min(depth, target)
    while (level > 0) {
      if (!step(level)) level -= 1
      else if (level == target) {
        depth = level
        return true
      } else {
        level += 1
        fill(level)
      }
    }
    depth = 0
    false
  }

  /** Binds `level` to its next candidate that passes all checks. */
  private def step(level: Int): Boolean = {
    val from = candidates(level)
    val until = end(level)
    var i = position(level)
    var found = false
    while (!found && i < until) {
      val code = if (from == null) i else from(i)
      i += 1
      found = state.accepts(level, code) && state.bind(level, code)
    }
    position(level) = i
    clock += 1
    stamps(level) = clock
    found
  }

  /** Computes the candidates of `level` under the current binding of the levels before it. */
  private def fill(level: Int): Unit = {
    val l = levels(level)
    val count = l.listCount
    val low = state.lowerBound(level, level)
    val high = state.upperBound(level, level)
    if (count == 0) {
      candidates(level) = null
      position(level) = low
      end(level) = high
    } else {
      val of = state.codes(l.listLevel(count - 1))
      val adjacency = lists(level)(count - 1)
      val list = adjacency.array(of)
      var from = adjacency.from(of)
      var until = adjacency.until(of)
      if (state.isBounded(level)) {
        from = GallopingSearch.lowerBound(list, from, until, low)
        until = GallopingSearch.lowerBound(list, from, until, high)
      }
      if (count == 1) {
        candidates(level) = list
        position(level) = from
        end(level) = until
      } else {
        candidates(level) = buffers(level)
        position(level) = 0
        end(level) = if (from == until) 0 else intersect(level, list, from, until)
      }
    }
  }

  private def intersect(level: Int, list: Array[Int], from: Int, until: Int): Int = {
    makeStable(level)
    val set = stable(level)
    val setFrom = stableFrom(level)
    val setUntil = stableUntil(level)
    val out = buffers(level)
    if (setFrom == setUntil) 0
    else if (searches(setUntil - setFrom, until - from)) {
      state.read.elements += setUntil - setFrom
      Intersection.gallopInto(set, setFrom, setUntil, list, from, until, out)
    } else {
      state.read.elements += until - from
      if (state.tuning.marks == Use.Never) {
        Intersection.into(set, setFrom, setUntil, list, from, until, out)
      } else {
        markStable(level)
        NeighbourhoodMarks.into(marks(level), list, from, until, out)
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
        state.read.elements += adjacency.degree(v)
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
    }
  }

  private def markStable(level: Int): Unit =
    if (!isMarked(level)) {
      state.read.elements += stableUntil(level) - stableFrom(level)
      NeighbourhoodMarks.mark(marks(level), stable(level), stableFrom(level), stableUntil(level))
      isMarked(level) = true
    }

  private def unmarkStable(level: Int): Unit =
    if (isMarked(level)) {
      NeighbourhoodMarks.clear(marks(level), stable(level), stableFrom(level), stableUntil(level))
      isMarked(level) = false
    }

  /** Counts the last two levels under the current binding of the levels before them. */
  private def countLastTwo(): Long = {
    val level = last - 1
    fill(level)
    var total = 0L
    if (!countsPairs) {
      while (step(level)) {
        total = Math.addExact(total, Math.multiplyExact(countLast(), state.weight(last)))
      }
    } else if (position(level) < end(level)) {
      makeStable(last)
      if (stableFrom(last) < stableUntil(last)) {
        markStable(last)
        total = NeighbourhoodMarks.countLists(
          marks(last),
          stable(last),
          stableFrom(last),
          stableUntil(last),
          lists(last)(levels(last).listCount - 1),
          candidates(level),
          position(level),
          end(level),
          state.domain(last).size,
          state.isBounded(last),
          state.lowerBound(last, level),
          state.upperBound(last, level),
          lowShift,
          highShift,
          state.read)
      }
    }
    depth = last - 2
    total
  }

  /** How many candidates the last level, which is plain, has under the current binding. */
  private def countLast(): Long = {
    val l = levels(last)
    val of = state.codes(l.listLevel(l.listCount - 1))
    val adjacency = lists(last)(l.listCount - 1)
    val list = adjacency.array(of)
    var from = adjacency.from(of)
    var until = adjacency.until(of)
    if (state.isBounded(last)) {
      from = GallopingSearch.lowerBound(list, from, until, state.lowerBound(last, last))
      until =
        GallopingSearch.lowerBound(
          list,
          from,
          until,
          state.upperBound(last, last))
    }
    if (from == until) 0L
    else if (l.listCount == 1) {
      (until - from - (if (l.isSkipping) countExcluded(list, from, until) else 0)).toLong
    } else if (l.isSkipping) {
      val n = intersect(last, list, from, until)
      (n - countExcluded(buffers(last), 0, n)).toLong
    } else countIntersection(list, from, until).toLong
  }

  /** [[intersect]] of the last level without writing the elements down. */
  private def countIntersection(list: Array[Int], from: Int, until: Int): Int = {
    makeStable(last)
    val set = stable(last)
    val setFrom = stableFrom(last)
    val setUntil = stableUntil(last)
    if (setFrom == setUntil) 0
    else if (searches(setUntil - setFrom, until - from)) {
      state.read.elements += setUntil - setFrom
      Intersection.gallopCount(set, setFrom, setUntil, list, from, until)
    } else {
      state.read.elements += until - from
      if (state.tuning.marks == Use.Never) {
        Intersection.count(set, setFrom, setUntil, list, from, until)
      } else {
        markStable(last)
        NeighbourhoodMarks.count(marks(last), list, from, until)
      }
    }
  }

  /** How many distinct codes that the last level must differ from are in the list. */
  private def countExcluded(list: Array[Int], from: Int, until: Int): Int = {
    val notEqual = levels(last).notEqualLevel
    var n = 0
    var i = 0
    while (i < notEqual.length) {
      val code = state.codes(notEqual(i))
      var isNew = true
      var j = 0
      while (j < i) {
        if (state.codes(notEqual(j)) == code) isNew = false
        j += 1
      }
      if (isNew && GallopingSearch.find(list, from, until, code) >= 0) n += 1
      i += 1
    }
    n
  }
}
