package io.wreath.kernel.delta

import java.util.Arrays

/**
 * Gives codes to ids as they first appear, and never takes one back.
 *
 * A code must keep its meaning from one version of a graph to the next, while ids arrive in any
 * order; so codes cannot keep the order of ids. That is why programs for such codes are compiled
 * with `codesAreOrdered = false` and compare decoded ids, through the [[VertexOrder]] that a
 * [[DeltaIds]] is. `=` and `<>` are the same on codes and on ids. Ids that can serve as
 * codes themselves, such as 0 until n, need no dictionary and keep the faster comparisons.
 *
 * Cost: one lookup in an open-addressing table an id; 8 bytes an id, and 8 to 16 for its slots.
 * Not thread-safe: one writer. The [[DeltaIds]] it hands out are safe to share.
 */
final class DeltaDictionary {

  private[this] var ids = new Array[Long](DeltaDictionary.InitialCapacity / 2)
  private[this] var count = 0

  /** Code plus one; 0 where the slot is free. */
  private[this] var slots = new Array[Int](DeltaDictionary.InitialCapacity)

  /** Codes are `0 until size`. */
  def size: Int = count

  /** The code of `id`, or -1 if it has none yet. */
  def encode(id: Long): Int = slots(slotOf(id)) - 1

  /** The code of `id`, a new one if it has none yet. */
  def encodeOrAdd(id: Long): Int = {
    var slot = slotOf(id)
    if (slots(slot) == 0) {
      if (count == ids.length) {
        grow()
        slot = slotOf(id)
      }
      ids(count) = id
      count += 1
      slots(slot) = count
    }
    slots(slot) - 1
  }

  /** The ids of the codes so far; later additions do not show. */
  def snapshot: DeltaIds = new DeltaIds(ids, count)

  /** The ids of the codes `from until size`: what a reader of an earlier snapshot lacks. */
  def idsFrom(from: Int): Array[Long] = Arrays.copyOfRange(ids, from, count)

  private def slotOf(id: Long): Int = {
    val mask = slots.length - 1
    var slot = DeltaDictionary.hash(id) & mask
    while (slots(slot) != 0 && ids(slots(slot) - 1) != id) slot = (slot + 1) & mask
    slot
  }

  private def grow(): Unit = {
    // The slots are a power of two, and half of them at most are taken.
    if (slots.length == DeltaDictionary.MaxCapacity) {
      throw new IllegalStateException(
        s"A stream can have at most ${ids.length} different vertices.")
    }
    // Snapshots keep the old array, which is never written to again.
    ids = Arrays.copyOf(ids, slots.length)
    slots = new Array[Int](slots.length * 2)
    val mask = slots.length - 1
    var i = 0
    while (i < count) {
      var slot = DeltaDictionary.hash(ids(i)) & mask
      while (slots(slot) != 0) slot = (slot + 1) & mask
      slots(slot) = i + 1
      i += 1
    }
  }
}

private object DeltaDictionary {
  final private val InitialCapacity = 1 << 10
  final private val MaxCapacity = 1 << 30

  /** Multiplicative hashing by 2^64 / golden ratio, so that ids with equal low bits spread. */
  private def hash(id: Long): Int = {
    val h = id * 0x9e3779b97f4a7c15L
    (h ^ (h >>> 32)).toInt
  }
}

/**
 * The ids of the codes `0 until size`, and their order.
 *
 * Thread-safety: the entries below `size` never change; those above are the dictionary's.
 */
final class DeltaIds private[delta] (ids: Array[Long], val size: Int) extends VertexOrder {

  def decode(code: Int): Long = ids(code)

  override def compare(a: Int, b: Int): Int = java.lang.Long.compare(ids(a), ids(b))

  /** These ids followed by `more`, as [[DeltaDictionary.idsFrom]] gives them. */
  def extended(more: Array[Long]): DeltaIds = {
    val all = Arrays.copyOf(ids, size + more.length)
    System.arraycopy(more, 0, all, size, more.length)
    new DeltaIds(all, all.length)
  }
}

object DeltaIds {

  /** The ids of `ids.length` codes, in their order; the array is copied. */
  def of(ids: Array[Long]): DeltaIds = new DeltaIds(ids.clone(), ids.length)
}
