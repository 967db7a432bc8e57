package io.wreath.kernel.delta

import io.wreath.kernel.csr.{CsrGraph, DegreeMoments, EdgeTriangles, RankedGraph, Relation}
import io.wreath.kernel.lists.{ElementCounter, Once, Pieces}

/**
 * One version of a directed multigraph that changes in batches, indexed in both directions.
 *
 * Requires: `reverse` is the transpose of `forward`.
 * Thread-safety: immutable; [[change]] leaves this version as it is.
 */
final class VersionedGraph private (
    override val forward: VersionedAdjacency,
    override val reverse: VersionedAdjacency,
    override val rowCount: Long)
    extends Relation {

  def vertexCount: Int = forward.vertexCount

  override def direction(isForward: Boolean): VersionedAdjacency =
    if (isForward) forward else reverse

  override def hasDuplicates: Boolean = forward.isWeighted

  /** Nobody has looked. */
  override def hasSelfLoops(interrupt: Runnable): Boolean = true

  /** Nobody has looked. */
  override def isSymmetric(interrupt: Runnable): Boolean = false

  /** Cost: one pass over the vertices, the first time. */
  override lazy val edgeCount: Int = {
    var sum = 0
    var v = 0
    while (v < vertexCount) {
      sum = Math.addExact(sum, forward.degree(v))
      v += 1
    }
    sum
  }

  override def moments(interrupt: Runnable): DegreeMoments = degreeMoments.get(interrupt)

  private[this] val degreeMoments = new Once(DegreeMoments.of(forward, reverse, _))

  override def triangles: EdgeTriangles =
    throw new UnsupportedOperationException("A graph that changes keeps no triangles.")

  override def ranked(interrupt: Runnable): RankedGraph =
    throw new UnsupportedOperationException("A graph that changes has no order of degrees.")

  override def sizeInBytes: Long = forward.sizeInBytes + reverse.sizeInBytes

  /** The same graph over at least `vertexCount` codes. */
  def grown(vertexCount: Int): VersionedGraph =
    if (vertexCount <= this.vertexCount) this
    else new VersionedGraph(forward.grown(vertexCount), reverse.grown(vertexCount), rowCount)

  /**
   * What `batch` does to this graph. Deletes beyond an edge's multiplicity are left out and
   * counted. New codes extend the code space to `vertexCount`, or as far as the batch needs.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def change(
      batch: EdgeDelta,
      vertexCount: Int = 0,
      interrupt: Runnable = Pieces.NoInterrupt): GraphChange = {
    val count = Math.max(Math.max(this.vertexCount, vertexCount), batch.codeLimit)
    val before = grown(count)
    val work = new ElementCounter(interrupt)
    val split = new BatchSplit(before, batch, work)
    val writer = new PageWriter(work)
    val between = before.applied(split.deletes, writer, interrupt)
    val after = between.applied(split.inserts, writer, interrupt)
    new GraphChange(before, between, after, split)
  }

  /** A copy of this version in one piece, as a base for other readers. */
  def toCsrGraph: CsrGraph = new CsrGraph(forward.toCsr, reverse.toCsr)

  private def applied(
      delta: EdgeDelta,
      writer: PageWriter,
      interrupt: Runnable): VersionedGraph =
    if (delta.size == 0) this
    else {
      var sum = 0L
      var i = 0
      while (i < delta.size) {
        sum += delta.diffs(i)
        i += 1
      }
      new VersionedGraph(
        forward.applied(delta, writer),
        reverse.applied(delta.transposed(interrupt), writer),
        rowCount + sum)
    }
}

object VersionedGraph {

  /** The first version: reads the lists of `graph` where they are. */
  def of(graph: CsrGraph): VersionedGraph =
    new VersionedGraph(
      VersionedAdjacency.of(graph.forward),
      VersionedAdjacency.of(graph.reverse),
      graph.rowCount)
}

/**
 * A batch as it takes effect on `graph`: what it deletes and what it inserts, apart.
 *
 * Since the batch is consolidated, no edge is in both parts.
 */
final private[delta] class BatchSplit(
    graph: VersionedGraph,
    batch: EdgeDelta,
    work: ElementCounter) {

  /** Deleted rows that were not there. */
  var ignoredDeletes: Long = 0L

  /** Whether an edge that loses rows, or is rewritten, keeps some. */
  var hasPartialDeletes: Boolean = false

  /** Whether an edge that gains rows had some. */
  var hasPartialInserts: Boolean = false

  /** Whether an edge is named that has as many rows as before. */
  var hasRewrites: Boolean = false

  private[this] var insertCount = 0
  private[this] var deleteCount = 0

  /** By change of the batch, by how many rows its edge changes; or that it never was there. */
  private[this] val effects = new Array[Int](batch.size)
  judge()

  val deletes: EdgeDelta = select(deleteCount, isInsert = false)
  val inserts: EdgeDelta = select(insertCount, isInsert = true)

  private def judge(): Unit = {
    var i = 0
    while (i < batch.size) {
      work.worked(ElementCounter.Candidate)
      val m = graph.forward.multiplicity(batch.sources(i), batch.targets(i))
      val d = batch.diffs(i)
      if (d > 0) {
        effects(i) = d
        insertCount += 1
        if (m > 0) hasPartialInserts = true
      } else if (m == 0) {
        effects(i) = BatchSplit.Nothing
        ignoredDeletes -= d
      } else {
        effects(i) = Math.max(d, -m)
        deleteCount += 1
        ignoredDeletes += effects(i) - d
        if (effects(i) > -m) hasPartialDeletes = true
        if (d == 0) hasRewrites = true
      }
      i += 1
    }
  }

  private def select(count: Int, isInsert: Boolean): EdgeDelta =
    if (count == 0) EdgeDelta.empty
    else {
      val s = new Array[Int](count)
      val t = new Array[Int](count)
      val d = new Array[Int](count)
      var n = 0
      var i = 0
      while (n < count) {
        val effect = effects(i)
        if ((effect > 0) == isInsert && effect != BatchSplit.Nothing) {
          s(n) = batch.sources(i)
          t(n) = batch.targets(i)
          d(n) = effect
          n += 1
        }
        i += 1
      }
      new EdgeDelta(s, t, d)
    }
}

private object BatchSplit {

  /** The effect of deleting what is not there. */
  final private val Nothing = Int.MinValue
}
