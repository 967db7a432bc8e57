package io.wreath.kernel.join

/**
 * Bindings that differ in the last variable alone: `codes(from) until codes(until)`.
 *
 * The array may be the index itself: it is only to be read, and only until the join goes on.
 */
final class BindingRun {
  var codes: Array[Int] = Array.emptyIntArray
  var from: Int = 0
  var until: Int = 0

  private[join] def set(array: Array[Int], begin: Int, end: Int): Unit = {
    codes = array
    from = begin
    until = end
  }
}
