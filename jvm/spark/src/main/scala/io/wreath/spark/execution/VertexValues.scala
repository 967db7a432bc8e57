package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.execution.wreath.Cancellation
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.csr.CsrFilter
import io.wreath.kernel.path.{Components, PageRank, Steps}
import io.wreath.spark.index.JoinSpace
import io.wreath.spark.logical.VertexValue

/**
 * The values of all vertices, computed when this is made.
 *
 * Vertices are the ends of edges: without a table of vertices all of them. With one, those that are in it,
 * and the edges between them; the others of that table follow, which have no edges.
 *
 * Not thread-safe: one for a task.
 */
final private[execution] class VertexValues(
    value: VertexValue,
    space: JoinSpace,
    tpe: DataType) {

  private val look = Cancellation.look()

  private val hasVertices = !space.isEdges(space.relationCount - 1)

  /** By code, the row of its vertex, -1 if there is none; null without a table of vertices. */
  private val vertexRows: Array[Int] = if (hasVertices) space.vertexRows(1) else null

  private val graph = {
    val all = space.graph(0)
    if (!hasVertices || space.hasAllVertices(1)) all
    else CsrFilter(all, rowsBetweenVertices, look)
  }

  /** Ids that are numbers have a code each, also those between them that are no ids. */
  private def isVertex(code: Int): Boolean =
    if (hasVertices) vertexRows(code) >= 0
    else graph.forward.degree(code) > 0 || graph.reverse.degree(code) > 0

  /** The codes, in the table of vertices itself, of those without edges. */
  private val others: Array[Int] =
    if (!hasVertices) Array.emptyIntArray
    else {
      val codes = space.relation(1).keyTable(0).codesIn(space.table(tpe), look)
      codes.indices.filter(codes(_) < 0).toArray
    }

  private val codeCount = graph.forward.vertexCount

  private val components: Array[Int] =
    if (value == VertexValue.Component) Components.of(Steps.of(graph), look) else null

  private val ranks: PageRank = value match {
    case VertexValue.Rank(damping, iterations) =>
      val absent = (0 until codeCount).iterator.filterNot(isVertex).toArray
      PageRank(Steps.of(graph), damping, iterations, absent, others.length, look)
    case _ => null
  }

  /** A row for each vertex, reused. */
  def rows: Iterator[InternalRow] = {
    val writer = new UnsafeRowWriter(2)
    val keys = space.keys(tpe)
    val ofCodes = Iterator.range(0, codeCount).filter(isVertex).map { code =>
      writer.reset()
      keys.write(writer, 0, code)
      if (components != null) keys.write(writer, 1, components(code))
      else writer.write(1, ranks.of(code))
      writer.getRow
    }
    if (others.isEmpty) ofCodes
    else {
      val names = space.relation(1).keys(0, tpe)
      ofCodes ++ others.iterator.map { code =>
        writer.reset()
        names.write(writer, 0, code)
        if (components != null) names.write(writer, 1, code)
        else writer.write(1, ranks.ofOthers)
        writer.getRow
      }
    }
  }

  /** The rows of edges of which both ends are vertices, a bit each. */
  private def rowsBetweenVertices: Array[Long] = {
    val relation = space.relation(0)
    val forward = space.graph(0).forward
    val bits = new Array[Long](((relation.rowCount + 63) >>> 6).toInt)
    var v = 0
    while (v < forward.vertexCount) {
      if (vertexRows(v) >= 0) {
        var at = forward.from(v)
        while (at < forward.until(v)) {
          if (vertexRows(forward.neighbours(at)) >= 0) {
            var row = relation.firstRow(at)
            while (row < relation.firstRow(at + 1)) {
              bits(row >>> 6) |= 1L << row
              row += 1
            }
          }
          at += 1
        }
      }
      if ((v & VertexValues.BetweenLooks) == 0) look.run()
      v += 1
    }
    bits
  }
}

private object VertexValues {
  final private val BetweenLooks = (1 << 10) - 1
}
