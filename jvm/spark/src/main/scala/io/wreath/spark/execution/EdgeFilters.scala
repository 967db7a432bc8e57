package io.wreath.spark.execution

import java.util.stream.IntStream

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Attribute, BoundReference, Expression}
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.spark.index.EdgeFilter

/**
 * The filters of one join: edges of which the same is asked, in whatever pattern, share one. Not
 * thread-safe.
 */
final private[execution] class EdgeFilters {

  private val made = mutable.Map.empty[(Int, Seq[Expression]), EdgeFilter]

  /** @param conditions on the edge and the vertices at its ends alone */
  def of(atom: Int, conditions: Seq[Expression], elements: PatternElements): EdgeFilter = {
    val relation = elements.relationOf(atom)
    made.getOrElseUpdate(
      (relation, conditions.map(plain(_, atom, elements))),
      EdgeFilters.of(atom, conditions, elements))
  }

  /** A condition by what it reads of the edge, whatever that is called in its pattern. */
  private def plain(condition: Expression, atom: Int, elements: PatternElements): Expression =
    condition.transform { case a: Attribute =>
      val place = elements.variableOf(a) match {
        case Some(v) => -1 - elements.atoms(atom).variables.indexOf(v)
        case None =>
          val column = elements.columnOf(a)
          // A column of a vertex at one of the ends, of one of its tables.
          if (column.atom == atom) column.ordinal
          else {
            val vertex = elements.atoms(column.atom)
            val end = elements.atoms(atom).variables.indexOf(vertex.variables.head)
            ((vertex.relation * 2 + end + 1) << 16) + column.ordinal
          }
      }
      BoundReference(place, a.dataType, a.nullable)
    }.canonicalized
}

/**
 * Asks conditions on one edge alone of every edge, once for a query, so that the join reads lists of
 * the edges that pass. Runs on the driver's cores.
 */
private object EdgeFilters {

  /** Rows for which a thread of its own pays. */
  private val RowsWorthAThread = 1 << 14

  private def of(
      atom: Int,
      conditions: Seq[Expression],
      elements: PatternElements): EdgeFilter = {
    val relation = elements.relationOf(atom)
    val index = elements.index(atom)
    val forward = elements.graph(atom).forward
    val count = index.rowCount.toInt
    val bits = new Array[Long]((count + 63) >>> 6)
    val cores = Runtime.getRuntime.availableProcessors
    val pieces = if (count < RowsWorthAThread) 1 else cores
    // Cut between words, so that no two threads write to one.
    val cuts = Array.tabulate(pieces + 1)(p => (bits.length.toLong * p / pieces).toInt << 6)
    val edgePredicates =
      Array.fill(pieces)(conditions.map(new ElementPredicate(_, elements, 0)))
    val vertices = conditions
      .flatMap(elements.atomsRead)
      .distinct
      .filter(elements.atoms(_).isVertex)
      .map(a => a -> elements.space.vertexRows(elements.relationOf(a)))
    val look = Cancellation.look()
    IntStream.range(0, pieces).parallel().forEach { piece =>
      val (from, until) = (cuts(piece), math.min(count, cuts(piece + 1)))
      val binding = new Array[Int](elements.variables.size)
      val rows = new Array[Int](elements.atoms.size)
      val Seq(source, target) = elements.atoms(atom).variables: @unchecked
      // What has no row is no vertex of the pattern.
      def haveVertices: Boolean = vertices.forall { case (a, rowOf) =>
        rows(a) = rowOf(binding(elements.atoms(a).variables.head))
        rows(a) >= 0
      }
      var v = firstWithRow(from, forward.vertexCount)(u => index.firstRow(forward.until(u)))
      var row = from
      while (row < until) {
        while (index.firstRow(forward.until(v)) <= row) v += 1
        var at = forward.from(v)
        val targets = forward.array(v)
        binding(source) = v
        while (at < forward.until(v) && row < until) {
          val end = math.min(until, index.firstRow(at + 1))
          binding(target) = targets(at)
          while (row < end) {
            // Often, as a condition may be of any kind.
            if ((row & 15) == 0) look.run()
            rows(atom) = row
            if (haveVertices && edgePredicates(piece).forall(_.accepts(binding, rows)))
              bits(row >>> 6) |= 1L << row
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
