package io.wreath.kernel.lists

/**
 * Passes over long arrays, a piece at a time, so that whoever waits can be interrupted between two.
 *
 * Thread-safety: no state.
 */
private[wreath] object Pieces {

  /** A quarter of a million elements: below a millisecond where they are in order, a few where not. */
  final val Length = 1 << 18

  /** An array cannot be longer on common virtual machines. */
  final val MaxArrayLength = Int.MaxValue - 8

  val NoInterrupt: Runnable = () => ()

  /** Whether a loop whose ranges are at most a piece long should look before the one from `i` to `j`. */
  def isDue(i: Int, j: Int): Boolean = (i ^ j) >= Length

  /** Whether a loop over elements one by one, none of them left out, should look before `i`. */
  def isStart(i: Int): Boolean = (i & (Length - 1)) == 0

  /** Runs `body` for ranges that follow one another, and `interrupt` before each. */
  def foreach(count: Int, interrupt: Runnable)(body: (Int, Int) => Unit): Unit = {
    var from = 0
    while (from < count) {
      interrupt.run()
      val until = if (count - from > Length) from + Length else count
      body(from, until)
      from = until
    }
  }
}
