package io.wreath.kernel.delta

import io.wreath.kernel.lists.Pieces

/**
 * One batch of one relation with the versions on both sides of it:
 *
 * {{{
 *   before --deletes--> between --inserts--> after
 * }}}
 *
 * `between` has the edges that the batch leaves alone, and those that only change how often they
 * occur. `after` is the next batch's `before`; `between` is of no use once the batch is done.
 *
 * Thread-safety: immutable.
 */
final class GraphChange private[delta] (
    val before: VersionedGraph,
    val between: VersionedGraph,
    val after: VersionedGraph,
    split: BatchSplit) {

  /** Edges that lose rows, with diffs below zero; and, with diff 0, those that are rewritten. */
  val deletes: EdgeDelta = split.deletes

  /** Edges that gain rows. */
  val inserts: EdgeDelta = split.inserts

  /** Deleted rows that were not there. */
  def ignoredDeletes: Long = split.ignoredDeletes

  def vertexCount: Int = after.vertexCount

  /** The edges that the matches of one phase are seeded from. */
  def seeds(isInsert: Boolean): EdgeDelta = if (isInsert) inserts else deletes

  /** The batch as it took effect: without deletes of what is not there, and without rewrites. */
  def effective(interrupt: Runnable = Pieces.NoInterrupt): EdgeDelta =
    deletes.followedBy(inserts, interrupt)

  private[delta] def hasPartialDeletes: Boolean = split.hasPartialDeletes
  private[delta] def hasPartialInserts: Boolean = split.hasPartialInserts
  private[delta] def hasRewrites: Boolean = split.hasRewrites

  /** The same change over at least `count` codes. */
  def grown(count: Int): GraphChange =
    if (count <= vertexCount) this
    else new GraphChange(before.grown(count), between.grown(count), after.grown(count), split)
}

object GraphChange {

  /** A relation that the batch leaves alone, such as a static table. */
  def none(graph: VersionedGraph): GraphChange = graph.change(EdgeDelta.empty)
}
