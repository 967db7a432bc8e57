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

  private val present =
    new PresentVertices(space, if (hasVertices) Some(1) else None, look)

  private val graph = {
    val all = space.graph(0)
    if (present.areAll) all else CsrFilter(all, present.rowsBetween(0), look)
  }

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
      val absent = (0 until codeCount).iterator.filterNot(present.has).toArray
      PageRank(Steps.of(graph), damping, iterations, absent, others.length, look)
    case _ => null
  }

  /** A row for each vertex, reused. */
  def rows: Iterator[InternalRow] = {
    val writer = new UnsafeRowWriter(if (value == VertexValue.Itself) 1 else 2)
    val keys = space.keys(tpe)
    val ofCodes = Iterator.range(0, codeCount).filter(present.has).map { code =>
      writer.reset()
      keys.write(writer, 0, code)
      if (components != null) keys.write(writer, 1, components(code))
      else if (ranks != null) writer.write(1, ranks.of(code))
      writer.getRow
    }
    if (others.isEmpty) ofCodes
    else {
      val names = space.relation(1).keys(0, tpe)
      ofCodes ++ others.iterator.map { code =>
        writer.reset()
        names.write(writer, 0, code)
        if (components != null) names.write(writer, 1, code)
        else if (ranks != null) writer.write(1, ranks.ofOthers)
        writer.getRow
      }
    }
  }
}
