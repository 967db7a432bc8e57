package org.apache.spark.sql.execution.wreath

import org.apache.spark.TaskContext
import org.apache.spark.util.Utils

/** Small forwards to what is private to Spark; each written against Spark 4.1.3. */
object SparkInternals {

  /** `Utils.bytesToString`: "14.2 GiB". */
  def bytesToString(bytes: Long): String = Utils.bytesToString(bytes)

  /** `TaskContext.killTaskIfInterrupted`: ends a task of a cancelled query. */
  def killTaskIfInterrupted(context: TaskContext): Unit = context.killTaskIfInterrupted()
}
