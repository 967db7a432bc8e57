package io.wreath.spark.execution.paths

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute

import io.wreath.spark.index.keys.VertexKeys

/**
 * Where the paths begin and end that a row asks for, as codes. Not thread-safe.
 *
 * @param columns of the row
 */
final private[paths] class PathEnds(
    columns: Seq[Attribute],
    source: Attribute,
    target: Option[Attribute],
    graph: PathGraph) {

  private[this] val keys = graph.space.keys(graph.key)
  private[this] val sourceAt = columns.indexWhere(_.exprId == source.exprId)
  private[this] val targetAt = target.fold(-1)(t => columns.indexWhere(_.exprId == t.exprId))

  /** The keys of vertices without edges. */
  lazy val keysAlone: VertexKeys = graph.verticesAlone.keys(0, graph.key)

  private[this] var sourceCode = 0
  private[this] var targetCode = 0

  /** False if there can be no path: an end is NULL or no vertex, or hangs together with nothing else. */
  def find(row: InternalRow): Boolean =
    !row.isNullAt(sourceAt) && (targetAt < 0 || !row.isNullAt(targetAt)) && {
      sourceCode = codeOf(row, sourceAt)
      targetCode = if (targetAt < 0) -1 else codeOf(row, targetAt)
      if (sourceCode >= 0) targetAt < 0 || targetCode >= 0
      else isAlone(row)
    }

  /** -1 for a vertex without edges, whose only path has no step. */
  def sourceFound: Int = sourceCode

  /** -1 for all. */
  def targetFound: Int = targetCode

  def codeAlone(row: InternalRow): Int = keysAlone.find(value(row, sourceAt))

  private def isAlone(row: InternalRow): Boolean =
    graph.hasVertices && graph.pathRoute.acceptsEmpty && codeAlone(row) >= 0 &&
      (targetAt < 0 || keysAlone.find(value(row, targetAt)) == codeAlone(row))

  private def codeOf(row: InternalRow, at: Int): Int = {
    val code = keys.find(value(row, at))
    if (code >= 0 && graph.isVertex(code)) code else -1
  }

  private def value(row: InternalRow, at: Int): Any = row.get(at, graph.key)
}
