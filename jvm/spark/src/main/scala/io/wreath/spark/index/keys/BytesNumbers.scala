package io.wreath.spark.index.keys

import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.hash.Murmur3_x86_32

/**
 * Numbers distinct byte strings in the order of their first appearance, then sorts them.
 *
 * Cost: one lookup in an open-addressing table a string. Not thread-safe.
 */
final private[index] class BytesNumbers {

  private var records = new Array[Array[Byte]](1 << 9)
  private var size = 0
  private var bytes = 0L

  /** Number plus one; 0 where the slot is free. Twice as many as records fit. */
  private var slots = new Array[Int](1 << 10)

  def sizeInBytes: Long = bytes

  def number(record: Array[Byte], length: Int): Int = {
    val slot = slotOf(record, length)
    if (slots(slot) != 0) slots(slot) - 1
    else {
      if (size == records.length) grow()
      records(size) = Arrays.copyOf(record, length)
      size += 1
      bytes += length
      slots(slotOf(record, length)) = size
      size - 1
    }
  }

  /** The strings in their order, and the place of each number there. */
  def sorted(): (BytePages, Array[Int]) = {
    val order = Array.tabulate[Integer](size)(i => i)
    Arrays.sort(
      order,
      (a: Integer, b: Integer) => Arrays.compareUnsigned(records(a), records(b)))
    val pages = new BytePages.Builder
    val rank = new Array[Int](size)
    var i = 0
    while (i < size) {
      val record = records(order(i))
      pages.append(record, 0, record.length)
      rank(order(i)) = i
      i += 1
    }
    (pages.result(), rank)
  }

  private def slotOf(record: Array[Byte], length: Int): Int = {
    val mask = slots.length - 1
    val hash =
      Murmur3_x86_32.hashUnsafeBytes(record, Platform.BYTE_ARRAY_OFFSET.toLong, length, 42)
    var slot = hash & mask
    while (slots(slot) != 0 && !isAt(slots(slot) - 1, record, length)) slot = (slot + 1) & mask
    slot
  }

  private def isAt(number: Int, record: Array[Byte], length: Int): Boolean = {
    val known = records(number)
    Arrays.equals(known, 0, known.length, record, 0, length)
  }

  private def grow(): Unit = {
    records = Arrays.copyOf(records, 2 * size)
    slots = new Array[Int](2 * slots.length)
    var i = 0
    while (i < size) {
      slots(slotOf(records(i), records(i).length)) = i + 1
      i += 1
    }
  }
}
