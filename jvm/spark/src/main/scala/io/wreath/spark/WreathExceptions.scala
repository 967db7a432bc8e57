package io.wreath.spark

import scala.jdk.CollectionConverters._

import org.apache.spark.QueryContext
import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.execution.wreath.RuntimeCondition

/** An [[AnalysisException]] with a condition of ours, which shows its place in the user's text. */
final private[spark] class WreathAnalysisException(
    condition: String,
    state: String,
    template: String,
    text: String,
    parameters: Map[String, String],
    at: Origin,
    contexts: Array[QueryContext])
    extends AnalysisException(
      text,
      at.line,
      at.startPosition,
      None,
      Some(condition),
      parameters,
      contexts,
      Some(state),
      Some(template)) {

  override def getSimpleMessage: String = text + PlaceInText(at)
}

/**
 * A [[ParseException]] with a condition of ours.
 *
 * Spark's constructors look the condition up in Spark's own file, so the parent is given one that
 * is there, and what a caller can see of it is overridden.
 */
final private[spark] class WreathParseException(
    condition: String,
    state: String,
    text: String,
    parameters: Map[String, String],
    at: Origin,
    contexts: Array[QueryContext])
    extends ParseException(
      at.sqlText,
      at,
      "PARSE_SYNTAX_ERROR",
      Map("error" -> "GRAPH_TABLE", "hint" -> ""),
      contexts) {

  override def getCondition: String = condition

  override def getSqlState: String = state

  override def getMessageParameters: java.util.Map[String, String] = parameters.asJava

  override def withCommand(command: String): ParseException = this

  override def getMessage: String = "\n" + text + PlaceInText(at)
}

/** The user's text with a mark below the place of an error. */
private object PlaceInText {

  def apply(at: Origin): String = {
    val place = for (line <- at.line; column <- at.startPosition) yield {
      val (above, below) = at.sqlText.getOrElse("").split("\n", -1).splitAt(line)
      val marked = above ++ Seq("-" * column + "^^^") ++ below
      val of = for (kind <- at.objectType; name <- at.objectName) yield s" of $kind $name"
      s" (line $line, pos $column)\n\n== SQL${of.getOrElse("")} ==\n" + marked.mkString("\n")
    }
    place.getOrElse("")
  }
}

/** A failure while a query runs, with a condition of ours. */
final class WreathRuntimeException private[spark] (
    condition: String,
    parameters: Map[String, String],
    text: String,
    state: String,
    /** Whether there was too little room in a heap at the moment, and there may be more later. */
    val isShortOfHeap: Boolean)
    extends RuntimeCondition(text) {

  /** Whether an index would not fit, and nothing else is wrong. */
  def isTooLarge: Boolean =
    condition == "WREATH_INDEX_TOO_LARGE" || condition == "WREATH_INDEX_LIMIT"

  override def getCondition: String = condition

  override def getErrorClass: String = condition

  override def getSqlState: String = state

  override def isInternalError: Boolean = false

  override def getMessageParameters: java.util.Map[String, String] = parameters.asJava
}
