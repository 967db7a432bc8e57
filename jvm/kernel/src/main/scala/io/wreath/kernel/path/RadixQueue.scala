package io.wreath.kernel.path

/**
 * Takes keys in their order, whatever their range.
 *
 * A vertex lies in the bucket of the highest bit in which its key differs from the key taken last. When
 * the lowest bucket is empty, the vertices of the next one that is not are spread over those below. So a
 * vertex moves at most once a bit, and no two keys are compared. Doubles that are not negative have the order
 * of their bits.
 */
final private[path] class RadixQueue(vertexCount: Int)
    extends CostQueue(vertexCount, RadixQueue.Buckets) {

  import CostQueue.{New, Nobody}

  // Bit b - 1 says that bucket b may have entries; bucket 0 is looked at first.
  private[this] var filled = 0L
  private[this] var last = 0L

  // The sign is that of new ones alone, so that the highest bucket is theirs.
  override protected def placeOf(key: Long): Long = placeOf(key, last).toLong

  private def placeOf(key: Long, taken: Long): Int =
    64 - java.lang.Long.numberOfLeadingZeros(key ^ taken)

  override protected def fill(bucket: Int): Unit =
    if (bucket > 0) filled |= 1L << (bucket - 1)

  override protected def restart(): Unit = {
    filled = 0L
    last = 0L
  }

  override def take(): Int = {
    while (heads(0) == Nobody) spread()
    val entry = heads(0)
    heads(0) = after(entry)
    takeFrom(entry)
  }

  /** Moves what is in the lowest bucket with entries to those below. */
  private def spread(): Unit = {
    val bucket = java.lang.Long.numberOfTrailingZeros(filled) + 1
    val head = heads(bucket)
    // Any cost that a long holds may be the least.
    var least = New
    var entry = head
    while (entry >= 0) {
      val key = keys(vertexOf(entry))
      if (bucketOf(key) == bucket) least = if (least == New) key else Math.min(least, key)
      entry = after(entry)
    }
    heads(bucket) = Nobody
    filled &= ~(1L << (bucket - 1))
    val before = last
    if (least != New) last = least
    entry = head
    while (entry >= 0) {
      val next = after(entry)
      val v = vertexOf(entry)
      // It was in this bucket by the key taken before.
      if (placeOf(keys(v), before) == bucket) {
        val below = bucketOf(keys(v))
        fill(below)
        link(entry, v, below)
      } else giveBack(entry)
      entry = next
    }
  }
}

private object RadixQueue {
  // None and one for each bit, and as many as make a power of two.
  final private val Buckets = 128
}
