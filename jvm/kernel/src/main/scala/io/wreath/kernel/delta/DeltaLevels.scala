package io.wreath.kernel.delta

import io.wreath.kernel.intersect.{GallopingSearch, Intersection, NeighbourhoodMarks}
import io.wreath.kernel.join.BindingPredicate

/**
 * The loops of one term in one phase: takes seeds, binds the other variables one by one to the
 * intersection of the lists that bound ones give.
 *
 * The shortest list proposes, the others are searched or merged: a list of a hub costs no more
 * than a few probes for each element of the short list beside it. From the second free level on,
 * the lists of all levels but the last bound one stay while that one loops; their intersection,
 * the stable set, is made once and marked, and the lists of the last bound one are probed.
 *
 * Requires: [[limitCodes]], then [[seed]] for each seed; under a seed that is accepted either
 * [[next]] until it is false, or [[count]]. [[release]] before another instance uses the scratch.
 * Cost: per binding of the levels before it, a level reads at most [[Intersection.GallopRatio]]
 * times its shortest list; no allocation but for the growth of the scratch.
 * Not thread-safe.
 */
final private[delta] class DeltaLevels(
    term: DeltaTerm,
    isInsert: Boolean,
    changes: Array[GraphChange],
    predicates: IndexedSeq[BindingPredicate],
    order: VertexOrder,
    binding: Array[Int],
    scratch: DeltaScratch) {

  private[this] val levels = term.levels
  private[this] val last = levels.length - 1
  private[this] val firstFree = term.seedLevels
  private[this] val splitLevel = term.splitLevel
  private[this] val vertexCount = changes(term.relation).vertexCount
  private[this] val read = scratch.read

  private[this] val lists = levels.map(_.lists.map(adjacency))
  private[this] val listLevels = levels.map(_.lists.map(_.level))
  private[this] val checker =
    new DeltaChecks(
      term,
      levels.map(_.checks.map(adjacency)),
      levels.map(_.needed.map(adjacency)),
      predicates,
      order,
      binding)
  private[this] val codes = checker.codes

  // The candidates of each level: elements of an array or, for a scan, the positions themselves.
  private[this] val candidates = new Array[Array[Int]](last + 1)
  private[this] val position = new Array[Int](last + 1)
  private[this] val end = new Array[Int](last + 1)

  // The stable set of each level, valid for one binding of the level it changes with.
  private[this] val stable = new Array[Array[Int]](last + 1)
  private[this] val stableFrom = new Array[Int](last + 1)
  private[this] val stableUntil = new Array[Int](last + 1)
  private[this] val stableStamp = new Array[Long](last + 1)
  private[this] val marks = new Array[Array[Byte]](last + 1)
  private[this] val isMarked = new Array[Boolean](last + 1)

  // Each binding of a level gets a new stamp; a stable set remembers the one it was made for.
  private[this] val stamps = new Array[Long](last + 1)
  private[this] var clock = 0L

  // The lists of one intersection, narrowed, while they are put in order.
  private[this] val sliceArray = new Array[Array[Int]](DeltaLevels.maxLists(term))
  private[this] val sliceFrom = new Array[Int](sliceArray.length)
  private[this] val sliceUntil = new Array[Int](sliceArray.length)

  private[this] var codeFrom = 0
  private[this] var codeUntil = Int.MaxValue
  private[this] var depth = 0

  /** Whether the candidates of the last level can be counted without looking at each. */
  val countsLast: Boolean = last >= firstFree && lists(last).length > 0 && checker.isPlain(last)

  /** Restricts the split level to a range of codes. */
  def limitCodes(from: Int, until: Int): Unit = {
    codeFrom = from
    codeUntil = until
  }

  /** Takes the edge from `source` to `target` as seed; false if it is none. */
  def seed(source: Int, target: Int): Boolean = {
    clock += 1
    stamps(0) = clock
    if (firstFree == 2) stamps(1) = clock
    val isBound =
      if (firstFree == 1) source == target && bindSeed(0, source)
      else bindSeed(0, source) && bindSeed(1, target)
    if (isBound) {
      depth = firstFree
      if (last >= firstFree) fill(firstFree)
    }
    isBound
  }

  /** Advances to the next binding under the seed; never called where the seed binds all. */
  def next(): Boolean = advance(last)

  /** How many bindings there are under the seed; only where [[countsLast]]. */
  def count(): Long =
    if (last == firstFree) countFilled()
    else {
      var total = 0L
      while (advance(last - 1)) {
        fill(last)
        total = Math.addExact(total, countFilled())
      }
      total
    }

  /** Leaves the scratch without marks. */
  def release(): Unit = {
    var level = firstFree
    while (level <= last) {
      unmark(level)
      stableStamp(level) = 0L
      level += 1
    }
  }

  private def bindSeed(level: Int, code: Int): Boolean =
    (level != splitLevel || (code >= codeFrom && code < codeUntil)) &&
      checker.isWithinBounds(level, code) && checker.accepts(level, code) &&
      checker.bind(level, code)

  /** Advances to the next binding of the free levels up to `target`; resumes at `depth`. */
  private def advance(target: Int): Boolean = {
    var level = Math.min(depth, target)
    while (level >= firstFree) {
      if (!step(level)) level -= 1
      else if (level == target) {
        depth = level
        return true
      } else {
        level += 1
        fill(level)
      }
    }
    depth = level
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
      found = checker.accepts(level, code) && checker.bind(level, code)
    }
    position(level) = i
    clock += 1
    stamps(level) = clock
    found
  }

  private def low(level: Int): Int =
    checker.lowerBound(level, if (level == splitLevel) codeFrom else 0)

  private def high(level: Int): Int = {
    val most = if (level == splitLevel) Math.min(codeUntil, vertexCount) else vertexCount
    checker.upperBound(level, most)
  }

  /** Computes the candidates of `level` under the current binding of the levels before it. */
  private def fill(level: Int): Unit = {
    val count = lists(level).length
    if (count == 0) {
      candidates(level) = null
      position(level) = low(level)
      end(level) = high(level)
      read.elements += Math.max(0, end(level) - position(level))
    } else if (count == 1) {
      slice(level, 0, isNarrowed = true, 0)
      candidates(level) = sliceArray(0)
      position(level) = sliceFrom(0)
      end(level) = sliceUntil(0)
      read.elements += end(level) - position(level)
    } else {
      val fresh = term.freshLists(level)
      if (fresh == count) {
        position(level) = 0
        end(level) = intersectLists(level, count, isNarrowed = true, 2 * level)
        candidates(level) = result
      } else {
        makeStable(level)
        fillFromStable(level, fresh)
      }
    }
  }

  private def fillFromStable(level: Int, fresh: Int): Unit = {
    val count = lists(level).length
    position(level) = 0
    end(level) = 0
    if (stableFrom(level) < stableUntil(level)) {
      if (fresh == 0) {
        candidates(level) = stable(level)
        position(level) = GallopingSearch
          .lowerBound(stable(level), stableFrom(level), stableUntil(level), low(level))
        end(level) = GallopingSearch
          .lowerBound(stable(level), position(level), stableUntil(level), high(level))
      } else {
        slice(level, count - 1, isNarrowed = true, 0)
        val length = stableUntil(level) - stableFrom(level)
        val out = scratch.buffer(2 * level, Math.min(length, sliceUntil(0) - sliceFrom(0)) + 1)
        var n = probe(level, out)
        var i = count - 2
        while (n > 0 && i >= count - fresh) {
          slice(level, i, isNarrowed = false, 0)
          read.elements += Math.min(n, sliceUntil(0) - sliceFrom(0))
          n = Intersection.into(out, 0, n, sliceArray(0), sliceFrom(0), sliceUntil(0), out)
          i -= 1
        }
        candidates(level) = out
        end(level) = n
      }
    }
  }

  /** Writes the elements of slice 0 that the stable set of `level` has to `out`. */
  private def probe(level: Int, out: Array[Int]): Int = {
    val from = sliceFrom(0)
    val until = sliceUntil(0)
    val length = stableUntil(level) - stableFrom(level)
    if (from == until) 0
    else if (Intersection.worthGalloping(length, until - from)) {
      read.elements += length
      Intersection
        .gallopInto(
          stable(level),
          stableFrom(level),
          stableUntil(level),
          sliceArray(0),
          from,
          until,
          out)
    } else {
      read.elements += until - from
      mark(level)
      NeighbourhoodMarks.into(marks(level), sliceArray(0), from, until, out)
    }
  }

  /** Looks up list `i` of `level`, narrowed to the level's bounds or not, as slice `slot`. */
  private def slice(level: Int, i: Int, isNarrowed: Boolean, slot: Int): Unit = {
    val adjacency = lists(level)(i)
    val v = codes(listLevels(level)(i))
    val list = adjacency.array(v)
    var from = adjacency.from(v)
    var until = adjacency.until(v)
    if (isNarrowed && (checker.isBounded(level) || level == splitLevel)) {
      from = GallopingSearch.lowerBound(list, from, until, low(level))
      until = GallopingSearch.lowerBound(list, from, until, high(level))
    }
    sliceArray(slot) = list
    sliceFrom(slot) = from
    sliceUntil(slot) = until
  }

  /** Where [[intersectLists]] left its result. */
  private[this] var result: Array[Int] = null

  /**
   * Intersects the first `count` lists of `level`, shortest first, into the scratch `slot` and
   * returns how many elements there are.
   */
  private def intersectLists(level: Int, count: Int, isNarrowed: Boolean, slot: Int): Int = {
    gather(level, count, isNarrowed)
    val shortest = sliceUntil(0) - sliceFrom(0)
    result = scratch.buffer(slot, shortest + 1)
    if (shortest == 0) 0
    else {
      var n = intersectSlices(result)
      var i = 2
      while (n > 0 && i < count) {
        countRead(n, sliceUntil(i) - sliceFrom(i))
        n = Intersection.into(result, 0, n, sliceArray(i), sliceFrom(i), sliceUntil(i), result)
        i += 1
      }
      n
    }
  }

  /** Slices of the first `count` lists of `level`, by ascending length. */
  private def gather(level: Int, count: Int, isNarrowed: Boolean): Unit = {
    var n = 0
    while (n < count) {
      slice(level, n, isNarrowed, n)
      var i = n
      while (i > 0 && sliceUntil(i) - sliceFrom(i) < sliceUntil(i - 1) - sliceFrom(i - 1)) {
        swap(i, i - 1)
        i -= 1
      }
      n += 1
    }
  }

  private def swap(i: Int, j: Int): Unit = {
    val a = sliceArray(i)
    val f = sliceFrom(i)
    val u = sliceUntil(i)
    sliceArray(i) = sliceArray(j)
    sliceFrom(i) = sliceFrom(j)
    sliceUntil(i) = sliceUntil(j)
    sliceArray(j) = a
    sliceFrom(j) = f
    sliceUntil(j) = u
  }

  private def intersectSlices(out: Array[Int]): Int = {
    countRead(sliceUntil(0) - sliceFrom(0), sliceUntil(1) - sliceFrom(1))
    Intersection.into(
      sliceArray(0),
      sliceFrom(0),
      sliceUntil(0),
      sliceArray(1),
      sliceFrom(1),
      sliceUntil(1),
      out)
  }

  private def countRead(short: Int, long: Int): Unit =
    read.elements += (if (Intersection.worthGalloping(short, long)) short else short + long)

  /** Brings the stable set of `level` up to date: its lists but the fresh ones, intersected. */
  private def makeStable(level: Int): Unit = {
    val count = lists(level).length - term.freshLists(level)
    val stamp = stamps(listLevels(level)(count - 1))
    if (stableStamp(level) != stamp) {
      unmark(level)
      stableStamp(level) = stamp
      // Not narrowed, for the bounds may depend on the level that loops.
      if (count == 1) {
        slice(level, 0, isNarrowed = false, 0)
        stable(level) = sliceArray(0)
        stableFrom(level) = sliceFrom(0)
        stableUntil(level) = sliceUntil(0)
      } else {
        stableUntil(level) = intersectLists(level, count, isNarrowed = false, 2 * level + 1)
        stable(level) = result
        stableFrom(level) = 0
      }
    }
  }

  private def mark(level: Int): Unit =
    if (!isMarked(level)) {
      marks(level) = scratch.marksOf(level, vertexCount)
      read.elements += stableUntil(level) - stableFrom(level)
      NeighbourhoodMarks.mark(marks(level), stable(level), stableFrom(level), stableUntil(level))
      isMarked(level) = true
    }

  private def unmark(level: Int): Unit =
    if (isMarked(level)) {
      NeighbourhoodMarks.clear(marks(level), stable(level), stableFrom(level), stableUntil(level))
      isMarked(level) = false
    }

  /** How many candidates the last level, which is plain, has left. */
  private def countFilled(): Long = {
    val n = end(last) - position(last)
    if (n <= 0) 0L
    else (n - checker.countExcluded(last, candidates(last), position(last), end(last))).toLong
  }

  private def adjacency(l: ListRef): VersionedAdjacency = {
    val change = changes(l.relation)
    val graph =
      if (l.isBefore) change.between else if (isInsert) change.after else change.before
    graph.direction(l.isForward)
  }
}

private object DeltaLevels {

  private def maxLists(term: DeltaTerm): Int = Math.max(2, term.levels.map(_.listCount).max)
}
