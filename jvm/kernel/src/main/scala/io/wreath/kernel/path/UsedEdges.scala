package io.wreath.kernel.path

/**
 * The edges that a path takes, as a set. An edge is the codes of its ends, its relation, and which of parallel
 * edges it is.
 *
 * Memory: 32 bytes for each edge of the longest path so far, at most 64.
 */
final private[path] class UsedEdges {
  private[this] var ends = new Array[Long](32)
  // Relation and copy, one more; 0 where a slot is free.
  private[this] var whiches = new Array[Long](32)
  private[this] var count = 0

  /** Whether it was not there before. */
  def add(source: Int, target: Int, relation: Int, copy: Int): Boolean = {
    if (2 * count >= ends.length) grow()
    val slot = find(key(source, target), which(relation, copy))
    if (whiches(slot) != 0L) false
    else {
      ends(slot) = key(source, target)
      whiches(slot) = which(relation, copy)
      count += 1
      true
    }
  }

  /** Requires: it is there. What a gap would cut off from its place moves up. */
  def remove(source: Int, target: Int, relation: Int, copy: Int): Unit = {
    val mask = ends.length - 1
    var gap = find(key(source, target), which(relation, copy))
    var slot = (gap + 1) & mask
    while (whiches(slot) != 0L) {
      val home = homeOf(ends(slot), whiches(slot))
      if (((slot - home) & mask) >= ((slot - gap) & mask)) {
        ends(gap) = ends(slot)
        whiches(gap) = whiches(slot)
        gap = slot
      }
      slot = (slot + 1) & mask
    }
    whiches(gap) = 0L
    count -= 1
  }

  private def key(source: Int, target: Int): Long = source.toLong << 32 | target

  private def which(relation: Int, copy: Int): Long = (relation + 1L) << 32 | copy

  private def homeOf(key: Long, which: Long): Int = {
    val mixed = (key * 0x9e3779b97f4a7c15L + which) * 0xbf58476d1ce4e5b9L
    (mixed >>> 32).toInt & (ends.length - 1)
  }

  private def find(key: Long, which: Long): Int = {
    val mask = ends.length - 1
    var slot = homeOf(key, which)
    while (whiches(slot) != 0L && !(ends(slot) == key && whiches(slot) == which)) {
      slot = (slot + 1) & mask
    }
    slot
  }

  private def grow(): Unit = {
    val (oldEnds, oldWhiches) = (ends, whiches)
    ends = new Array[Long](2 * oldEnds.length)
    whiches = new Array[Long](ends.length)
    var i = 0
    while (i < oldEnds.length) {
      if (oldWhiches(i) != 0L) {
        val slot = find(oldEnds(i), oldWhiches(i))
        ends(slot) = oldEnds(i)
        whiches(slot) = oldWhiches(i)
      }
      i += 1
    }
  }
}
