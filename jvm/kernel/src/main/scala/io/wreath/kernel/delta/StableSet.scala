package io.wreath.kernel.delta

import io.wreath.kernel.intersect.{Intersection, NeighbourhoodMarks}

/**
 * A set that stays while many lists pass by: it is marked when first probed with a list that is not
 * far longer, and searched for in those that are.
 *
 * Requires: [[release]] before what it was last given to [[become]] changes, or another instance
 * uses the same marks of the scratch.
 * Cost: O(list), or O(set * log list) if the list is [[Intersection.GallopRatio]] times as long.
 * Not thread-safe.
 */
final private[delta] class StableSet(vertexCount: Int, scratch: DeltaScratch, marksSlot: Int) {

  private[this] val read = scratch.read
  private[this] val hasMarks = scratch.hasMarksFor(vertexCount)
  private[this] var isMarked = false

  /** The elements are `array(from) until array(until)`, ascending. */
  var array: Array[Int] = Array.empty
  var from: Int = 0
  var until: Int = 0

  def size: Int = until - from

  def isEmpty: Boolean = from == until

  def become(array: Array[Int], from: Int, until: Int): Unit = {
    release()
    this.array = array
    this.from = from
    this.until = until
  }

  /** Writes the elements of the list that this set has to `out`, from 0 on; returns how many. */
  def into(list: Array[Int], listFrom: Int, listUntil: Int, out: Array[Int]): Int =
    if (isEmpty || listFrom == listUntil) 0
    else if (Intersection.worthGalloping(size, listUntil - listFrom)) {
      read.add(size)
      Intersection.gallopInto(array, from, until, list, listFrom, listUntil, out)
    } else if (!hasMarks) {
      read.add(size + listUntil - listFrom)
      Intersection.into(array, from, until, list, listFrom, listUntil, out)
    } else {
      read.add(listUntil - listFrom)
      NeighbourhoodMarks.into(marked(), list, listFrom, listUntil, out)
    }

  /** How many elements of the list this set has. */
  def count(list: Array[Int], listFrom: Int, listUntil: Int): Int =
    if (isEmpty || listFrom == listUntil) 0
    else if (Intersection.worthGalloping(size, listUntil - listFrom)) {
      read.add(size)
      Intersection.gallopCount(array, from, until, list, listFrom, listUntil)
    } else if (!hasMarks) {
      read.add(size + listUntil - listFrom)
      Intersection.count(array, from, until, list, listFrom, listUntil)
    } else {
      read.add(listUntil - listFrom)
      NeighbourhoodMarks.count(marked(), list, listFrom, listUntil)
    }

  /** Leaves the scratch without marks. */
  def release(): Unit =
    if (isMarked) {
      NeighbourhoodMarks.clear(marks, array, from, until)
      isMarked = false
    }

  private def marks: Array[Byte] = scratch.marksOf(marksSlot, vertexCount)

  private def marked(): Array[Byte] = {
    val own = marks
    if (!isMarked) {
      read.add(size)
      NeighbourhoodMarks.mark(own, array, from, until)
      isMarked = true
    }
    own
  }
}
