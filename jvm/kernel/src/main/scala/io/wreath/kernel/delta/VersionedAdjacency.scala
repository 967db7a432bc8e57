package io.wreath.kernel.delta

import io.wreath.kernel.csr.Csr
import io.wreath.kernel.lists.{Adjacency, ElementCounter, GallopingSearch, Pieces}

/**
 * One version of the neighbour lists of one direction of a graph that changes.
 *
 * A version is a table of pages. A page holds the complete lists of [[VersionedAdjacency.PageSize]]
 * consecutive codes in one array: their offsets, then their neighbours. A batch rewrites the pages
 * it touches and shares all others with the version before, so both can be read at any time.
 * Pages that no batch has touched yet are not there at all: their lists are read from the CSR
 * that the first version was made of.
 *
 * Why pages and not runs of signed changes that are merged while reading: a join reads a list far
 * more often than a batch writes it, and a merged list is one slice of one array, which every
 * intersection can take as it is. What a page does not hold is dead space: a version costs what a
 * fresh index costs, plus [[VersionedAdjacency.PageOverhead]] bytes a page. The CSR is the one
 * exception, for the lists of rewritten pages are dead in it; so it is given up, and the rest of
 * it copied into pages, as soon as the pages reach [[VersionedAdjacency.PagedShare]] of its bytes.
 * That happens once, and is paid for by the bytes that batches have written until then.
 *
 * Requires: `pages` covers `vertexCount` codes; a page that is null lies within the CSR.
 * Cost: reading as a CSR, one load more. [[applied]] copies the table (4 bytes for PageSize codes)
 * and the lists of the touched pages: a change of a hub copies the hub's list once a batch.
 * Thread-safety: immutable.
 */
final class VersionedAdjacency private[delta] (
    base: Csr,
    pages: Array[Array[Int]],
    // Parallel to `pages`; null if there is no page with multiplicities.
    pageMult: Array[Array[Int]],
    private[delta] val weightedPages: Int,
    private[delta] val pageBytes: Long,
    override val vertexCount: Int)
    extends Adjacency {

  import VersionedAdjacency._

  override def array(v: Int): Array[Int] = {
    val page = pages(v >> PageBits)
    if (page == null) base.neighbours else page
  }

  override def from(v: Int): Int = {
    val page = pages(v >> PageBits)
    if (page == null) base.offsets(v) else page(v & PageMask)
  }

  override def until(v: Int): Int = {
    val page = pages(v >> PageBits)
    if (page == null) base.offsets(v + 1) else page((v & PageMask) + 1)
  }

  override def degree(v: Int): Int = {
    val page = pages(v >> PageBits)
    if (page == null) base.offsets(v + 1) - base.offsets(v)
    else page((v & PageMask) + 1) - page(v & PageMask)
  }

  override def multiplicities(v: Int): Array[Int] = {
    val page = v >> PageBits
    if (pages(page) == null) base.mult
    else if (pageMult == null) null
    else pageMult(page)
  }

  /** Cost: one pass over the vertices, the first time. */
  override lazy val maxDegree: Int = {
    var longest = 0
    var v = 0
    while (v < vertexCount) {
      longest = Math.max(longest, degree(v))
      v += 1
    }
    longest
  }

  /** Whether edges may occur more than once. */
  def isWeighted: Boolean = weightedPages > 0 || (base != null && base.mult != null)

  /** How often the list of `v` has `x`; 0 if not at all. Cost: one binary search. */
  def multiplicity(v: Int, x: Int): Int = {
    val at = GallopingSearch.find(array(v), from(v), until(v), x)
    if (at < 0) 0
    else {
      val mult = multiplicities(v)
      if (mult == null) 1 else mult(at)
    }
  }

  def has(v: Int, x: Int): Boolean = GallopingSearch.find(array(v), from(v), until(v), x) >= 0

  /** All that this version keeps alive; what it shares with other versions included. */
  def sizeInBytes: Long =
    (if (base == null) 0L else base.sizeInBytes) + pageBytes + PointerBytes * pages.length +
      (if (pageMult == null) 0L else PointerBytes * pageMult.length)

  /** Whether the first version's CSR has been given up. */
  def isRebuilt: Boolean = base == null

  /** A copy of the lists in one piece. Multiplicities are dropped if all are 1. */
  private[delta] def toCsr: Csr = {
    val offsets = new Array[Int](vertexCount + 1)
    var v = 0
    while (v < vertexCount) {
      offsets(v + 1) = Math.addExact(offsets(v), degree(v))
      v += 1
    }
    val neighbours = new Array[Int](offsets(vertexCount))
    val mult = if (hasRepeats) new Array[Int](neighbours.length) else null
    v = 0
    while (v < vertexCount) {
      System.arraycopy(array(v), from(v), neighbours, offsets(v), degree(v))
      if (mult != null) {
        val own = multiplicities(v)
        if (own == null) java.util.Arrays.fill(mult, offsets(v), offsets(v + 1), 1)
        else System.arraycopy(own, from(v), mult, offsets(v), degree(v))
      }
      v += 1
    }
    new Csr(offsets, neighbours, mult)
  }

  private def hasRepeats: Boolean = {
    var found = weightedPages > 0
    var v = 0
    while (!found && isWeighted && v < vertexCount) {
      val mult = multiplicities(v)
      var i = from(v)
      while (mult != null && !found && i < until(v)) {
        found = mult(i) > 1
        i += 1
      }
      v += 1
    }
    found
  }

  /** The same lists over more codes. */
  private[delta] def grown(count: Int): VersionedAdjacency =
    if (count <= vertexCount) this
    else {
      val grownPages = java.util.Arrays.copyOf(pages, pageCount(count))
      java.util.Arrays.fill(
        grownPages.asInstanceOf[Array[AnyRef]],
        pages.length,
        grownPages.length,
        EmptyPage)
      val grownMult =
        if (pageMult == null) null else java.util.Arrays.copyOf(pageMult, grownPages.length)
      new VersionedAdjacency(base, grownPages, grownMult, weightedPages, pageBytes, count)
    }

  /**
   * The version after `delta`, whose sources are vertices of this direction. Its diffs must leave
   * no multiplicity below zero.
   */
  private[delta] def applied(delta: EdgeDelta, writer: PageWriter): VersionedAdjacency =
    if (delta.size == 0) this
    else {
      val next = pages.clone()
      var nextMult = if (pageMult == null) null else pageMult.clone()
      var weighted = weightedPages
      var bytes = pageBytes
      var i = 0
      while (i < delta.size) {
        val page = delta.sources(i) >> PageBits
        var end = i + 1
        while (end < delta.size && delta.sources(end) >> PageBits == page) end += 1
        bytes -= bytesOf(next, nextMult, page)
        if (nextMult != null && nextMult(page) != null) weighted -= 1
        writer.rewrite(this, page, delta, i, end)
        next(page) = writer.page
        val mult = writer.multiplicities
        if (mult != null) {
          if (nextMult == null) nextMult = new Array[Array[Int]](next.length)
          weighted += 1
        }
        if (nextMult != null) nextMult(page) = mult
        bytes += bytesOf(next, nextMult, page)
        i = end
      }
      if (weighted == 0) nextMult = null
      val version =
        new VersionedAdjacency(base, next, nextMult, weighted, bytes, vertexCount)
      if (base != null && bytes > base.sizeInBytes * PagedShare) version.rebuilt(writer)
      else version
    }

  /** The same lists, all in pages. */
  private def rebuilt(writer: PageWriter): VersionedAdjacency = {
    val next = pages.clone()
    val nextMult =
      if (pageMult == null && base.mult == null) null
      else if (pageMult == null) new Array[Array[Int]](next.length)
      else pageMult.clone()
    var weighted = weightedPages
    var bytes = pageBytes
    var page = 0
    while (page < next.length) {
      if (next(page) == null) {
        writer.rewrite(this, page, EdgeDelta.empty, 0, 0)
        next(page) = writer.page
        val mult = writer.multiplicities
        if (mult != null) {
          nextMult(page) = mult
          weighted += 1
        }
        bytes += bytesOf(next, nextMult, page)
      }
      page += 1
    }
    new VersionedAdjacency(
      null,
      next,
      if (weighted == 0) null else nextMult,
      weighted,
      bytes,
      vertexCount)
  }
}

object VersionedAdjacency {

  final private[delta] val PageBits = 4

  /** Lists in one page: few, as they are copied together; but the page's overhead is shared. */
  final val PageSize = 16
  final private[delta] val PageMask = PageSize - 1

  /** Neighbours begin after the offsets of all codes of the page. */
  final private[delta] val PageHeader = PageSize + 1

  /** Header of an array and, on average, what rounds it up to 8 bytes. */
  final private val ArrayBytes = 16L + 2L
  final private val PointerBytes = 4L

  /** What a page costs beyond the offsets and neighbours of a CSR. */
  final val PageOverhead = 26L

  /** Pages may take this share of the first CSR's bytes before the CSR is given up. */
  final private val PagedShare = 0.25

  /** The lists of sixteen vertices without neighbours. */
  private[delta] val EmptyPage: Array[Int] = Array.fill(PageHeader)(PageHeader)

  /** The first version: reads `csr` where it is, without a copy. */
  def of(csr: Csr): VersionedAdjacency = {
    val pages = new Array[Array[Int]](pageCount(csr.vertexCount))
    val isRagged = (csr.vertexCount & PageMask) != 0
    val version = new VersionedAdjacency(csr, pages, null, 0, 0L, csr.vertexCount)
    // The page of the last codes must not reach beyond the CSR when the code space grows.
    if (!isRagged) version
    else {
      val last = pages.length - 1
      val writer = new PageWriter(new ElementCounter(Pieces.NoInterrupt))
      writer.rewrite(version, last, EdgeDelta.empty, 0, 0)
      pages(last) = writer.page
      val mult = writer.multiplicities
      val pageMult = if (mult == null) null else new Array[Array[Int]](pages.length)
      if (mult != null) pageMult(last) = mult
      new VersionedAdjacency(
        csr,
        pages,
        pageMult,
        if (mult == null) 0 else 1,
        bytesOf(pages, pageMult, last),
        csr.vertexCount)
    }
  }

  private def pageCount(vertexCount: Int): Int = (vertexCount + PageMask) >>> PageBits

  private def bytesOf(pages: Array[Array[Int]], mult: Array[Array[Int]], page: Int): Long = {
    val p = pages(page)
    if (p == null || (p eq EmptyPage)) 0L
    else {
      val one = ArrayBytes + 4L * p.length
      if (mult == null || mult(page) == null) one else 2 * one
    }
  }
}
