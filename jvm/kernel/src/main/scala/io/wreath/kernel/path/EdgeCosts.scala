package io.wreath.kernel.path

import io.wreath.kernel.csr.{Csr, CsrGraph, Undirected}
import io.wreath.kernel.lists.{GallopingSearch, Pieces}

/**
 * What each step along lists costs. Of parallel edges the cheapest counts, and of those the first.
 *
 * Costs are kept as numbers that compare and are summed by their kind, see [[sum]].
 * Memory: 8 bytes for each list element, 12 where edges repeat.
 */
final class EdgeCosts private (
    val steps: Steps,
    private[path] val lists: Csr,
    private[path] val keys: Array[Long],
    rows: Array[Int],
    val isLong: Boolean) {

  /** The least and the greatest cost of an edge; 1 where there is no edge. */
  private[path] val (least: Double, greatest: Double) = {
    var low = Long.MaxValue
    var high = 0L
    var i = 0
    while (i < keys.length) {
      low = Math.min(low, keys(i))
      high = Math.max(high, keys(i))
      i += 1
    }
    if (keys.isEmpty) (1.0, 1.0)
    else if (isLong) (low.toDouble, high.toDouble)
    else (java.lang.Double.longBitsToDouble(low), java.lang.Double.longBitsToDouble(high))
  }

  /** Which of the parallel edges at a position of the lists is the cheapest, counted from 0. */
  def cheapest(position: Int): Int = if (rows == null) 0 else rows(position)

  /** The cost of a path: that of `key` and then that of one more step. It may be more than [[check]] allows. */
  private[path] def sum(key: Long, step: Long): Long =
    if (isLong) key + step
    else {
      java.lang.Double.doubleToRawLongBits(
        java.lang.Double.longBitsToDouble(key) + java.lang.Double.longBitsToDouble(step))
    }

  /** Refuses a sum that no number of its kind holds. As an unsigned number it is greater than those that are. */
  private[path] def check(sum: Long): Unit =
    if (java.lang.Long.compareUnsigned(sum, most) > 0) {
      throw new ArithmeticException(
        s"The cost of a path is more than a ${if (isLong) "long" else "double"} holds.")
    }

  private[this] val most =
    if (isLong) Long.MaxValue else java.lang.Double.doubleToRawLongBits(Double.MaxValue)
}

/** An edge costs nothing, less than nothing, or is of no number. Codes are those of its ends. */
final class InvalidCost(val source: Int, val target: Int, val cost: Any)
    extends IllegalArgumentException(
      s"The edge from code $source to code $target costs $cost, but costs are finite and above 0.")

object EdgeCosts {

  /**
   * @param byRow the cost of each edge, in the order of the graph's forward lists, parallel ones side by side
   * @param way how steps read the graph
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def doubles(
      graph: CsrGraph,
      byRow: Array[Double],
      way: Way = Way.Forward,
      interrupt: Runnable = Pieces.NoInterrupt): EdgeCosts = {
    val keys = new Array[Long](byRow.length)
    var row = 0
    while (row < keys.length) {
      if (Pieces.isStart(row)) interrupt.run()
      val cost = byRow(row)
      if (!(cost > 0.0) || cost == Double.PositiveInfinity) refuse(graph, row, cost)
      keys(row) = java.lang.Double.doubleToRawLongBits(cost)
      row += 1
    }
    of(graph, keys, way, isLong = false, interrupt)
  }

  def longs(
      graph: CsrGraph,
      byRow: Array[Long],
      way: Way = Way.Forward,
      interrupt: Runnable = Pieces.NoInterrupt): EdgeCosts = {
    var row = 0
    while (row < byRow.length) {
      if (Pieces.isStart(row)) interrupt.run()
      if (byRow(row) <= 0L) refuse(graph, row, byRow(row))
      row += 1
    }
    of(graph, byRow, way, isLong = true, interrupt)
  }

  private def refuse(graph: CsrGraph, row: Int, cost: Any): Unit = {
    val forward = graph.forward
    var position = row
    if (forward.mult != null) {
      position = 0
      var rows = forward.mult(0)
      while (rows <= row) {
        position += 1
        rows += forward.mult(position)
      }
    }
    var source = 0
    while (forward.until(source) <= position) source += 1
    throw new InvalidCost(source, forward.neighbours(position), cost)
  }

  private def of(
      graph: CsrGraph,
      byRow: Array[Long],
      way: Way,
      isLong: Boolean,
      interrupt: Runnable): EdgeCosts = {
    if (byRow.length != graph.rowCount) {
      throw new IllegalArgumentException(
        s"There are ${byRow.length} costs for ${graph.rowCount} edges.")
    }
    val mult = graph.forward.mult
    val rows = if (mult == null) null else new Array[Int](mult.length)
    val keys = if (mult == null) byRow else cheapestRows(byRow, mult, rows, interrupt)
    way match {
      case Way.Forward => new EdgeCosts(Steps.of(graph), graph.forward, keys, rows, isLong)
      case Way.Backward =>
        val steps = Steps.of(graph, isForward = false)
        along(graph, steps, graph.reverse, keys, rows, way, isLong, interrupt)
      case Way.Both =>
        val both = Undirected.of(graph, interrupt)
        val first = if (rows == null && both.hasDuplicates) new Array[Int](keys.length) else rows
        along(graph, Steps.of(both), both.forward, keys, first, way, isLong, interrupt)
    }
  }

  /** For each distinct edge the least of its rows' costs; which row it was, into `rows`. */
  private def cheapestRows(
      byRow: Array[Long],
      mult: Array[Int],
      rows: Array[Int],
      interrupt: Runnable): Array[Long] = {
    val keys = new Array[Long](mult.length)
    var row = 0
    var i = 0
    while (i < mult.length) {
      val first = row
      var best = row
      while (row - first < mult(i)) {
        if (Pieces.isStart(row)) interrupt.run()
        if (byRow(row) < byRow(best)) best = row
        row += 1
      }
      keys(i) = byRow(best)
      rows(i) = best - first
      i += 1
    }
    keys
  }

  /** The costs of other lists than the forward ones, of the edges from which they come. */
  private def along(
      graph: CsrGraph,
      steps: Steps,
      lists: Csr,
      keys: Array[Long],
      rows: Array[Int],
      way: Way,
      isLong: Boolean,
      interrupt: Runnable): EdgeCosts = {
    val forward = graph.forward
    val stepKeys = new Array[Long](lists.edgeCount)
    val stepRows = if (rows == null) null else new Array[Int](lists.edgeCount)
    var v = 0
    while (v < lists.vertexCount) {
      var i = lists.from(v)
      while (i < lists.until(v)) {
        if (Pieces.isStart(i)) interrupt.run()
        val w = lists.neighbours(i)
        val low = if (way == Way.Backward) w else Math.min(v, w)
        val high = if (way == Way.Backward) v else Math.max(v, w)
        val up = position(forward, low, high)
        val down = if (way == Way.Backward || low == high) -1 else position(forward, high, low)
        val isUp = down < 0 || (up >= 0 && keys(up) <= keys(down))
        stepKeys(i) = keys(if (isUp) up else down)
        if (rows != null) {
          val before =
            if (isUp || up < 0) 0 else if (forward.mult == null) 1 else forward.mult(up)
          stepRows(i) = before + rows(if (isUp) up else down)
        }
        i += 1
      }
      v += 1
    }
    new EdgeCosts(steps, lists, stepKeys, stepRows, isLong)
  }

  private def position(lists: Csr, v: Int, w: Int): Int =
    GallopingSearch.find(lists.neighbours, lists.from(v), lists.until(v), w)
}
