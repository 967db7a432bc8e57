package org.apache.spark.sql.execution.wreath

import java.lang.ref.WeakReference

import scala.collection.concurrent.TrieMap

import org.apache.spark.broadcast.Broadcast
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
   * Forgets the indexes that are kept and not pinned, and has the memory given back of all that nobody
   * reads any more.
   *
   * @return whether there were any
   */
  def clear(context: SparkContext): Boolean = {
    val forgotten = forget(context)
    val swept = watched.nonEmpty && sweep()
    forgotten || swept
  }

  /** A method of its own, so that nothing here still holds what is forgotten. */
  private def forget(context: SparkContext): Boolean = {
    JoinSpaceCache.clear(context)
    CsrIndexCache.of(context).forgetUnpinned().nonEmpty
  }

  /** Indexes that were broadcast, and whether somebody still has them. */
  private val watched = TrieMap.empty[Long, WeakReference[Broadcast[_]]]

  /** Has an index looked after: one that is not kept stays stored until its query's plan is collected. */
  def watch(index: Broadcast[_]): Unit = watched.put(index.id, new WeakReference(index))

  /** Where the heap is short, has the memory given back of indexes that nobody reads any more. */
  def sweepIfShort(heap: BlockCollector.Heap = new BlockCollector.Heap): Unit =
    if (watched.nonEmpty && heap.isShort) sweep()

  /**
   * Spark takes a broadcast out of its stores once the collector has found that nobody has it.
   *
   * @return whether there was any
   */
  private def sweep(): Boolean = {
    System.gc()
    val gone = watched.collect { case (id, index) if index.get == null => id }
    val stored = gone.filter(isStored).toSeq
    val end = System.nanoTime() + MostNanosToWait
    while (stored.exists(isStored) && System.nanoTime() < end) Thread.sleep(10)
    gone.foreach(watched.remove)
    stored.nonEmpty
  }

  private def isStored(broadcast: Long): Boolean =
    SparkEnv.get.blockManager.getStatus(BroadcastBlockId(broadcast)).isDefined

  private val MostNanosToWait = 1000000000L
}
