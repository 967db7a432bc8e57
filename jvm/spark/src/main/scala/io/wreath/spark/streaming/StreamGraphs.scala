package io.wreath.spark.streaming

import java.util.UUID

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.streaming.StreamingQueryListener.QueryTerminatedEvent

/** Which graph: one for each operator of each run of a query. A restart is another run. */
final case class StreamGraphKey(runId: UUID, operatorId: Long)

/**
 * The graph of one operator, on the driver: the versions before and after the latest batch.
 *
 * The truth is in the state store; this is rebuilt from it where the version asked for is not here,
 * that is at the start of a run.
 */
final class StreamGraph {

  /** By the id of the batch that starts from them. */
  private val versions = mutable.Map.empty[Long, DriverVersion]

  private var live = Set.empty[Broadcast[_]]

  /** The tables beside the stream, the same for the whole run. */
  private var tables = Seq.empty[Broadcast[GraphBase]]

  def statics: Seq[Broadcast[GraphBase]] = synchronized(tables)

  /** What those need in memory beside the index of the stream. */
  lazy val staticBytes: Long = statics.iterator.map(_.value.sizeInBytes).sum

  /** The batch that this run starts with, and the patterns that were not there before. */
  private var fresh = (-1L, Set.empty[String])

  /** By the id of the batch that starts from them, a time that no edge is older than. */
  private val oldest = mutable.Map.empty[Long, Long]

  def oldestBefore(batchId: Long): Long =
    synchronized(oldest.getOrElse(batchId, if (batchId == 0) Long.MaxValue else Long.MinValue))

  def noteOldest(batchId: Long, time: Long): Unit = synchronized {
    oldest.clear()
    oldest(batchId) = time
  }

  def before(batchId: Long): Option[DriverVersion] = synchronized(versions.get(batchId))

  /** Patterns that the batch owes all their matches. */
  def freshIn(batchId: Long): Set[String] =
    synchronized(if (fresh._1 == batchId) fresh._2 else Set.empty)

  /** The version from which a run starts. */
  def start(
      batchId: Long,
      version: DriverVersion,
      statics: Seq[Broadcast[GraphBase]],
      newPatterns: Set[String]): Unit =
    synchronized {
      tables = statics
      versions(batchId) = version
      fresh = (batchId, newPatterns)
      live = live ++ version.broadcasts ++ statics
    }

  /** A batch has been planned: the versions before the one it starts from are history. */
  def advance(batchId: Long, batch: DriverBatch, others: Broadcast[_]*): Unit = synchronized {
    versions.keys.filter(_ < batchId).toSeq.foreach(versions.remove)
    versions(batchId + 1) = batch.after
    // Tasks of the batch read the version before it by the broadcasts of that version.
    val used = versions.values.flatMap(_.broadcasts).toSet ++ others ++ tables + batch.ref.step
    val unused = live -- used
    live = used
    unused.foreach(_.destroy())
  }

  def liveBroadcasts: Int = synchronized(live.size)

  def hasStarted: Boolean = synchronized(versions.nonEmpty)

  def release(): Unit = synchronized {
    versions.clear()
    live.foreach(_.destroy())
    live = Set.empty
  }
}

/** The graphs of all running queries of an application. */
object StreamGraphs {

  private val graphs = mutable.Map.empty[StreamGraphKey, StreamGraph]
  private val listening =
    java.util.Collections.newSetFromMap(new java.util.WeakHashMap[
      SparkContext,
      java.lang.Boolean])

  def getOrCreate(sc: SparkContext, key: StreamGraphKey): StreamGraph = synchronized {
    if (listening.add(sc)) sc.addSparkListener(new Releaser)
    graphs.getOrElseUpdate(key, new StreamGraph)
  }

  /** Whether a run has read what it starts from. */
  def hasStarted(key: StreamGraphKey): Boolean =
    synchronized(graphs.get(key).exists(_.hasStarted))

  /** Graphs of queries that run. */
  def size: Int = synchronized(graphs.size)

  /** Broadcasts that those hold. */
  def liveBroadcasts: Int = synchronized(graphs.values.iterator.map(_.liveBroadcasts).sum)

  private def release(runId: UUID): Unit = synchronized {
    val gone = graphs.keys.filter(_.runId == runId).toSeq
    gone.foreach(k => graphs.remove(k).foreach(_.release()))
  }

  /** A query that has ended takes its graph with it. */
  final private class Releaser extends SparkListener {
    override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
      case e: QueryTerminatedEvent => release(e.runId)
      case _ =>
    }
  }
}
