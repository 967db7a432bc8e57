package io.wreath.spark.streaming

import java.util.{HashSet => JHashSet}

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.keys.KeyText
import io.wreath.spark.logical.StaticTable
import org.apache.hadoop.conf.Configuration

/**
 * Loads the tables beside a stream, as they were when the query first read them: see [[StaticCopy]].
 *
 * @param dictionary gets the vertices of the tables
 */
final private[wreath] class StaticLoader(
    info: StatefulOperatorStateInfo,
    conf: Configuration,
    dictionary: StreamDictionary) {

  /** @param kept of the properties of the table, those that patterns read */
  def load(plan: SparkPlan, table: StaticTable, kept: Seq[Int]): Broadcast[GraphBase] = {
    val copy = new StaticCopy(table.name, DataTypeUtils.fromAttributes(plan.output), info, conf)
    // What is refused is not copied, so that the query can start again with a table that is right.
    val rows = copy.getOrWrite {
      val read =
        CollectedRows(plan, plan.output, ChangeReader(None), keepsNulls = false).map(_._1)
      if (table.isVertices) checkKeys(table, plan, read)
      read
    }
    val properties =
      if (kept.isEmpty) null
      else UnsafeProjection.create(kept.map(i => plan.output(i + 2)), plan.output)
    val step =
      ChangeBatch.of(rows.iterator.map((_, 1))).toStep(dictionary, 0, properties)
    val keyType = plan.output.head.dataType
    val version = GraphVersion.empty(keyType, keepsRows = kept.nonEmpty).change(step).after
    plan.session.sparkContext.broadcast(new GraphBase(
      version.graph.toCsrGraph,
      StreamIds.empty(keyType).toBlock,
      if (kept.isEmpty) null else step.rows))
  }

  private def checkKeys(table: StaticTable, plan: SparkPlan, rows: Array[UnsafeRow]): Unit = {
    val tpe = plan.output.head.dataType
    val key = UnsafeProjection.create(plan.output.take(1), plan.output)
    val known = new JHashSet[UnsafeRow]
    rows.foreach { r =>
      if (!known.add(key(r).copy())) {
        throw WreathErrors.duplicateVertexKey(table.said, KeyText(r.get(0, tpe), tpe))
      }
    }
  }
}
