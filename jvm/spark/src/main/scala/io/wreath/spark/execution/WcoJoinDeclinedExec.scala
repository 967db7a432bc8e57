package io.wreath.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan, UnaryExecNode}

/**
 * Spark's own joins, with the reason why they are not a WcoJoin. Passes rows on untouched, in
 * generated code too: that it stands there must cost nothing.
 */
final private[wreath] case class WcoJoinDeclinedExec(
    reason: String,
    isWish: Boolean,
    child: SparkPlan)
    extends UnaryExecNode
    with CodegenSupport {

  override def nodeName: String = "WcoJoinDeclined"

  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override protected def stringArgs: Iterator[Any] = Iterator(reason)

  /** The UI shows the name of a metric in the node itself, all else only below the pointer. */
  override lazy val metrics: Map[String, SQLMetric] =
    if (isWish) Map.empty
    else Map(JoinMetrics.Fallback -> SQLMetrics.createMetric(
      sparkContext,
      s"Spark's joins run in its place: $reason"))

  /** Who asked for Spark's joins need not be told. */
  override protected def doPrepare(): Unit = if (!isWish) {
    FallbackLog.warn(sparkContext, reason)
    JoinMetrics.tellOfFallback(this)
  }

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    consume(ctx, input)

  override protected def withNewChildInternal(newChild: SparkPlan): WcoJoinDeclinedExec =
    copy(child = newChild)
}
