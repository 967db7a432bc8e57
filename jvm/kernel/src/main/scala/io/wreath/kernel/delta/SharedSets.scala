package io.wreath.kernel.delta

/**
 * What the ends of a seed have in common, made once for all terms that ask for it.
 *
 * The terms of a pattern take the same changed edge as seed, and intersect lists of the same two
 * vertices: in a clique, those of the vertices above both, between them and below both.
 * Which of them are asked for more than once, [[DeltaProgram]] has found out.
 *
 * Use: [[begin]] for each seed, then [[made]] for the sets that it needs.
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
  private[this] val sets = Array.tabulate(lists.length) { set =>
    new StableSet(vertexCount, scratch, firstSlot + 2 * set + 1)
  }
  private[this] val stamps = new Array[Long](lists.length)
  private[this] val ends = new Array[Int](2)
  private[this] var sourceStays = false
  private[this] var stamp = 0L

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
