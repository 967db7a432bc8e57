package org.apache.spark.sql.execution.wreath

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, UnsafeProjection}
import org.apache.spark.sql.execution.streaming.operators.stateful.{
  StateStoreWriter,
  StatefulOperatorCustomMetric,
  StatefulOperatorCustomSumMetric,
  StatefulOperatorStateInfo
}
import org.apache.spark.sql.execution.streaming.state.{StateSchemaValidationResult, StateStore}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
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
 */
final case class StreamingWcoJoinExec(
    changes: StreamingEdges,
    patterns: Seq[StreamingPattern],
    output: Seq[Attribute],
    stateInfo: Option[StatefulOperatorStateInfo],
    child: SparkPlan)
    extends UnaryExecNode
    with StateStoreWriter {

  override def nodeName: String = "StreamingWcoJoin"

  override def shortName: String = EdgeState.OperatorName

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override protected def customStatefulOperatorMetrics: Seq[StatefulOperatorCustomMetric] = Seq(
    StatefulOperatorCustomSumMetric("changesIn", "changed rows of edges"),
    StatefulOperatorCustomSumMetric("missingDeletes", "deleted rows that were not there"),
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

  private def state: EdgeState = new EdgeState(edgeRow, getStateInfo, session)

  /** The columns of an edge's row. */
  private def edgeRow: Seq[Attribute] = changes.row.map(child.output)

  private def keyType: DataType = child.output(changes.source).dataType

  override protected def doExecute(): RDD[InternalRow] = {
    metrics // made on the driver, before tasks are sent
    val batchId = getStateInfo.storeVersion
    val kept = CompiledPattern.kept(patterns)
    val graph = StreamGraphs.getOrCreate(
      sparkContext,
      StreamGraphKey(getStateInfo.queryRunId, getStateInfo.operatorId)) {
      new StreamGraph(StreamDictionary(keyType))
    }
    val properties =
      if (kept.isEmpty) null
      else UnsafeProjection.create(kept.map(changes.properties).map(child.output), edgeRow)
    val before = graph.before(batchId).getOrElse {
      val loaded = load(graph.dictionary, batchId, properties)
      val log = new PatternLog(getStateInfo, session.sessionState.newHadoopConf())
      graph.start(batchId, loaded, log.register(batchId, patterns))
      loaded
    }
    val rows = effective(collectBatch(), before.version, graph.dictionary)
    val known = before.version.ids.size
    val batch = before.advanced(sparkContext, rows.toStep(graph.dictionary, known, properties))
    val slices = sparkContext.broadcast(state.slices(rows))
    graph.advance(batchId, batch, slices)
    longMetric("indexBytes").set(batch.after.version.sizeInBytes)
    longMetric("indexMerges").set(batch.after.merges)
    longMetric("indexRebuilds").set(batch.after.rebases)
    sparkContext.union(writeState(slices), join(batch, kept, graph.freshIn(batchId)))
  }

  /** The graph as the last committed batch left it. */
  private def load(
      dictionary: StreamDictionary,
      batchId: Long,
      properties: UnsafeProjection): DriverVersion = {
    val empty = GraphVersion.empty(keyType, keepsRows = properties != null)
    val version =
      if (batchId == 0) empty
      else {
        val all = ChangeBatch.consolidate(state.readAll())
        empty.change(all.toStep(dictionary, 0, properties)).after
      }
    DriverVersion.based(sparkContext, version, keyType)
  }

  /** Once, as a source that is read again may have more to say, and `rand()` something else. */
  private def collectBatch(): ChangeBatch = {
    val row = edgeRow
    val input = child.output
    val reader = ChangeReader(changes.change.map(c => (c, input(c).dataType)))
    val blocks = child.execute().mapPartitions { rows =>
      val edge = UnsafeProjection.create(row, input)
      ChangeBlock.encode(rows, row.size, edge(_), reader.diff)
    }.collect()
    longMetric("changesIn").set(blocks.iterator.map(_.size.toLong).sum)
    ChangeBatch.consolidate(blocks.iterator)
  }

  /** Without deletes of what is not there. */
  private def effective(
      batch: ChangeBatch,
      before: GraphVersion,
      dictionary: StreamDictionary): ChangeBatch = {
    val deleted = batch.deletes.map(batch.rows)
    if (deleted.isEmpty) batch
    else {
      val there =
        if (changes.properties.nonEmpty) state.multiplicities(deleted)
        else {
          deleted.map { r =>
            val (source, target) = (dictionary.source(r), dictionary.target(r))
            if (Math.max(source, target) >= before.graph.vertexCount) 0L
            else before.graph.forward.multiplicity(source, target).toLong
          }
        }
      val possible = batch.effective(there)
      val missing = batch.deletedRows - possible.deletedRows
      longMetric("missingDeletes").set(missing)
      if (missing > 0 && conf.getConf(WreathConf.STREAMING_MISSING_DELETES) == "error") {
        val first = batch.deletes.zip(there).collectFirst {
          case (i, n) if batch.diffs(i) < -n => batch.rows(i)
        }.get
        val values = edgeRow.map(_.name).zip(first.toSeq(edgeRow.map(_.dataType)))
        val text = values.map { case (name, value) => s"$name = $value" }.mkString("(", ", ", ")")
        throw WreathErrors.missingDelete(missing, text)
      }
      possible
    }
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
      kept: Seq[Int],
      newNames: Set[String]): RDD[InternalRow] = {
    val compiled = patterns.map(CompiledPattern(_, kept)).toIndexedSeq
    val fresh = patterns.indices.filter(i => newNames.contains(patterns(i).name)).toSet
    // A batch is small: more tasks would cost more than they balance.
    val perCore =
      math.min(StreamingWcoJoinExec.MostMorselsPerCore, conf.getConf(WreathConf.MORSELS_PER_CORE))
    val pieces = sparkContext.defaultParallelism * perCore
    val morsels = compiled.indices.flatMap { i =>
      val change = if (fresh.contains(i)) batch.ref.whole else batch.change
      DeltaSplitter
        .split(compiled(i).program, Array(change.change), pieces)
        .map(PatternMorsel(i, _))
    }
    val evaluator = new DeltaEvaluator(
      batch.ref,
      compiled,
      fresh,
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

  override protected def withNewChildInternal(newChild: SparkPlan): StreamingWcoJoinExec =
    copy(child = newChild)
}

object StreamingWcoJoinExec {

  private val MostMorselsPerCore = 4

  def plan(
      join: StreamingWcoJoin,
      child: SparkPlan,
      session: SparkSession): StreamingWcoJoinExec =
    StreamingWcoJoinExec(
      join.changes,
      join.patterns,
      join.output,
      StreamStateInfo.of(join, session),
      child)
}
