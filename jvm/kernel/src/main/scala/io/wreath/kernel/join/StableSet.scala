package io.wreath.kernel.join

import io.wreath.kernel.intersect.{Intersection, NeighbourhoodMarks}
import io.wreath.kernel.lists.GallopingSearch

/**
 * A set that stays while many lists pass by. It is marked as soon as that pays: lists that are far
 * shorter are looked up in it until that has cost as much as marking would, and in lists that are far
 * longer its own elements are searched for.
 *
 * Requires: [[release]] before what it was last given to [[become]] changes, or another instance
 * uses the same marks of the scratch.
 * Cost: O(list), or O(set * log list) if the list is [[Intersection.GallopRatio]] times as long.
 * Not thread-safe.
 *
 * @param use whether lists are marked; always means that none is searched either
 */
final private[wreath] class StableSet(scratch: JoinScratch, marksSlot: Int, use: Use) {

  private[this] val read = scratch.read
  private[this] var codes = 0
  private[this] var hasMarks = false
  private[this] var marks: Array[Byte] = null
  private[this] var isMarked = false
  private[this] var lookedUp = 0L

  /** The elements are `array(from) until array(until)`, ascending. */
  var array: Array[Int] = Array.emptyIntArray
  var from: Int = 0
  var until: Int = 0

  /** Says how many codes there are. */
  def over(codes: Int): Unit = {
    release()
    this.codes = codes
    hasMarks = use != Use.Never && scratch.hasMarksFor(codes)
    marks = null
  }

  def size: Int = until - from

  def isEmpty: Boolean = from == until

  def become(array: Array[Int], from: Int, until: Int): Unit = {
    release()
    this.array = array
    this.from = from
    this.until = until
    lookedUp = 0L
  }

  /** Writes the elements of the list that this set has to `out`, from 0 on; returns how many. */
  def into(list: Array[Int], listFrom: Int, listUntil: Int, out: Array[Int]): Int =
    if (isEmpty || listFrom == listUntil) 0
    else if (searchesFor(listUntil - listFrom)) {
      Intersection.gallopInto(array, from, until, list, listFrom, listUntil, out, read)
    } else if (probes(listUntil - listFrom)) {
      NeighbourhoodMarks.into(marks, list, listFrom, listUntil, out, read)
    } else Intersection.into(array, from, until, list, listFrom, listUntil, out, read)

  /** How many elements of the list this set has. */
  def count(list: Array[Int], listFrom: Int, listUntil: Int): Int =
    if (isEmpty || listFrom == listUntil) 0
    else if (searchesFor(listUntil - listFrom)) {
      Intersection.gallopCount(array, from, until, list, listFrom, listUntil, read)
    } else if (probes(listUntil - listFrom)) {
      NeighbourhoodMarks.count(marks, list, listFrom, listUntil, read)
    } else Intersection.count(array, from, until, list, listFrom, listUntil, read)

  def has(code: Int): Boolean =
    if (isMarked) code < marks.length && marks(code) != 0
    else GallopingSearch.find(array, from, until, code) >= 0

  /** Leaves the scratch without marks. */
  def release(): Unit =
    if (isMarked) {
      NeighbourhoodMarks.clear(marks, array, from, until, read)
      isMarked = false
    }

  /** The marks, with all elements marked; only where the scratch has marks for so many codes. */
  def marked(): Array[Byte] = {
    if (!isMarked) {
      read.add(size)
      if (marks == null) marks = scratch.marksOf(marksSlot, codes)
      NeighbourhoodMarks.mark(marks, array, from, until, read)
      isMarked = true
    }
    marks
  }

  /** Whether to search a list of that length for the elements of this set. */
  private def searchesFor(length: Int): Boolean = {
    val searches = use != Use.Always && Intersection.worthGalloping(size, length)
    if (searches) read.searched(size)
    searches
  }

  /** Whether to probe the marks, which are there then, with a list of that length. */
  private def probes(length: Int): Boolean =
    if (isMarked) {
      read.add(length)
      true
    } else if (!hasMarks) {
      read.add(size + length)
      false
    } else if (use != Use.Always && isLookedUp(length)) {
      read.searched(length)
      false
    } else {
      marked()
      read.add(length)
      true
    }

  /** Whether it is too early to mark the set for lists of that length: they are far shorter. */
  private def isLookedUp(length: Int): Boolean =
    Intersection.worthGalloping(length, size) && {
      lookedUp += StableSet.LookUp * length
      lookedUp < size
    }
}

private object StableSet {

  /** What looking up an element costs, in elements to mark. */
  final private val LookUp = 8L
}
