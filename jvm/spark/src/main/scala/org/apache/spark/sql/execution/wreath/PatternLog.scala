package org.apache.spark.sql.execution.wreath

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.module.scala.{ClassTagExtensions, DefaultScalaModule}
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.StreamingPattern
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/**
 * Which patterns a query has, kept in its checkpoint: a file for each run, named after the batch
 * that the run starts with.
 *
 * A run reads the latest file of an earlier batch, not of its own: should it die before its first
 * batch is committed, the next run makes the same of it.
 */
final private[wreath] class PatternLog(info: StatefulOperatorStateInfo, conf: Configuration) {

  private val folder =
    new Path(new Path(info.checkpointLocation, info.operatorId.toString), "_patterns")
  private val files = CheckpointFileManager.create(folder, conf)

  /**
   * Writes down the patterns of the run that starts with this batch.
   *
   * @return the names of those that were not there before
   */
  def register(batchId: Long, patterns: Seq[StreamingPattern]): Set[String] = {
    val before = latestBefore(batchId)
    patterns.foreach { p =>
      before.flatMap(_.get(p.name)).foreach { known =>
        if (known != p.signature) throw WreathErrors.changedPattern(p.name)
      }
    }
    val current = patterns.map(p => p.name -> p.signature).toMap
    // A name that was dropped stays taken: what was put out under it cannot be taken back.
    val dropped = before.getOrElse(Map.empty).keySet -- current.keySet
    write(batchId, current ++ dropped.map(_ -> PatternLog.Dropped))
    before.map(current.keySet -- _.keySet).getOrElse(Set.empty)
  }

  private def latestBefore(batchId: Long): Option[Map[String, String]] =
    if (!files.exists(folder)) None
    else {
      val starts =
        files.list(folder).map(_.getPath.getName).filter(_.forall(_.isDigit)).map(_.toLong)
      starts.filter(_ < batchId).maxOption.map(read)
    }

  private def read(start: Long): Map[String, String] = {
    val in = files.open(new Path(folder, start.toString))
    try PatternLog.mapper.readValue[Map[String, String]](new String(in.readAllBytes(), UTF_8))
    finally in.close()
  }

  private def write(start: Long, patterns: Map[String, String]): Unit = {
    files.mkdirs(folder)
    val out =
      files.createAtomic(new Path(folder, start.toString), overwriteIfPossible = true)
    try {
      out.write(PatternLog.mapper.writeValueAsBytes(patterns))
      out.close()
    } catch {
      case e: Throwable =>
        out.cancel()
        throw e
    }
  }
}

private object PatternLog {

  /** No pattern's signature. */
  private val Dropped = "dropped"

  private val mapper = new ObjectMapper with ClassTagExtensions
  mapper.registerModule(DefaultScalaModule)
}
