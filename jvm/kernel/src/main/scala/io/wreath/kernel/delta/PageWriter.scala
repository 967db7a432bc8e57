package io.wreath.kernel.delta

import java.util.Arrays

import io.wreath.kernel.lists.GallopingSearch

/**
 * Writes the next version of one page of a [[VersionedAdjacency]] after the other.
 *
 * Use: [[rewrite]], then [[page]] and [[multiplicities]].
 * Cost: block copies between the changed elements, which are found by galloping.
 * Not thread-safe: one instance per batch, for its buffers are reused from page to page.
 */
final private[delta] class PageWriter {
  import VersionedAdjacency._

  private[this] var elements = new Array[Int](PageWriter.InitialCapacity)
  private[this] var size = 0

  /** Multiplicities, from the first one on that is not 1: until then nothing is written. */
  private[this] var mult: Array[Int] = null
  private[this] var isWeighted = false

  /** The lists of `page` in `version` after the changes `from until until` of `delta`. */
  def rewrite(
      version: VersionedAdjacency,
      page: Int,
      delta: EdgeDelta,
      from: Int,
      until: Int): Unit = {
    size = PageHeader
    isWeighted = false
    val first = page << PageBits
    var change = from
    var slot = 0
    while (slot < PageSize) {
      elements(slot) = size
      val v = first + slot
      if (v < version.vertexCount) {
        val list = version.array(v)
        val listMult = version.multiplicities(v)
        val listUntil = version.until(v)
        var at = version.from(v)
        while (change < until && delta.sources(change) == v) {
          val x = delta.targets(change)
          val place = GallopingSearch.lowerBound(list, at, listUntil, x)
          copy(list, listMult, at, place)
          val isThere = place < listUntil && list(place) == x
          val m = if (!isThere) 0 else if (listMult == null) 1 else listMult(place)
          append(x, Math.addExact(m, delta.diffs(change)))
          at = if (isThere) place + 1 else place
          change += 1
        }
        copy(list, listMult, at, listUntil)
      }
      slot += 1
    }
    elements(PageSize) = size
  }

  /** The page that was written last. */
  def page(): Array[Int] =
    if (size == PageHeader) EmptyPage else Arrays.copyOf(elements, size)

  /** Its multiplicities, or null if all are 1. */
  def multiplicities(): Array[Int] = if (isWeighted) Arrays.copyOf(mult, size) else null

  private def append(x: Int, multiplicity: Int): Unit =
    if (multiplicity > 0) {
      reserve(size + 1)
      elements(size) = x
      if (multiplicity != 1 && !isWeighted) startWeights()
      if (isWeighted) mult(size) = multiplicity
      size += 1
    } else if (multiplicity < 0) {
      throw new IllegalStateException(s"A change leaves an edge of $x with $multiplicity rows.")
    }

  private def copy(list: Array[Int], listMult: Array[Int], from: Int, until: Int): Unit = {
    val n = until - from
    if (n > 0) {
      reserve(size + n)
      System.arraycopy(list, from, elements, size, n)
      if (listMult != null && !isWeighted && hasWeights(listMult, from, until)) startWeights()
      if (isWeighted) {
        if (listMult == null) Arrays.fill(mult, size, size + n, 1)
        else System.arraycopy(listMult, from, mult, size, n)
      }
      size += n
    }
  }

  private def hasWeights(listMult: Array[Int], from: Int, until: Int): Boolean = {
    var i = from
    while (i < until && listMult(i) == 1) i += 1
    i < until
  }

  private def startWeights(): Unit = {
    isWeighted = true
    if (mult == null || mult.length < elements.length) mult = new Array[Int](elements.length)
    // The header is part of the array only for the positions to agree.
    Arrays.fill(mult, 0, PageHeader, 0)
    Arrays.fill(mult, PageHeader, size, 1)
  }

  private def reserve(capacity: Int): Unit =
    if (capacity > elements.length) {
      val length = Math.max(capacity, (elements.length * PageWriter.Growth).toInt)
      elements = Arrays.copyOf(elements, length)
      if (mult != null) mult = Arrays.copyOf(mult, length)
    }
}

private object PageWriter {
  final private val InitialCapacity = 1 << 12
  final private val Growth = 1.5
}
