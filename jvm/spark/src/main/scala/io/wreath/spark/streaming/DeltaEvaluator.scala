package io.wreath.spark.streaming

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.delta.{DeltaGenericJoin, DeltaMorsel}
import io.wreath.kernel.join.JoinScratch
import io.wreath.spark.execution.Overflow

/** A piece of the work of a batch: of which pattern, and which part. */
final case class PatternMorsel(pattern: Int, morsel: DeltaMorsel)

/**
 * One task of a batch: morsels to rows.
 *
 * @param fresh the patterns that are new, and get all matches instead of those that change
 * @param statics the tables beside the stream
 */
final class DeltaEvaluator(
    batch: BatchRef,
    patterns: IndexedSeq[CompiledPattern],
    fresh: Set[Int],
    statics: Seq[Broadcast[GraphBase]],
    numOutputRows: SQLMetric,
    matchesOut: SQLMetric,
    elementsTouched: SQLMetric)
    extends Serializable {

  /** Rows are made one at a time, and the row is reused: who keeps it copies it. */
  def run(partition: Int, morsels: Iterator[PatternMorsel]): Iterator[InternalRow] = {
    val scratch = new JoinScratch(Cancellation.look())
    var open: MatchIterator = null
    morsels.flatMap { m =>
      if (open == null || open.pattern != m.pattern) {
        // The scratch serves one join at a time.
        if (open != null) open.close()
        open = newIterator(m.pattern, scratch, partition)
      }
      open.over(m.morsel)
    }
  }

  private def newIterator(
      index: Int,
      scratch: JoinScratch,
      partition: Int): MatchIterator = {
    val p = patterns(index)
    val change = if (fresh.contains(index)) batch.whole else batch.change
    val ids = change.after.ids
    val tables = statics.map(_.value.unchanged(ids)).toArray
    val (domains, unsettled) =
      VertexConditions.domains(p, batch, ids, statics.map(_.value).zip(tables))
    val conditions =
      (unsettled ++ p.onVertices).map(new StreamPredicate(_, p.variables, ids, partition))
    val join = new DeltaGenericJoin(
      p.program,
      change.change +: tables.map(_.change),
      conditions.toIndexedSeq,
      ids,
      reportsRewritten = p.readsRows,
      scratch,
      if (domains.forall(_.isWhole)) null else domains,
      p.choices)
    new MatchIterator(
      index,
      join,
      MatchRows(p, join, change +: tables, partition),
      numOutputRows,
      matchesOut,
      elementsTouched)
  }
}

/** The changed matches of one pattern, morsel after morsel. */
final private class MatchIterator(
    val pattern: Int,
    join: DeltaGenericJoin,
    rows: MatchRows,
    numOutputRows: SQLMetric,
    matchesOut: SQLMetric,
    elementsTouched: SQLMetric)
    extends Iterator[InternalRow] {

  private var touched = 0L
  private var hasMatch = false
  private var row: InternalRow = null

  def over(morsel: DeltaMorsel): Iterator[InternalRow] = {
    join.open(morsel)
    this
  }

  def close(): Unit = join.close()

  override def hasNext: Boolean = row != null || Overflow.orNamed(advance())

  private def advance(): Boolean = {
    var more = true
    while (row == null && more) {
      if (hasMatch) row = rows.next()
      if (row == null) {
        hasMatch = nextMatch()
        more = hasMatch
      }
    }
    row != null
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException
    val result = row
    row = null
    numOutputRows += 1
    result
  }

  private def nextMatch(): Boolean = {
    val found = join.next()
    if (found) {
      matchesOut += 1
      rows.start()
    } else {
      elementsTouched += join.elementsTouched - touched
      touched = join.elementsTouched
    }
    found
  }
}
