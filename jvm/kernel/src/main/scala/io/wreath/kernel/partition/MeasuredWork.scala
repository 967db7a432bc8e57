package io.wreath.kernel.partition

import io.wreath.kernel.join.Morsel

/**
 * What parts of a join took when it ran last: ranges of the first variable's codes, in order, none of
 * which overlap.
 *
 * An estimate is held against it: vertices of a range that took more than three times its share are
 * thought to cost as much more next time, and are cut smaller.
 *
 * Thread-safety: immutable.
 */
final class MeasuredWork private (
    private[partition] val from: Array[Int],
    private[partition] val until: Array[Int],
    private[partition] val work: Array[Long]) {

  def size: Int = from.length

  /**
   * Raises the costs of vertices in ranges that took too long.
   *
   * @param codes in order
   * @param costs of each, as estimated
   * @return by place in `codes`, whether the cost was raised
   */
  private[partition] def correct(codes: Array[Int], costs: Array[Double]): Array[Boolean] = {
    val raised = new Array[Boolean](codes.length)
    val estimated = new Array[Double](size)
    forEachIn(codes)((range, at) => estimated(range) += costs(at))
    val (taken, thought) = (work.map(_.toDouble).sum, estimated.sum)
    if (taken > 0 && thought > 0) {
      val over = Array.tabulate(size)(r => (work(r) / taken) / (estimated(r) / thought))
      forEachIn(codes) { (range, at) =>
        if (over(range) > MeasuredWork.MostOver) {
          costs(at) *= Math.min(over(range), MeasuredWork.MostRaised)
          raised(at) = true
        }
      }
    }
    raised
  }

  private def forEachIn(codes: Array[Int])(take: (Int, Int) => Unit): Unit = {
    var range = 0
    var at = 0
    while (at < codes.length && range < size) {
      if (codes(at) >= until(range)) range += 1
      else {
        if (codes(at) >= from(range)) take(range, at)
        at += 1
      }
    }
  }
}

object MeasuredWork {

  val none: MeasuredWork = new MeasuredWork(Array.empty, Array.empty, Array.empty)

  /** Beyond this many times its share, a range is cut smaller. */
  final val MostOver = 3.0

  /** However late a task was, a vertex is not thought to cost more than so many times the estimate. */
  final val MostRaised = 256.0

  /** About 64 KiB of them. Neighbours are one where there are more. */
  final val MostRanges = 4096

  /** What morsels took, in any order; those that cut one vertex up are one. A morsel that ran twice counts once. */
  def of(morsels: Iterable[(Morsel, Long)]): MeasuredWork = {
    val ranges = morsels.toMap.toSeq
      .groupMapReduce { case (m, _) => (m.from, m.until) }(_._2)(_ + _)
      .toSeq
      .sorted
    val kept = ranges.grouped(Math.max(1, (ranges.size + MostRanges - 1) / MostRanges)).toArray
    new MeasuredWork(kept.map(_.head._1._1), kept.map(_.last._1._2), kept.map(_.map(_._2).sum))
  }
}
