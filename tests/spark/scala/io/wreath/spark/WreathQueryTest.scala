package io.wreath.spark

import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.wreath.{ClusterSession, WreathConf}
import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest}

import io.wreath.spark.execution.BroadcastWcoJoinExec

/** A session with the extension, and what the suites ask of plans and errors. */
trait WreathQueryTest extends QueryTest with ClusterSession with AdaptiveSparkPlanHelper {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.sql.extensions", classOf[WreathExtensions].getName)
      .set("spark.sql.shuffle.partitions", "4")
      // Graphs of tests are tiny, and their work is to be cut all the same.
      .set(WreathConf.MORSEL_MIN_ELEMENTS.key, "0")
      .set(WreathConf.MORSELS_PER_CORE.key, "4")

  /** Makes `name` a view of these edges. */
  def edges(name: String, rows: (Long, Long)*): Unit = {
    val session = spark
    import session.implicits._
    rows.toDF("src", "dst").createOrReplaceTempView(name)
  }

  /** The operators of the plan that really ran. */
  def wcoJoins(df: DataFrame): Seq[BroadcastWcoJoinExec] = {
    df.collect()
    collect(df.queryExecution.executedPlan: SparkPlan) { case j: BroadcastWcoJoinExec => j }
  }

  /** How many tasks of the jobs of a group run now. */
  def activeTasks(group: String): Int = {
    val tracker = spark.sparkContext.statusTracker
    tracker
      .getJobIdsForGroup(group)
      .flatMap(tracker.getJobInfo)
      .flatMap(_.stageIds)
      .flatMap(tracker.getStageInfo)
      .map(_.numActiveTasks)
      .sum
  }

  def errorOf(sqlText: String): AnalysisException =
    intercept[AnalysisException](spark.sql(sqlText).collect())
}
