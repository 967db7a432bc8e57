package io.wreath.spark.execution

import java.util.Arrays

import io.wreath.kernel.join.GenericJoin

/**
 * The bindings of one morsel for generated code: runs of codes that differ in the last variable
 * alone, each code as often as its binding is a row. Not thread-safe: one per task.
 *
 * Use: [[next]], then read [[codes]] from [[from]] until [[until]], and the other variables from
 * [[binding]].
 */
final class BindingRuns private[execution] (join: GenericJoin) {

  // A binding with a weight is repeated in here, a piece at a time.
  private[this] var repeated: Array[Int] = Array.emptyIntArray
  private[this] var repeatsLeft = 0L
  private[this] var isFinished = false

  var codes: Array[Int] = Array.emptyIntArray
  var from: Int = 0
  var until: Int = 0

  def binding: Array[Int] = join.binding

  /** False when the morsel is exhausted. */
  def next(): Boolean = {
    if (repeatsLeft > 0) repeat()
    else if (isFinished || !join.nextRun()) {
      isFinished = true
      from = 0
      until = 0
    } else {
      codes = join.run.codes
      from = join.run.from
      until = join.run.until
      val weight = join.weight
      if (weight > 1) {
        // Only runs of one binding have a weight.
        if (repeated.length == 0) repeated = new Array[Int](BindingRuns.Piece)
        Arrays.fill(repeated, codes(from))
        repeatsLeft = weight
        repeat()
      }
    }
    !isFinished
  }

  private def repeat(): Unit = {
    codes = repeated
    from = 0
    until = math.min(repeatsLeft, BindingRuns.Piece.toLong).toInt
    repeatsLeft -= until
  }
}

private object BindingRuns {
  private val Piece = 1024
}
