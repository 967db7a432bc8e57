package io.wreath.kernel.path

import java.util.Arrays

/**
 * The vertices that a search for cheapest paths has found and not yet settled, in buckets by the cost of the
 * cheapest path so far, its key.
 *
 * A vertex whose key gets lower has an entry more, in a lower bucket; the one it leaves behind is known by the
 * bucket that the vertex says it is in. There is room for as many left behind as for vertices; when it is
 * used up they are swept out.
 *
 * Memory: 26 bytes for each vertex, and the buckets.
 */
abstract private[path] class CostQueue(vertexCount: Int, bucketCount: Int) {

  import CostQueue._

  protected[this] val keys: Array[Long] = new Array[Long](vertexCount)
  protected[this] val buckets: Array[Short] = new Array[Short](vertexCount)
  Arrays.fill(buckets, New)
  protected[this] val heads: Array[Int] = new Array[Int](bucketCount)
  protected[this] val vertices: Array[Int] =
    new Array[Int](Math.min(2L * vertexCount + 2, Int.MaxValue - 8L).toInt)
  protected[this] val following: Array[Int] = new Array[Int](vertices.length)
  Arrays.fill(heads, Nobody)
  // Entries that were given back; those from `fresh` on were never used since the queue was cleared.
  private[this] var unused = Nobody
  private[this] var fresh = 0
  private[this] var waiting = 0

  /** Where a key belongs now. */
  protected def bucketOf(key: Long): Int

  /** Notes that a bucket has entries. */
  protected def fill(bucket: Int): Unit

  /** Notes that no bucket has entries, and that keys begin at 0 again. */
  protected def restart(): Unit

  /** Takes a vertex that no path which is still to be found makes cheaper. Requires: there is one. */
  def take(): Int

  def isEmpty: Boolean = waiting == 0

  def isTaken(v: Int): Boolean = buckets(v) == Taken

  /** Neither taken nor waiting. */
  def isNew(v: Int): Boolean = buckets(v) == New

  /** The key of a vertex that is not new. */
  def key(v: Int): Long = keys(v)

  /** Requires: `v` is new, and `key` is that of a path from the vertex taken last. */
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

  /** Forgets a vertex. Requires: [[clear]] is called before anything else is. */
  def forget(v: Int): Unit = buckets(v) = New

  /** Drops all entries. Cost: the number of buckets. Vertices that were put in are to be forgotten too. */
  def clear(): Unit = {
    Arrays.fill(heads, Nobody)
    waiting = 0
    unused = Nobody
    fresh = 0
    restart()
  }

  /** Takes the vertex of an entry that is its list's head no more. */
  final protected def taken(entry: Int): Int = {
    val v = vertices(entry)
    waiting -= 1
    buckets(v) = Taken
    giveBack(entry)
    v
  }

  final protected def giveBack(entry: Int): Unit = {
    following(entry) = unused
    unused = entry
  }

  private def put(v: Int, bucket: Int): Unit = {
    buckets(v) = bucket.toShort
    if (unused < 0 && fresh == vertices.length) sweep()
    val entry = if (unused >= 0) unused else fresh
    if (unused >= 0) unused = following(entry) else fresh += 1
    vertices(entry) = v
    following(entry) = heads(bucket)
    heads(bucket) = entry
    fill(bucket)
  }

  /** Takes out the entries that vertices left behind. */
  private def sweep(): Unit = {
    var bucket = 0
    while (bucket < heads.length) {
      var entry = heads(bucket)
      heads(bucket) = Nobody
      while (entry >= 0) {
        val after = following(entry)
        if (buckets(vertices(entry)) == bucket) {
          following(entry) = heads(bucket)
          heads(bucket) = entry
        } else giveBack(entry)
        entry = after
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

  def bytes(vertexCount: Int): Long = 26L * vertexCount + 8L * WidthQueue.MostBuckets

  final private[path] val Nobody = -1
  final private[path] val New: Short = -1
  final private[path] val Taken: Short = -2
}
