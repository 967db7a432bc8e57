package io.wreath.kernel.intersect

/** Counts what was read of lists, as a metric. Not thread-safe: one per task. */
final private[wreath] class ElementCounter {

  /** Elements of lists that were gone through. */
  var elements: Long = 0L

  /** Elements that were searched for in a list instead. */
  var seeks: Long = 0L

  def searched(n: Int): Unit = {
    elements += n
    seeks += n
  }
}
