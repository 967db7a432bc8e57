package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import org.apache.hadoop.conf.Configuration

/**
 * Lets edges go by themselves once the stream is further on than they live.
 *
 * The time of a stream is the latest that any edge has named so far, deleted or not; it never goes
 * back, and is kept in the checkpoint. So what is left after some changes does not depend on how
 * they were cut into batches, on clocks, or on restarts: the edges of the last so many hours. One
 * that comes too late never was.
 *
 * @param column of an edge's row, says when it happened; an edge with NULL never expires
 * @param micros how long it lives
 */
final private[wreath] class EdgeExpiry(
    column: Int,
    micros: Long,
    info: StatefulOperatorStateInfo,
    conf: Configuration) {

  private val batchId = info.storeVersion
  private val log = EdgeExpiry.log(info, conf)

  /**
   * Notes the time after the batch.
   *
   * @param comes rows that come
   * @return edges up to this time have expired
   */
  def advance(comes: Iterator[UnsafeRow]): Long = {
    val before = log.latestBefore(batchId).map(_.toLong).getOrElse(Long.MinValue)
    val latest = times(comes).foldLeft(before)(Math.max)
    log.write(batchId, latest.toString, EdgeExpiry.KeptNotes)
    if (latest < Long.MinValue + micros) Long.MinValue else latest - micros
  }

  def hasExpired(row: UnsafeRow, limit: Long): Boolean =
    EdgeExpiry.timeOf(row, column).exists(_ <= limit)

  /**
   * The batch with deletes of all edges that expire.
   *
   * The state is not read where it has nothing to expire: the graph knows how old its edges are at
   * most, once they have all been looked at.
   *
   * @param initial what is there before the first batch
   */
  def expired(
      batch: ChangeBatch,
      initial: ChangeBatch,
      limit: Long,
      state: EdgeState,
      graph: StreamGraph): ChangeBatch = {
    val kept = batch.filter(!hasExpired(_, limit))
    val oldest = graph.oldestBefore(batchId)
    val (gone, oldestLeft) =
      if (batchId == 0 || oldest > limit) (Nil, oldest)
      else {
        val found = state.splitByTime(column, limit)
        (found.map(_._1), found.map(_._2).min)
      }
    val comes =
      initial.rows.iterator ++ kept.rows.indices.iterator.filter(kept.diffs(_) > 0).map(kept.rows)
    graph.noteOldest(batchId + 1, times(comes).foldLeft(oldestLeft)(Math.min))
    kept.followedBy(ChangeBatch.of(gone.iterator.flatMap(_.iterator).map { case (r, n) =>
      (r, -n)
    }))
  }

  private def times(rows: Iterator[UnsafeRow]): Iterator[Long] =
    rows.flatMap(EdgeExpiry.timeOf(_, column))
}

private[wreath] object EdgeExpiry {

  /** As many as Spark keeps of its own logs by default: no restart goes back further. */
  private val KeptNotes = 100L

  private def log(info: StatefulOperatorStateInfo, conf: Configuration): BatchLog =
    new BatchLog(info, "_time", conf)

  /** Whether edges expired in earlier batches of the query. */
  def wasThere(info: StatefulOperatorStateInfo, conf: Configuration): Boolean =
    log(info, conf).latestBefore(info.storeVersion).isDefined

  def timeOf(row: UnsafeRow, column: Int): Option[Long] =
    if (row.isNullAt(column)) None else Some(row.getLong(column))
}
