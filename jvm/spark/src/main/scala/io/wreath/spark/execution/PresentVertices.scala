package io.wreath.spark.execution

import io.wreath.spark.index.JoinSpace

/**
 * Which codes are vertices: the ends of edges, or those in a table of vertices if there is one. Ids that are
 * numbers have a code each, also those between them that are no ids.
 *
 * @param vertices the relation that has them, if one has
 * @param look runs once in a while, and ends the work by throwing
 */
final private[execution] class PresentVertices(
    space: JoinSpace,
    vertices: Option[Int],
    look: Runnable) {

  /** By code, the row of its vertex, -1 if there is none; null without a table of vertices. */
  private val rows: Array[Int] = vertices.map(space.vertexRows).orNull

  private val edges = (0 until space.relationCount).filter(space.isEdges).map(space.graph).toArray

  def has(code: Int): Boolean =
    if (rows != null) rows(code) >= 0
    else edges.exists(g => g.forward.degree(code) > 0 || g.reverse.degree(code) > 0)

  /** Whether all edges are between vertices. */
  def areAll: Boolean = vertices.forall(space.hasAllVertices)

  /** The rows of edges of which both ends are vertices, a bit each. */
  def rowsBetween(r: Int): Array[Long] = {
    val relation = space.relation(r)
    val forward = space.graph(r).forward
    val bits = new Array[Long](((relation.rowCount + 63) >>> 6).toInt)
    var v = 0
    while (v < forward.vertexCount) {
      if (has(v)) {
        var at = forward.from(v)
        val targets = forward.array(v)
        while (at < forward.until(v)) {
          if (has(targets(at))) {
            var row = relation.firstRow(at)
            while (row < relation.firstRow(at + 1)) {
              bits(row >>> 6) |= 1L << row
              row += 1
            }
          }
          at += 1
        }
      }
      if ((v & PresentVertices.BetweenLooks) == 0) look.run()
      v += 1
    }
    bits
  }
}

private object PresentVertices {
  final private val BetweenLooks = (1 << 10) - 1
}
