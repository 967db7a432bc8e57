package io.wreath.kernel.delta

import io.wreath.kernel.lists.Pieces

/**
 * The batches since a base version, in few runs: what a reader who has only the base must apply to
 * come to the latest version.
 *
 * Runs are merged like the digits of a binary counter: a run is merged with its successor as soon
 * as the successor is no less than half as long. Their lengths therefore fall by half at least
 * from one to the next, so there are O(log changes) runs, and each change is merged O(log changes)
 * times. Changes of one edge that cancel out disappear in a merge.
 *
 * Requires: batches as they took effect ([[GraphChange.effective]]). A delete of what is not there
 * must not meet a later insert of the same edge.
 * Thread-safety: immutable and serializable; [[appended]] leaves this chain as it is.
 */
final class DeltaChain private (
    /** From the oldest to the latest; applied one after the other they lead to the latest version. */
    val runs: Vector[DeltaRun],
    /** Batches appended so far. */
    val batchCount: Long,
    /** Merges done so far. */
    val merges: Long)
    extends Serializable {

  /** Changes in all runs: what a reader of the base has to apply. */
  def size: Long = runs.iterator.map(_.delta.size.toLong).sum

  /** @param interrupt runs every few milliseconds, and ends the work by throwing */
  def appended(
      effective: EdgeDelta,
      interrupt: Runnable = Pieces.NoInterrupt): DeltaChain = {
    var kept = runs
    var last = DeltaRun(batchCount, batchCount + 1, effective)
    var merged = merges
    while (kept.nonEmpty && 2L * last.delta.size >= kept.last.delta.size) {
      val earlier = kept.last
      last = DeltaRun(earlier.from, last.until, earlier.delta.followedBy(last.delta, interrupt))
      kept = kept.init
      merged += 1
    }
    new DeltaChain(kept :+ last, batchCount + 1, merged)
  }

  /**
   * Whether a new base costs readers less than this chain: if it has more than
   * [[DeltaChain.RebaseShare]] of the base's rows.
   */
  def worthRebase(baseRows: Long): Boolean = size > DeltaChain.RebaseShare * baseRows
}

object DeltaChain {

  /**
   * A base of n rows is then copied once in n / 4 changes, so that a change pays for 4 rows; and
   * a reader applies no more than a quarter of what it has loaded.
   */
  final private val RebaseShare = 0.25

  val empty: DeltaChain = new DeltaChain(Vector.empty, 0L, 0L)
}

/** The batches `from until until` of a chain as one. */
final case class DeltaRun(from: Long, until: Long, delta: EdgeDelta)
