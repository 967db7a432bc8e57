package io.wreath.kernel.lists

/**
 * Search in ascending arrays.
 *
 * Requires: `a` ascending in `from until until`.
 * Cost: O(log distance) from `from`, so a sequence of ascending searches through one array costs
 * less than as many binary searches.
 * Thread-safety: no state.
 */
object GallopingSearch {

  /** The least position in `from until until` whose element is >= `key`, or `until`. */
  def lowerBound(a: Array[Int], from: Int, until: Int, key: Int): Int =
    if (from >= until || a(from) >= key) from
    else {
      // a(low) < key all along. Steps cannot overflow: they stop at the length of an array.
      var low = from
      var step = 1
      while (step < until - low && a(low + step) < key) {
        low += step
        step <<= 1
      }
      var high = if (step < until - low) low + step else until
      low += 1
      while (low < high) {
        val middle = (low + high) >>> 1
        if (a(middle) < key) low = middle + 1 else high = middle
      }
      low
    }

  /** The same on Long keys. */
  def lowerBound(a: Array[Long], from: Int, until: Int, key: Long): Int =
    if (from >= until || a(from) >= key) from
    else {
      var low = from
      var step = 1
      while (step < until - low && a(low + step) < key) {
        low += step
        step <<= 1
      }
      var high = if (step < until - low) low + step else until
      low += 1
      while (low < high) {
        val middle = (low + high) >>> 1
        if (a(middle) < key) low = middle + 1 else high = middle
      }
      low
    }

  /** The position of `key` in `from until until`, or -1. Plain binary search, for single probes. */
  def find(a: Array[Int], from: Int, until: Int, key: Int): Int = {
    var low = from
    var high = until
    while (low < high) {
      val middle = (low + high) >>> 1
      if (a(middle) < key) low = middle + 1 else high = middle
    }
    if (low < until && a(low) == key) low else -1
  }
}
