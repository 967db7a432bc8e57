package io.wreath.kernel.path

import io.wreath.kernel.csr.{Csr, CsrGraph}
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

  /** Which of the parallel edges at a position of the lists is the cheapest, counted from 0. */
  def cheapest(position: Int): Int = if (rows == null) 0 else rows(position)

  /** The cost of a path: that of `key` and then that of one more step. */
  private[path] def sum(key: Long, step: Long): Long =
    if (isLong) {
      val both = key + step
      if (both < 0L) tooDear()
      both
    } else {
      val both =
        java.lang.Double.longBitsToDouble(key) + java.lang.Double.longBitsToDouble(step)
      if (both == Double.PositiveInfinity) tooDear()
      java.lang.Double.doubleToRawLongBits(both)
    }

  private def tooDear(): Unit =
    throw new ArithmeticException(
      s"The cost of a path is more than a ${if (isLong) "long" else "double"} holds.")
}

/** An edge costs nothing, less than nothing, or is of no number. Codes are those of its ends. */
final class InvalidCost(val source: Int, val target: Int, val cost: Any)
    extends IllegalArgumentException(
      s"The edge from code $source to code $target costs $cost, but costs are finite and above 0.")

object EdgeCosts {

  /**
   * @param byRow the cost of each edge, in the order of the graph's forward lists, parallel ones side by side
   * @param isForward whether steps lead from sources to targets, or back
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def doubles(
      graph: CsrGraph,
      byRow: Array[Double],
      isForward: Boolean = true,
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
    of(graph, keys, isForward, isLong = false, interrupt)
  }

  def longs(
      graph: CsrGraph,
      byRow: Array[Long],
      isForward: Boolean = true,
      interrupt: Runnable = Pieces.NoInterrupt): EdgeCosts = {
    var row = 0
    while (row < byRow.length) {
      if (Pieces.isStart(row)) interrupt.run()
      if (byRow(row) <= 0L) refuse(graph, row, byRow(row))
      row += 1
    }
    of(graph, byRow, isForward, isLong = true, interrupt)
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
      isForward: Boolean,
      isLong: Boolean,
      interrupt: Runnable): EdgeCosts = {
    if (byRow.length != graph.rowCount) {
      throw new IllegalArgumentException(
        s"There are ${byRow.length} costs for ${graph.rowCount} edges.")
    }
    val mult = graph.forward.mult
    val rows = if (mult == null) null else new Array[Int](mult.length)
    val keys = if (mult == null) byRow else cheapestRows(byRow, mult, rows, interrupt)
    val steps = Steps.of(graph, isForward)
    if (isForward) new EdgeCosts(steps, graph.forward, keys, rows, isLong)
    else {
      val places = transposed(graph, interrupt)
      new EdgeCosts(
        steps,
        graph.reverse,
        places.map(keys(_)),
        if (rows == null) null else places.map(rows(_)),
        isLong)
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

  /** Where in the forward lists the edge stands that has a position of the reverse lists. */
  private def transposed(graph: CsrGraph, interrupt: Runnable): Array[Int] = {
    val (forward, reverse) = (graph.forward, graph.reverse)
    val places = new Array[Int](reverse.edgeCount)
    var v = 0
    while (v < reverse.vertexCount) {
      var i = reverse.from(v)
      while (i < reverse.until(v)) {
        if (Pieces.isStart(i)) interrupt.run()
        val u = reverse.neighbours(i)
        places(i) = GallopingSearch.find(forward.neighbours, forward.from(u), forward.until(u), v)
        i += 1
      }
      v += 1
    }
    places
  }
}
