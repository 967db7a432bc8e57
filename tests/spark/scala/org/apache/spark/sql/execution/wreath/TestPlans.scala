package org.apache.spark.sql.execution.wreath

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.{DataFrame, SparkSession, classic}

/** @param value by default; @param legal values that its documentation names */
final case class SettingOfSpark(key: String, value: String, legal: Seq[String])

/** What tests need of Spark's private parts. */
object TestPlans {
  def frame(session: SparkSession, plan: LogicalPlan): DataFrame =
    classic.Dataset.ofRows(SparkInternals.classic(session), plan)

  /** All that Spark documents and a session may set. */
  def settings(session: SparkSession): Seq[SettingOfSpark] =
    SQLConf.get.getAllDefinedConfs.collect {
      case (key, value, doc, _) if session.conf.isModifiable(key) =>
        val named = "['`]([A-Za-z_]+)['`]".r.findAllMatchIn(doc).map(_.group(1)).toSeq.distinct
        SettingOfSpark(key, value, if (value.matches("[A-Z_]+")) named else Nil)
    }.sortBy(_.key)
}
