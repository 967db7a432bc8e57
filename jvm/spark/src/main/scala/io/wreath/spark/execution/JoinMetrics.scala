package io.wreath.spark.execution

import scala.collection.immutable.ListMap

import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.{SQLExecution, SparkPlan}
import org.apache.spark.{SparkContext, TaskContext}

import io.wreath.kernel.count.EliminationRun
import io.wreath.kernel.join.MorselJoin

/**
 * What a join tells of itself: in the UI as sums, and of the elements that a task touches also the
 * least, the median and the largest, for that is where skew shows.
 *
 * @param levels bindings of each variable, in the order of the join
 */
final private[execution] class JoinMetrics(
    val rows: SQLMetric,
    elements: SQLMetric,
    elementsOfTask: SQLMetric,
    seeks: SQLMetric,
    levels: Seq[SQLMetric])
    extends Serializable {

  /**
   * Takes the numbers of a join when its task ends, be it early. A task may run several, one for each
   * pattern, and they add up.
   */
  def watch(join: MorselJoin, context: TaskContext): Unit =
    context.addTaskCompletionListener[Unit] { _ =>
      touched(join.elementsTouched)
      seeks += join.seeks
      (0 until join.levelCount).foreach(l => levels(l) += join.bindingsAt(l))
    }

  /** Takes the numbers of a count by elimination when its task ends, be it early. */
  def watch(run: EliminationRun, context: TaskContext): Unit =
    context.addTaskCompletionListener[Unit](_ => touched(run.elementsTouched))

  private def touched(more: Long): Unit = {
    elements += more
    elementsOfTask.set(elements.value.toDouble)
  }
}

private[execution] object JoinMetrics {

  def define(context: SparkContext, variables: Int): Map[String, SQLMetric] =
    // In the order in which the UI shows them.
    ListMap(
      "numOutputRows" -> SQLMetrics.createMetric(context, "number of output rows"),
      "elementsTouched" -> SQLMetrics.createMetric(context, "list elements touched"),
      "elementsOfTask" ->
        SQLMetrics.createAverageMetric(context, "list elements touched by a task"),
      "seeks" -> SQLMetrics.createMetric(context, "list seeks"),
      Fallback -> SQLMetrics.createMetric(context, "Spark's joins ran in its place")) ++
      (0 until variables).map(l =>
        level(l) -> SQLMetrics.createMetric(context, s"bindings of variable ${l + 1} in order"))

  /** That Spark's joins ran in the place of a join. */
  val Fallback = "fallback"

  /** The UI draws a plan before it runs, so that only a number can tell what it became. */
  def tellOfFallback(join: SparkPlan): Unit = {
    val metric = join.longMetric(Fallback)
    metric.set(1)
    val context = join.session.sparkContext
    SQLMetrics.postDriverMetricUpdates(
      context,
      context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      Seq(metric))
  }

  def of(join: SparkPlan, variables: Int): JoinMetrics =
    new JoinMetrics(
      join.longMetric("numOutputRows"),
      join.longMetric("elementsTouched"),
      join.longMetric("elementsOfTask"),
      join.longMetric("seeks"),
      (0 until variables).map(l => join.longMetric(level(l))))

  def level(l: Int): String = s"bindings$l"
}
