package io.wreath.kernel.lists

/**
 * Counts what was read of lists, as a metric, and lets whoever reads be interrupted once in a while.
 * Not thread-safe: one per task.
 *
 * @param interrupt runs after every [[ElementCounter.BetweenChecks]] elements' worth of work; it ends
 *   the work by throwing
 */
final private[wreath] class ElementCounter(val interrupt: Runnable) {

  private[this] var sum = 0L
  private[this] var untilCheck = ElementCounter.BetweenChecks
  private[this] var doneBefore = 0L

  /** Elements of lists that were gone through. */
  def elements: Long = sum

  /** All that was done, in elements: what was gone through, and what [[worked]] was told of. */
  def work: Long = doneBefore + ElementCounter.BetweenChecks - untilCheck

  /** Elements that were searched for in a list instead. */
  var seeks: Long = 0L

  def add(n: Int): Unit = add(n.toLong)

  def add(n: Long): Unit = {
    sum += n
    worked(n)
  }

  def searched(n: Int): Unit = {
    add(n)
    seeks += n
  }

  /** For who is in the middle of a long list that was counted as a whole: once in a [[Pieces.Length]]. */
  def look(): Unit = interrupt.run()

  /** Says that as much was done as `n` elements would have been, without reading lists. */
  def worked(n: Long): Unit = {
    untilCheck -= n
    if (untilCheck <= 0L) {
      doneBefore += ElementCounter.BetweenChecks - untilCheck
      untilCheck = ElementCounter.BetweenChecks
      interrupt.run()
    }
  }
}

private[wreath] object ElementCounter {

  /** About a tenth of a millisecond. */
  final val BetweenChecks = 1L << 16

  /** What a candidate is worth that is looked at by itself, and may be asked some condition. */
  final val Candidate = 64L
}
