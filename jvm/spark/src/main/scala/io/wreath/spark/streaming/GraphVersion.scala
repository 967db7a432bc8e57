package io.wreath.spark.streaming

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.wreath.Cancellation
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

  /** How often the edge of a row, of which nothing but the ends counts, occurs. */
  def multiplicity(dictionary: StreamDictionary, row: InternalRow): Long = {
    val (source, target) = (dictionary.source(row), dictionary.target(row))
    if (Math.max(source, target) >= graph.vertexCount) 0L
    else graph.forward.multiplicity(source, target).toLong
  }

  /** What `step` does to this version. */
  def change(step: GraphStep): VersionChange = {
    val moreIds = ids.extended(step.ids)
    val change = graph.change(step.delta, moreIds.size, Cancellation.look())
    val moreRows = if (rows == null) null else rows.applied(step.rows.iterator)
    new VersionChange(this, change, new GraphVersion(change.after, moreIds, moreRows))
  }

  /** The codes of vertices that have edges, and the first `pinned` codes. */
  def liveCodes(pinned: Int): Array[Int] = Cancellation
    .looking(Iterator.range(0, graph.vertexCount))
    .filter(v => v < pinned || graph.forward.degree(v) > 0 || graph.reverse.degree(v) > 0)
    .toArray

  /** The same graph with codes for `live`, the vertices that have edges, and a dictionary of those. */
  def compacted(
      live: Array[Int],
      dictionary: StreamDictionary): (GraphVersion, StreamDictionary) = {
    val codes = Array.fill(graph.vertexCount)(-1)
    live.indices.foreach(i => codes(live(i)) = i)
    val liveIds = ids.toBlock.selected(live)
    val step = new GraphStep(
      allEdges(codes),
      liveIds,
      if (rows == null) Array.empty
      else {
        rows.toChanges.map(r => r.copy(source = codes(r.source), target = codes(r.target)))
      })
    val fresh =
      GraphVersion.empty(dictionary.keyType, keepsRows = rows != null).change(step).after
    (fresh, StreamDictionary.of(dictionary.keyType, liveIds, dictionary.pinned))
  }

  /** @param codes the new code of each */
  private def allEdges(codes: Int => Int): EdgeDelta = {
    val lists = graph.toCsrGraph.forward
    val edges = lists.edgeCount
    val sources, targets, diffs = new Array[Int](edges)
    val look = Cancellation.look()
    var n = 0
    var v = 0
    while (v < lists.vertexCount) {
      if ((v & 1023) == 0) look.run()
      val multiplicities = lists.multiplicities(v)
      var i = lists.from(v)
      while (i < lists.until(v)) {
        sources(n) = codes(v)
        targets(n) = codes(lists.array(v)(i))
        diffs(n) = if (multiplicities == null) 1 else multiplicities(i)
        n += 1
        i += 1
      }
      v += 1
    }
    EdgeDelta.consolidate(sources, targets, diffs, edges, interrupt = look)
  }

  /** This version as what a single batch makes of nothing: its matches are all there are. */
  def whole: VersionChange = {
    val all = allEdges(identity)
    val nothing = new GraphVersion(
      GraphVersion.emptyGraph,
      ids,
      if (rows == null) null else EdgeRows.empty)
    new VersionChange(nothing, nothing.graph.change(all, ids.size, Cancellation.look()), this)
  }
}

object GraphVersion {

  private def emptyGraph: VersionedGraph =
    VersionedGraph.of(CsrBuilder.fromCodes(Array.empty, Array.empty, 0, 0))

  def empty(keyType: DataType, keepsRows: Boolean): GraphVersion = new GraphVersion(
    emptyGraph,
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

object GraphStep {

  /**
   * Steps one after the other as one.
   *
   * @param delta all their edges
   */
  def merged(delta: EdgeDelta, steps: Seq[GraphStep]): GraphStep = {
    // Rows that come and go again are gone, or else the rows of a run would only ever grow.
    val sums = mutable.LinkedHashMap.empty[(Int, Int, UnsafeRow), Int]
    for (r <- Cancellation.looking(steps.iterator.flatMap(_.rows))) {
      val key = (r.source, r.target, r.properties)
      sums(key) = Math.addExact(sums.getOrElse(key, 0), r.diff)
    }
    val rows = sums.iterator.collect { case ((s, t, p), d) if d != 0 => RowChange(s, t, p, d) }
    new GraphStep(delta, IdBlock.concat(steps.map(_.ids)), rows.toArray)
  }
}

/** A step between the versions on both sides of it. */
final class VersionChange(
    val before: GraphVersion,
    val change: GraphChange,
    val after: GraphVersion)
