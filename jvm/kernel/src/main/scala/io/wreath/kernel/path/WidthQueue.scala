package io.wreath.kernel.path

import java.util.Arrays

/**
 * For costs of which the greatest is not many times the least: buckets narrower than the least cost. No step
 * leads from one vertex of a bucket to another, so all of the lowest bucket are settled, in any order, and none
 * ever moves.
 *
 * Buckets follow one another in a ring: what waits is no further away than the greatest cost.
 */
final private[path] class WidthQueue(vertexCount: Int, costs: EdgeCosts)
    extends CostQueue(vertexCount, WidthQueue.bucketsFor(costs)) {

  import CostQueue.Nobody

  private[this] val isLong = costs.isLong
  private[this] val perKey = WidthQueue.perCost(costs)
  private[this] val filled = new Array[Long](heads.length >>> 6)
  private[this] var current = 0

  // A path has the least cost of a step, so that its place is 1 at least, and that of new ones is less.
  override protected def placeOf(key: Long): Long = {
    val cost = if (isLong) key.toDouble else java.lang.Double.longBitsToDouble(key)
    (cost * perKey).toLong
  }

  override protected def fill(bucket: Int): Unit = filled(bucket >>> 6) |= 1L << bucket

  override protected def restart(): Unit = {
    Arrays.fill(filled, 0L)
    current = 0
  }

  override def take(): Int = {
    var v = -1
    while (v < 0) {
      val entry = heads(current)
      if (entry == Nobody) advance()
      else {
        heads(current) = after(entry)
        v = takeFrom(entry)
      }
    }
    v
  }

  /** Goes on to the next bucket with entries, around the ring. */
  private def advance(): Unit = {
    var word = current >>> 6
    filled(word) &= ~(1L << current)
    var bits = filled(word) & (-1L << current)
    while (bits == 0L) {
      word = (word + 1) & (filled.length - 1)
      bits = filled(word)
    }
    current = (word << 6) + java.lang.Long.numberOfTrailingZeros(bits)
  }
}

private[path] object WidthQueue {

  /** How many times the least cost the greatest may be. */
  final val MostWidths = 4096.0

  final private[path] val MostBuckets = 8192

  /**
   * Buckets for each unit of cost. They are narrower than the least cost by so much that no rounding of a product
   * puts the end of a step into the bucket of its start.
   */
  private def perCost(costs: EdgeCosts): Double = 1.0 / (costs.least * 0.9375)

  /** A power of two, and a word of bits at least. */
  private def bucketsFor(costs: EdgeCosts): Int = {
    val wanted = (costs.greatest * perCost(costs)).toInt + 3
    Math.max(64, Integer.highestOneBit(wanted - 1) << 1)
  }
}
