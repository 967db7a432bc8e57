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

  import CostQueue.Nobody
  import RadixQueue._

  // Bit b - 1 says that bucket b may have entries; bucket 0 is looked at first.
  private[this] var filled = 0L
  private[this] var last = 0L

  override protected def bucketOf(key: Long): Int =
    Buckets - 1 - java.lang.Long.numberOfLeadingZeros(key ^ last)

  override protected def fill(bucket: Int): Unit =
    if (bucket > 0) filled |= 1L << (bucket - 1)

  override protected def restart(): Unit = {
    filled = 0L
    last = 0L
  }

  override def take(): Int = {
    while (heads(0) == Nobody) spread()
    val entry = heads(0)
    heads(0) = following(entry)
    taken(entry)
  }

  /** Moves what is in the lowest bucket with entries to those below. */
  private def spread(): Unit = {
    val bucket = java.lang.Long.numberOfTrailingZeros(filled) + 1
    val head = heads(bucket)
    // Any cost that a long holds may be the least.
    var least = -1L
    var entry = head
    while (entry >= 0) {
      val v = vertices(entry)
      if (buckets(v) == bucket && (least < 0L || keys(v) < least)) least = keys(v)
      entry = following(entry)
    }
    heads(bucket) = Nobody
    filled &= ~(1L << (bucket - 1))
    if (least >= 0L) last = least
    entry = head
    while (entry >= 0) {
      val after = following(entry)
      val v = vertices(entry)
      if (buckets(v) == bucket) {
        val below = bucketOf(keys(v))
        buckets(v) = below.toShort
        following(entry) = heads(below)
        heads(below) = entry
        fill(below)
      } else giveBack(entry)
      entry = after
    }
  }
}

private object RadixQueue {
  // None and one for each bit; the sign is never set.
  final private val Buckets = 65
}
