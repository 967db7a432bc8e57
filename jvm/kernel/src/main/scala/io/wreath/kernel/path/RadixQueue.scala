package io.wreath.kernel.path

import java.util.Arrays

/**
 * A queue of vertices by ascending keys, for keys that are never less than the one taken last: what a
 * search for cheapest paths puts in.
 *
 * A vertex lies in the bucket of the highest bit in which its key differs from the key taken last. When
 * the lowest bucket is empty, the vertices of the next one that is not are spread over those below. So a
 * vertex moves at most once a bit and mostly a few times, no two keys are compared, and vertices of equal
 * keys come out together.
 *
 * A vertex whose key gets lower has an entry more, in a lower bucket; the one it leaves behind is known by
 * the bucket that the vertex says it is in. There is room for as many left behind as for vertices; when it is
 * used up they are swept out.
 *
 * Keys are longs that are not negative, or doubles that are not, by their bits, which have the same order.
 *
 * Memory: [[RadixQueue.bytes]].
 */
final private[path] class RadixQueue(vertexCount: Int) {

  import RadixQueue._

  private[this] val keys = new Array[Long](vertexCount)
  private[this] val buckets = new Array[Byte](vertexCount)
  Arrays.fill(buckets, New)
  private[this] val vertices = new Array[Int](room(vertexCount))
  private[this] val following = new Array[Int](vertices.length)
  private[this] val heads = new Array[Int](Buckets)
  // Entries that were given back; those from `fresh` on were never used since the queue was cleared.
  private[this] var unused = Nobody
  private[this] var fresh = 0
  // Bit b - 1 says that bucket b has entries; bucket 0 is looked at first.
  private[this] var filled = 0L
  private[this] var last = 0L
  private[this] var waiting = 0
  clear()

  def isEmpty: Boolean = waiting == 0

  def isTaken(v: Int): Boolean = buckets(v) == Taken

  /** Neither taken nor waiting. */
  def isNew(v: Int): Boolean = buckets(v) == New

  def key(v: Int): Long = keys(v)

  /** Requires: `v` is new, and `key` is not less than the one taken last. */
  def add(v: Int, key: Long): Unit = {
    keys(v) = key
    waiting += 1
    put(v, bucketOf(key))
  }

  /** Requires: `v` waits with a greater key. */
  def lower(v: Int, key: Long): Unit = {
    keys(v) = key
    val bucket = bucketOf(key)
    if (bucket != buckets(v)) put(v, bucket)
  }

  /** Takes a vertex of the least key. */
  def take(): Int = {
    while (heads(0) == Nobody) spread()
    val entry = heads(0)
    heads(0) = following(entry)
    following(entry) = unused
    unused = entry
    waiting -= 1
    val v = vertices(entry)
    buckets(v) = Taken
    v
  }

  /** Forgets a vertex. Requires: [[clear]] is called before anything else is. */
  def forget(v: Int): Unit = buckets(v) = New

  /** Drops all entries. Cost: the number of buckets. Vertices that were put in are to be forgotten too. */
  def clear(): Unit = {
    Arrays.fill(heads, Nobody)
    filled = 0L
    last = 0L
    waiting = 0
    unused = Nobody
    fresh = 0
  }

  private def bucketOf(key: Long): Int =
    Buckets - 1 - java.lang.Long.numberOfLeadingZeros(key ^ last)

  private def put(v: Int, bucket: Int): Unit = {
    buckets(v) = bucket.toByte
    if (unused < 0 && fresh == vertices.length) sweep()
    val entry =
      if (unused >= 0) {
        val e = unused
        unused = following(e)
        e
      } else {
        fresh += 1
        fresh - 1
      }
    vertices(entry) = v
    following(entry) = heads(bucket)
    heads(bucket) = entry
    if (bucket > 0) filled |= 1L << (bucket - 1)
  }

  /** Moves what is in the lowest bucket with entries to those below. */
  private def spread(): Unit = {
    val bucket = java.lang.Long.numberOfTrailingZeros(filled) + 1
    val head = heads(bucket)
    var least = Long.MaxValue
    var entry = head
    while (entry >= 0) {
      val v = vertices(entry)
      if (buckets(v) == bucket) least = Math.min(least, keys(v))
      entry = following(entry)
    }
    heads(bucket) = Nobody
    filled &= ~(1L << (bucket - 1))
    if (least != Long.MaxValue) last = least
    entry = head
    while (entry >= 0) {
      val after = following(entry)
      val v = vertices(entry)
      if (buckets(v) == bucket) {
        val below = bucketOf(keys(v))
        buckets(v) = below.toByte
        following(entry) = heads(below)
        heads(below) = entry
        if (below > 0) filled |= 1L << (below - 1)
      } else {
        following(entry) = unused
        unused = entry
      }
      entry = after
    }
  }

  /** Takes out the entries that vertices left behind. */
  private def sweep(): Unit = {
    var bucket = 0
    while (bucket < Buckets) {
      var entry = heads(bucket)
      heads(bucket) = Nobody
      while (entry >= 0) {
        val after = following(entry)
        if (buckets(vertices(entry)) == bucket) {
          following(entry) = heads(bucket)
          heads(bucket) = entry
        } else {
          following(entry) = unused
          unused = entry
        }
        entry = after
      }
      if (bucket > 0 && heads(bucket) == Nobody) filled &= ~(1L << (bucket - 1))
      bucket += 1
    }
  }
}

private[path] object RadixQueue {

  def bytes(vertexCount: Int): Long = 9L * vertexCount + 8L * room(vertexCount)

  private def room(vertexCount: Int): Int = Math.min(2L * vertexCount + 2, Int.MaxValue - 8).toInt

  // None and one for each bit; the sign is never set.
  final private val Buckets = 65
  final private val Nobody = -1
  final private val New: Byte = -1
  final private val Taken: Byte = -2
}
