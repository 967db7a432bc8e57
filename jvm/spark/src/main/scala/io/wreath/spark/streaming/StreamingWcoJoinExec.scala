package io.wreath.spark.streaming

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.{
  StateStoreWriter,
  StatefulOperatorCustomMetric,
  StatefulOperatorCustomSumMetric,
  StatefulOperatorStateInfo
}
import org.apache.spark.sql.execution.streaming.state.{StateSchemaValidationResult, StateStore}
import org.apache.spark.sql.execution.wreath.{
  Cancellation,
  SparkInternals,
  StreamStateInfo,
  WreathConf
}
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.delta.DeltaSplitter
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._
import org.apache.hadoop.conf.Configuration

/**
 * Maintains patterns over a stream of edge changes.
 *
 * {{{
 *   driver    the batch's rows, collected once and consolidated
 *             version before + batch --> version after; the work cut into morsels
 *   tasks 0 until n      partition i of the state: puts and removes rows, commits
 *   tasks n and beyond   morsels: DeltaGenericJoin finds the matches that come and go
 * }}}
 * Tasks read the versions before and after a batch, which never change: base and batches are
 * broadcasts (see [[DriverVersion]]). So retries, speculation and tasks that outlive their batch
 * all see what the first attempt saw. The state store has the truth: at the start of a run the
 * graph is read from the version that was committed last, whatever a dead driver had in mind.
 *
 * The first batch finds the snapshot's edges there and writes their state with its own.
 *
 * @param snapshot the edges that are there before the stream begins; planned for the first batch only
 * @param statics tables beside the stream; planned for the first batch of a run only
 * @param tables  what those are
 */
final case class StreamingWcoJoinExec(
    changes: StreamingEdges,
    patterns: Seq[StreamingPattern],
    output: Seq[Attribute],
    stateInfo: Option[StatefulOperatorStateInfo],
    child: SparkPlan,
    snapshot: Option[SparkPlan],
    statics: Seq[SparkPlan],
    tables: Seq[StaticTable])
    extends SparkPlan
    with StateStoreWriter {

  override def children: Seq[SparkPlan] = child +: (snapshot.toSeq ++ statics)

  override def nodeName: String = "StreamingWcoJoin"

  override def shortName: String = EdgeState.operatorName(layout.isKeyed)

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override protected def customStatefulOperatorMetrics: Seq[StatefulOperatorCustomMetric] = Seq(
    StatefulOperatorCustomSumMetric("changesIn", "changed rows of edges"),
    StatefulOperatorCustomSumMetric("missingDeletes", "deleted rows that were not there"),
    StatefulOperatorCustomSumMetric("lateChanges", "changes of edges that had expired"),
    StatefulOperatorCustomSumMetric("expiredEdges", "rows of edges that expired"),
    StatefulOperatorCustomSumMetric("matchesOut", "changed matches"),
    StatefulOperatorCustomSumMetric("elementsTouched", "list elements touched"),
    StatefulOperatorCustomSumMetric("indexBytes", "bytes of the index"),
    StatefulOperatorCustomSumMetric("indexMerges", "runs of changes merged so far"),
    StatefulOperatorCustomSumMetric("indexRebuilds", "new bases so far"))

  override def validateAndMaybeEvolveStateSchema(
      hadoopConf: Configuration,
      batchId: Long,
      stateSchemaVersion: Int): List[StateSchemaValidationResult] =
    state.validateSchema(hadoopConf, stateSchemaVersion)

  private def layout: EdgeLayout = EdgeLayout(edgeRow, changes.key)

  private def state: EdgeState = new EdgeState(layout, getStateInfo, session)

  /** The columns of an edge's row. */
  private def edgeRow: Seq[Attribute] = changes.row.map(child.output)

  private def keyType: DataType = child.output(changes.source).dataType

  private def hadoopConf: Configuration = session.sessionState.newHadoopConf()

  private def batchId: Long = getStateInfo.storeVersion

  /** Of each relation, the stream first, the properties that patterns read. */
  private def kept: Seq[Seq[Int]] = (0 to tables.size).map(CompiledPattern.kept(patterns, _))

  /** The properties of an edge's row that patterns read; null where they read none. */
  private def properties: UnsafeProjection =
    if (kept.head.isEmpty) null
    else UnsafeProjection.create(kept.head.map(changes.properties).map(child.output), edgeRow)

  /** What is done, decided on the driver for all tasks. */
  @transient
  private lazy val compiled: IndexedSeq[CompiledPattern] =
    patterns
      .map(CompiledPattern(_, kept, conf.getConf(WreathConf.JOIN_TECHNIQUE)))
      .toIndexedSeq

  override protected def doExecute(): RDD[InternalRow] = {
    metrics // made on the driver, before tasks are sent
    val graph = StreamGraphs.getOrCreate(
      sparkContext,
      StreamGraphKey(getStateInfo.queryRunId, getStateInfo.operatorId))
    val expiry = changes.expiry.map { case (column, micros) =>
      new EdgeExpiry(column, micros, getStateInfo, hadoopConf)
    }
    val reader = new StreamingInput(changes, layout, state, batchId, expiry)
    val input = reader.read(child, snapshot)
    val before = graph.before(batchId).filterNot(_ => batchId == 0).getOrElse(
      open(graph, input.initial))
    val ignoresMissing = conf.getConf(WreathConf.STREAMING_MISSING_DELETES) == "ignore"
    val stated = reader.effective(input, before, ignoresMissing)
    val rows = expiry.fold(stated.rows)(
      _.expired(stated.rows, input.initial, input.limit, state, graph))
    val known = before.version.ids.size
    val batch = before.advanced(sparkContext, rows.toStep(before.dictionary, known, properties))
    val slices = sparkContext.broadcast(state.slices(input.initial.followedBy(rows)))
    graph.advance(batchId, batch, slices)
    val bytes = batch.after.version.sizeInBytes + graph.staticBytes
    checkSize(bytes)
    Seq(
      "changesIn" -> input.received,
      "lateChanges" -> input.late,
      "missingDeletes" -> stated.missing,
      "expiredEdges" -> (rows.deletedRows - stated.rows.deletedRows),
      "indexBytes" -> bytes,
      "indexMerges" -> batch.after.merges,
      "indexRebuilds" -> batch.after.rebases.toLong).foreach { case (name, value) =>
      longMetric(name).set(value)
    }
    sparkContext.union(
      writeState(slices),
      join(batch, graph.statics, graph.freshIn(batchId)))
  }

  private def checkSize(bytes: Long): Unit = {
    val limit = conf.getConf(WreathConf.INDEX_MAX_BYTES)
    if (bytes > limit) throw WreathErrors.streamIndexTooLarge(bytes, limit)
  }

  /** The version that a run starts from: what the state has or, before the first batch, the snapshot. */
  private def open(graph: StreamGraph, initial: ChangeBatch): DriverVersion = {
    val isFirst = batchId == 0
    val rows = if (isFirst) initial else ChangeBatch.consolidate(state.readAll())
    val dictionary = StreamDictionary(keyType)
    val loader = new StaticLoader(getStateInfo, hadoopConf, dictionary)
    val loaded = statics.indices.map(i => loader.load(statics(i), tables(i), kept(i + 1)))
    dictionary.pinned = dictionary.size
    val empty = GraphVersion.empty(keyType, keepsRows = properties != null)
    val step = rows.toStep(dictionary, 0, properties)
    val version = if (step.ids.size == 0) empty else empty.change(step).after
    val first = DriverVersion.based(sparkContext, version, dictionary)
    val added = new PatternLog(getStateInfo, hadoopConf).register(changes, patterns)
    val owed = if (isFirst && changes.emitsSnapshot) patterns.map(_.name).toSet else added
    graph.start(batchId, first, loaded, owed)
    first
  }

  private def writeState(slices: Broadcast[Array[ChangeBlock]]): RDD[InternalRow] =
    state.write[InternalRow](
      slices,
      (store: StateStore, put: Long, removed: Long, updateMs: Long, commitMs: Long) => {
        longMetric("numUpdatedStateRows") += put
        longMetric("numRemovedStateRows") += removed
        longMetric("allUpdatesTimeMs") += updateMs
        longMetric("commitTimeMs") += commitMs
        setStoreMetrics(store)
        setOperatorMetrics()
      })

  private def join(
      batch: DriverBatch,
      tables: Seq[Broadcast[GraphBase]],
      newNames: Set[String]): RDD[InternalRow] = {
    val fresh = patterns.indices.filter(i => newNames.contains(patterns(i).name)).toSet
    // A batch is small: more tasks would cost more than they balance.
    val perCore =
      math.min(StreamingWcoJoinExec.MostMorselsPerCore, conf.getConf(WreathConf.MORSELS_PER_CORE))
    val pieces = sparkContext.defaultParallelism * perCore
    val look = Cancellation.look()
    val morsels = compiled.indices.flatMap { i =>
      val change = if (fresh.contains(i)) batch.ref.whole else batch.change
      val unchanged = tables.map(_.value.unchanged(change.after.ids).change)
      DeltaSplitter
        .split(compiled(i).program, (change.change +: unchanged).toArray, pieces, look)
        .map(PatternMorsel(i, _))
    }
    val evaluator = new DeltaEvaluator(
      batch.ref,
      compiled,
      fresh,
      tables,
      longMetric("numOutputRows"),
      longMetric("matchesOut"),
      longMetric("elementsTouched"))
    if (morsels.isEmpty) sparkContext.emptyRDD
    else {
      sparkContext
        .parallelize(morsels, math.min(pieces, morsels.size))
        .mapPartitionsWithIndex((i, assigned) => evaluator.run(i, assigned))
    }
  }

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${patterns.map(p =>
        WcoJoin.describe(p.edges.map(e => Seq(e.source, e.target)), p.variables)).mkString("; ")}" +
      compiled.map(_.describe(maxFields)).mkString(", ", "; ", "") +
      stateInfo.fold("")(i => s", $i")

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): StreamingWcoJoinExec =
    copy(
      child = newChildren.head,
      snapshot = newChildren.slice(1, 1 + snapshot.size).headOption,
      statics = newChildren.drop(1 + snapshot.size))
}

object StreamingWcoJoinExec {

  private val MostMorselsPerCore = 4

  def plan(
      join: StreamingWcoJoin,
      planLater: LogicalPlan => SparkPlan,
      session: SparkSession): StreamingWcoJoinExec = {
    val info = StreamStateInfo.of(join, session)
    val isStart =
      info.forall(i => !StreamGraphs.hasStarted(StreamGraphKey(i.queryRunId, i.operatorId)))
    // Before Spark compares the state, of which it knows types but no names.
    info.filter(_ => isStart).foreach { i =>
      val conf = SparkInternals.classic(session).sessionState.newHadoopConf()
      new PatternLog(i, conf).check(join.changes, join.patterns)
    }
    StreamingWcoJoinExec(
      join.changes,
      join.patterns,
      join.output,
      info,
      planLater(join.child),
      join.snapshot.filter(_ => info.forall(_.storeVersion == 0)).map(planLater),
      // What is not read must not be planned either: a plan that runs prepares all that is below it.
      if (isStart) join.statics.map(planLater) else Nil,
      join.tables)
  }
}
