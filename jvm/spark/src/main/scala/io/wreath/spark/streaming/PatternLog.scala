package io.wreath.spark.streaming

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.module.scala.{ClassTagExtensions, DefaultScalaModule}
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{StreamingEdges, StreamingPattern}
import org.apache.hadoop.conf.Configuration

/**
 * What a query says, kept in its checkpoint: a note for each run, by the batch that the run starts
 * with. Rows that were put out would not fit those to come if it changed.
 */
final private[wreath] class PatternLog(info: StatefulOperatorStateInfo, conf: Configuration) {

  private val log = new BatchLog(info, "_patterns", conf)

  /** Refuses a query other than the one before this batch. */
  def check(stream: StreamingEdges, patterns: Seq[StreamingPattern]): Unit =
    before.foreach { known =>
      def compare(what: String, before: String, now: String): Unit =
        if (before != now) throw WreathErrors.changedPattern(what, before, now)
      known.stream match {
        case Some(text) => compare("the stream", text, stream.text)
        case None =>
          def expires(is: Boolean): String =
            if (is) "one with EXPIRING" else "one without EXPIRING"
          compare(
            "the stream",
            expires(EdgeExpiry.wasThere(info, conf)),
            expires(stream.expiry.isDefined))
      }
      patterns.foreach { p =>
        known.patterns.get(p.name).foreach(
          compare(s"the pattern ${p.name}", _, if (known.isOld) p.signature else p.text.toString))
      }
    }

  /**
   * Writes down the query of the run that starts with this batch.
   *
   * @return the names of patterns that were not there before
   */
  def register(stream: StreamingEdges, patterns: Seq[StreamingPattern]): Set[String] = {
    val known = before.map(_.patterns.keySet)
    val current = patterns.map(p => p.name -> p.text.toString).toMap
    // A name that was dropped stays taken: what was put out under it cannot be taken back.
    val dropped = known.getOrElse(Set.empty) -- current.keySet
    val all = current ++ dropped.map(_ -> PatternLog.Dropped)
    log.write(
      info.storeVersion,
      PatternLog.mapper.writeValueAsString(
        Map[String, Any]("stream" -> stream.text, "patterns" -> all)))
    known.map(current.keySet -- _).getOrElse(Set.empty)
  }

  private def before: Option[PatternLog.Note] =
    log.latestBefore(info.storeVersion).map(PatternLog.read)
}

private object PatternLog {

  /** No pattern's text. */
  private val Dropped = "dropped"

  /** @param stream None in an old note, which has the signatures of patterns and no more */
  final private case class Note(stream: Option[String], patterns: Map[String, String]) {
    def isOld: Boolean = stream.isEmpty
  }

  private val mapper = new ObjectMapper with ClassTagExtensions
  mapper.registerModule(DefaultScalaModule)

  private def read(text: String): Note = {
    val root = mapper.readTree(text)
    // An old note is an object of strings.
    val isOld = Option(root.get("patterns")).forall(!_.isObject)
    val patterns = (if (isOld) root else root.get("patterns")).properties.asScala
      .map(e => e.getKey -> e.getValue.asText)
      .toMap
    Note(if (isOld) None else Some(root.get("stream").asText), patterns)
  }
}
