package io.wreath.kernel.delta

import java.util.Arrays

import io.wreath.kernel.lists.{ElementCounter, GallopingSearch}

/**
 * Writes the next version of one page of a [[VersionedAdjacency]] after the other.
 *
 * The lists of a page lie side by side, in a page as in the CSR that it was first read from. So a page is
 * written as one copy of that stretch, in blocks from one changed element to the next, and each offset
 * moves by what was put in and left out before it.
 *
 * Use: [[rewrite]], then [[page]] and [[multiplicities]].
 * Cost: a block copy and a search for each change. The new page is the only allocation, unless edges occur
 * more than once.
 * Not thread-safe: one instance per batch.
 *
 * @param work what is written counts here, so that a long batch can be interrupted
 */
final private[delta] class PageWriter(work: ElementCounter) {
  import VersionedAdjacency._

  /** The page that was written last. */
  var page: Array[Int] = EmptyPage

  /** Its multiplicities, or null if all are 1. */
  var multiplicities: Array[Int] = null

  // How much of the new page is written, and what of the old lists comes next.
  private[this] var size = 0
  private[this] var list: Array[Int] = null
  private[this] var listMult: Array[Int] = null
  private[this] var next = 0

  /** The lists of page `index` in `version` after the changes `from until until` of `delta`. */
  def rewrite(
      version: VersionedAdjacency,
      index: Int,
      delta: EdgeDelta,
      from: Int,
      until: Int): Unit = {
    val first = index << PageBits
    val count = Math.min(version.vertexCount - first, PageSize)
    list = version.array(first)
    listMult = version.multiplicities(first)
    next = version.from(first)
    val end = version.until(first + count - 1)
    val room = PageHeader + end - next + growth(delta, from, until)
    work.worked(room.toLong)
    size = PageHeader
    multiplicities = null
    if (room == PageHeader) page = EmptyPage
    else {
      page = new Array[Int](room)
      if (listMult != null) startWeights()
      var change = from
      var slot = 0
      while (slot < PageSize) {
        val v = first + slot
        var at = if (slot < count) version.from(v) else end
        page(slot) = size + at - next
        while (change < until && delta.sources(change) == v) {
          at = write(delta.targets(change), delta.diffs(change), at, version.until(v))
          change += 1
        }
        slot += 1
      }
      page(PageSize) = size + end - next
      copyUntil(end)
      trim()
    }
  }

  /** What the changes add to a page, at most; just that where each edge is there once. */
  private def growth(delta: EdgeDelta, from: Int, until: Int): Int = {
    var n = 0
    var i = from
    while (i < until) {
      if (delta.diffs(i) > 0) n += 1
      else if (delta.diffs(i) < 0 && listMult == null) n -= 1
      i += 1
    }
    n
  }

  /** Writes the list from `at` on as far as `x`, and `x` as often as it is there now; says where to go on. */
  private def write(x: Int, diff: Int, at: Int, listUntil: Int): Int = {
    val place = GallopingSearch.lowerBound(list, at, listUntil, x)
    copyUntil(place)
    val isThere = place < listUntil && list(place) == x
    val before = if (!isThere) 0 else if (listMult == null) 1 else listMult(place)
    val m = Math.addExact(before, diff)
    if (m < 0) {
      throw new IllegalStateException(s"A change leaves an edge of $x with $m rows.")
    }
    if (m > 0) {
      page(size) = x
      if (m != 1 && multiplicities == null) startWeights()
      if (multiplicities != null) multiplicities(size) = m
      size += 1
    }
    if (isThere) next = place + 1
    next
  }

  private def copyUntil(end: Int): Unit = {
    val n = end - next
    System.arraycopy(list, next, page, size, n)
    if (multiplicities != null) {
      if (listMult == null) Arrays.fill(multiplicities, size, size + n, 1)
      else System.arraycopy(listMult, next, multiplicities, size, n)
    }
    size += n
    next = end
  }

  private def startWeights(): Unit = {
    multiplicities = new Array[Int](page.length)
    // The header is part of the array only for the positions to agree.
    Arrays.fill(multiplicities, PageHeader, size, 1)
  }

  /** Drops the room that was not needed, and multiplicities that are all 1. */
  private def trim(): Unit = {
    if (size < page.length) {
      page = if (size == PageHeader) EmptyPage else Arrays.copyOf(page, size)
      if (multiplicities != null) multiplicities = Arrays.copyOf(multiplicities, size)
    }
    if (multiplicities != null) {
      var i = PageHeader
      while (i < size && multiplicities(i) == 1) i += 1
      if (i == size) multiplicities = null
    }
  }
}
