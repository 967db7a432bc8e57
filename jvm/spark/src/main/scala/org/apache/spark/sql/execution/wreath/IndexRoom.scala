package org.apache.spark.sql.execution.wreath

import org.apache.spark.internal.config.{
  DRIVER_MEMORY,
  EXECUTOR_MEMORY,
  MEMORY_FRACTION,
  MEMORY_OFFHEAP_ENABLED,
  MEMORY_OFFHEAP_SIZE,
  MEMORY_STORAGE_FRACTION
}
import org.apache.spark.storage.BroadcastBlockId
import org.apache.spark.{SparkContext, SparkEnv}

import io.wreath.spark.index.{CsrIndexCache, JoinSpaceCache}

/**
 * How much of the heaps indexes may take, by Spark's own division of them.
 *
 * {{{
 *   heap   300 MB | Spark's memory: spark.memory.fraction of the rest    | the user's
 *                 | stored: storageFraction of it  | lent to running tasks |
 *                 |  indexes kept                  |                       |
 *                 |  the index of one query                                |
 * }}}
 * An index is a broadcast, and Spark stores broadcasts among cached tables. One that is larger than
 * all of Spark's memory would be written to disk and read back, task by task. One that is kept when
 * its query is done stays in the part that running tasks cannot claim, so that the queries after it
 * find the heap that they would find without.
 *
 * @param ofOne the most for an index, in the smallest JVM
 * @param kept the most for all that are kept for later queries
 * @param setting that gives more
 */
final private[spark] case class IndexRoom(ofOne: Long, kept: Long, setting: String)

private[spark] object IndexRoom {

  def of(context: SparkContext): IndexRoom = {
    val all = context.env.blockManager.master.getMemoryStatus
    // Indexes are objects on the heap.
    val offHeap =
      if (context.conf.get(MEMORY_OFFHEAP_ENABLED)) context.conf.get(MEMORY_OFFHEAP_SIZE) else 0L
    of(
      all.collect { case (id, (most, _)) if id.isDriver => most - offHeap }.min,
      all.collect { case (id, (most, _)) if !id.isDriver => most - offHeap }.toSeq,
      context.conf.get(MEMORY_STORAGE_FRACTION))
  }

  /**
   * @param driver what Spark may store there
   * @param executors the same, of each that has a JVM of its own
   */
  def of(driver: Long, executors: Seq[Long], storageFraction: Double): IndexRoom = {
    val least = (driver +: executors).min
    IndexRoom(
      least,
      (least * storageFraction).toLong,
      if (least == driver) DRIVER_MEMORY.key else EXECUTOR_MEMORY.key)
  }

  /** In words, for people. */
  val kept: String = s"${MEMORY_FRACTION.key} and ${MEMORY_STORAGE_FRACTION.key}"

  /**
   * Forgets the indexes that are kept and not pinned, and has their memory given back.
   *
   * @return whether there were any
   */
  def clear(context: SparkContext): Boolean = {
    val broadcasts = forget(context)
    if (broadcasts.nonEmpty) {
      // Spark takes a broadcast out of its stores once the collector has found that nobody has it.
      System.gc()
      val end = System.nanoTime() + MostNanosToWait
      while (broadcasts.exists(isStored) && System.nanoTime() < end) Thread.sleep(10)
    }
    broadcasts.nonEmpty
  }

  /** A method of its own, so that nothing here still holds what is forgotten. */
  private def forget(context: SparkContext): Seq[Long] = {
    JoinSpaceCache.clear(context)
    CsrIndexCache.of(context).forgetUnpinned().map(_.relation.id)
  }

  private def isStored(broadcast: Long): Boolean =
    SparkEnv.get.blockManager.getStatus(BroadcastBlockId(broadcast)).isDefined

  /** What a running query still reads is not given back, however long one waits. */
  private val MostNanosToWait = 1000000000L
}
