package org.apache.spark.sql.execution.wreath

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.internal.config.{DRIVER_MEMORY, MAX_RESULT_SIZE}
import org.apache.spark.rdd.RDD
import org.apache.spark.{SparkContext, SparkException}

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.{BlockSize, CsrBroadcastMode}

/**
 * Brings the blocks of a relation to the driver, as ordinary Spark jobs.
 *
 * {{{
 *   partitions  0 1 … 15 | 16 … 79 | 80 … 200      a job each, so that the results of one job stay
 *                                                  below spark.driver.maxResultSize
 *   each task            its own blocks against its heap and the driver's: too large, it sends that
 *   each result          sizes so far against the limit of an index and the free heap;
 *                        too large: the job is cancelled, and what came is dropped
 * }}}
 * How many partitions the next job takes follows from how large the largest so far was. A job that
 * hits the limit all the same is tried again with half the partitions that are left of it.
 *
 * Not thread-safe: one for each build.
 *
 * @param name of the relation, for people
 * @param jobTag by which the jobs are cancelled
 * @param freeHeap what the driver could still allocate; may take a while where it is short
 * @param build that the blocks are for: others may run beside it
 */
final private[wreath] class BlockCollector(
    context: SparkContext,
    name: String,
    mode: CsrBroadcastMode,
    jobTag: String,
    limit: IndexLimit,
    freeHeap: BlockCollector.Heap,
    build: IndexBuild) {

  import BlockCollector._

  private val maxResultSize = context.conf.get(MAX_RESULT_SIZE)

  /** All blocks, in the order of the partitions. */
  def collect(blocks: RDD[Array[Byte]]): Array[Array[Byte]] = {
    val results = new Array[Array[Array[Byte]]](blocks.getNumPartitions)
    var group = FirstGroup
    var largest = 1L
    var left: Seq[Int] = results.indices
    while (left.nonEmpty) {
      val (now, later) = left.splitAt(group)
      try {
        run(blocks, now, results)
        largest = math.max(largest, now.iterator.map(p => bytesOf(results(p))).max)
        left = later
        val fit = if (maxResultSize == 0) Int.MaxValue else maxResultSize / 2 / largest
        group = math.max(1L, math.min(fit, group * MostGrowth)).toInt
      } catch {
        case e: SparkException if e.getMessage.contains(MAX_RESULT_SIZE.key) =>
          if (now.size == 1) {
            throw WreathErrors.indexTooLarge(
              s"$name, one of whose partitions",
              s"more than ${SparkInternals.bytesToString(maxResultSize)}",
              maxResultSize,
              MAX_RESULT_SIZE.key)
          }
          left = now.filter(results(_) == null) ++ later
          group = math.max(1, now.size / 2)
      }
    }
    results.flatten
  }

  private var total = BlockSize.none

  private def run(
      blocks: RDD[Array[Byte]],
      partitions: Seq[Int],
      results: Array[Array[Array[Byte]]]): Unit = {
    val refused = new AtomicReference[Throwable]
    val mostBytes = freeHeap.most
    try {
      context.runJob(
        blocks,
        (_: org.apache.spark.TaskContext, part: Iterator[Array[Byte]]) =>
          TaskBlocks.take(part, mostBytes),
        partitions,
        (i: Int, result: TaskBlocks) =>
          // One at a time: Spark calls this by the thread that schedules.
          if (refused.get == null) {
            total = result.blocks.foldLeft(total)(_ + BlockSize.of(_, mode))
            result.refusal.map(tooLarge).orElse(problem(total)) match {
              case Some(e) =>
                refused.set(e)
                context.cancelJobsWithTag(jobTag, e.getMessage)
              case None => results(partitions(i)) = result.blocks
            }
          })
    } catch {
      case _: SparkException if refused.get != null =>
    }
    if (refused.get != null) throw refused.get
  }

  private def tooLarge(refusal: TaskRefusal): Throwable =
    WreathErrors.indexTooLarge(
      s"$name, one of whose partitions",
      s"more than ${SparkInternals.bytesToString(refusal.bytes)}",
      refusal.limit,
      refusal.setting,
      refusal.isShortOfHeap)

  private def problem(size: BlockSize): Option[Throwable] =
    if (size.leastBytes > limit.bytes) {
      Some(
        WreathErrors.indexTooLarge(
          name,
          SparkInternals.bytesToString(size.leastBytes),
          limit.bytes,
          limit.setting))
    } else {
      val others = build.claim(size.bytesToBuild)
      freeHeap
        .shortOf(size.bytesToBuild + others)
        .map(free =>
          WreathErrors.indexTooLarge(
            name,
            s"${SparkInternals.bytesToString(size.bytesToBuild)} while it is built",
            math.max(0L, free - others),
            DRIVER_MEMORY.key,
            isShortOfHeap = true))
    }
}

private[wreath] object BlockCollector {

  /** Few enough not to hit the limit with partitions of usual size, enough for a small table. */
  private val FirstGroup = 16
  private val MostGrowth = 4L

  private def bytesOf(blocks: Array[Array[Byte]]): Long = blocks.iterator.map(_.length.toLong).sum

  /** How much the driver can still allocate. */
  class Heap {

    private var collections = 0

    protected def free: Long = {
      val runtime = Runtime.getRuntime
      runtime.maxMemory - (runtime.totalMemory - runtime.freeMemory)
    }

    /** The most that blocks may take together: building takes at least twice as much again. */
    def most: Long = Runtime.getRuntime.maxMemory / 3

    /** What a task leaves free beside its blocks: others read and encode rows in the same heap. */
    def reserve: Long = math.min(Runtime.getRuntime.maxMemory / 4, MostReserve)

    /** Whether a build had better look for garbage first. Not so before the collector should have. */
    def isShort: Boolean = free < 2 * reserve

    /** How much is free, where it is less than `bytes`. */
    def shortOf(bytes: Long): Option[Long] =
      if (bytes <= free) None
      else {
        // What is in use may be garbage for the most part: look closer, but not again and again.
        if (collections < MostCollections) {
          collections += 1
          System.gc()
        }
        if (bytes <= free) None else Some(free)
      }
  }

  private val MostCollections = 3

  /** As much as the readers of files take, however large the heap is. */
  private val MostReserve = 256L << 20
}
