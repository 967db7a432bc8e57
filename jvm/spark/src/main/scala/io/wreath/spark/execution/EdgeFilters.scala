package io.wreath.spark.execution

import java.util.stream.IntStream

import org.apache.spark.sql.catalyst.expressions.Expression

import io.wreath.spark.index.JoinSpace

/**
 * The rows of an edge relation that pass conditions on one edge alone.
 *
 * @param relation by number
 * @param rows bit r of word r / 64, in the order of the index
 */
final private[execution] class EdgeFilter(val relation: Int, val rows: Array[Long])
    extends Serializable

/**
 * Asks conditions on one edge alone of every edge, once for a query, so that the join reads lists of
 * the edges that pass. Runs on the driver's cores.
 */
private[execution] object EdgeFilters {

  /** Rows for which a thread of its own pays. */
  private val RowsWorthAThread = 1 << 14

  def of(
      atom: Int,
      conditions: Seq[Expression],
      elements: JoinElements,
      space: JoinSpace): EdgeFilter = {
    val relation = elements.relationOf(atom)
    val index = space.relation(relation)
    val forward = space.graph(relation).forward
    val count = index.rowCount.toInt
    val bits = new Array[Long]((count + 63) >>> 6)
    val cores = Runtime.getRuntime.availableProcessors
    val pieces = if (count < RowsWorthAThread) 1 else cores
    // Cut between words, so that no two threads write to one.
    val cuts = Array.tabulate(pieces + 1)(p => (bits.length.toLong * p / pieces).toInt << 6)
    val asked =
      Array.fill(pieces)(conditions.map(new ElementPredicate(_, elements, space, 0)))
    IntStream.range(0, pieces).parallel().forEach { piece =>
      val (from, until) = (cuts(piece), math.min(count, cuts(piece + 1)))
      val binding = new Array[Int](elements.variables.size)
      val rows = new Array[Int](elements.atoms.size)
      val Seq(source, target) = elements.atoms(atom).variables: @unchecked
      var v = firstWithRow(from, forward.vertexCount)(u => index.firstRow(forward.until(u)))
      var row = from
      while (row < until) {
        while (index.firstRow(forward.until(v)) <= row) v += 1
        var at = forward.from(v)
        binding(source) = v
        while (at < forward.until(v) && row < until) {
          val end = math.min(until, index.firstRow(at + 1))
          binding(target) = forward.neighbours(at)
          while (row < end) {
            rows(atom) = row
            if (asked(piece).forall(_.accepts(binding, rows))) bits(row >>> 6) |= 1L << row
            row += 1
          }
          at += 1
        }
      }
    }
    new EdgeFilter(relation, bits)
  }

  /** The least vertex whose rows end after `row`. */
  private def firstWithRow(row: Int, vertices: Int)(end: Int => Int): Int = {
    var low = 0
    var high = vertices
    while (low < high) {
      val middle = (low + high) >>> 1
      if (end(middle) <= row) low = middle + 1 else high = middle
    }
    low
  }
}
