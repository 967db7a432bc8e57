package org.apache.spark.sql.execution.wreath

import java.util.concurrent.{Future, TimeUnit, TimeoutException}

import scala.concurrent.Promise
import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastPartitioning, Partitioning}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.{FileSourceScanExec, SQLExecution, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.{SparkFatalException, ThreadUtils}

import io.wreath.spark.index._
import io.wreath.spark.logical.WcoJoin
import io.wreath.spark.{WreathErrors, WreathRuntimeException}

/**
 * Collects a table of edges or vertices, indexes it on the driver and broadcasts the index.
 *
 * {{{
 *   child (keys, columns) --encode on the executors--> blocks of bytes --collect--> driver
 *     --sort, both directions--> CsrRelation --broadcast--> every executor, once
 * }}}
 * Spark's own BroadcastExchangeExec refuses anything but a HashedRelation or rows; this one does
 * the same steps around another relation. AQE makes a broadcast query stage of it, and Spark's
 * exchange reuse finds two of them that read the same rows.
 *
 * @param fingerprint by which later queries, and others that run now, find the index in
 *   [[CsrIndexCache]]; None where the relation has none, and the index is this query's own
 * @param isAsked whether somebody wrote a pattern; else it is never an error that there is no index
 */
case class CsrBroadcastExchangeExec(
    mode: CsrBroadcastMode,
    @transient fingerprint: Option[RelationFingerprint],
    child: SparkPlan,
    isAsked: Boolean = true)
    extends BroadcastExchangeLike {

  override def nodeName: String = "CsrBroadcastExchange"

  private val isKept = fingerprint.isDefined

  override def stringArgs: Iterator[Any] = Iterator(
    if (isKept) "kept for later queries" else "for this query only",
    s"[plan_id=$id]")

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "index size"),
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of edges"),
    "numVertices" -> SQLMetrics.createMetric(sparkContext, "number of vertices"),
    "collectTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to collect"),
    "buildTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to build"),
    "broadcastTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to broadcast"))

  override def outputPartitioning: Partitioning = BroadcastPartitioning(mode)

  override def doCanonicalize(): SparkPlan =
    CsrBroadcastExchangeExec(mode, None, child.canonicalized)

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
        sparkContext.setInterruptOnCancel(true)
        sparkContext.setJobDescription(s"index the edges of $relationName")
        val broadcast =
          try {
            val index = getOrBuild()
            postMetrics(index)
            index.relation.asInstanceOf[Broadcast[Any]]
          } catch {
            // Whoever did not ask for the index by name gets the rows without it.
            case e: WreathRuntimeException if e.isTooLarge && !isAskedFor =>
              val refusal = IndexRefusal(e.getMessage)
              sparkContext.broadcastInternal[Any](refusal, serializedOnly = false)
          }
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

  /**
   * The index, built unless it is there. Where the heap is too full for it, the indexes that are kept
   * give way, and it is tried once more, alone. They stay where it is too large for any heap of this
   * size.
   *
   * @param pinned whether it is kept whatever its size and age
   */
  def getOrBuild(pinned: Boolean = false): CsrIndex = {
    var wasBesideOthers = false
    def beside(known: Seq[CsrIndex]): CsrIndex = {
      val read = blocks
      IndexBuilds.beside { turn =>
        try build(known, read, turn)
        finally wasBesideOthers = turn.wasBesideOthers
      }
    }
    def alone(known: Seq[CsrIndex]): CsrIndex = {
      val read = blocks
      IndexBuilds.alone(build(known, read, _))
    }
    try getOrTryToBuild(pinned, beside)
    catch {
      case e: WreathRuntimeException
          if e.isShortOfHeap && (IndexRoom.clear(sparkContext) || wasBesideOthers) =>
        getOrTryToBuild(pinned, alone)
    }
  }

  private def getOrTryToBuild(
      pinned: Boolean,
      build: Seq[CsrIndex] => CsrIndex): CsrIndex = fingerprint match {
    case Some(f) =>
      val mostKept = CsrBroadcastExchangeExec.mostKept(sparkContext, conf)
      val index = CsrIndexCache
        .of(sparkContext)
        .getOrBuild(f, mode.columns, mostKept, pinned)(build)
      if (!pinned && index.bytes > mostKept) sayThatItIsNotKept(index, mostKept)
      index
    case None => build(Nil)
  }

  private def sayThatItIsNotKept(index: CsrIndex, mostKept: Long): Unit =
    logWarning(
      s"The index of $saidName takes ${SparkInternals.bytesToString(index.bytes)} and is not kept " +
        s"for later queries, for there is room for ${SparkInternals.bytesToString(mostKept)} by " +
        s"the memory of driver and executors, ${IndexRoom.kept}. CACHE GRAPH INDEX keeps it.")

  private def maxBytes: Long = conf.getConf(WreathConf.INDEX_MAX_BYTES)

  private def isAskedFor: Boolean =
    isAsked && conf.getConf(WreathConf.JOIN_MODE) == "broadcast"

  /**
   * Reads the child and builds its index.
   *
   * @param known indexes of the same keys without all of the columns: one that is there gives its
   *   lists, and its own columns where it can
   * @param blocks the child's rows, encoded
   * @param turn of this build among those that run now
   */
  private def build(
      known: Seq[CsrIndex],
      blocks: RDD[Array[Byte]],
      turn: IndexBuild): CsrIndex = {
    val start = System.nanoTime()
    IndexRoom.sweepIfShort()
    // The tag is what a cancelled query cancels the jobs by, and we where the index gets too large.
    sparkContext.addJobTag(jobTag)
    val collected =
      try timed("collectTime")(collector(turn).collect(blocks))
      finally sparkContext.removeJobTag(jobTag)
    val base = known.sortBy(i => (!i.relation.value.canGrow, -i.columns.size)).headOption
    val builder = new CsrRelationBuilder(saidName, mode)
    val relation = timed("buildTime")(orTooLarge {
      base
        .flatMap(b => builder.extend(b.relation.value, collected))
        .filter(_.sizeInBytes <= maxBytes)
        .getOrElse(builder.build(collected))
    })
    checkSize(relation.sizeInBytes)
    val columns = relation.rows.columns
    val grownFrom = base.filter(_.columns.forall(columns.contains))
    // The driver plans the order and the morsels with the relation, so it keeps the object.
    val broadcast = timed("broadcastTime")(orTooLarge {
      sparkContext.broadcastInternal(relation, serializedOnly = false)
    })
    IndexRoom.watch(broadcast)
    new CsrIndex(
      relationName,
      broadcast,
      mode.keyTypes.size,
      relation.rowCount,
      (0 until relation.arity).map(relation.keyTable).distinct.map(_.size.toLong).sum,
      columns,
      relation.sizeInBytes,
      TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + grownFrom.fold(0L)(
        _.buildMillis),
      grownFrom)
  }

  private def postMetrics(index: CsrIndex): Unit = {
    longMetric("dataSize") += index.bytes
    longMetric("numOutputRows") += index.rows
    longMetric("numVertices") += index.vertices
    SQLMetrics.postDriverMetricUpdates(
      sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      metrics.values.toSeq)
  }

  /**
   * The child's rows, encoded. A table that is itself made with an index has that built when this is
   * called: before this build has its turn, or two would wait for each other.
   */
  private def blocks: RDD[Array[Byte]] = {
    val encoding = mode
    child match {
      case ColumnarSource(source, columns) =>
        val ordinals = columns.toArray
        source
          .executeColumnar()
          .mapPartitionsInternal(BlockEncoder.blocksOfBatches(_, ordinals, encoding))
      case _ => child.execute().mapPartitionsInternal(BlockEncoder.blocks(_, encoding))
    }
  }

  private def collector(turn: IndexBuild): BlockCollector =
    new BlockCollector(
      sparkContext,
      saidName,
      mode,
      jobTag,
      limit,
      new BlockCollector.Heap,
      turn)

  private def limit: IndexLimit = IndexLimit.of(sparkContext, conf)

  /**
   * The estimate of what a build takes can be too low: a heap that is in pieces has no room for large
   * arrays, and other queries allocate beside it. What fails then is one of the build's own arrays.
   */
  private def orTooLarge[T](body: => T): T =
    try body
    catch {
      case _: OutOfMemoryError =>
        throw WreathErrors.indexTooLarge(
          saidName,
          "more than could be allocated",
          Runtime.getRuntime.maxMemory,
          org.apache.spark.internal.config.DRIVER_MEMORY.key,
          isShortOfHeap = true)
    }

  private def checkSize(bytes: Long): Unit = {
    val most = limit
    if (bytes > most.bytes) {
      throw WreathErrors.indexTooLarge(
        saidName,
        SparkInternals.bytesToString(bytes),
        most.bytes,
        most.setting)
    }
  }

  /** The table in the user's words, where the query has any for it. */
  private def saidName: String = getTagValue(WcoJoin.TableInWords).getOrElse(relationName)

  /** What was scanned, as people know it: the table, or the files. */
  private lazy val relationName: String = namesOf(child).distinct.mkString(", ")

  private def namesOf(plan: SparkPlan): Seq[String] = plan.collectLeaves().flatMap {
    case scan: FileSourceScanExec =>
      scan.tableIdentifier
        .map(t => Seq(t.unquotedString))
        .getOrElse(scan.relation.location.rootPaths.map(_.toString))
    // A cached table has a name; what was cached without one is known by what it read.
    case scan: InMemoryTableScanExec =>
      val cached = scan.relation.cacheBuilder
      cached.tableName.map(Seq(_)).getOrElse(namesOf(cached.cachedPlan))
    case stage: QueryStageExec => namesOf(stage.plan)
    case adaptive: AdaptiveSparkPlanExec => namesOf(adaptive.inputPlan)
    case other => Seq(other.nodeName.trim)
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
      // Nobody waits any more, and jobs of another thread are not interrupted with this one.
      case e: InterruptedException =>
        cancelBroadcastJob(Some("The query was cancelled."))
        throw e
    }

  override protected def withNewChildInternal(newChild: SparkPlan): CsrBroadcastExchangeExec =
    copy(child = newChild)
}

/** Stands for an index that would not fit. */
final case class IndexRefusal(reason: String)

object CsrBroadcastExchangeExec {

  /** The bytes of all indexes that are kept for later queries, and of what is kept beside them. */
  def mostKept(context: SparkContext, conf: SQLConf): Long =
    math.min(conf.getConf(WreathConf.INDEX_MAX_BYTES), IndexRoom.of(context).kept)

  /** The index behind a child of ours, whether AQE has wrapped it or not, or why there is none. */
  def relation(child: SparkPlan): Either[IndexRefusal, Broadcast[CsrRelation]] = {
    val broadcast = child.executeBroadcast[Any]()
    broadcast.value match {
      case refusal: IndexRefusal => Left(refusal)
      case _ => Right(broadcast.asInstanceOf[Broadcast[CsrRelation]])
    }
  }

  /** A pool of our own: BroadcastExchangeExec's is private, and index builds must not queue there. */
  private val executionContext = scala.concurrent.ExecutionContext.fromExecutorService(
    ThreadUtils.newDaemonCachedThreadPool("wreath-index", 16))
}
