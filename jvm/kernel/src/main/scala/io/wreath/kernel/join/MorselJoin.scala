package io.wreath.kernel.join

/**
 * A join over morsels of its first variables, whatever the algorithm.
 *
 * Use: [[open]] a morsel, then [[next]] or [[nextRun]] until it is false, [[nextGroup]] until it is 0,
 * or [[count]] once.
 * Not thread-safe: one instance per task.
 */
trait MorselJoin {

  /** The current binding, indexed by variable. The array is reused; copy what must last. */
  def binding: Array[Int]

  /** Starts over with the bindings of `m`. */
  def open(m: Morsel): Unit

  /** Advances to the next distinct binding; false when the morsel is exhausted. */
  def next(): Boolean

  /** The bindings that [[nextRun]] advanced to. */
  def run: BindingRun

  /**
   * Advances to the next bindings that differ in the last variable alone, all of one weight; false
   * when the morsel is exhausted. [[binding]] has the other variables. Not to be mixed with [[next]]
   * within one morsel.
   */
  def nextRun(): Boolean

  /**
   * How many rows the current binding stands for: the product of its edges' multiplicities. Throws
   * ArithmeticException if it exceeds a Long.
   */
  def weight: Long

  /** [[weight]], or the greatest Long where it is more: as many rows as nobody will ever take. */
  final def rowsToTake: Long =
    try weight
    catch { case _: ArithmeticException => Long.MaxValue }

  /**
   * Rows of the opened morsel that [[next]] has not passed yet, that is the sum of their weights.
   * Throws ArithmeticException if it exceeds a Long.
   */
  def count(): Long

  /**
   * Advances to the next binding of the first `levels` variables that has any row, all others left
   * open; false when the morsel is exhausted. [[binding]] has these variables. Not to be mixed with
   * [[next]] or [[nextRun]] within one morsel, nor with other numbers of levels.
   *
   * @param anyRow whether it is enough to know that there is a row
   * @return the number of its rows, or 1 where any is enough, or 0 when the morsel is exhausted.
   *   Throws ArithmeticException if it exceeds a Long
   */
  def nextGroup(levels: Int, anyRow: Boolean = false): Long

  /**
   * What each morsel took that was opened so far, in list elements; work on bit rows counts as the most that it can
   * be. Empty if unknown.
   */
  def morselWork: Seq[(Morsel, Long)] = Nil

  /** List elements, or candidates, that were looked at since construction. */
  def elementsTouched: Long

  /** How many elements were searched for in a list instead of reading it. */
  def seeks: Long

  /** How many variables are bound one after the other. */
  def levelCount: Int

  /**
   * How often the variable of a level, in the order of the join, was bound. What is counted without
   * being bound does not show.
   */
  def bindingsAt(level: Int): Long
}
