package io.wreath.kernel.delta

import java.util.Arrays

import io.wreath.kernel.dictionary.IdMerge
import io.wreath.kernel.lists.Pieces

/**
 * A consolidated batch of signed edge changes: each edge at most once, with the sum of its diffs,
 * ascending by (source, target).
 *
 * Edges whose diffs sum to zero are gone, unless they were asked to be kept: a batch that replaces
 * one of several parallel rows by another changes no multiplicity, but whoever reads the rows'
 * properties has to look at the matches of that edge again.
 *
 * Thread-safety: immutable and serializable; the arrays are not to be written to.
 */
final class EdgeDelta private[delta] (
    private[wreath] val sources: Array[Int],
    private[wreath] val targets: Array[Int],
    private[wreath] val diffs: Array[Int])
    extends Serializable {

  /** Distinct changed edges. */
  def size: Int = sources.length

  def source(i: Int): Int = sources(i)
  def target(i: Int): Int = targets(i)
  def diff(i: Int): Int = diffs(i)

  /** One more than the largest code, 0 without changes. */
  def codeLimit: Int = {
    var limit = 0
    var i = 0
    while (i < size) {
      limit = Math.max(limit, Math.max(sources(i), targets(i)) + 1)
      i += 1
    }
    limit
  }

  /** Whether the edge is among the changed ones. Cost: one binary search. */
  def contains(source: Int, target: Int): Boolean = {
    val key = EdgeDelta.pack(source, target)
    var low = 0
    var high = size
    while (low < high) {
      val middle = (low + high) >>> 1
      if (EdgeDelta.pack(sources(middle), targets(middle)) < key) low = middle + 1
      else high = middle
    }
    low < size && sources(low) == source && targets(low) == target
  }

  /**
   * This batch followed by `later` as one batch, without edges whose diffs sum to zero. Equal to
   * applying both only if both are as they took effect; see [[GraphChange.effective]].
   */
  def followedBy(later: EdgeDelta, interrupt: Runnable = Pieces.NoInterrupt): EdgeDelta =
    EdgeDelta.consolidate(
      sources ++ later.sources,
      targets ++ later.targets,
      diffs ++ later.diffs,
      size + later.size,
      interrupt = interrupt)

  /** The same changes sorted the other way: the sources of the result are the targets here. */
  private[delta] def transposed(interrupt: Runnable): EdgeDelta = {
    // Positions ascend by source, so they order the edges of one target as they should be.
    val packed = new Array[Long](size)
    var i = 0
    while (i < size) {
      packed(i) = EdgeDelta.pack(targets(i), i)
      i += 1
    }
    val keys = EdgeDelta.sortedDistinct(packed, interrupt)
    val s = new Array[Int](size)
    val t = new Array[Int](size)
    val d = new Array[Int](size)
    i = 0
    while (i < size) {
      val at = keys(i).toInt
      s(i) = targets(at)
      t(i) = sources(at)
      d(i) = diffs(at)
      i += 1
    }
    new EdgeDelta(s, t, d)
  }
}

/**
 * Consolidates signed changes.
 *
 * Requires: codes that are not negative; any order, any repeats. The input is only read.
 * Cost: O(count log count), no boxing.
 * Thread-safety: no state.
 */
object EdgeDelta {

  val empty: EdgeDelta = new EdgeDelta(Array.empty, Array.empty, Array.empty)

  /**
   * The batch of the first `count` entries.
   *
   * @param keepsUnchanged whether edges whose diffs sum to zero stay, with diff 0
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   * @throws ArithmeticException if the sum of an edge's diffs exceeds an Int
   */
  def consolidate(
      src: Array[Int],
      dst: Array[Int],
      diff: Array[Int],
      count: Int,
      keepsUnchanged: Boolean = false,
      interrupt: Runnable = Pieces.NoInterrupt): EdgeDelta = {
    if (count < 0 || count > src.length || count > dst.length || count > diff.length) {
      throw new IllegalArgumentException(
        s"$count changes were announced, but there are ${src.length} sources, ${dst.length} " +
          s"targets and ${diff.length} diffs.")
    }
    val keys = new Array[Long](count)
    var isAscending = true
    var i = 0
    while (i < count) {
      if (Pieces.isDue(i, i + 1)) interrupt.run()
      if (src(i) < 0 || dst(i) < 0) {
        throw new IllegalArgumentException(
          s"Change $i, from ${src(i)} to ${dst(i)}, has a negative code.")
      }
      keys(i) = pack(src(i), dst(i))
      if (i > 0 && keys(i) <= keys(i - 1)) isAscending = false
      i += 1
    }
    if (isAscending) compact(keys, Arrays.copyOf(diff, count), count, keepsUnchanged)
    else {
      val distinct = sortedDistinct(keys.clone(), interrupt)
      val sums = new Array[Int](distinct.length)
      i = 0
      while (i < count) {
        if (Pieces.isDue(i, i + 1)) interrupt.run()
        val at = Arrays.binarySearch(distinct, keys(i))
        sums(at) = Math.addExact(sums(at), diff(i))
        i += 1
      }
      compact(distinct, sums, distinct.length, keepsUnchanged)
    }
  }

  /** Sorts by source, then target, as both are not negative. */
  private def pack(source: Int, target: Int): Long = source.toLong << 32 | target

  /** The keys in order, each once; `keys` may be used up. Long arrays are sorted in pieces, then merged. */
  private def sortedDistinct(keys: Array[Long], interrupt: Runnable): Array[Long] =
    if (keys.length <= Pieces.Length) dropRepeats(keys)
    else {
      val parts = Array.newBuilder[Array[Long]]
      Pieces.foreach(keys.length, interrupt) { (from, until) =>
        parts += dropRepeats(Arrays.copyOfRange(keys, from, until))
      }
      IdMerge.distinct(parts.result(), interrupt)
    }

  /** Sorts `keys`, and leaves one of each. */
  private def dropRepeats(keys: Array[Long]): Array[Long] = {
    Arrays.sort(keys)
    var n = 0
    var i = 0
    while (i < keys.length) {
      if (n == 0 || keys(n - 1) != keys(i)) {
        keys(n) = keys(i)
        n += 1
      }
      i += 1
    }
    if (n == keys.length) keys else Arrays.copyOf(keys, n)
  }

  /** The batch of `n` distinct ascending edges, without those that have no diff. */
  private def compact(
      keys: Array[Long],
      sums: Array[Int],
      n: Int,
      keepsUnchanged: Boolean): EdgeDelta = {
    var kept = 0
    var i = 0
    while (i < n) {
      if (sums(i) != 0 || keepsUnchanged) {
        keys(kept) = keys(i)
        sums(kept) = sums(i)
        kept += 1
      }
      i += 1
    }
    val s = new Array[Int](kept)
    val t = new Array[Int](kept)
    i = 0
    while (i < kept) {
      s(i) = (keys(i) >>> 32).toInt
      t(i) = keys(i).toInt
      i += 1
    }
    new EdgeDelta(s, t, Arrays.copyOf(sums, kept))
  }
}
