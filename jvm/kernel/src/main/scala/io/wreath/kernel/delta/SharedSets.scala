package io.wreath.kernel.delta

import io.wreath.kernel.intersect.NeighbourhoodMarks

/**
 * What the ends of a seed have in common, made once for all terms that ask for it.
 *
 * The terms of a pattern take the same changed edge as seed, and intersect lists of the same two
 * vertices: in a clique, those of the vertices above both, between them and below both.
 * Which of them are asked for more than once, [[DeltaProgram]] has found out.
 *
 * Use: [[begin]] for each seed, then [[make]] before a set is looked at.
 * Requires: [[release]] before another instance uses the scratch.
 * Cost: each set is made when first asked for, at most once a seed; and marked likewise.
 * Not thread-safe.
 *
 * @param firstSlot the slots of the scratch from here on are free
 */
final private[delta] class SharedSets(
    lists: Array[Array[ListRef]],
    isInsert: Boolean,
    changes: Array[GraphChange],
    scratch: DeltaScratch,
    firstSlot: Int) {

  private[this] val vertexCount = changes(0).vertexCount
  private[this] val adjacencies = lists.map(_.map(_.adjacency(changes, isInsert)))
  private[this] val slices = Array.tabulate(lists.length) { set =>
    new SliceIntersection(lists(set).length, vertexCount, scratch, firstSlot + 2 * set)
  }
  private[this] val arrays = new Array[Array[Int]](lists.length)
  private[this] val sizes = new Array[Int](lists.length)
  private[this] val stamps = new Array[Long](lists.length)
  private[this] val isMarked = new Array[Boolean](lists.length)
  private[this] val ends = new Array[Int](2)
  private[this] var stamp = 0L

  /** Takes up the next seed. */
  def begin(source: Int, target: Int): Unit = {
    stamp += 1
    ends(0) = source
    ends(1) = target
  }

  /** Brings `set` up to date. */
  def make(set: Int): Unit = if (stamps(set) != stamp) {
    unmark(set)
    stamps(set) = stamp
    slices(set).clear()
    var i = 0
    while (i < lists(set).length) {
      val v = ends(lists(set)(i).level)
      val a = adjacencies(set)(i)
      slices(set).add(a.array(v), a.from(v), a.until(v))
      i += 1
    }
    sizes(set) = slices(set).into(firstSlot + set)
    arrays(set) = slices(set).result
  }

  /** The elements of `set`, ascending from 0 on; gone with the next seed. */
  def array(set: Int): Array[Int] = arrays(set)

  def size(set: Int): Int = sizes(set)

  /** The marks of `set`, which are not the caller's to clear. */
  def marks(set: Int): Array[Byte] = {
    val marks = marksOf(set)
    if (!isMarked(set)) {
      scratch.read.elements += sizes(set)
      NeighbourhoodMarks.mark(marks, arrays(set), 0, sizes(set))
      isMarked(set) = true
    }
    marks
  }

  /** Leaves the scratch without marks. */
  def release(): Unit = {
    var set = 0
    while (set < lists.length) {
      slices(set).release()
      unmark(set)
      stamps(set) = 0L
      set += 1
    }
  }

  private def marksOf(set: Int): Array[Byte] =
    scratch.marksOf(firstSlot + 2 * set + 1, vertexCount)

  private def unmark(set: Int): Unit =
    if (isMarked(set)) {
      NeighbourhoodMarks.clear(marksOf(set), arrays(set), 0, sizes(set))
      isMarked(set) = false
    }
}
