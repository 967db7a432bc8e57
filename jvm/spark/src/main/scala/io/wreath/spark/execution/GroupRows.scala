package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow

import io.wreath.kernel.count.EliminationRun
import io.wreath.kernel.join.{Morsel, MorselJoin}

/** Groups of matches, one after the other. */
private[execution] trait MatchGroups {

  /** Goes on to the next group that has matches, and says how many; 0 after the last. */
  def next(): Long
}

/**
 * The vertices of one variable, or of two, that have matches by elimination. Not thread-safe.
 *
 * @param of the variables
 * @param stored by code of the only group, the one that the index has in its place; null where they are the same
 * @param binding where their codes are put
 */
final private[execution] class EliminatedGroups(
    run: EliminationRun,
    of: Array[Int],
    stored: Array[Int],
    binding: Array[Int],
    morsels: Iterator[Morsel])
    extends MatchGroups {

  private[this] var code = -1
  private[this] var until = 0
  private[this] var inPairs = false

  override def next(): Long = {
    var rows = 0L
    while (rows == 0L && (inPairs || advance())) {
      if (of.length == 1) rows = run.ofGroup(code)
      else if (!inPairs) {
        run.startPairs(code)
        inPairs = true
      } else {
        inPairs = run.nextPair()
        if (inPairs) {
          binding(of(1)) = run.pairCode
          rows = run.pairRows
        }
      }
    }
    rows
  }

  private def advance(): Boolean = {
    code += 1
    while (code >= until && morsels.hasNext) {
      val m = morsels.next()
      code = m.from
      until = m.until
    }
    val isThere = code < until
    if (isThere) binding(of(0)) = if (stored == null) code else stored(code)
    isThere
  }
}

/**
 * The bindings of the first variables that have matches. Not thread-safe.
 *
 * @param levels how many variables
 * @param anyRow whether one match is enough
 */
final private[execution] class BoundGroups(
    join: MorselJoin,
    levels: Int,
    anyRow: Boolean,
    morsels: Iterator[Morsel])
    extends MatchGroups {

  private[this] var isOpen = open()

  override def next(): Long = {
    var rows = 0L
    while (rows == 0L && isOpen) {
      rows = join.nextGroup(levels, anyRow)
      if (rows == 0L) isOpen = open()
    }
    rows
  }

  private def open(): Boolean = {
    val more = morsels.hasNext
    if (more) join.open(morsels.next())
    more
  }
}

/**
 * The rows of groups, each with its number if that is asked for: one of a group, or one for each parallel edge that is
 * read. A row is reused. Not thread-safe.
 *
 * @param binding of the group
 * @param choices of rows of the elements that are read
 * @param readsEdges whether edges are among them
 */
final private[execution] class GroupRows(
    groups: MatchGroups,
    binding: Array[Int],
    choices: RowChoices,
    readsEdges: Boolean,
    writer: BindingRowWriter,
    metrics: JoinMetrics)
    extends Iterator[InternalRow] {

  private[this] var count = 0L
  private[this] var isAhead = false

  override def hasNext: Boolean = {
    if (!isAhead) {
      val isParallel = readsEdges && count > 0L && choices.next()
      if (!isParallel) {
        count = groups.next()
        if (count > 0L) choices.start(binding)
      }
      isAhead = true
    }
    count > 0L
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no more groups")
    isAhead = false
    metrics.rows += 1
    writer.write(binding, choices.rows, count)
  }
}
