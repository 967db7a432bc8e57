package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.intersect.{BitRows, LocalBitMatrix}

/**
 * Binds levels 1 and up under a given binding of level 0, on bit rows: see [[BitPlan]] for when
 * that is possible and [[LocalBitMatrix]] for the rows.
 *
 * The raw row of a level is the AND of its rows and masks. Comparisons stay out of it: they are a
 * range of bits (`<`, `<=`, `=`) or single bits to skip (`<>`), so that the raw row of one level
 * can serve the next. In a clique each level ANDs one more row to the raw row before it.
 *
 * Requires: level 0 of `state` bound, and [[fits]], before [[start]].
 * Cost: building the matrices reads the lists of the neighbourhood once; then neighbourhood / 64
 * words per binding of all levels but the last. Memory is that of the largest neighbourhood
 * taken, and bounded by [[BitLevels.MaxSize]].
 * Not thread-safe.
 */
final private[join] class BitLevels(
    state: JoinState,
    plan: BitPlan,
    graphs: Array[_ <: Relation]) {
  import BitRows.maskFrom
  import LocalBitMatrix.wordsFor

  private[this] val levels = state.levels
  private[this] val bitLevels = plan.levels
  private[this] val last = state.levelCount - 1
  val hood: BitNeighbourhood = new BitNeighbourhood(state, plan, graphs)
  private[this] val matrices = hood.matrices
  private[this] val ones = Array.fill(hood.maxWidth)(-1L)

  // By level: the label it is bound to, its raw row, and the cursor on it.
  private[this] val label = new Array[Int](last + 1)
  val raw: Array[Array[Long]] = new Array[Array[Long]](last + 1)
  val rawRow: Array[Int] = new Array[Int](last + 1)
  val rawFrom: Array[Int] = new Array[Int](last + 1)
  val rawUntil: Array[Int] = new Array[Int](last + 1)
  val buffers: Array[Array[Long]] = Array.fill(last + 1)(new Array[Long](hood.maxWidth))
  private[this] val wordAt = new Array[Int](last + 1)
  private[this] val wordEnd = new Array[Int](last + 1)
  private[this] val word = new Array[Long](last + 1)
  private[this] val high = new Array[Int](last + 1)
  private[this] var depth = 0

  /** Fewer members cannot be bound to variables that are known to differ pairwise. */
  private[this] val minSize = if (BitLevels.allDiffer(state, graphs)) last else 1

  /** Whether `v`, as vertex of level 0, has a neighbourhood that fits. */
  def fits(v: Int): Boolean = hood.sizeOf(v) <= BitLevels.MaxSize

  /** Whether `v`, as vertex of level 0, has so few neighbours that there is no binding at all. */
  def isHopeless(v: Int): Boolean = hood.sizeOf(v) < minSize

  /** Takes the current binding of level 0 as the prefix of all that follows. */
  def start(): Unit = {
    hood.build()
    depth = 1
    fill(1)
  }

  /** Advances to the next binding of all levels. */
  def next(): Boolean = advance(last)

  private[this] val runCodes = new Array[Int](hood.maxSize)

  /** [[ListLevels.nextPrefix]] on bit rows. */
  def nextPrefix(): Boolean = {
    val more = advance(last - 1)
    if (more) fill(last)
    more
  }

  def takeRun(run: BindingRun): Unit = {
    val n = if (state.isPlain(last) && !levels(last).isSkipping) decode() else check()
    run.set(runCodes, 0, n)
  }

  private def check(): Int = {
    var n = 0
    while (step(last)) {
      runCodes(n) = state.codes(last)
      n += 1
    }
    n
  }

  /** Writes down the codes of all bits that the last level has left. */
  private def decode(): Int = {
    val set = raw(last)
    val row = rawRow(last)
    val end = wordEnd(last)
    var n = 0
    var z = wordAt(last)
    var w = word(last)
    while (z < end) {
      w &= BitRows.maskUntil(high(last), z)
      while (w != 0L) {
        runCodes(n) = hood.code((z << 6) + java.lang.Long.numberOfTrailingZeros(w))
        w &= w - 1
        n += 1
      }
      z += 1
      if (z < end) w = set(row + z)
    }
    n
  }

  def lowLabel(level: Int): Int = lowLabelBefore(level, level)

  def highLabel(level: Int): Int = highLabelBefore(level, level)

  /** The least label that the comparisons of `level` with levels before `end` admit. */
  def lowLabelBefore(level: Int, end: Int): Int = {
    val l = bitLevels(level)
    var bound = hood.lowest(level)
    var i = 0
    while (i < l.lowerLevel.length) {
      val by = l.lowerLevel(i)
      if (by > 0 && by < end) bound = Math.max(bound, label(by) + l.lowerShift(i))
      i += 1
    }
    bound
  }

  def highLabelBefore(level: Int, end: Int): Int = {
    val l = bitLevels(level)
    var bound = hood.highest(level)
    var i = 0
    while (i < l.upperLevel.length) {
      val by = l.upperLevel(i)
      if (by > 0 && by < end) bound = Math.min(bound, label(by) + l.upperShift(i))
      i += 1
    }
    bound
  }

  /** Advances to the next binding of levels 1 to `target`. */
  def advance(target: Int): Boolean = {
    var level = Math.min(depth, target)
    while (level > 0) {
      if (!step(level)) level -= 1
      else if (level == target) {
        depth = level
        return true
      } else {
        level += 1
        fill(level)
      }
    }
    depth = 0
    false
  }

  private def fill(level: Int): Unit = {
    combine(level, bitLevels(level).rowLevel.length)
    val low = lowLabel(level)
    high(level) = highLabel(level)
    wordAt(level) = Math.max(rawFrom(level), low >>> 6)
    wordEnd(level) = Math.min(rawUntil(level), wordsFor(Math.max(high(level), 0)))
    if (wordAt(level) < wordEnd(level)) {
      word(level) = raw(level)(rawRow(level) + wordAt(level)) & maskFrom(low, wordAt(level))
    } else {
      word(level) = 0L
    }
  }

  private def step(level: Int): Boolean = {
    var w = word(level)
    var found = false
    var more = true
    while (!found && more) {
      if (w == 0L) {
        val at = wordAt(level) + 1
        if (at < wordEnd(level)) {
          wordAt(level) = at
          w = raw(level)(rawRow(level) + at)
        } else more = false
      } else {
        val l = (wordAt(level) << 6) + java.lang.Long.numberOfTrailingZeros(w)
        w &= w - 1
        if (l >= high(level)) more = false
        else if (!isExcluded(level, l)) {
          label(level) = l
          found = state.bind(level, hood.code(l))
        }
      }
    }
    // A level that has ended must stay so: the bits of its last word may reach beyond `high`.
    if (more) word(level) = w
    else {
      word(level) = 0L
      wordAt(level) = wordEnd(level)
    }
    found
  }

  private def isExcluded(level: Int, l: Int): Boolean = {
    val notEqual = levels(level).notEqualLevel
    var excluded = false
    var i = 0
    while (i < notEqual.length) {
      if (excludedBy(notEqual(i)) == l) excluded = true
      i += 1
    }
    excluded
  }

  /** The label that a level with `<>` to `level` must not take; -1 for none. */
  def excludedBy(level: Int): Int = if (level == 0) hood.ownLabel else label(level)

  /** Computes the raw row of `level` from its mask and the first `rows` of its rows. */
  def combine(level: Int, rows: Int): Unit = {
    val plan = bitLevels(level)
    val width = wordsFor(hood.size)
    var i = 0
    if (plan.extendsPrevious) {
      raw(level) = raw(level - 1)
      rawRow(level) = rawRow(level - 1)
      rawFrom(level) = rawFrom(level - 1)
      rawUntil(level) = rawUntil(level - 1)
      i = plan.rowsBeforePrevious
    } else {
      raw(level) = if (plan.hasMask) hood.masks(level) else ones
      rawRow(level) = 0
      rawFrom(level) = 0
      rawUntil(level) = width
    }
    while (i < rows) {
      val matrix = matrices(plan.rowMatrix(i))
      val l = label(plan.rowLevel(i))
      val row = l * width
      if (raw(level) eq ones) {
        raw(level) = matrix.bits
        rawRow(level) = row
        rawFrom(level) = matrix.rowFrom(l)
        rawUntil(level) = matrix.rowUntil(l)
      } else {
        val begin = Math.max(rawFrom(level), matrix.rowFrom(l))
        val end = Math.min(rawUntil(level), matrix.rowUntil(l))
        val out = buffers(level)
        BitRows.and(raw(level), rawRow(level), matrix.bits, row, out, begin, end)
        raw(level) = out
        rawRow(level) = 0
        rawFrom(level) = begin
        rawUntil(level) = end
      }
      i += 1
    }
  }
}

private[join] object BitLevels {

  /**
   * The largest neighbourhood that is taken. A vertex with more neighbours is joined by lists, which on
   * the hubs of a web graph costs ten times as much, so the limit is only what a task may take of the
   * heap for a matrix: from 11,584^2 bits, 16 MiB, to 46,340^2, 256 MiB.
   */
  val MaxSize: Int = {
    val bytes = Math.min(256L << 20, Math.max(16L << 20, Runtime.getRuntime.maxMemory / 32))
    Math.sqrt(8.0 * bytes).toInt
  }

  /** Whether no two variables after the first can be bound to the same vertex. */
  private def allDiffer(state: JoinState, graphs: Array[_ <: Relation]): Boolean = {
    val levels = state.levels
    levels.indices.drop(1).forall { level =>
      val l = levels(level)
      (1 until level).forall { earlier =>
        l.notEqualLevel.contains(earlier) ||
        l.lowerLevel.indices.exists(i => l.lowerLevel(i) == earlier && l.lowerShift(i) == 1) ||
        l.upperLevel.indices.exists(i => l.upperLevel(i) == earlier && l.upperShift(i) == 0) ||
        l.listLevel.indices.exists(i =>
          l.listLevel(i) == earlier && !graphs(
            l.listRelation(i)).hasSelfLoops(state.read.interrupt))
      }
    }
  }
}
