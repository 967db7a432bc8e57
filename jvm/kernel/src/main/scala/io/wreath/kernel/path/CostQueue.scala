package io.wreath.kernel.path

import java.util.Arrays

/**
 * The vertices that a search for cheapest paths has found and not yet settled, in buckets by the cost of the
 * cheapest path so far, its key.
 *
 * A vertex whose key gets lower has an entry more, in a lower bucket, and leaves one behind that is given back
 * when its turn comes. There is room for as many left behind as for vertices; when it is used up they are swept
 * out.
 *
 * Memory: 29 bytes for each vertex, and the buckets.
 *
 * @param bucketCount a power of two
 */
abstract private[path] class CostQueue(vertexCount: Int, bucketCount: Int) {

  import CostQueue._

  /** The key of each vertex, or [[CostQueue.New]], which is greater than any as unsigned numbers are. */
  final private[path] val keys: Array[Long] = new Array[Long](vertexCount)
  Arrays.fill(keys, New)
  final private[path] val wasTaken: Array[Boolean] = new Array[Boolean](vertexCount)
  // All that were found, taken or not, to forget them again. One more is written than counts.
  private[this] val found = new Array[Int](vertexCount + 1)
  private[this] var foundCount = 0
  private[this] var takenCount = 0

  final protected val heads: Array[Int] = new Array[Int](bucketCount)
  Arrays.fill(heads, Nobody)
  // A vertex, and above it the entry that follows, so that both are one access.
  private[this] val entries =
    new Array[Long](Math.min(2L * vertexCount + 2, Int.MaxValue - 8L).toInt)
  // Entries that were given back; those from `fresh` on were never used since the queue was cleared.
  private[this] var unused = Nobody
  private[this] var fresh = 0

  /** Where a key belongs now: its bucket, and above it what tells it from that of a [[CostQueue.New]] one. */
  protected def placeOf(key: Long): Long

  /** Notes that a bucket has entries, which had none. */
  protected def fill(bucket: Int): Unit

  /** Notes that no bucket has entries, and that keys begin at 0 again. */
  protected def restart(): Unit

  /** Takes a vertex that no path which is still to be found makes cheaper. Requires: there is one. */
  def take(): Int

  final def isEmpty: Boolean = takenCount == foundCount

  /** How many were taken since the queue was cleared. */
  final def taken: Int = takenCount

  /** How many were put in since the queue was cleared. */
  final def size: Int = foundCount

  /** Where all begins, at no cost. Requires: the queue is empty. */
  final def start(v: Int): Unit = {
    keys(v) = 0L
    found(0) = v
    foundCount = 1
    put(v, bucketOf(0L))
  }

  /** Requires: the key of `v` is greater, and this one is that of a path from the vertex taken last. */
  final def lower(v: Int, key: Long): Unit = {
    val before = keys(v)
    keys(v) = key
    // Whether it is new is a branch that nobody guesses, so there is none: only that key is negative.
    found(foundCount) = v
    foundCount += (before >>> 63).toInt
    val place = placeOf(key)
    if (place != placeOf(before)) put(v, place.toInt & heads.length - 1)
  }

  /** Forgets all vertices. */
  final def clear(): Unit = {
    if (foundCount > vertexCount / 8) {
      Arrays.fill(keys, New)
      Arrays.fill(wasTaken, false)
    } else {
      var i = 0
      while (i < foundCount) {
        keys(found(i)) = New
        wasTaken(found(i)) = false
        i += 1
      }
    }
    foundCount = 0
    takenCount = 0
    Arrays.fill(heads, Nobody)
    unused = Nobody
    fresh = 0
    restart()
  }

  final protected def bucketOf(key: Long): Int = placeOf(key).toInt & heads.length - 1

  final protected def vertexOf(entry: Int): Int = entries(entry).toInt

  final protected def after(entry: Int): Int = (entries(entry) >> 32).toInt

  /** Puts an entry before the others of a bucket. */
  final protected def link(entry: Int, v: Int, bucket: Int): Unit = {
    entries(entry) = heads(bucket).toLong << 32 | v
    heads(bucket) = entry
  }

  /** Gives back an entry that is its list's head no more, with its vertex; -1 if that was taken before. */
  final protected def takeFrom(entry: Int): Int = {
    val v = vertexOf(entry)
    giveBack(entry)
    if (wasTaken(v)) -1
    else {
      wasTaken(v) = true
      takenCount += 1
      v
    }
  }

  final protected def giveBack(entry: Int): Unit = {
    entries(entry) = unused.toLong << 32
    unused = entry
  }

  private def put(v: Int, bucket: Int): Unit = {
    if (unused < 0 && fresh == entries.length) sweep()
    val entry = if (unused >= 0) unused else fresh
    if (unused >= 0) unused = after(entry) else fresh += 1
    if (heads(bucket) == Nobody) fill(bucket)
    link(entry, v, bucket)
  }

  /** Takes out the entries that vertices left behind. The one that is about to be put in is not among them. */
  private def sweep(): Unit = {
    var bucket = 0
    while (bucket < heads.length) {
      var entry = heads(bucket)
      heads(bucket) = Nobody
      while (entry >= 0) {
        val next = after(entry)
        val v = vertexOf(entry)
        if (!wasTaken(v) && bucketOf(keys(v)) == bucket) link(entry, v, bucket)
        else giveBack(entry)
        entry = next
      }
      bucket += 1
    }
  }
}

private[path] object CostQueue {

  def of(costs: EdgeCosts): CostQueue = {
    val n = costs.steps.vertexCount
    // Below the least normal double a product has few digits, and one over it is no number.
    val isNormal = costs.least >= java.lang.Double.MIN_NORMAL
    if (isNormal && costs.greatest <= costs.least * WidthQueue.MostWidths) {
      new WidthQueue(n, costs)
    } else new RadixQueue(n)
  }

  def bytes(vertexCount: Int): Long = 29L * vertexCount + 8L * WidthQueue.MostBuckets

  final private[path] val Nobody = -1
  final private[path] val New = -1L
}
