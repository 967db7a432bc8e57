package org.apache.spark.sql.execution.wreath

import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.module.scala.{ClassTagExtensions, DefaultScalaModule}
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.StreamingPattern
import org.apache.hadoop.conf.Configuration

/**
 * Which patterns a query has, kept in its checkpoint: a note for each run, by the batch that the run
 * starts with.
 */
final private[wreath] class PatternLog(info: StatefulOperatorStateInfo, conf: Configuration) {

  private val log = new BatchLog(info, "_patterns", conf)

  /**
   * Writes down the patterns of the run that starts with this batch.
   *
   * @return the names of those that were not there before
   */
  def register(batchId: Long, patterns: Seq[StreamingPattern]): Set[String] = {
    val before =
      log.latestBefore(batchId).map(PatternLog.mapper.readValue[Map[String, String]](_))
    patterns.foreach { p =>
      before.flatMap(_.get(p.name)).foreach { known =>
        if (known != p.signature) throw WreathErrors.changedPattern(p.name)
      }
    }
    val current = patterns.map(p => p.name -> p.signature).toMap
    // A name that was dropped stays taken: what was put out under it cannot be taken back.
    val dropped = before.getOrElse(Map.empty).keySet -- current.keySet
    val all = current ++ dropped.map(_ -> PatternLog.Dropped)
    log.write(batchId, PatternLog.mapper.writeValueAsString(all))
    before.map(current.keySet -- _.keySet).getOrElse(Set.empty)
  }
}

private object PatternLog {

  /** No pattern's signature. */
  private val Dropped = "dropped"

  private val mapper = new ObjectMapper with ClassTagExtensions
  mapper.registerModule(DefaultScalaModule)
}
