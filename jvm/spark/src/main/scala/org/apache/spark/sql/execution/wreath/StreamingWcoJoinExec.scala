package org.apache.spark.sql.execution.wreath

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.{
  StateStoreWriter,
  StatefulOperatorCustomMetric,
  StatefulOperatorCustomSumMetric,
  StatefulOperatorStateInfo
}
import org.apache.spark.sql.execution.streaming.state.{StateSchemaValidationResult, StateStore}
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.delta.DeltaSplitter
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{StreamingEdges, StreamingPattern, StreamingWcoJoin, WcoJoin}
import io.wreath.spark.streaming._
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
 */
final case class StreamingWcoJoinExec(
    changes: StreamingEdges,
    patterns: Seq[StreamingPattern],
    output: Seq[Attribute],
    stateInfo: Option[StatefulOperatorStateInfo],
    child: SparkPlan,
    snapshot: Option[SparkPlan],
    statics: Seq[SparkPlan],
    staticNames: Seq[String])
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

  override protected def doExecute(): RDD[InternalRow] = {
    metrics // made on the driver, before tasks are sent
    val batchId = getStateInfo.storeVersion
    val kept = (0 to staticNames.size).map(CompiledPattern.kept(patterns, _))
    val graph = StreamGraphs.getOrCreate(
      sparkContext,
      StreamGraphKey(getStateInfo.queryRunId, getStateInfo.operatorId))
    val properties =
      if (kept.head.isEmpty) null
      else UnsafeProjection.create(kept.head.map(changes.properties).map(child.output), edgeRow)
    // The first batch needs the rows of the snapshot, not only the graph.
    val isFirst = batchId == 0
    val existing = if (isFirst) snapshotRows() else ChangeBatch.empty
    val collected = collectBatch()
    val expiry = changes.expiry.map { case (column, micros) =>
      new EdgeExpiry(column, micros, getStateInfo, session.sessionState.newHadoopConf())
    }
    val limit = expiry.fold(Long.MinValue)(
      _.advance(existing.rows.iterator ++ collected.collect { case (r, d) if d > 0 => r }))
    def isLate(row: UnsafeRow): Boolean = expiry.exists(_.hasExpired(row, limit))
    val initial = existing.filter(!isLate(_))
    val before = graph.before(batchId).filterNot(_ => isFirst).getOrElse {
      val rows = if (isFirst) initial else ChangeBatch.consolidate(state.readAll())
      val dictionary = StreamDictionary(keyType)
      val tables = statics.indices.map(i => loadTable(i, kept(i + 1), dictionary))
      dictionary.pinned = dictionary.size
      val loaded = load(rows, dictionary, properties)
      val log = new PatternLog(getStateInfo, session.sessionState.newHadoopConf())
      val added = log.register(batchId, patterns)
      val owed = if (isFirst && changes.emitsSnapshot) patterns.map(_.name).toSet else added
      graph.start(batchId, loaded, tables, owed)
      loaded
    }
    // Of a delete by key nothing but the key counts.
    val (late, timely) = collected.partition { case (r, d) =>
      (d > 0 || !layout.isKeyed) && isLate(r)
    }
    longMetric("lateChanges").set(late.length)
    val stated = effective(timely.iterator, initial, before)
    val rows = expiry.fold(stated)(_.expired(stated, initial, limit, state, graph))
    longMetric("expiredEdges").set(rows.deletedRows - stated.deletedRows)
    val known = before.version.ids.size
    val batch = before.advanced(sparkContext, rows.toStep(before.dictionary, known, properties))
    val slices = sparkContext.broadcast(state.slices(initial.followedBy(rows)))
    graph.advance(batchId, batch, slices)
    checkSize(batch.after.version.sizeInBytes)
    longMetric("indexBytes").set(batch.after.version.sizeInBytes)
    longMetric("indexMerges").set(batch.after.merges)
    longMetric("indexRebuilds").set(batch.after.rebases)
    val matches = join(batch, kept, graph.statics, graph.freshIn(batchId))
    sparkContext.union(writeState(slices), matches)
  }

  private def checkSize(bytes: Long): Unit = {
    val limit = conf.getConf(WreathConf.INDEX_MAX_BYTES)
    if (bytes > limit) throw WreathErrors.streamIndexTooLarge(bytes, limit)
  }

  /** The edges that are there before the first batch. */
  private def snapshotRows(): ChangeBatch = snapshot.fold(ChangeBatch.empty) { plan =>
    val rows = collectRows(plan, plan.output, ChangeReader(None)).iterator
    if (!layout.isKeyed) ChangeBatch.of(rows)
    else EffectiveBatch.ofKeys(rows, layout, keys => new Array[UnsafeRow](keys.length)).rows
  }

  /** A table beside the stream, as it was when the query first read it. */
  private def loadTable(
      table: Int,
      kept: Seq[Int],
      dictionary: StreamDictionary): Broadcast[GraphBase] = {
    val plan = statics(table)
    val schema = DataTypeUtils.fromAttributes(plan.output)
    val copy =
      new StaticCopy(
        staticNames(table),
        schema,
        getStateInfo,
        session.sessionState.newHadoopConf())
    val rows = copy.getOrWrite(collectRows(plan, plan.output, ChangeReader(None)).map(_._1))
    val batch = ChangeBatch.of(rows.iterator.map((_, 1)))
    val properties =
      if (kept.isEmpty) null
      else UnsafeProjection.create(kept.map(i => plan.output(i + 2)), plan.output)
    val step = batch.toStep(dictionary, 0, properties)
    val version = GraphVersion.empty(keyType, keepsRows = kept.nonEmpty).change(step).after
    sparkContext.broadcast(new GraphBase(
      version.graph.toCsrGraph,
      StreamIds.empty(keyType).toBlock,
      if (kept.isEmpty) null else step.rows))
  }

  private def load(
      rows: ChangeBatch,
      dictionary: StreamDictionary,
      properties: UnsafeProjection): DriverVersion = {
    val empty = GraphVersion.empty(keyType, keepsRows = properties != null)
    val step = rows.toStep(dictionary, 0, properties)
    val version = if (step.ids.size == 0) empty else empty.change(step).after
    DriverVersion.based(sparkContext, version, dictionary)
  }

  /** Once, as a source that is read again may have more to say, and `rand()` something else. */
  private def collectBatch(): Array[(UnsafeRow, Int)] = {
    val reader = ChangeReader(changes.change.map(c => (c, child.output(c).dataType)))
    val rows = collectRows(child, edgeRow, reader)
    longMetric("changesIn").set(rows.length)
    rows
  }

  private def collectRows(
      plan: SparkPlan,
      row: Seq[Attribute],
      reader: ChangeReader): Array[(UnsafeRow, Int)] = {
    val input = plan.output
    val isKeyed = layout.isKeyed
    plan.execute().mapPartitions { rows =>
      val edge = UnsafeProjection.create(row, input)
      ChangeBlock.encode(rows, row.size, edge(_), reader.diff, keepsNulls = isKeyed)
    }.collect().flatMap(_.iterator)
  }

  /** Without deletes of what is not there. */
  private def effective(
      rows: Iterator[(UnsafeRow, Int)],
      initial: ChangeBatch,
      before: DriverVersion): ChangeBatch = {
    val lookUp: Array[UnsafeRow] => Array[UnsafeRow] =
      if (getStateInfo.storeVersion > 0) state.lookUp
      else new SnapshotState(initial, layout).lookUp
    val batch =
      if (layout.isKeyed) {
        val rowOf = layout.rowOf
        EffectiveBatch.ofKeys(
          rows,
          layout,
          keys =>
            keys.zip(lookUp(keys)).map {
              case (_, null) => null
              case (k, v) => rowOf(k, v).copy()
            })
      } else {
        EffectiveBatch.ofRows(
          ChangeBatch.of(rows),
          if (changes.properties.nonEmpty) lookUp(_).map(layout.multiplicityOf)
          else _.map(before.version.multiplicity(before.dictionary, _)))
      }
    longMetric("missingDeletes").set(batch.missing)
    // A key that is not there may have expired.
    val mayBeMissing = layout.isKeyed && changes.expiry.isDefined ||
      conf.getConf(WreathConf.STREAMING_MISSING_DELETES) == "ignore"
    if (batch.missing > 0 && !mayBeMissing) {
      throw WreathErrors.missingDelete(
        batch.missing,
        layout.describe(layout.key, batch.example.get))
    }
    batch.rows
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
      kept: Seq[Seq[Int]],
      tables: Seq[Broadcast[GraphBase]],
      newNames: Set[String]): RDD[InternalRow] = {
    val compiled = patterns.map(CompiledPattern(_, kept)).toIndexedSeq
    val fresh = patterns.indices.filter(i => newNames.contains(patterns(i).name)).toSet
    // A batch is small: more tasks would cost more than they balance.
    val perCore =
      math.min(StreamingWcoJoinExec.MostMorselsPerCore, conf.getConf(WreathConf.MORSELS_PER_CORE))
    val pieces = sparkContext.defaultParallelism * perCore
    val morsels = compiled.indices.flatMap { i =>
      val change = if (fresh.contains(i)) batch.ref.whole else batch.change
      val unchanged = tables.map(_.value.unchanged(change.after.ids).change)
      DeltaSplitter
        .split(compiled(i).program, (change.change +: unchanged).toArray, pieces)
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
    // What is not read must not be planned either: a plan that runs prepares all that is below it.
    val readsTables =
      info.forall(i => !StreamGraphs.hasStarted(StreamGraphKey(i.queryRunId, i.operatorId)))
    StreamingWcoJoinExec(
      join.changes,
      join.patterns,
      join.output,
      info,
      planLater(join.child),
      join.snapshot.filter(_ => info.forall(_.storeVersion == 0)).map(planLater),
      if (readsTables) join.statics.map(planLater) else Nil,
      join.staticNames)
  }
}
