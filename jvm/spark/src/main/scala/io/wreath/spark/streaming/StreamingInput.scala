package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.SparkPlan

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.StreamingEdges

/**
 * What a micro-batch says, and what of it takes effect.
 *
 * @param initial the edges that are there before the first batch; none in later ones
 * @param comes the batch's rows, each with its diff, but for those that come too late
 * @param received how many rows the batch had
 */
final private[wreath] case class BatchInput(
    initial: ChangeBatch,
    comes: Array[(UnsafeRow, Int)],
    received: Long,
    late: Long,
    limit: Long)

/** Reads the rows of one micro-batch, once. */
final private[wreath] class StreamingInput(
    changes: StreamingEdges,
    layout: EdgeLayout,
    state: EdgeState,
    batchId: Long,
    expiry: Option[EdgeExpiry]) {

  /** Only once, as a source that is read again may have more to say, and `rand()` something else. */
  def read(child: SparkPlan, snapshot: Option[SparkPlan]): BatchInput = {
    // The first batch needs the rows of the snapshot, not only the graph.
    val existing = snapshot.filter(_ => batchId == 0).fold(ChangeBatch.empty)(snapshotRows)
    val reader = ChangeReader(changes.change.map(c => (c, child.output(c).dataType)))
    val collected =
      CollectedRows(child, changes.row.map(child.output), reader, keepsNulls = layout.isKeyed)
    val limit = expiry.fold(Long.MinValue)(
      _.advance(existing.rows.iterator ++ collected.collect { case (r, d) if d > 0 => r }))
    def isLate(row: UnsafeRow): Boolean = expiry.exists(_.hasExpired(row, limit))
    // Of a delete by key nothing but the key counts.
    val (late, timely) = collected.partition { case (r, d) =>
      (d > 0 || !layout.isKeyed) && isLate(r)
    }
    BatchInput(existing.filter(!isLate(_)), timely, collected.length, late.length, limit)
  }

  /**
   * Without deletes of what is not there.
   *
   * @param ignoresMissing whether such deletes are left out; else they end the query
   */
  def effective(
      input: BatchInput,
      before: DriverVersion,
      ignoresMissing: Boolean): EffectiveBatch = {
    val lookUp: Array[UnsafeRow] => Array[UnsafeRow] =
      if (batchId > 0) state.lookUp else new SnapshotState(input.initial, layout).lookUp
    val batch =
      if (layout.isKeyed) {
        val rowOf = layout.rowOf
        EffectiveBatch.ofKeys(
          input.comes.iterator,
          layout,
          keys =>
            keys.zip(lookUp(keys)).map {
              case (_, null) => null
              case (k, v) => rowOf(k, v).copy()
            })
      } else {
        EffectiveBatch.ofRows(
          ChangeBatch.of(input.comes.iterator),
          if (changes.properties.nonEmpty) lookUp(_).map(layout.multiplicityOf)
          else _.map(before.version.multiplicity(before.dictionary, _)))
      }
    // A key that is not there may have expired.
    val mayBeMissing = ignoresMissing || layout.isKeyed && expiry.isDefined
    if (batch.missing > 0 && !mayBeMissing) {
      throw WreathErrors.missingDelete(
        batch.missing,
        layout.describe(layout.key, batch.example.get))
    }
    batch
  }

  /** The edges that are there before the first batch. */
  private def snapshotRows(plan: SparkPlan): ChangeBatch = {
    val rows =
      CollectedRows(plan, plan.output, ChangeReader(None), keepsNulls = layout.isKeyed).iterator
    if (!layout.isKeyed) ChangeBatch.of(rows)
    else EffectiveBatch.ofKeys(rows, layout, keys => new Array[UnsafeRow](keys.length)).rows
  }
}
