package io.wreath.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.{InputRDDCodegen, LeafExecNode, LocalTableScanExec}

import io.wreath.spark.logical.RowsOfDriver

/**
 * Reads rows that the driver holds as Spark's own scan does, which is made only when they are read:
 * its rows are among its arguments, where each rule would copy them.
 */
final private[wreath] case class SharedRowsExec(output: Seq[Attribute], rows: RowsOfDriver)
    extends LeafExecNode
    with InputRDDCodegen {

  @transient private lazy val scan = LocalTableScanExec(output, rows.rows, None)

  override def nodeName: String = "LocalTableScan"

  override lazy val metrics: Map[String, SQLMetric] = scan.metrics

  override protected def doExecute(): RDD[InternalRow] = scan.execute()

  override def executeCollect(): Array[InternalRow] = scan.executeCollect()

  override def executeTake(limit: Int): Array[InternalRow] = scan.executeTake(limit)

  override def executeTail(limit: Int): Array[InternalRow] = scan.executeTail(limit)

  override def inputRDD: RDD[InternalRow] = scan.inputRDD

  // The scan's rows are unsafe ones already.
  override protected val createUnsafeProjection: Boolean = false

  override protected def stringArgs: Iterator[Any] = Iterator(output)
}
