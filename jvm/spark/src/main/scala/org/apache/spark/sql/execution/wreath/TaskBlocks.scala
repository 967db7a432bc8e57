package org.apache.spark.sql.execution.wreath

import scala.collection.mutable

import org.apache.spark.internal.config.{DRIVER_MEMORY, EXECUTOR_MEMORY}
import org.apache.spark.{SparkContext, SparkEnv}

/**
 * What a task of an index build sends to the driver: its blocks, or why they are too many.
 *
 * A task holds all its blocks, and then twice as much again while Spark makes bytes of them. So it
 * looks at its heap after each block, and gives up while there is room to say so.
 */
final private[wreath] case class TaskBlocks(
    blocks: Array[Array[Byte]],
    refusal: Option[TaskRefusal])

/**
 * @param bytes that the task would have taken, so far
 * @param limit what there was
 * @param setting that gives more
 * @param isShortOfHeap whether there may be more room in the heap at another time
 */
final private[wreath] case class TaskRefusal(
    bytes: Long,
    limit: Long,
    setting: String,
    isShortOfHeap: Boolean)

private[wreath] object TaskBlocks {

  /**
   * @param mostBytes that the driver could build an index from
   * @param heap of this task's JVM
   */
  def take(
      part: Iterator[Array[Byte]],
      mostBytes: Long,
      heap: BlockCollector.Heap = new BlockCollector.Heap): TaskBlocks = {
    val blocks = mutable.ArrayBuffer.empty[Array[Byte]]
    var bytes = 0L
    var refusal = Option.empty[TaskRefusal]
    while (refusal.isEmpty && part.hasNext) {
      val block = part.next()
      blocks += block
      bytes += block.length
      refusal =
        if (bytes > mostBytes)
          Some(TaskRefusal(bytes, mostBytes, DRIVER_MEMORY.key, isShortOfHeap = false))
        else {
          val needed = bytes * CopiesToSend + heap.reserve
          heap.shortOf(needed).map(TaskRefusal(needed, _, ownMemory, isShortOfHeap = true))
        }
    }
    if (refusal.isDefined) blocks.clear()
    TaskBlocks(blocks.toArray, refusal)
  }

  /** The result's bytes, and the message's that holds them; and as much for the next block. */
  private val CopiesToSend = 3L

  private def ownMemory: String =
    if (SparkEnv.get.executorId == SparkContext.DRIVER_IDENTIFIER) DRIVER_MEMORY.key
    else EXECUTOR_MEMORY.key
}
