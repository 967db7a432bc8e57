package org.apache.spark.sql.execution.wreath

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.state.StateStoreCoordinatorRef
import org.apache.spark.sql.types.{DataType, MapType, VariantType}
import org.apache.spark.util.Utils

/** Small forwards to what is private to Spark; the same in every supported Spark. */
object SparkInternals {

  /** `Utils.bytesToString`: "14.2 GiB". */
  def bytesToString(bytes: Long): String = Utils.bytesToString(bytes)

  /** The session that a query runs in, as Spark's own planner knows it. */
  def classic(session: SparkSession): ClassicSession = session.asInstanceOf[ClassicSession]

  /** The default of a setting of Spark's or ours, as text; None for what nobody declared. */
  def defaultOf(setting: String): Option[String] =
    Option(ConfigEntry.findEntry(setting)).map(_.defaultValueString)

  /** For numbers of rows that exceed a Long. */
  def overflow(e: ArithmeticException): ArithmeticException =
    QueryExecutionErrors.arithmeticOverflowError(e.getMessage)

  /** Whether equal values of a type have equal bytes, so that they can be keys of a state store. */
  def hasStableBytes(tpe: DataType): Boolean =
    UnsafeRowUtils.isBinaryStable(tpe) && !tpe.existsRecursively {
      case _: MapType | _: VariantType => true
      case _ => false
    }

  /** Knows which executor holds which partition of a stream's state. */
  def stateStoreCoordinator(session: ClassicSession): StateStoreCoordinatorRef =
    session.streams.stateStoreCoordinator

  /** The physical plan of a resolved query, optimized as any other. */
  def executedPlan(session: SparkSession, plan: LogicalPlan): SparkPlan =
    classic(session).sessionState.executePlan(plan).executedPlan
}
