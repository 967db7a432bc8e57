package io.wreath.spark.streaming

import java.util.{HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** What the state of a stream would have before its first batch, were its snapshot there already. */
final class SnapshotState(snapshot: ChangeBatch, layout: EdgeLayout) {

  private lazy val values: JHashMap[UnsafeRow, UnsafeRow] = {
    val map = new JHashMap[UnsafeRow, UnsafeRow]
    val keyOf = layout.keyOf
    val valueOf = layout.valueOf
    snapshot.rows.indices.foreach { i =>
      val row = snapshot.rows(i)
      map.put(keyOf(row).copy(), valueOf(row, snapshot.diffs(i).toLong).copy())
    }
    map
  }

  /** What goes with each of the keys, null where there is no such edge. */
  def lookUp(keys: Array[UnsafeRow]): Array[UnsafeRow] = keys.map(values.get(_))
}
