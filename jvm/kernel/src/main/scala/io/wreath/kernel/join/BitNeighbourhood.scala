package io.wreath.kernel.join

import java.util.Arrays

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.intersect.{BitRows, LocalBitMatrix}
import io.wreath.kernel.lists.{Adjacency, GallopingSearch, Pieces}

/**
 * The neighbourhood that [[BitLevels]] works in: the common list of level 0, relabelled to
 * `0 until size`, with its bit matrices, and with the masks and ranges of labels that level 0
 * imposes on each further level.
 *
 * Not thread-safe.
 */
final private[join] class BitNeighbourhood(
    state: JoinState,
    plan: BitPlan,
    graphs: Array[_ <: Relation]) {
  private[this] val levels = state.levels
  private[this] val bitLevels = plan.levels
  private[this] val last = levels.length - 1
  private[this] val base: Adjacency = graphs(plan.relation).direction(plan.forward)

  /** The largest neighbourhood that is taken. */
  val maxSize: Int = Math.min(base.maxDegree, BitLevels.MaxSize)

  /** Words of the longest row. */
  val maxWidth: Int = LocalBitMatrix.wordsFor(maxSize)

  private[this] val matrixLists: Array[Adjacency] =
    Array.tabulate(plan.matrixRelation.length)(m =>
      graphs(plan.matrixRelation(m)).direction(plan.matrixForward(m)))
  val matrices: Array[LocalBitMatrix] = matrixLists.map(_ => new LocalBitMatrix(maxSize))

  /** By level, the labels that its masks leave; null where the level has none. */
  val masks: Array[Array[Long]] =
    bitLevels.map(l => if (l != null && l.hasMask) new Array[Long](maxWidth) else null)

  /** By level, the range of labels that comparisons with level 0 admit. */
  val lowest: Array[Int] = new Array[Int](last + 1)
  val highest: Array[Int] = new Array[Int](last + 1)

  /** Label of the vertex of level 0 if it is its own neighbour, else -1. */
  var ownLabel: Int = -1

  private[this] val labels = new Array[Int](state.domain(last).size)
  Arrays.fill(labels, -1)
  private[this] val buffer = new Array[Long](maxWidth)
  private[this] var members: Array[Int] = Array.emptyIntArray
  private[this] var from = 0
  private[this] var until = 0

  /** How many neighbours the neighbourhood of `v` would have. */
  def sizeOf(v: Int): Int = base.degree(v)

  def size: Int = until - from

  def code(label: Int): Int = members(from + label)

  /** Relabels the neighbourhood of what level 0 is bound to. */
  def build(): Unit = {
    val v = state.codes(0)
    members = base.array(v)
    from = base.from(v)
    until = base.until(v)
    if (plan.side > 0) from = base.after(v)
    if (plan.side < 0) until = GallopingSearch.lowerBound(members, from, until, v)
    var i = from
    while (i < until) {
      labels(members(i)) = i - from
      i += 1
    }
    ownLabel = if (v < labels.length) labels(v) else -1
    var m = 0
    while (m < matrices.length) {
      matrices(m)
        .build(matrixLists(m), plan.matrixSide(m), members, from, until, labels, state.read)
      m += 1
    }
    var level = 1
    while (level <= last) {
      if (masks(level) != null) fillMask(level, v)
      boundByFirst(level, v)
      level += 1
    }
    i = from
    while (i < until) {
      labels(members(i)) = -1
      i += 1
    }
  }

  /** The members that are in the level's other lists of level 0 and have its self-loops. */
  private def fillMask(level: Int, v: Int): Unit = {
    val mask = masks(level)
    val width = LocalBitMatrix.wordsFor(size)
    val others = bitLevels(level).maskList
    Arrays.fill(mask, 0, width, if (others.length == 0) -1L else 0L)
    var i = 0
    while (i < others.length) {
      val adjacency = state.lists(level)(others(i))
      val target = if (i == 0) mask else buffer
      if (i > 0) Arrays.fill(target, 0, width, 0L)
      var p = adjacency.from(v)
      while (p < adjacency.until(v)) {
        if (Pieces.isStart(p)) state.read.look()
        val l = labels(adjacency.array(v)(p))
        if (l >= 0) target(l >>> 6) |= 1L << l
        p += 1
      }
      if (i > 0) BitRows.and(mask, 0, target, 0, mask, 0, width)
      i += 1
    }
    if (levels(level).loopRelation.length > 0) {
      i = from
      while (i < until) {
        if (!state.hasLoops(level, members(i))) mask((i - from) >>> 6) &= ~(1L << (i - from))
        i += 1
      }
    }
  }

  private def boundByFirst(level: Int, v: Int): Unit = {
    val l = bitLevels(level)
    val domainFrom = state.domainFrom(level)
    val domainUntil = state.domainUntil(level)
    var low = if (domainFrom > 0) labelFrom(domainFrom) else 0
    var i = 0
    while (i < l.lowerLevel.length) {
      if (l.lowerLevel(i) == 0) low = Math.max(low, labelFrom(v + l.lowerShift(i)))
      i += 1
    }
    var high = if (domainUntil < state.domain(level).size) labelFrom(domainUntil) else size
    i = 0
    while (i < l.upperLevel.length) {
      if (l.upperLevel(i) == 0) high = Math.min(high, labelFrom(v + l.upperShift(i)))
      i += 1
    }
    lowest(level) = low
    highest(level) = high
  }

  /** The least label whose code is at least `code`. */
  private def labelFrom(code: Int): Int =
    GallopingSearch.lowerBound(members, from, until, code) - from
}
