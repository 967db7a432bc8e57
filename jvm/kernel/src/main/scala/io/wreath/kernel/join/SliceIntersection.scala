package io.wreath.kernel.join

import io.wreath.kernel.intersect.{Intersection, NeighbourhoodMarks}

/**
 * Intersects a few slices of ascending arrays, the shortest ones first.
 *
 * Two slices of similar length are intersected by marking one and probing it with the other,
 * which reads both once without a branch to mispredict; merging takes several times as long an
 * element. Marks stay until another slice takes their place: seeds come sorted by source, so the
 * list of a hub is marked once for all its changes in the batch. Marking the longer one costs what
 * marking the shorter one and probing with the longer one does, and is done if it comes again.
 *
 * Use: [[clear]], [[add]] each slice, then [[into]] or [[count]].
 * Requires: [[release]] before another instance uses the same marks of the scratch; slices of lists,
 * which never change.
 * Cost: O(shortest slice * GallopRatio) reads; no allocation but for the growth of the scratch.
 * Not thread-safe.
 */
final private[wreath] class SliceIntersection(
    maxSlices: Int,
    scratch: JoinScratch,
    marksSlot: Int,
    use: Use = Use.WhenWorth) {

  private[this] val array = new Array[Array[Int]](Math.max(2, maxSlices))
  private[this] val from = new Array[Int](array.length)
  private[this] val until = new Array[Int](array.length)
  private[this] var size = 0
  private[this] var codes = 0

  /** The array of a slice that the next intersection has, too. */
  private[this] var recurring: Array[Int] = null

  // What is marked at the moment, if anything.
  private[this] var marked: Array[Int] = null
  private[this] var markedFrom = 0
  private[this] var markedUntil = 0

  /** Where [[into]] left its result. */
  var result: Array[Int] = null

  /** Says how many codes there are. */
  def over(codes: Int): Unit = {
    release()
    this.codes = codes
  }

  def clear(): Unit = {
    size = 0
    recurring = null
  }

  /** Adds a slice, keeping them by ascending length. */
  def add(a: Array[Int], aFrom: Int, aUntil: Int, comesAgain: Boolean): Unit = {
    if (comesAgain) recurring = a
    var i = size
    while (i > 0 && aUntil - aFrom < until(i - 1) - from(i - 1)) {
      array(i) = array(i - 1)
      from(i) = from(i - 1)
      until(i) = until(i - 1)
      i -= 1
    }
    array(i) = a
    from(i) = aFrom
    until(i) = aUntil
    size += 1
  }

  /** Writes the common elements, from 0 on, into the scratch's `slot`; returns how many. */
  def into(slot: Int): Int = {
    val shortest = until(0) - from(0)
    result = scratch.buffer(slot, shortest + 1)
    if (shortest == 0) 0
    else {
      var n = pairInto(result)
      var i = 2
      while (n > 0 && i < size) {
        countRead(n, until(i) - from(i))
        n = Intersection.into(result, 0, n, array(i), from(i), until(i), result, scratch.read)
        i += 1
      }
      n
    }
  }

  /** How many elements are common. */
  def count(slot: Int): Int =
    if (until(0) == from(0)) 0 else if (size == 2) pairCount() else into(slot)

  /** Leaves the scratch without marks. */
  def release(): Unit =
    if (marked != null) {
      NeighbourhoodMarks.clear(marks, marked, markedFrom, markedUntil, scratch.read)
      marked = null
    }

  private def marks: Array[Byte] = scratch.marksOf(marksSlot, codes)

  private def pairInto(out: Array[Int]): Int = {
    val probe = chooseProbe()
    if (probe < 0) {
      countRead(until(0) - from(0), until(1) - from(1))
      Intersection.into(
        array(0),
        from(0),
        until(0),
        array(1),
        from(1),
        until(1),
        out,
        scratch.read)
    } else {
      scratch.read.add(until(probe) - from(probe))
      NeighbourhoodMarks.into(marks, array(probe), from(probe), until(probe), out, scratch.read)
    }
  }

  private def pairCount(): Int = {
    val probe = chooseProbe()
    if (probe < 0) {
      countRead(until(0) - from(0), until(1) - from(1))
      Intersection.count(array(0), from(0), until(0), array(1), from(1), until(1), scratch.read)
    } else {
      scratch.read.add(until(probe) - from(probe))
      NeighbourhoodMarks.count(marks, array(probe), from(probe), until(probe), scratch.read)
    }
  }

  /** The slice, of the first two, to probe marks of the other with; -1 if marks are of no use. */
  private def chooseProbe(): Int = {
    val short = until(0) - from(0)
    val long = until(1) - from(1)
    if (isMarked(1)) 0
    else if (!worthMarking(short)) -1
    else if (use != Use.Always && Intersection.worthGalloping(short, long)) -1
    else if (array(1) eq recurring) {
      mark(1)
      0
    } else {
      if (!isMarked(0)) mark(0)
      1
    }
  }

  private def worthMarking(short: Int): Boolean = use match {
    case Use.WhenWorth =>
      short >= SliceIntersection.MinMarked && scratch.hasMarksFor(codes)
    case Use.Always => true
    case Use.Never => false
  }

  private def isMarked(i: Int): Boolean =
    (array(i) eq marked) && from(i) == markedFrom && until(i) == markedUntil

  private def mark(i: Int): Unit = {
    release()
    marked = array(i)
    markedFrom = from(i)
    markedUntil = until(i)
    scratch.read.add(markedUntil - markedFrom)
    NeighbourhoodMarks.mark(marks, marked, markedFrom, markedUntil, scratch.read)
  }

  private def countRead(short: Int, long: Int): Unit =
    scratch.read.add(SliceIntersection.elementsRead(short, long))
}

private[wreath] object SliceIntersection {

  /** What [[Intersection.into]] reads of lists of such lengths. */
  def elementsRead(a: Int, b: Int): Int =
    if (Intersection.worthGalloping(a, b)) a
    else if (Intersection.worthGalloping(b, a)) b
    else a + b

  /** Shorter slices are merged: marking, probing and clearing are three loops to start. */
  final private val MinMarked = 8
}
