package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.wreath.kernel.join.{Morsel, MorselJoin}
import io.wreath.kernel.lists.ElementCounter
import io.wreath.spark.index.ElementRows

/**
 * The rows of a task's morsels one by one: a binding, and of each edge that is told apart or read one
 * of its parallel rows; each as often as the edges that are not told apart say. Not thread-safe: one per
 * task.
 *
 * Use: [[next]] until it is false, and after each read [[binding]], [[choices]] or [[element]].
 *
 * @param rowPredicates what is asked of each choice of parallel rows
 * @param read of elements whose columns are read, by their numbers
 * @param repeats whether a row comes as often as it occurs, or once
 * @param anyChoice whether one row of a binding is enough
 * @param counts where the rows of a binding need not be told apart but for their number: that of the ways
 *   to choose them; else null
 * @param interrupt runs once in a while; it ends the task by throwing
 */
final class BindingCursor private[execution] (
    join: MorselJoin,
    morsels: Iterator[Morsel],
    private[execution] val choices: RowChoices,
    rowPredicates: Seq[RowPredicate],
    read: Seq[(Int, ElementRows)],
    repeats: Boolean,
    anyChoice: Boolean,
    counts: ChoiceCounts,
    interrupt: Runnable) {

  private[this] val work = new ElementCounter(interrupt)
  private[this] var ways = 1L
  private[this] val onRows = rowPredicates.toArray
  private[this] val elements = read.map(_._1).toArray
  private[this] val stores = read.map(_._2).toArray
  private[this] val pointers = stores.map(s => new UnsafeRow(s.columns.size))
  private[this] var repeatsLeft = 0L
  private[this] var inBinding = false
  private[this] var isOpen = openNext()

  /** How many rows there were so far. */
  private[execution] var taken: Long = 0L

  /** Codes by variable. */
  def binding: Array[Int] = join.binding

  /** How many rows the row stands for. Throws ArithmeticException if it exceeds a Long. */
  def weight: Long = Math.multiplyExact(join.weight, ways)

  /** The row of an element that is read, by its place among them; always the same object. */
  def element(place: Int): UnsafeRow = pointers(place)

  /** Whether the row is the one before once more. */
  private[execution] var isRepeated: Boolean = false

  private def openNext(): Boolean = {
    val more = morsels.hasNext
    if (more) join.open(morsels.next())
    more
  }

  /** Advances to the next row; false when the morsels are exhausted. */
  def next(): Boolean = {
    work.worked(ElementCounter.Candidate)
    isRepeated = repeatsLeft > 0
    if (isRepeated) repeatsLeft -= 1
    else if (advance()) {
      if (repeats) repeatsLeft = join.rowsToTake - 1
      point()
    }
    if (isOpen) taken += 1
    isOpen
  }

  private def advance(): Boolean = {
    var found = false
    while (!found && isOpen) {
      work.worked(ElementCounter.Candidate)
      inBinding = if (inBinding) choices.next() else nextBinding()
      found = inBinding && (if (counts == null) isAccepted else isCounted)
    }
    if (found && anyChoice) inBinding = false
    found
  }

  /** Takes all rows of a binding at once; one by one where there is no closed form. */
  private def isCounted: Boolean = {
    ways = counts.ways()
    if (ways < 0) {
      ways = 1L
      isAccepted
    } else {
      inBinding = false
      ways > 0
    }
  }

  private def nextBinding(): Boolean = {
    var found = join.next()
    while (!found && isOpen) {
      isOpen = openNext()
      found = isOpen && join.next()
    }
    if (found) choices.start(join.binding)
    found && choices.settle()
  }

  private def isAccepted: Boolean = {
    var ok = true
    var i = 0
    while (ok && i < onRows.length) {
      ok = onRows(i).accepts(join.binding, choices.rows)
      i += 1
    }
    ok
  }

  private def point(): Unit = {
    var i = 0
    while (i < elements.length) {
      stores(i).read(choices.rows(elements(i)), pointers(i))
      i += 1
    }
  }
}
