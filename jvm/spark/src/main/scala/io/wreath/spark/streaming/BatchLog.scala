package io.wreath.spark.streaming

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/**
 * Notes of an operator in its checkpoint, each a file named after the batch that wrote it.
 *
 * A batch reads the latest note of an earlier batch, never its own: should it die before it is
 * committed, the next attempt makes the same of it.
 */
final private[wreath] class BatchLog(
    info: StatefulOperatorStateInfo,
    name: String,
    conf: Configuration) {

  private val folder = new Path(new Path(info.checkpointLocation, info.operatorId.toString), name)
  private val files = CheckpointFileManager.create(folder, conf)

  def latestBefore(batchId: Long): Option[String] =
    batches.filter(_ < batchId).maxOption.map(read)

  /** @param kept how many batches back notes are kept; a later one says all that an earlier one did */
  def write(batchId: Long, text: String, kept: Long = Long.MaxValue): Unit = {
    files.mkdirs(folder)
    val out = files.createAtomic(file(batchId), overwriteIfPossible = true)
    try {
      out.write(text.getBytes(UTF_8))
      out.close()
    } catch {
      case e: Throwable =>
        out.cancel()
        throw e
    }
    batches.filter(_ < batchId - kept).foreach(b => files.delete(file(b)))
  }

  private def batches: Seq[Long] =
    if (!files.exists(folder)) Nil
    else {
      files.list(folder).map(_.getPath.getName).filter(_.forall(_.isDigit)).map(_.toLong).toSeq
    }

  private def file(batchId: Long): Path = new Path(folder, batchId.toString)

  private def read(batchId: Long): String = {
    val in = files.open(file(batchId))
    try new String(in.readAllBytes(), UTF_8)
    finally in.close()
  }
}
