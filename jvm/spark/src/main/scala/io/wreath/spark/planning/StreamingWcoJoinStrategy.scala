package io.wreath.spark.planning

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

import io.wreath.spark.logical.StreamingWcoJoin
import io.wreath.spark.streaming.StreamingWcoJoinExec

/** Plans a [[StreamingWcoJoin]], in every micro-batch anew. */
final private[wreath] case class StreamingWcoJoinStrategy(session: SparkSession)
    extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case j: StreamingWcoJoin => StreamingWcoJoinExec.plan(j, planLater, session) :: Nil
    case _ => Nil
  }
}
