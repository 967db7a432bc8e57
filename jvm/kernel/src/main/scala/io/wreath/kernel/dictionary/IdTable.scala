package io.wreath.kernel.dictionary

import java.util.Arrays

/**
 * Numbers ids as they first appear, and never takes a number back.
 *
 * An index of a table asks for all its ids, [[addAll]], and then has them numbered in their order, [[rank]]. A
 * stream cannot wait for all of them: there the ordinal of an id is its code for good, and codes do not
 * keep the order of ids.
 *
 * Cost: one lookup in an open-addressing table an id, 8 bytes an id and 8 to 16 for its slots; ranking sorts the
 * distinct ids alone.
 * Not thread-safe: one writer.
 */
final private[wreath] class IdTable {

  private[this] var ids = new Array[Long](IdTable.InitialCapacity / 2)
  private[this] var count = 0

  /** Position in `ids` plus one; 0 where the slot is free. */
  private[this] var slots = new Array[Int](IdTable.InitialCapacity)

  /** Ordinals are `0 until size`. */
  def size: Int = count

  /** The ids of the ordinals `from until size`: what a reader who knows the first ones lacks. */
  def idsFrom(from: Int): Array[Long] = Arrays.copyOfRange(ids, from, count)

  /** Writes to `ordinals` in which place each id was first seen. */
  def addAll(column: Array[Long], length: Int, ordinals: Array[Int]): Unit = {
    var i = 0
    while (i < length) {
      ordinals(i) = ordinal(column(i))
      i += 1
    }
  }

  /** Returns the ids in ascending order and turns ordinals into positions in it. */
  def rank(sources: Array[Int], targets: Array[Int]): Array[Long] = {
    val sorted = idsFrom(0)
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

  /** The number of `id`, a new one if it has none yet. */
  def ordinal(id: Long): Int = {
    val mask = slots.length - 1
    var slot = IdTable.hash(id) & mask
    while (slots(slot) != 0 && ids(slots(slot) - 1) != id) slot = (slot + 1) & mask
    if (slots(slot) != 0) slots(slot) - 1
    else {
      if (count == ids.length) {
        grow()
        ordinal(id)
      } else {
        ids(count) = id
        count += 1
        slots(slot) = count
        count - 1
      }
    }
  }

  private def grow(): Unit = {
    // The slots are a power of two, and half of them at most are taken.
    if (slots.length == IdTable.MaxCapacity) {
      throw new IllegalArgumentException(
        s"A graph can have at most ${ids.length} vertices whose ids have gaps between them or come in a stream.")
    }
    slots = new Array[Int](slots.length * 2)
    ids = Arrays.copyOf(ids, slots.length / 2)
    val mask = slots.length - 1
    var i = 0
    while (i < count) {
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
