package io.wreath.kernel.join

import io.wreath.kernel.csr.CsrGraph
import io.wreath.kernel.intersect.{BitRows, LocalBitMatrix}

/**
 * Binds levels 1 and up under a given binding of level 0, on bit rows: see [[BitPlan]] for when
 * that is possible and [[LocalBitMatrix]] for the rows.
 *
 * The raw row of a level is the AND of its rows and masks. Comparisons stay out of it: they are a
 * range of bits (`<`, `<=`, `=`) or single bits to skip (`<>`), so that the raw row of one level
 * can serve the next. In a clique each level ANDs one more row to the raw row before it.
 *
 * Requires: level 0 of `state` bound, and [[fits]], before [[start]] or [[count]].
 * Cost: building the matrices reads the lists of the neighbourhood once; then neighbourhood / 64
 * words per binding of all levels but the last. Memory is that of the largest neighbourhood
 * taken, and bounded by [[BitLevels.MaxSize]].
 * Not thread-safe.
 */
final private[join] class BitLevels(state: JoinState, plan: BitPlan, graphs: Array[CsrGraph]) {
  import BitRows.maskFrom
  import LocalBitMatrix.wordsFor

  private[this] val levels = state.levels
  private[this] val bitLevels = plan.levels
  private[this] val last = state.levelCount - 1
  private[this] val hood = new BitNeighbourhood(state, plan, graphs)
  private[this] val matrices = hood.matrices
  private[this] val ones = Array.fill(hood.maxWidth)(-1L)

  // By level: the label it is bound to, its raw row, and the cursor on it.
  private[this] val label = new Array[Int](last + 1)
  private[this] val raw = new Array[Array[Long]](last + 1)
  private[this] val rawRow = new Array[Int](last + 1)
  private[this] val rawFrom = new Array[Int](last + 1)
  private[this] val rawUntil = new Array[Int](last + 1)
  private[this] val buffers = Array.fill(last + 1)(new Array[Long](hood.maxWidth))
  private[this] val wordAt = new Array[Int](last + 1)
  private[this] val wordEnd = new Array[Int](last + 1)
  private[this] val word = new Array[Long](last + 1)
  private[this] val high = new Array[Int](last + 1)
  private[this] var depth = 0

  /** Fewer members cannot be bound to variables that are known to differ pairwise. */
  private[this] val minSize = if (BitLevels.allDiffer(state, graphs)) last else 1

  /** Whether counting can end with [[BitRows.countPairs]]: one row links the last two. */
  private[this] val countsPairs = last >= 2 && {
    val l = bitLevels(last)
    l.rowLevel.length == l.rowsBeforePrevious + 1 && !levels(last - 1).isSkipping &&
    !levels(last).isSkipping && !state.hasPredicates(last - 1) && !state.domain(last).isRange &&
    !state.isWeighted
  }

  /** Whether all levels can be counted by [[BitRows.countChain]]: a clique, in short. */
  private[this] val countsChain = plan.isChain && !state.isWeighted &&
    levels.indices.drop(1).forall { l =>
      !levels(l).isSkipping && !state.hasPredicates(l) && !state.domain(l).isRange
    }

  // How the last level is bounded by the one before it, in labels.
  private[this] val lowShift = BitLevels
    .shifts(bitLevels(last).lowerLevel, bitLevels(last).lowerShift, last - 1)
    .maxOption
    .getOrElse(-BitLevels.MaxSize)
  private[this] val highShift = BitLevels
    .shifts(bitLevels(last).upperLevel, bitLevels(last).upperShift, last - 1)
    .minOption
    .getOrElse(BitLevels.MaxSize)

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
    var n = 0
    while (step(last)) {
      runCodes(n) = state.codes(last)
      n += 1
    }
    run.set(runCodes, 0, n)
  }

  /** Rows under the current binding of level 0. */
  def count(): Long = {
    var total = 0L
    if (!state.isPlain(last)) {
      start()
      while (advance(last)) total = Math.addExact(total, state.weight(last + 1))
    } else {
      hood.build()
      depth = 1
      if (countsChain) total = countChain()
      else if (last == 1) {
        total = Math.multiplyExact(countLast(), state.weight(1))
      } else if (countsPairs) {
        if (last == 2) total = countPairs()
        else {
          fill(1)
          while (advance(last - 2)) total = Math.addExact(total, countPairs())
        }
      } else {
        fill(1)
        while (advance(last - 1)) {
          total = Math.addExact(total, Math.multiplyExact(countLast(), state.weight(last)))
        }
      }
    }
    total
  }

  private def countChain(): Long = {
    val matrix = matrices(0)
    var total = 0L
    var l = 0
    while (l < hood.size) {
      val rows = BitRows.countChain(
        last - 1,
        matrix.bits,
        l * matrix.width,
        matrix.rowFrom(l),
        matrix.rowUntil(l),
        matrix,
        buffers)
      total = Math.addExact(total, rows)
      l += 1
    }
    total
  }

  private def lowLabel(level: Int): Int = lowLabelBefore(level, level)

  private def highLabel(level: Int): Int = highLabelBefore(level, level)

  /** The least label that the comparisons of `level` with levels before `end` admit. */
  private def lowLabelBefore(level: Int, end: Int): Int = {
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

  private def highLabelBefore(level: Int, end: Int): Int = {
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

  private def advance(target: Int): Boolean = {
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

  private def excludedBy(level: Int): Int = if (level == 0) hood.ownLabel else label(level)

  /** Computes the raw row of `level` from its mask and the first `rows` of its rows. */
  private def combine(level: Int, rows: Int): Unit = {
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

  /** How many candidates the last level, which is plain, has under the current binding. */
  private def countLast(): Long = {
    combine(last, bitLevels(last).rowLevel.length)
    val low = lowLabel(last)
    val high = highLabel(last)
    var n = 0
    if (low < high) {
      n = BitRows.count(raw(last), rawRow(last), rawFrom(last), rawUntil(last), low, high)
      if (levels(last).notEqualLevel.length > 0) n -= countExcluded(low, high)
    }
    n.toLong
  }

  /** How many distinct labels that the last level must differ from are among its candidates. */
  private def countExcluded(low: Int, high: Int): Int = {
    val notEqual = levels(last).notEqualLevel
    var n = 0
    var i = 0
    while (i < notEqual.length) {
      val l = excludedBy(notEqual(i))
      var counts =
        l >= low && l < high && (l >>> 6) >= rawFrom(last) && (l >>> 6) < rawUntil(last)
      var j = 0
      while (j < i) {
        if (excludedBy(notEqual(j)) == l) counts = false
        j += 1
      }
      if (counts && (raw(last)(rawRow(last) + (l >>> 6)) >>> l & 1L) != 0L) n += 1
      i += 1
    }
    n
  }

  /** Counts the last two levels under the current binding of the levels before them. */
  private def countPairs(): Long = {
    val level = last - 1
    combine(level, bitLevels(level).rowLevel.length)
    combine(last, bitLevels(last).rowsBeforePrevious)
    val plan = bitLevels(last)
    val matrix = matrices(plan.rowMatrix(plan.rowsBeforePrevious))
    if (!bitLevels(last).isBounded) {
      BitRows.countPairs(
        raw(level),
        rawRow(level),
        rawFrom(level),
        rawUntil(level),
        lowLabel(level),
        highLabel(level),
        raw(last),
        rawRow(last),
        rawFrom(last),
        rawUntil(last),
        matrix)
    } else {
      // The bounds by the level before the last differ from candidate to candidate; those by
      // earlier levels do not.
      BitRows.countPairsWithin(
        raw(level),
        rawRow(level),
        rawFrom(level),
        rawUntil(level),
        lowLabel(level),
        highLabel(level),
        raw(last),
        rawRow(last),
        rawFrom(last),
        rawUntil(last),
        lowLabelBefore(last, level),
        highLabelBefore(last, level),
        lowShift,
        highShift,
        matrix)
    }
  }
}

private[join] object BitLevels {

  /**
   * The largest neighbourhood that is taken: 11,584^2 bits are 16 MiB a matrix. Beyond it a
   * matrix leaves the cache, and is mostly zeros on any graph that fits into memory; a vertex
   * with more neighbours is joined by lists.
   */
  final val MaxSize = 11584

  /** The shifts of the bounds that `by` sets. */
  private def shifts(levels: Array[Int], shifts: Array[Int], by: Int): Seq[Int] =
    levels.indices.filter(levels(_) == by).map(shifts(_))

  /** Whether no two variables after the first can be bound to the same vertex. */
  private def allDiffer(state: JoinState, graphs: Array[CsrGraph]): Boolean = {
    val levels = state.levels
    levels.indices.drop(1).forall { level =>
      val l = levels(level)
      (1 until level).forall { earlier =>
        l.notEqualLevel.contains(earlier) ||
        l.lowerLevel.indices.exists(i => l.lowerLevel(i) == earlier && l.lowerShift(i) == 1) ||
        l.upperLevel.indices.exists(i => l.upperLevel(i) == earlier && l.upperShift(i) == 0) ||
        l.listLevel.indices.exists(i =>
          l.listLevel(i) == earlier && !graphs(l.listRelation(i)).hasSelfLoops)
      }
    }
  }
}
