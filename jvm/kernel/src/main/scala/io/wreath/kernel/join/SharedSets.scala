package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.lists.Adjacency

/** The neighbours, in one relation and direction, of what a level of the seed is bound to. */
final private[wreath] case class SeedList(level: Int, relation: Int, isForward: Boolean)

/**
 * What the ends of a seed have in common, made once for all terms that ask for it.
 *
 * The terms of a pattern take the same changed edge as seed, and intersect lists of the same two
 * vertices: in a clique, those of the vertices above both, between them and below both.
 * Which of them are asked for more than once, the programs' compiler has found out.
 *
 * Use: [[begin]] for each seed, then [[made]] for the sets that it needs.
 * Requires: [[release]] before another instance uses the scratch.
 * Cost: each set is made when first asked for, at most once a seed; and marked likewise.
 * Not thread-safe.
 *
 * @param firstSlot the slots of the scratch from here on are free
 */
final private[wreath] class SharedSets(
    lists: Array[Array[SeedList]],
    scratch: JoinScratch,
    firstSlot: Int) {

  private[this] val adjacencies = lists.map(of => new Array[Adjacency](of.length))
  private[this] val slices = Array.tabulate(lists.length) { set =>
    new SliceIntersection(lists(set).length, scratch, firstSlot + 2 * set)
  }
  private[this] val sets = Array.tabulate(lists.length) { set =>
    new StableSet(scratch, firstSlot + 2 * set + 1, Use.WhenWorth)
  }
  private[this] val stamps = new Array[Long](lists.length)
  private[this] val ends = new Array[Int](2)
  private[this] var sourceStays = false
  private[this] var stamp = 0L

  /** Says which lists to read. */
  def attach(relations: Array[_ <: Relation], codes: Int): Unit = {
    release()
    var set = 0
    while (set < lists.length) {
      var i = 0
      while (i < lists(set).length) {
        adjacencies(set)(i) =
          relations(lists(set)(i).relation).direction(lists(set)(i).isForward)
        i += 1
      }
      slices(set).over(codes)
      sets(set).over(codes)
      set += 1
    }
  }

  /** Takes up the next seed. `sourceStays` says that the one after it has the same source. */
  def begin(source: Int, target: Int, sourceStays: Boolean): Unit = {
    stamp += 1
    this.sourceStays = sourceStays
    ends(0) = source
    ends(1) = target
  }

  /** What the lists of `set` have in common; gone with the next seed. */
  def made(set: Int): StableSet = {
    if (stamps(set) != stamp) make(set)
    sets(set)
  }

  /** Leaves the scratch without marks. */
  def release(): Unit = {
    var set = 0
    while (set < lists.length) {
      slices(set).release()
      sets(set).release()
      stamps(set) = 0L
      set += 1
    }
  }

  private def make(set: Int): Unit = {
    stamps(set) = stamp
    sets(set).release()
    slices(set).clear()
    var i = 0
    while (i < lists(set).length) {
      val level = lists(set)(i).level
      val v = ends(level)
      val a = adjacencies(set)(i)
      slices(set).add(a.array(v), a.from(v), a.until(v), sourceStays && level == 0)
      i += 1
    }
    val n = slices(set).into(firstSlot + set)
    sets(set).become(slices(set).result, 0, n)
  }
}

/**
 * Where the levels of one program find [[SharedSets]].
 *
 * @param at by level, which set its lists of the seed's levels have in common; -1 for none
 */
final private[wreath] class SeedSets(val sets: SharedSets, val at: Array[Int])

private[wreath] object SeedSets {

  def none(levelCount: Int): SeedSets = new SeedSets(null, Array.fill(levelCount)(-1))
}
