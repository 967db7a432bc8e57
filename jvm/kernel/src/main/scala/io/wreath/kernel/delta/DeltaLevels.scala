package io.wreath.kernel.delta

import io.wreath.kernel.intersect.{ElementCounter, GallopingSearch, Intersection}
import io.wreath.kernel.join.BindingPredicate

/**
 * The loops of one term in one phase: takes seeds, binds the other variables one by one to the
 * intersection of the lists that bound ones give.
 *
 * The shortest list proposes, the others are searched or merged: a list of a hub costs no more
 * than a few probes for each element of the short list beside it. From the second free level on,
 * the lists of all levels but the last bound one stay while that one loops; their intersection,
 * the stable set, is made once and marked, and the lists of the last bound one are probed. Where
 * other terms need the same lists of the seed's ends, [[SharedSets]] has what they have in common.
 *
 * Requires: [[limitCodes]], then [[seed]] for each seed, which `sets` has taken up; under a seed
 * that is accepted either [[start]] and [[next]] until it is false, or [[count]]. [[release]] before
 * another instance uses the scratch.
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
    scratch: DeltaScratch,
    sets: SharedSets) {

  private[this] val levels = term.levels
  private[this] val last = levels.length - 1
  private[this] val firstFree = term.seedLevels
  private[this] val splitLevel = term.splitLevel
  private[this] val vertexCount = changes(term.relation).vertexCount
  private[this] val read = scratch.read

  private[this] val lists = levels.map(_.lists.map(_.adjacency(changes, isInsert)))
  private[this] val listLevels = levels.map(_.lists.map(_.level))
  private[this] val checker =
    new DeltaChecks(
      term,
      levels.map(_.checks.map(_.adjacency(changes, isInsert))),
      levels.map(_.needed.map(_.adjacency(changes, isInsert))),
      predicates,
      order,
      binding)
  private[this] val codes = checker.codes

  // The candidates of each level: elements of an array or, for a scan, the positions themselves.
  private[this] val candidates = new Array[Array[Int]](last + 1)
  private[this] val position = new Array[Int](last + 1)
  private[this] val end = new Array[Int](last + 1)

  // The stable set of each level, valid for one binding of the level it changes with: one of its own,
  // or one that other terms share.
  private[this] val ownSets = Array.tabulate(last + 1)(new StableSet(vertexCount, scratch, _))
  private[this] val stable = ownSets.clone()
  private[this] val stableStamp = new Array[Long](last + 1)

  // Each binding of a level gets a new stamp; a stable set remembers the one it was made for.
  private[this] val stamps = new Array[Long](last + 1)
  private[this] var clock = 0L

  private[this] val slices =
    new SliceIntersection(
      levels.map(_.listCount).max,
      vertexCount,
      scratch,
      DeltaLevels.slicesSlot(levels.length))

  // The list that was looked up last, narrowed.
  private[this] var list: Array[Int] = null
  private[this] var listFrom = 0
  private[this] var listUntil = 0

  private[this] var codeFrom = 0
  private[this] var codeUntil = Int.MaxValue
  private[this] var depth = 0
  private[this] var sourceStays = false

  /** Where the seed binds all: whether it has yet to be reported. */
  private[this] var isSeedLeft = false

  /** Whether the candidates of the last level can be counted without looking at each. */
  private[this] val countsLast: Boolean =
    last >= firstFree && lists(last).length > 0 && checker.isPlain(last)

  /** Restricts the split level to a range of codes. */
  def limitCodes(from: Int, until: Int): Unit = {
    codeFrom = from
    codeUntil = until
  }

  /**
   * Takes the edge from `source` to `target` as seed; false if it is none.
   *
   * @param sourceStays whether the next seed has the same source
   */
  def seed(source: Int, target: Int, sourceStays: Boolean): Boolean = {
    clock += 1
    this.sourceStays = sourceStays
    stamps(0) = clock
    if (firstFree == 2) stamps(1) = clock
    depth = firstFree
    if (firstFree == 1) source == target && bindSeed(0, source)
    else bindSeed(0, source) && bindSeed(1, target)
  }

  /** Gets the free levels ready for [[next]]. */
  def start(): Unit = if (last >= firstFree) fill(firstFree) else isSeedLeft = true

  /** Advances to the next binding under the seed. */
  def next(): Boolean =
    if (last >= firstFree) advance(last)
    else {
      val found = isSeedLeft
      isSeedLeft = false
      found
    }

  /** How many bindings there are under the seed. */
  def count(): Long =
    if (last < firstFree) 1L
    else if (!countsLast) {
      var total = 0L
      start()
      while (next()) total += 1
      total
    } else if (last == firstFree) countLast()
    else {
      var total = 0L
      fill(firstFree)
      while (advance(last - 1)) total = Math.addExact(total, countLast())
      total
    }

  /** Leaves the scratch without marks. */
  def release(): Unit = {
    slices.release()
    var level = firstFree
    while (level <= last) {
      ownSets(level).release()
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
      read.worked(ElementCounter.Candidate)
      found = checker.accepts(level, code) && checker.bind(level, code)
    }
    position(level) = i
    clock += 1
    stamps(level) = clock
    found
  }

  private def isLimited(level: Int): Boolean =
    level == splitLevel && (codeFrom > 0 || codeUntil < vertexCount)

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
      read.add(Math.max(0, end(level) - position(level)))
    } else if (count == 1) {
      lookUp(level, 0, isNarrowed = true)
      candidates(level) = list
      position(level) = listFrom
      end(level) = listUntil
      read.add(listUntil - listFrom)
    } else if (isShared(level)) {
      lookUpShared(level)
      candidates(level) = list
      position(level) = listFrom
      end(level) = listUntil
    } else if (term.freshLists(level) == count) {
      gather(level, count, isNarrowed = true)
      position(level) = 0
      end(level) = slices.into(2 * level)
      candidates(level) = slices.result
    } else {
      makeStable(level)
      fillFromStable(level, term.freshLists(level))
    }
  }

  private def fillFromStable(level: Int, fresh: Int): Unit = {
    val set = stable(level)
    position(level) = 0
    end(level) = 0
    if (set.isEmpty) ()
    else if (fresh == 0) {
      candidates(level) = set.array
      position(level) = GallopingSearch.lowerBound(set.array, set.from, set.until, low(level))
      end(level) =
        GallopingSearch.lowerBound(set.array, position(level), set.until, high(level))
    } else {
      val count = lists(level).length
      lookUp(level, count - 1, isNarrowed = true)
      val out = scratch.buffer(2 * level, Math.min(set.size, listUntil - listFrom) + 1)
      var n = set.into(list, listFrom, listUntil, out)
      var i = count - 2
      while (n > 0 && i >= count - fresh) {
        lookUp(level, i, isNarrowed = false)
        read.add(n)
        n = Intersection.into(out, 0, n, list, listFrom, listUntil, out)
        i -= 1
      }
      candidates(level) = out
      end(level) = n
    }
  }

  /** Looks up list `i` of `level`, narrowed to the level's bounds or not. */
  private def lookUp(level: Int, i: Int, isNarrowed: Boolean): Unit = {
    val adjacency = lists(level)(i)
    val v = codes(listLevels(level)(i))
    list = adjacency.array(v)
    listFrom = adjacency.from(v)
    listUntil = adjacency.until(v)
    if (isNarrowed && (isLimited(level) || checker.isBounded(level))) {
      listFrom = GallopingSearch.lowerBound(list, listFrom, listUntil, low(level))
      listUntil = GallopingSearch.lowerBound(list, listFrom, listUntil, high(level))
    }
  }

  /** Whether the first free level takes its candidates from the shared sets. */
  private def isShared(level: Int): Boolean =
    level == firstFree && term.shared(level) >= 0 && !isLimited(level)

  /** Looks up what the ends of the seed have in common, narrowed to the bounds of `level`. */
  private def lookUpShared(level: Int): Unit = {
    val set = sets.made(term.shared(level))
    list = set.array
    listFrom = set.from
    listUntil = set.until
    if (checker.isBounded(level)) {
      listFrom = GallopingSearch.lowerBound(list, listFrom, listUntil, low(level))
      listUntil = GallopingSearch.lowerBound(list, listFrom, listUntil, high(level))
    }
  }

  private def gather(level: Int, count: Int, isNarrowed: Boolean): Unit = {
    slices.clear()
    var i = 0
    while (i < count) {
      lookUp(level, i, isNarrowed)
      slices.add(list, listFrom, listUntil, sourceStays && listLevels(level)(i) == 0)
      i += 1
    }
  }

  /** Brings the stable set of `level` up to date: its lists but the fresh ones, intersected. */
  private def makeStable(level: Int): Unit = {
    val count = lists(level).length - term.freshLists(level)
    val stamp = stamps(listLevels(level)(count - 1))
    if (stableStamp(level) != stamp) {
      stableStamp(level) = stamp
      stable(level) = ownSets(level)
      // Not narrowed, for the bounds may depend on the level that loops.
      if (count == 1) {
        lookUp(level, 0, isNarrowed = false)
        stable(level).become(list, listFrom, listUntil)
      } else if (term.shared(level) >= 0) makeStableFromShared(level, count)
      else {
        ownSets(level).release()
        gather(level, count, isNarrowed = false)
        val n = slices.into(2 * level + 1)
        stable(level).become(slices.result, 0, n)
      }
    }
  }

  /** The shared set, intersected with the lists of the levels after the seed's if there are any. */
  private def makeStableFromShared(level: Int, count: Int): Unit = {
    val shared = sets.made(term.shared(level))
    var i = term.seedListCount(level)
    if (i == count) stable(level) = shared
    else {
      ownSets(level).release()
      val out = scratch.buffer(2 * level + 1, shared.size + 1)
      lookUp(level, i, isNarrowed = false)
      var n = shared.into(list, listFrom, listUntil, out)
      i += 1
      while (n > 0 && i < count) {
        lookUp(level, i, isNarrowed = false)
        read.add(SliceIntersection.elementsRead(n, listUntil - listFrom))
        n = Intersection.into(out, 0, n, list, listFrom, listUntil, out)
        i += 1
      }
      stable(level).become(out, 0, n)
    }
  }

  /** How many candidates the last level, which is plain, has under the current binding. */
  private def countLast(): Long = {
    val count = lists(last).length
    if (!checker.isSkipping(last) && count > 1) {
      if (isShared(last)) {
        lookUpShared(last)
        Math.max(0, listUntil - listFrom).toLong
      } else if (term.freshLists(last) == count) {
        gather(last, count, isNarrowed = true)
        slices.count(2 * last).toLong
      } else if (term.freshLists(last) == 1) {
        makeStable(last)
        if (stable(last).isEmpty) 0L
        else {
          lookUp(last, count - 1, isNarrowed = true)
          stable(last).count(list, listFrom, listUntil).toLong
        }
      } else countFilled()
    } else countFilled()
  }

  private def countFilled(): Long = {
    fill(last)
    val n = end(last) - position(last)
    if (n <= 0) 0L
    else (n - checker.countExcluded(last, candidates(last), position(last), end(last))).toLong
  }
}

private[delta] object DeltaLevels {

  /** Marks of the levels' stable sets have the slots before this one, others those after it. */
  def slicesSlot(levelCount: Int): Int = 2 * levelCount
}
