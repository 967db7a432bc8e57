package io.wreath.spark.streaming

import java.util.{LinkedHashMap => JLinkedHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.spark.WreathErrors

/**
 * A batch as it takes effect on the edges that are there.
 *
 * @param missing deleted rows that were not there
 * @param example of one of them, what names it
 */
final class EffectiveBatch private (
    val rows: ChangeBatch,
    val missing: Long,
    val example: Option[UnsafeRow])

/** Works out what a batch does, given what is there before it. */
object EffectiveBatch {

  /**
   * Where a delete names all of its row.
   *
   * @param multiplicities how often each of some rows occurs
   */
  def ofRows(
      batch: ChangeBatch,
      multiplicities: Array[UnsafeRow] => Array[Long]): EffectiveBatch = {
    val deletes = batch.deletes
    if (deletes.isEmpty) new EffectiveBatch(batch, 0L, None)
    else {
      val there = multiplicities(deletes.map(batch.rows))
      val possible = batch.effective(there)
      val missing = batch.deletedRows - possible.deletedRows
      val example = deletes.zip(there).collectFirst {
        case (i, n) if batch.diffs(i) < -n => batch.rows(i)
      }
      new EffectiveBatch(possible, missing, example)
    }
  }

  /**
   * Where a delete names the key of an edge, of which there is at most one at a time. Rows of one
   * batch have no order, so what is left of a key follows from numbers: of one that was there, was
   * deleted and comes again, the new edge; of one that was not there, comes and goes, nothing.
   *
   * @param changes a row that is deleted has its key, and anything else
   * @param lookUp  the edges that are there by their keys, null where there is none
   */
  def ofKeys(
      changes: Iterator[(UnsafeRow, Int)],
      layout: EdgeLayout,
      lookUp: Array[UnsafeRow] => Array[UnsafeRow]): EffectiveBatch = {
    val byKey = new JLinkedHashMap[UnsafeRow, KeyChanges]
    val keyOf = layout.keyOf
    Cancellation.looking(changes).foreach { case (row, diff) =>
      val key = keyOf(row)
      if (key.anyNull) throw WreathErrors.nullKey()
      var known = byKey.get(key)
      if (known == null) {
        known = new KeyChanges
        byKey.put(key.copy(), known)
      }
      known.add(row, diff)
    }
    val keys = byKey.keySet.asScala.toArray
    val there = lookUp(keys)
    val effects = Array.newBuilder[(UnsafeRow, Int)]
    var missing = 0L
    var example = Option.empty[UnsafeRow]
    Cancellation.looking(keys.indices.iterator).foreach { i =>
      val change = byKey.get(keys(i))
      val before = there(i)
      val left = change.left(before)
      if (left > 1 || left == 1 && change.isAmbiguous) {
        throw WreathErrors.duplicateKey(
          Math.max(left, 2),
          layout.describe(layout.key, keys(i)))
      }
      if (left < 0) {
        missing -= left
        example = example.orElse(Some(keys(i)))
      }
      val after = if (left < 1) null else if (change.inserted != null) change.inserted else before
      if (before != after) {
        if (before != null) effects += before -> -1
        if (after != null) effects += after -> 1
      }
    }
    new EffectiveBatch(ChangeBatch.of(effects.result().iterator), missing, example)
  }

  /** What a batch says of one key. */
  final private class KeyChanges {
    private var sum = 0L

    /** A row that comes. */
    var inserted: UnsafeRow = null

    /** Whether two rows come that are not the same. */
    var isAmbiguous: Boolean = false

    def add(row: UnsafeRow, diff: Int): Unit = {
      sum += diff
      if (diff > 0) {
        if (inserted != null && inserted != row) isAmbiguous = true
        inserted = row
      }
    }

    /** How many edges have the key after the batch; below zero, if too many were deleted. */
    def left(before: UnsafeRow): Long = sum + (if (before == null) 0 else 1)
  }
}
