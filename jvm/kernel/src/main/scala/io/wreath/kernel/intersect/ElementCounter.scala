package io.wreath.kernel.intersect

/** Counts the list elements that were read, as a metric. Not thread-safe: one per task. */
final private[wreath] class ElementCounter {
  var elements: Long = 0L
}
