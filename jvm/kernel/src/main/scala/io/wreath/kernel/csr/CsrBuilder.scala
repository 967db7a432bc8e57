package io.wreath.kernel.csr

import java.util.Arrays

import io.wreath.kernel.dictionary.{DenseDictionary, IdTable, SortedDictionary}
import io.wreath.kernel.lists.Pieces

/**
 * Builds a [[CsrGraph]] from an unsorted edge list.
 *
 * Requires: nothing of the input's order; self-loops and repeated edges are welcome. The input
 * arrays are only read.
 * Cost: three counting-sort passes over the edges, for both directions together, and one
 * temporary int an edge; no comparisons, no boxing. [[fromIds]] adds one hash lookup an endpoint
 * where the ids are too far apart to serve as codes.
 * Thread-safety: no state.
 */
object CsrBuilder {

  /**
   * Ids serve as codes when their range has at most this many values an edge. A value of the
   * range costs 8 bytes (two offsets), a dictionary entry 8 bytes and a lookup an endpoint.
   */
  final private val DenseRangePerEdge = 2L

  /** Ranges as short as this are always dense: a dictionary would save nothing. */
  final private val AlwaysDenseRange = 1024L

  /**
   * The graph of the first `count` pairs of `src` and `dst`, which must be codes in
   * `0 until vertexCount`.
   */
  def fromCodes(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      vertexCount: Int): CsrGraph =
    fromCodes(src, dst, count, vertexCount, vertexCount, Pieces.NoInterrupt)

  /**
   * The same where sources and targets are numbered each by themselves.
   *
   * @param interrupt runs every few milliseconds, and ends the build by throwing
   */
  def fromCodes(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      sourceCount: Int,
      targetCount: Int,
      interrupt: Runnable = Pieces.NoInterrupt): CsrGraph = {
    checkAll(src, dst, count, sourceCount, targetCount, interrupt)
    val sourceOffsets = offsetsOf(src, count, sourceCount, interrupt)
    val targetOffsets = offsetsOf(dst, count, targetCount, interrupt)
    val sources = groupByTarget(src, dst, count, targetOffsets, interrupt)
    val rows = scatter(sources, targetOffsets, sourceOffsets, null, null, interrupt)
    // `sources` has served; the sorted reverse lists are exactly as long.
    bothDirections(rows, sourceOffsets, targetOffsets, sources, interrupt)
  }

  /**
   * The graph as [[fromCodes]] builds it, and where each of its rows comes from: the rows of the
   * edge at position 0 of the forward lists, then those of position 1, and so on; parallel rows
   * in the order in which they were given.
   */
  def withOrder(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      sourceCount: Int,
      targetCount: Int,
      interrupt: Runnable = Pieces.NoInterrupt): (CsrGraph, Array[Int]) = {
    checkAll(src, dst, count, sourceCount, targetCount, interrupt)
    val sourceOffsets = offsetsOf(src, count, sourceCount, interrupt)
    val targetOffsets = offsetsOf(dst, count, targetCount, interrupt)
    val byTarget = positionsByCode(dst, count, targetOffsets, interrupt)
    val rows = new Array[Int](count)
    val order = orderInto(rows, src, dst, byTarget, sourceOffsets, interrupt)
    (bothDirections(rows, sourceOffsets, targetOffsets, byTarget, interrupt), order)
  }

  /** The order alone, for rows of a graph that is there already. */
  def orderOf(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      sourceCount: Int,
      targetCount: Int,
      interrupt: Runnable = Pieces.NoInterrupt): Array[Int] = {
    checkAll(src, dst, count, sourceCount, targetCount, interrupt)
    val targetOffsets = offsetsOf(dst, count, targetCount, interrupt)
    val byTarget = positionsByCode(dst, count, targetOffsets, interrupt)
    orderInto(null, src, dst, byTarget, offsetsOf(src, count, sourceCount, interrupt), interrupt)
  }

  /** @param rows gets the targets in that order, unless null */
  private def orderInto(
      rows: Array[Int],
      src: Array[Int],
      dst: Array[Int],
      byTarget: Array[Int],
      sourceOffsets: Array[Int],
      interrupt: Runnable): Array[Int] = {
    val order = new Array[Int](byTarget.length)
    val next = sourceOffsets.clone()
    Pieces.foreach(byTarget.length, interrupt) { (from, until) =>
      var i = from
      while (i < until) {
        val row = byTarget(i)
        val at = next(src(row))
        order(at) = row
        if (rows != null) rows(at) = dst(row)
        next(src(row)) = at + 1
        i += 1
      }
    }
    order
  }

  /** @param scratch as long as `rows`; becomes the reverse lists where no edge repeats */
  private def bothDirections(
      rows: Array[Int],
      sourceOffsets: Array[Int],
      targetOffsets: Array[Int],
      scratch: Array[Int],
      interrupt: Runnable): CsrGraph =
    if (!hasRepeats(rows, sourceOffsets, interrupt)) {
      val columns =
        scatterInto(scratch, rows, sourceOffsets, targetOffsets, null, null, interrupt)
      new CsrGraph(new Csr(sourceOffsets, rows, null), new Csr(targetOffsets, columns, null))
    } else {
      val forward = mergeRepeats(rows, sourceOffsets, interrupt)
      new CsrGraph(forward, transpose(forward, targetOffsets.length - 1, interrupt))
    }

  /** The graph of the first `count` pairs of ids, and the dictionary of its codes. */
  def fromIds(src: Array[Long], dst: Array[Long], count: Int): IndexedGraph = {
    checkCount(count, src.length, dst.length)
    var min = Long.MaxValue
    var max = Long.MinValue
    var i = 0
    while (i < count) {
      min = Math.min(min, Math.min(src(i), dst(i)))
      max = Math.max(max, Math.max(src(i), dst(i)))
      i += 1
    }
    if (count == 0) {
      IndexedGraph(DenseDictionary(0L, 0), fromCodes(Array.empty, Array.empty, 0, 0))
    } else if (worthDense(min, max, count)) {
      val dictionary = DenseDictionary(min, (max - min).toInt + 1)
      val sources = distances(src, count, min)
      val targets = distances(dst, count, min)
      IndexedGraph(dictionary, fromCodes(sources, targets, count, dictionary.size))
    } else {
      val sources = new Array[Int](count)
      val targets = new Array[Int](count)
      val table = new IdTable
      table.addAll(src, count, sources)
      table.addAll(dst, count, targets)
      val dictionary = new SortedDictionary(table.rank(sources, targets))
      IndexedGraph(dictionary, fromCodes(sources, targets, count, dictionary.size))
    }
  }

  /** The forward lists alone, for measuring one direction against builders that make one. */
  private[wreath] def forwardOnly(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      vertexCount: Int): Csr = {
    val none = Pieces.NoInterrupt
    checkAll(src, dst, count, vertexCount, vertexCount, none)
    val sourceOffsets = offsetsOf(src, count, vertexCount, none)
    val targetOffsets = offsetsOf(dst, count, vertexCount, none)
    val sources = groupByTarget(src, dst, count, targetOffsets, none)
    val rows = scatter(sources, targetOffsets, sourceOffsets, null, null, none)
    if (hasRepeats(rows, sourceOffsets, none)) mergeRepeats(rows, sourceOffsets, none)
    else new Csr(sourceOffsets, rows, null)
  }

  /** The lists of the other direction, multiplicities included. */
  private[wreath] def transpose(
      csr: Csr,
      targetCount: Int,
      interrupt: Runnable = Pieces.NoInterrupt): Csr = {
    val offsets = offsetsOf(csr.neighbours, csr.edgeCount, targetCount, interrupt)
    val mult = if (csr.mult == null) null else new Array[Int](csr.edgeCount)
    val rows = scatter(csr.neighbours, csr.offsets, offsets, csr.mult, mult, interrupt)
    new Csr(offsets, rows, mult)
  }

  /** Whether `count` edges with ids from `min` to `max` take their distance from `min` as code. */
  private[wreath] def worthDense(min: Long, max: Long, count: Int): Boolean = {
    val range = max - min // negative when it overflows, which is not dense at all
    range >= 0 && range < Pieces.MaxArrayLength - 1 &&
    range <= AlwaysDenseRange + DenseRangePerEdge * count
  }

  private def distances(ids: Array[Long], count: Int, min: Long): Array[Int] = {
    val codes = new Array[Int](count)
    var i = 0
    while (i < count) {
      codes(i) = (ids(i) - min).toInt
      i += 1
    }
    codes
  }

  private def checkCount(count: Int, sources: Int, targets: Int): Unit =
    if (count < 0 || count > sources || count > targets) {
      throw new IllegalArgumentException(
        s"$count edges were announced, but there are $sources sources and $targets targets.")
    }

  private def checkAll(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      sourceCount: Int,
      targetCount: Int,
      interrupt: Runnable): Unit = {
    checkCount(count, src.length, dst.length)
    Seq(sourceCount, targetCount).foreach { n =>
      if (n < 0 || n > Pieces.MaxArrayLength - 1) {
        throw new IllegalArgumentException(
          s"A graph can have from 0 to ${Pieces.MaxArrayLength - 1} vertices, but $n were given.")
      }
    }
    Pieces.foreach(count, interrupt) { (from, until) =>
      var i = from
      while (i < until) {
        if (src(i) < 0 || src(i) >= sourceCount || dst(i) < 0 || dst(i) >= targetCount) {
          throw new IllegalArgumentException(
            s"Edge $i, from ${src(i)} to ${dst(i)}, leaves the codes 0 until $sourceCount and " +
              s"0 until $targetCount.")
        }
        i += 1
      }
    }
  }

  /** Where the list of each code begins when `count` codes are grouped by value. */
  private def offsetsOf(
      codes: Array[Int],
      count: Int,
      n: Int,
      interrupt: Runnable): Array[Int] = {
    val offsets = new Array[Int](n + 1)
    Pieces.foreach(count, interrupt) { (from, until) =>
      var i = from
      while (i < until) {
        offsets(codes(i) + 1) += 1
        i += 1
      }
    }
    Pieces.foreach(n, interrupt) { (from, until) =>
      var v = from
      while (v < until) {
        offsets(v + 1) += offsets(v)
        v += 1
      }
    }
    offsets
  }

  private def groupByTarget(
      src: Array[Int],
      dst: Array[Int],
      count: Int,
      targetOffsets: Array[Int],
      interrupt: Runnable): Array[Int] = {
    val next = targetOffsets.clone()
    val sources = new Array[Int](count)
    Pieces.foreach(count, interrupt) { (from, until) =>
      var i = from
      while (i < until) {
        val t = dst(i)
        val at = next(t)
        sources(at) = src(i)
        next(t) = at + 1
        i += 1
      }
    }
    sources
  }

  /** The places of codes, grouped by code; places of one code ascend. */
  private def positionsByCode(
      codes: Array[Int],
      count: Int,
      offsets: Array[Int],
      interrupt: Runnable): Array[Int] = {
    val next = offsets.clone()
    val places = new Array[Int](count)
    Pieces.foreach(count, interrupt) { (from, until) =>
      var i = from
      while (i < until) {
        val at = next(codes(i))
        places(at) = i
        next(codes(i)) = at + 1
        i += 1
      }
    }
    places
  }

  private def scatter(
      lists: Array[Int],
      listOffsets: Array[Int],
      offsets: Array[Int],
      listMult: Array[Int],
      mult: Array[Int],
      interrupt: Runnable): Array[Int] =
    scatterInto(
      new Array[Int](lists.length),
      lists,
      listOffsets,
      offsets,
      listMult,
      mult,
      interrupt)

  /**
   * Transposes lists: for each element `x` of the list of `v`, appends `v` to the list of `x`.
   * As the lists are visited in ascending order of `v`, the new ones come out sorted.
   */
  private def scatterInto(
      rows: Array[Int],
      lists: Array[Int],
      listOffsets: Array[Int],
      offsets: Array[Int],
      listMult: Array[Int],
      mult: Array[Int],
      interrupt: Runnable): Array[Int] = {
    val next = offsets.clone()
    val n = listOffsets.length - 1
    // Repeated edges are few as a rule: ones in order, and the others where they belong, is a
    // second array that hardly needs to be in cache.
    if (mult != null) Arrays.fill(mult, 1)
    var v = 0
    var i = 0
    while (v < n) {
      // Up to the end of a list, or of what may pass between two looks.
      val last = listOffsets(v + 1)
      val end = if (last - i > Pieces.Length) i + Pieces.Length else last
      if (Pieces.isDue(i, end) || Pieces.isDue(v, v + 1)) interrupt.run()
      while (i < end) {
        val x = lists(i)
        val at = next(x)
        rows(at) = v
        if (mult != null && listMult(i) != 1) mult(at) = listMult(i)
        next(x) = at + 1
        i += 1
      }
      if (end == last) v += 1
    }
    rows
  }

  private def hasRepeats(
      rows: Array[Int],
      offsets: Array[Int],
      interrupt: Runnable): Boolean = {
    val n = offsets.length - 1
    var v = 0
    var i = 1
    var found = 0
    while (v < n && found == 0) {
      val last = offsets(v + 1)
      i = Math.max(i, offsets(v) + 1)
      val end = if (last - i > Pieces.Length) i + Pieces.Length else last
      if (Pieces.isDue(i, end) || Pieces.isDue(v, v + 1)) interrupt.run()
      while (i < end) {
        if (rows(i) == rows(i - 1)) found += 1
        i += 1
      }
      if (end == last) v += 1
    }
    found > 0
  }

  /** Sorted rows with repeated elements -> distinct elements with multiplicities. */
  private def mergeRepeats(rows: Array[Int], offsets: Array[Int], interrupt: Runnable): Csr = {
    val n = offsets.length - 1
    val merged = new Array[Int](n + 1)
    val mult = new Array[Int](rows.length)
    var out = 0
    var v = 0
    var i = 0
    while (v < n) {
      val begin = merged(v)
      val last = offsets(v + 1)
      val end = if (last - i > Pieces.Length) i + Pieces.Length else last
      if (Pieces.isDue(i, end) || Pieces.isDue(v, v + 1)) interrupt.run()
      while (i < end) {
        val x = rows(i)
        if (out > begin && rows(out - 1) == x) mult(out - 1) += 1
        else {
          rows(out) = x
          mult(out) = 1
          out += 1
        }
        i += 1
      }
      merged(v + 1) = out
      if (end == last) v += 1
    }
    new Csr(merged, Arrays.copyOf(rows, out), Arrays.copyOf(mult, out))
  }
}
