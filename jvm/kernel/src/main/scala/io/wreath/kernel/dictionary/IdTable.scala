package io.wreath.kernel.dictionary

import java.util.Arrays

/**
 * Collects the distinct ids of an edge list and numbers them in their order.
 *
 * Use: [[addAll]] for each column, then [[rank]] once.
 * Cost: one lookup in an open-addressing table an id, and a sort of the distinct ids alone.
 * Not thread-safe.
 */
final private[wreath] class IdTable {

  private[this] var ids = new Array[Long](IdTable.InitialCapacity / 2)
  private[this] var size = 0

  /** Position in `ids` plus one; 0 where the slot is free. */
  private[this] var slots = new Array[Int](IdTable.InitialCapacity)

  /** Writes to `ordinals` in which place each id was first seen. */
  def addAll(column: Array[Long], count: Int, ordinals: Array[Int]): Unit = {
    var i = 0
    while (i < count) {
      ordinals(i) = ordinal(column(i))
      i += 1
    }
  }

  /** Returns the ids in ascending order and turns ordinals into positions in it. */
  def rank(sources: Array[Int], targets: Array[Int]): Array[Long] = {
    val sorted = Arrays.copyOf(ids, size)
    Arrays.sort(sorted)
    val positions = new Array[Int](size)
    var i = 0
    while (i < size) {
      positions(ordinal(sorted(i))) = i
      i += 1
    }
    translate(sources, positions)
    translate(targets, positions)
    sorted
  }

  private def translate(ordinals: Array[Int], positions: Array[Int]): Unit = {
    var i = 0
    while (i < ordinals.length) {
      ordinals(i) = positions(ordinals(i))
      i += 1
    }
  }

  private def ordinal(id: Long): Int = {
    val mask = slots.length - 1
    var slot = IdTable.hash(id) & mask
    while (slots(slot) != 0 && ids(slots(slot) - 1) != id) slot = (slot + 1) & mask
    if (slots(slot) != 0) slots(slot) - 1
    else {
      if (size == ids.length) {
        grow()
        ordinal(id)
      } else {
        ids(size) = id
        size += 1
        slots(slot) = size
        size - 1
      }
    }
  }

  private def grow(): Unit = {
    // The slots are a power of two, and half of them at most are taken.
    if (slots.length == IdTable.MaxCapacity) {
      throw new IllegalArgumentException(
        s"A graph can have at most ${ids.length} vertices whose ids have gaps between them.")
    }
    slots = new Array[Int](slots.length * 2)
    ids = Arrays.copyOf(ids, slots.length / 2)
    val mask = slots.length - 1
    var i = 0
    while (i < size) {
      var slot = IdTable.hash(ids(i)) & mask
      while (slots(slot) != 0) slot = (slot + 1) & mask
      slots(slot) = i + 1
      i += 1
    }
  }
}

private object IdTable {
  final private val InitialCapacity = 1 << 10
  final private val MaxCapacity = 1 << 30

  /** Multiplicative hashing by 2^64 / golden ratio, so that ids with equal low bits spread. */
  private def hash(id: Long): Int = {
    val h = id * 0x9e3779b97f4a7c15L
    (h ^ (h >>> 32)).toInt
  }
}
