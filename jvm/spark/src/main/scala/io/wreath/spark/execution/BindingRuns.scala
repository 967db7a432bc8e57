package io.wreath.spark.execution

import java.util.Arrays

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.join.{Morsel, MorselJoin}
import io.wreath.kernel.lists.ElementCounter

/**
 * The bindings of a task's morsels for generated code: runs of codes that differ in the last variable
 * alone, each code as often as its binding is a row. A long run comes in pieces, so that a cancelled task
 * ends in between. Not thread-safe: one per task.
 *
 * Use: [[next]], then read [[codes]] from [[position]] until [[until]], and the other variables from
 * [[binding]] or [[code]]. Who stops within a run sets `position` to the first code that is not taken
 * yet.
 *
 * @param patterns whose morsels there are, by number
 * @param morsels opened one after the other, each with the number of its pattern
 * @param rows counts what was taken, when a run or the task ends
 */
final class BindingRuns private[execution] (
    patterns: Array[RunPattern],
    morsels: Iterator[(Int, Morsel)],
    rows: SQLMetric,
    context: TaskContext) {

  private[this] var pattern: RunPattern = _
  private[this] var join: MorselJoin = _

  // A binding with a weight is repeated in here, a piece at a time.
  private[this] var repeated: Array[Int] = Array.emptyIntArray
  private[this] var repeatsLeft = 0L
  private[this] var isFinished = !openNext()

  private[this] val work =
    new ElementCounter(Cancellation.look())

  // The run that `codes` is a piece of ends here.
  private[this] var runUntil = 0

  var codes: Array[Int] = Array.emptyIntArray
  var position: Int = 0
  var until: Int = 0
  private[this] var counted = 0

  context.addTaskCompletionListener[Unit](_ => countTaken())

  private def countTaken(): Unit = {
    rows += position - counted
    counted = position
  }

  def binding: Array[Int] = join.binding

  /** What a column is through the run. */
  def code(column: Int): Int = join.binding(pattern.variables(column))

  /** Whether a column differs within the run. */
  def isLast(column: Int): Boolean = pattern.variables(column) == pattern.last

  private def openNext(): Boolean = {
    val more = morsels.hasNext
    if (more) {
      val (p, morsel) = morsels.next()
      if (patterns(p) ne pattern) {
        pattern = patterns(p)
        join = pattern.open()
      }
      join.open(morsel)
    }
    more
  }

  private def nextRun(): Boolean = {
    var found = join.nextRun()
    while (!found && openNext()) found = join.nextRun()
    found
  }

  /** False when the morsels are exhausted. */
  def next(): Boolean = {
    countTaken()
    if (repeatsLeft > 0) repeat()
    else if (until < runUntil) start(until, pieceUntil(until))
    else if (isFinished || !nextRun()) {
      isFinished = true
      start(0, 0)
      runUntil = 0
    } else {
      codes = join.run.codes
      runUntil = join.run.until
      start(join.run.from, pieceUntil(join.run.from))
      val weight = join.rowsToTake
      if (weight > 1) {
        // Only runs of one binding have a weight.
        if (repeated.length == 0) repeated = new Array[Int](BindingRuns.Piece)
        Arrays.fill(repeated, codes(position))
        runUntil = 0
        repeatsLeft = weight
        repeat()
      }
    }
    !isFinished
  }

  private def repeat(): Unit = {
    codes = repeated
    start(0, math.min(repeatsLeft, BindingRuns.Piece.toLong).toInt)
    repeatsLeft -= until
  }

  private def pieceUntil(from: Int): Int = math.min(runUntil - from, BindingRuns.Piece) + from

  private def start(first: Int, end: Int): Unit = {
    // What is done with rows takes its time, too.
    work.worked(ElementCounter.Candidate * (end - first))
    position = first
    counted = first
    until = end
  }
}

/**
 * A pattern whose bindings come in runs.
 *
 * @param variables by column of the output, its variable
 * @param last the variable that is bound last
 * @param open makes its join, for this task
 */
final private[execution] class RunPattern(
    val variables: Array[Int],
    val last: Int,
    val open: () => MorselJoin)

private object BindingRuns {
  private val Piece = 1024
}
