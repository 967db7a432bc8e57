package org.apache.spark.sql.execution.wreath

import java.util.{IdentityHashMap, UUID, WeakHashMap}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.runtime.{IncrementalExecution, StreamExecution}

/**
 * Gives a stateful operator that Spark does not know its place in the checkpoint.
 *
 * Spark numbers its own stateful operators in `IncrementalExecution.StateOpIdRule`, which lists
 * their classes. Ours takes its number from the same counter while it is planned, that is before
 * any of Spark's: the same number in every batch and every run of a query.
 */
object StreamStateInfo {

  private val known =
    new WeakHashMap[IncrementalExecution, IdentityHashMap[LogicalPlan, StatefulOperatorStateInfo]]

  /** None where a plan is made only to be shown. */
  def of(node: LogicalPlan, session: SparkSession): Option[StatefulOperatorStateInfo] =
    for {
      id <- Option(session.sparkContext.getLocalProperty(StreamExecution.QUERY_ID_KEY))
      query <- Option(SparkInternals.classic(session).sharedState.activeStreamingQueries
        .get(UUID.fromString(id)))
      execution <- Option(query.lastExecution)
    } yield synchronized {
      // A strategy may be asked for the same node more than once.
      known
        .computeIfAbsent(execution, _ => new IdentityHashMap)
        .computeIfAbsent(node, _ => next(execution))
    }

  private def next(execution: IncrementalExecution): StatefulOperatorStateInfo =
    nextMethod.invoke(execution).asInstanceOf[StatefulOperatorStateInfo]

  /** Private in Scala, but called from a class inside: public under its long name. */
  private lazy val nextMethod = {
    val name = "nextStatefulOperationStateInfo"
    classOf[IncrementalExecution].getMethods
      .find(m => m.getName.endsWith("$$" + name) || m.getName == name)
      .getOrElse(
        throw new IllegalStateException(
          s"This version of Spark has no IncrementalExecution.$name: Wreath was not built for it."))
  }
}
