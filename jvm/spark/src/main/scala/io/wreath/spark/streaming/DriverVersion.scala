package io.wreath.spark.streaming

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.execution.wreath.Cancellation
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.delta.{DeltaChain, DeltaRun, VersionedGraph}

/**
 * A version as the driver keeps it: the graph itself, and the broadcasts by which executors come
 * to it. Each batch adds one; see [[DeltaChain]] for how few runs they make.
 *
 * Immutable but for the dictionary, which only grows: a batch that is run again starts from the
 * version before, which is still what it was.
 *
 * @param number     of the batch that made it
 * @param dictionary gives the codes of this version, and of those after it
 * @param runs       what leads from the base to this version
 * @param checked    how many codes there were when they were last looked through for vertices that
 *   have no edge any more
 */
final class DriverVersion private (
    val number: Long,
    val version: GraphVersion,
    val dictionary: StreamDictionary,
    val base: Broadcast[GraphBase],
    private val baseRows: Long,
    private val chain: DeltaChain,
    val runs: Vector[SentRun],
    private val checked: Int,
    val merges: Long,
    val rebases: Long) {

  private def keyType: DataType = dictionary.keyType

  def broadcasts: Set[Broadcast[_]] = (runs.map(_.sent: Broadcast[_]) :+ base).toSet

  /** A batch from here on: how tasks join it, its change, and the version it leads to. */
  def advanced(sc: SparkContext, step: GraphStep): DriverBatch = {
    val look = Cancellation.look()
    val change = version.change(step)
    val sent = sc.broadcast(step)
    val next = DriverVersion.newNumber()
    val ref = new BatchRef(next, number, keyType, base, runs.map(_.sent), sent)
    base.value.offer(ref, change)
    val longer = chain.appended(change.change.effective(look), look)
    val mergesSoFar = merges + longer.merges - chain.merges
    def based(v: GraphVersion, d: StreamDictionary, looked: Int): DriverVersion =
      DriverVersion.based(sc, next, v, d, looked, mergesSoFar, rebases + 1)
    val codes = change.after.ids.size
    val isDue = codes > 2L * Math.max(checked, DriverVersion.LeastCodes)
    val live = if (isDue) change.after.liveCodes(dictionary.pinned) else Array.empty[Int]
    val looked = if (isDue) codes else checked
    val after =
      if (isDue && live.length < DriverVersion.LiveShare * codes) {
        val (compact, fresh) = change.after.compacted(live, dictionary)
        based(compact, fresh, live.length)
      } else if (longer.worthRebase(Math.max(baseRows, DriverVersion.LeastBaseRows))) {
        based(change.after, dictionary, looked)
      } else {
        new DriverVersion(
          next,
          change.after,
          dictionary,
          base,
          baseRows,
          longer,
          longer.runs.map(sentRun(sc, _, step, sent)),
          looked,
          mergesSoFar,
          rebases)
      }
    new DriverBatch(ref, change, after)
  }

  private def sentRun(
      sc: SparkContext,
      run: DeltaRun,
      last: GraphStep,
      sentLast: Broadcast[GraphStep]): SentRun =
    runs.find(r => r.run.from == run.from && r.run.until == run.until).getOrElse {
      // The batch as it is joined names rewritten edges too; to go past it, that does no harm.
      if (run.from == chain.batchCount) new SentRun(run, last, sentLast)
      else {
        val merged =
          GraphStep.merged(run.delta, runs.filter(_.run.from >= run.from).map(_.step) :+ last)
        new SentRun(run, merged, sc.broadcast(merged))
      }
    }
}

/** A run of batches as one step, and as executors get it. */
final class SentRun(val run: DeltaRun, val step: GraphStep, val sent: Broadcast[GraphStep])

object DriverVersion {

  /** A base smaller than this is not worth the runs that it saves. */
  private val LeastBaseRows = 1L << 14

  /** Fewer codes than this are not worth looking through. */
  private[streaming] val LeastCodes = 1 << 14

  /**
   * If fewer codes are in use, new ones are given. Looked at whenever their number has doubled, so
   * that a code costs a constant, and there are at most about twice as many as vertices.
   */
  private val LiveShare = 0.75

  private val numbers = new AtomicLong

  private def newNumber(): Long = numbers.incrementAndGet()

  /** A version that executors get in one piece. */
  def based(
      sc: SparkContext,
      version: GraphVersion,
      dictionary: StreamDictionary): DriverVersion =
    based(sc, newNumber(), version, dictionary, dictionary.size, 0L, 0L)

  private def based(
      sc: SparkContext,
      number: Long,
      version: GraphVersion,
      dictionary: StreamDictionary,
      checked: Int,
      merges: Long,
      rebases: Long): DriverVersion = {
    val csr = version.graph.toCsrGraph
    val rows = if (version.rows == null) null else version.rows.toChanges
    val base = new GraphBase(csr, version.ids.toBlock, rows)
    val first = new GraphVersion(VersionedGraph.of(csr), version.ids, version.rows)
    new DriverVersion(
      number,
      first,
      dictionary,
      sc.broadcast(base),
      csr.rowCount,
      DeltaChain.empty,
      Vector.empty,
      checked,
      merges,
      rebases)
  }
}

/** One batch: what tasks are sent, what it changes, and what comes after it. */
final class DriverBatch(
    val ref: BatchRef,
    val change: VersionChange,
    val after: DriverVersion)
