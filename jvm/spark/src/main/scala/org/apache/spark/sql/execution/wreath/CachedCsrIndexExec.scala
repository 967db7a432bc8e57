package org.apache.spark.sql.execution.wreath

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastPartitioning, Partitioning}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.LeafExecNode

import io.wreath.spark.index.{CsrBroadcastMode, CsrIndex}

/**
 * An index that an earlier query built.
 *
 * A leaf, because under AQE the child of an exchange runs even where its result is known. It holds
 * the index itself, so that a query that was planned with it runs with it, whatever the cache
 * forgets meanwhile.
 */
case class CachedCsrIndexExec(
    mode: CsrBroadcastMode,
    output: Seq[Attribute],
    @transient index: CsrIndex)
    extends LeafExecNode {

  override def nodeName: String = "CachedCsrIndex"

  override def outputPartitioning: Partitioning = BroadcastPartitioning(mode)

  override protected def doExecute(): RDD[InternalRow] =
    throw QueryExecutionErrors.executeCodePathUnsupportedError(nodeName)

  override protected[sql] def doExecuteBroadcast[T](): Broadcast[T] =
    index.relation.asInstanceOf[Broadcast[T]]

  private def elements: String = if (mode.keyTypes.size == 2) "edges" else "vertices"

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${index.name}, ${index.rows} $elements, ${SparkInternals.bytesToString(index.bytes)}"
}
