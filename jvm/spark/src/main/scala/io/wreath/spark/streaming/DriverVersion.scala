package io.wreath.spark.streaming

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.delta.{DeltaChain, DeltaRun}

/**
 * A version as the driver keeps it: the graph itself, and the broadcasts by which executors come
 * to it. Each batch adds one; see [[DeltaChain]] for how few runs they make.
 *
 * Immutable: a batch that is run again starts from the version before, which is still what it was.
 *
 * @param number of the batch that made it
 * @param steps  the batches since the base, one by one, for the runs that merges will make of them
 * @param runs   the chain's runs as broadcasts
 */
final class DriverVersion private (
    val number: Long,
    val version: GraphVersion,
    val keyType: DataType,
    val base: Broadcast[GraphBase],
    private val baseRows: Long,
    private val chain: DeltaChain,
    private val steps: Vector[GraphStep],
    val runs: Vector[(DeltaRun, Broadcast[GraphStep])],
    val merges: Long,
    val rebases: Long) {

  def broadcasts: Set[Broadcast[_]] = (runs.map(_._2: Broadcast[_]) :+ base).toSet

  /** A batch from here on: how tasks join it, its change, and the version it leads to. */
  def advanced(sc: SparkContext, step: GraphStep): DriverBatch = {
    val change = version.change(step)
    val sent = sc.broadcast(step)
    val next = DriverVersion.newNumber()
    val ref = new BatchRef(next, number, keyType, base, runs.map(_._2), sent)
    base.value.offer(ref, change)
    val longer = chain.appended(change.change.effective)
    val after =
      if (longer.worthRebase(Math.max(baseRows, DriverVersion.LeastBaseRows))) {
        DriverVersion.based(
          sc,
          next,
          change.after,
          keyType,
          merges + longer.merges - chain.merges,
          rebases + 1)
      } else {
        val all = steps :+ step
        new DriverVersion(
          next,
          change.after,
          keyType,
          base,
          baseRows,
          longer,
          all,
          longer.runs.map(r => r -> sendRun(sc, r, all, sent)),
          merges + longer.merges - chain.merges,
          rebases)
      }
    new DriverBatch(ref, change, after)
  }

  private def sendRun(
      sc: SparkContext,
      run: DeltaRun,
      all: Vector[GraphStep],
      last: Broadcast[GraphStep]): Broadcast[GraphStep] = {
    val known =
      runs.collectFirst { case (r, b) if r.from == run.from && r.until == run.until => b }
    val isLast = run.from == all.size - 1
    known.getOrElse {
      // The batch as it is joined names rewritten edges too; to go past it, that does no harm.
      if (isLast) last
      else {
        val merged = all.slice(run.from.toInt, run.until.toInt)
        sc.broadcast(
          new GraphStep(
            run.delta,
            IdBlock.concat(merged.map(_.ids)),
            merged.flatMap(_.rows).toArray))
      }
    }
  }
}

object DriverVersion {

  /** A base smaller than this is not worth the runs that it saves. */
  private val LeastBaseRows = 1L << 14

  private val numbers = new AtomicLong

  private def newNumber(): Long = numbers.incrementAndGet()

  /** A version that executors get in one piece. */
  def based(
      sc: SparkContext,
      version: GraphVersion,
      keyType: DataType): DriverVersion = based(sc, newNumber(), version, keyType, 0L, 0L)

  private def based(
      sc: SparkContext,
      number: Long,
      version: GraphVersion,
      keyType: DataType,
      merges: Long,
      rebases: Long): DriverVersion = {
    val csr = version.graph.toCsrGraph
    val rows = if (version.rows == null) null else version.rows.toChanges
    val base = new GraphBase(csr, version.ids.toBlock, rows)
    val first = new GraphVersion(
      io.wreath.kernel.delta.VersionedGraph.of(csr),
      version.ids,
      version.rows)
    new DriverVersion(
      number,
      first,
      keyType,
      sc.broadcast(base),
      csr.rowCount,
      DeltaChain.empty,
      Vector.empty,
      Vector.empty,
      merges,
      rebases)
  }
}

/** One batch: what tasks are sent, what it changes, and what comes after it. */
final class DriverBatch(
    val ref: BatchRef,
    val change: VersionChange,
    val after: DriverVersion)
