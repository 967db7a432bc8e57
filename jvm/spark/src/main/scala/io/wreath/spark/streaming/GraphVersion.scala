package io.wreath.spark.streaming

import org.apache.spark.sql.types.DataType

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.delta.{EdgeDelta, GraphChange, VersionedGraph}

/**
 * A graph as it is between two batches.
 *
 * Thread-safety: immutable.
 *
 * @param rows the edges' properties; null where no pattern reads any
 */
final class GraphVersion(
    val graph: VersionedGraph,
    val ids: StreamIds,
    val rows: EdgeRows) {

  def sizeInBytes: Long =
    graph.sizeInBytes + ids.sizeInBytes + (if (rows == null) 0L else rows.sizeInBytes)

  /** What `step` does to this version. */
  def change(step: GraphStep): VersionChange = {
    val moreIds = ids.extended(step.ids)
    val change = graph.change(step.delta, moreIds.size)
    val moreRows = if (rows == null) null else rows.applied(step.rows.iterator)
    new VersionChange(this, change, new GraphVersion(change.after, moreIds, moreRows))
  }
}

object GraphVersion {

  def empty(keyType: DataType, keepsRows: Boolean): GraphVersion = new GraphVersion(
    VersionedGraph.of(CsrBuilder.fromCodes(Array.empty, Array.empty, 0, 0)),
    StreamIds.empty(keyType),
    if (keepsRows) EdgeRows.empty else null)
}

/**
 * What leads from one version to a later one: a batch, or several batches as one.
 *
 * @param delta the edges by code, deletes of what is not there left out
 * @param ids   the values of the codes that are new
 * @param rows  the same changes by row, where properties are read
 */
final class GraphStep(
    val delta: EdgeDelta,
    val ids: IdBlock,
    val rows: Array[RowChange])
    extends Serializable

/** A step between the versions on both sides of it. */
final class VersionChange(
    val before: GraphVersion,
    val change: GraphChange,
    val after: GraphVersion)
