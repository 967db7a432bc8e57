package io.wreath.spark.planning

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

import io.wreath.spark.execution.SharedRowsExec
import io.wreath.spark.logical.SharedRows

/** Where an index is built from rows of the driver, or Spark's joins read them. */
private[wreath] object SharedRowsStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case SharedRows(output, rows) => SharedRowsExec(output, rows) :: Nil
    case _ => Nil
  }
}
