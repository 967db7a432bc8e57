package org.apache.spark.sql.execution.wreath

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.{DataFrame, SparkSession, classic}

/** What tests need of Spark's private parts. */
object TestPlans {
  def frame(session: SparkSession, plan: LogicalPlan): DataFrame =
    classic.Dataset.ofRows(SparkInternals.classic(session), plan)
}
