package io.wreath.spark.execution.paths

import io.wreath.kernel.lists.GallopingSearch
import io.wreath.kernel.path.Way

/** Finds the row of the edge that a step takes. Not thread-safe. */
final private[paths] class EdgeOfStep(graph: PathGraph, label: Int) {
  private[this] val of = graph.pathRoute.labels(label)
  private[this] val index = graph.space.relation(of.relation)
  private[this] val forward = graph.space.graph(of.relation).forward
  private[this] val rows = graph.rows(label)

  /** Its row in the index, and the codes of its ends as the row has them. */
  var row = 0
  var source = 0
  var target = 0

  // Of parallel edges, how many come before the one that is looked for.
  private[this] var before = 0

  /** @param copy which of the parallel edges that the label reads from `v` to `w` */
  def find(v: Int, w: Int, copy: Int): Unit = {
    before = copy
    val isFound = of.way match {
      case Way.Forward => among(v, w)
      case Way.Backward => among(w, v)
      case Way.Both =>
        val (low, high) = (Math.min(v, w), Math.max(v, w))
        among(low, high) || (low != high && among(high, low))
    }
    if (!isFound) throw new IllegalStateException(s"There is no edge $copy from $v to $w.")
  }

  private def among(from: Int, to: Int): Boolean = {
    val at =
      GallopingSearch.find(forward.array(from), forward.from(from), forward.until(from), to)
    var isFound = false
    if (at >= 0) {
      source = from
      target = to
      row = index.firstRow(at) - 1
      val end = index.firstRow(at + 1)
      while (!isFound && row + 1 < end) {
        row += 1
        if (rows == null || (rows(row >>> 6) >>> row & 1L) != 0L) {
          isFound = before == 0
          before -= 1
        }
      }
    }
    isFound
  }
}
