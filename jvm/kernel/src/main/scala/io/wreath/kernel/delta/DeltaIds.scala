package io.wreath.kernel.delta

import java.util.Arrays

/**
 * The ids of the codes `0 until size` of a graph that changes, and their order.
 *
 * A code must keep its meaning from one version of a graph to the next, while ids arrive in any
 * order; so codes cannot keep the order of ids. That is why programs for such codes are compiled
 * with `codesAreOrdered = false` and compare decoded ids. `=` and `<>` are the same on codes and on ids.
 *
 * Thread-safety: immutable.
 */
final class DeltaIds private (ids: Array[Long]) extends VertexOrder {

  def size: Int = ids.length

  def decode(code: Int): Long = ids(code)

  override def compare(a: Int, b: Int): Int = java.lang.Long.compare(ids(a), ids(b))

  /** These ids followed by `more`. */
  def extended(more: Array[Long]): DeltaIds = {
    val all = Arrays.copyOf(ids, size + more.length)
    System.arraycopy(more, 0, all, size, more.length)
    new DeltaIds(all)
  }
}

object DeltaIds {

  /** The ids of `ids.length` codes, in their order; the array is copied. */
  def of(ids: Array[Long]): DeltaIds = new DeltaIds(ids.clone())
}
