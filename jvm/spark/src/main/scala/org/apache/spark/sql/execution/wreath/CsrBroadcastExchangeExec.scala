package org.apache.spark.sql.execution.wreath

import java.util.concurrent.{Future, TimeUnit, TimeoutException}

import scala.concurrent.Promise
import scala.util.control.NonFatal

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastPartitioning, Partitioning}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.{SQLExecution, SparkPlan}
import org.apache.spark.util.{SparkFatalException, ThreadUtils}

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.{CsrBroadcastMode, CsrRelation, CsrRelationBuilder, EdgeBlock}

/**
 * Collects an edge table, indexes it on the driver and broadcasts the index.
 *
 * {{{
 *   child (src, dst) --encode on the executors--> blocks of ids --collect--> driver
 *     --sort, both directions--> CsrRelation --broadcast--> every executor, once
 * }}}
 * Spark's own BroadcastExchangeExec refuses anything but a HashedRelation or rows; this one does
 * the same steps around another relation. AQE makes a broadcast query stage of it, and Spark's
 * exchange reuse finds two of them that read the same rows.
 */
case class CsrBroadcastExchangeExec(mode: CsrBroadcastMode, child: SparkPlan)
    extends BroadcastExchangeLike {

  override def nodeName: String = "CsrBroadcastExchange"

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "index size"),
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of edges"),
    "numVertices" -> SQLMetrics.createMetric(sparkContext, "number of vertices"),
    "collectTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to collect"),
    "buildTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to build"),
    "broadcastTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to broadcast"))

  override def outputPartitioning: Partitioning = BroadcastPartitioning(mode)

  override def doCanonicalize(): SparkPlan =
    CsrBroadcastExchangeExec(mode, child.canonicalized)

  override def runtimeStatistics: Statistics =
    Statistics(metrics("dataSize").value, Some(metrics("numOutputRows").value))

  /** A materialized exchange is not run again, so its metrics must outlive a reset. */
  override def resetMetrics(): Unit = ()

  @transient
  private lazy val promise = Promise[Broadcast[Any]]()

  @transient
  override lazy val completionFuture: scala.concurrent.Future[Broadcast[Any]] = promise.future

  @transient
  private val timeout: Long = conf.broadcastTimeout

  @transient
  override lazy val relationFuture: Future[Broadcast[Any]] =
    SQLExecution.withThreadLocalCaptured[Broadcast[Any]](
      session,
      CsrBroadcastExchangeExec.executionContext) {
      try {
        // The tag is what a cancelled query cancels the job by.
        sparkContext.addJobTag(jobTag)
        sparkContext.setInterruptOnCancel(true)
        sparkContext.setJobDescription(s"index the edges of $relationName")
        val broadcast = buildAndBroadcast()
        promise.trySuccess(broadcast)
        broadcast
      } catch {
        // A fatal error does not pass through a Future; Spark unwraps this one where it waits.
        case e if !NonFatal(e) =>
          val wrapped = new SparkFatalException(e)
          promise.tryFailure(wrapped)
          throw wrapped
        case e: Throwable =>
          promise.tryFailure(e)
          throw e
      }
    }

  private def buildAndBroadcast(): Broadcast[Any] = {
    val blocks = timed("collectTime")(collectBlocks())
    val relation = timed("buildTime")(CsrRelationBuilder.build(blocks.iterator))
    longMetric("dataSize") += relation.sizeInBytes
    longMetric("numVertices") += relation.graph.vertexCount.toLong
    checkSize(relation.sizeInBytes)
    // The driver plans the order and the morsels with the relation, so it keeps the object.
    val broadcast = timed("broadcastTime") {
      sparkContext.broadcastInternal[Any](relation, serializedOnly = false)
    }
    SQLMetrics.postDriverMetricUpdates(
      sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      metrics.values.toSeq)
    broadcast
  }

  private def collectBlocks(): Array[EdgeBlock] = {
    val keyType = mode.keyType
    val blocks = child.execute().mapPartitionsInternal(EdgeBlock.encode(_, keyType)).collect()
    val edges = blocks.iterator.map(_.size.toLong).sum
    longMetric("numOutputRows") += edges
    // Known before the index takes memory, not after.
    checkSize(edges * CsrRelationBuilder.MinBytesPerEdge)
    blocks
  }

  private def checkSize(bytes: Long): Unit = {
    val limit = math.min(
      conf.getConf(WreathConf.INDEX_MAX_BYTES),
      CsrRelationBuilder.MaxEdges * CsrRelationBuilder.MinBytesPerEdge)
    if (bytes > limit) throw WreathErrors.indexTooLarge(relationName, bytes, limit)
  }

  private def relationName: String = {
    val names = child.collectLeaves().map(_.nodeName.trim).distinct
    if (names.isEmpty) "the edge table" else names.mkString(", ")
  }

  private def timed[T](metric: String)(body: => T): T = {
    val start = System.nanoTime()
    val result = body
    longMetric(metric) += TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
    result
  }

  override protected def doPrepare(): Unit = relationFuture

  override protected def doExecute(): RDD[InternalRow] =
    throw QueryExecutionErrors.executeCodePathUnsupportedError(nodeName)

  override protected[sql] def doExecuteBroadcast[T](): Broadcast[T] =
    try {
      relationFuture.get(timeout, TimeUnit.SECONDS).asInstanceOf[Broadcast[T]]
    } catch {
      case e: TimeoutException =>
        cancelBroadcastJob(Some("The index was not built in time."))
        throw QueryExecutionErrors.executeBroadcastTimeoutError(timeout, Some(e))
    }

  override protected def withNewChildInternal(newChild: SparkPlan): CsrBroadcastExchangeExec =
    copy(child = newChild)
}

object CsrBroadcastExchangeExec {

  /** The relation behind a child of ours, whether AQE has wrapped it or not. */
  def relation(child: SparkPlan): Broadcast[CsrRelation] = child.executeBroadcast[CsrRelation]()

  /** A pool of our own: BroadcastExchangeExec's is private, and index builds must not queue there. */
  private val executionContext = scala.concurrent.ExecutionContext.fromExecutorService(
    ThreadUtils.newDaemonCachedThreadPool("wreath-index", 16))
}
