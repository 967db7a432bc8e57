package io.wreath.spark.execution

import java.util.{Collections, LinkedHashMap}

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.wreath.WreathConf

/**
 * Says on the log that Spark's joins run where a WcoJoin was asked for, once for each query and reason:
 * adaptive execution plans a query many times.
 *
 * Thread-safety: guarded; the oldest are forgotten.
 */
private[execution] object FallbackLog extends Logging {

  private val Remembered = 1000

  /** Those that a reason may name as too low for an index. */
  private val Settings = Seq(
    WreathConf.INDEX_MAX_BYTES.key,
    "spark.driver.memory",
    "spark.executor.memory",
    "spark.driver.maxResultSize")

  private val said = Collections.newSetFromMap(
    new LinkedHashMap[(String, String, String), java.lang.Boolean] {
      override def removeEldestEntry(
          eldest: java.util.Map.Entry[(String, String, String), java.lang.Boolean]): Boolean =
        size > Remembered
    })

  def warn(context: SparkContext, reason: String): Unit = {
    val query = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    val isNew =
      query == null || synchronized(said.add((context.applicationId, query, reason)))
    if (isNew) {
      val avoided = Settings.filter(reason.contains).map(s => s"To avoid it, raise $s. ").mkString
      logWarning(
        s"A pattern runs on Spark's joins, not on a WcoJoin: ${reason.stripSuffix(".")}. $avoided" +
          s"To have an error in place of this, set ${WreathConf.JOIN_MODE.key} to 'broadcast'.")
    }
  }
}
