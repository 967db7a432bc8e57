package io.wreath.spark.index

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LeafNode, LogicalPlan}
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.internal.SQLConf

/**
 * The settings that may change the rows of a relation: how text becomes a time, which of two equal
 * keys of a map wins, how a file is read. Expressions look at them when they run, so their plans are
 * the same under either value.
 *
 * Which setting changes what is not known in general, and Spark has a thousand. So any that is not
 * at its default counts, but for ours and those that only say how a query is run.
 */
private[index] object AnswerSettings {

  /** As they are in the session that plans now; none where none matters. */
  def of(relation: LogicalPlan): Map[String, String] =
    if (!matterTo(relation)) Map.empty
    else {
      val conf = SQLConf.get
      conf.getAllConfs.filterNot { case (key, value) =>
        isHarmless(key) || SparkInternals.defaultOf(key).contains(value)
      } + ("time zone" -> conf.sessionLocalTimeZone)
    }

  /** Bare columns of rows in memory are what they are; files are read by settings. */
  private def matterTo(relation: LogicalPlan): Boolean = relation.exists {
    case _: LogicalRelation => true
    case _: LeafNode => false
    case node => node.expressions.exists(!isBare(_))
  }

  private def isBare(e: Expression): Boolean = e match {
    case Alias(child, _) => isBare(child)
    case _ => e.isInstanceOf[Attribute]
  }

  private[index] def isHarmless(key: String): Boolean = harmless.exists(key.startsWith)

  /** Beginnings of names: how a query is planned, run and shown. */
  private val harmless = Seq(
    "spark.wreath.",
    "spark.sql.adaptive.",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.broadcastTimeout",
    "spark.sql.cbo.",
    "spark.sql.codegen.",
    "spark.sql.debug.",
    "spark.sql.exchange.reuse",
    "spark.sql.execution.arrow.",
    "spark.sql.execution.reuseSubquery",
    "spark.sql.files.maxPartition",
    "spark.sql.files.minPartition",
    "spark.sql.files.openCostInBytes",
    "spark.sql.inMemoryColumnarStorage.",
    "spark.sql.join.",
    "spark.sql.leafNodeDefaultParallelism",
    "spark.sql.maxMetadataStringLength",
    "spark.sql.maxPlanStringLength",
    "spark.sql.optimizer.",
    "spark.sql.planChangeLog.",
    "spark.sql.repl.",
    "spark.sql.shuffle.",
    "spark.sql.statistics.",
    "spark.sql.streaming.",
    "spark.sql.ui.",
    "spark.app.",
    "spark.driver.",
    "spark.executor.",
    "spark.job.",
    "spark.scheduler.")
}
