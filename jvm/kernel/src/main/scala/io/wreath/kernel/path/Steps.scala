package io.wreath.kernel.path

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.lists.Adjacency

/**
 * What one step of a path may be: from a vertex along its list in `out`, and from where such a step comes
 * by its list in `in`.
 *
 * Any relation between vertices of one kind gives steps, read from sources to targets or back. Filtered
 * edges and edges that are read both ways are relations too (`CsrFilter`, `Undirected`).
 *
 * Requires: `in` is the transpose of `out`.
 */
final class Steps private (val out: Adjacency, val in: Adjacency) {

  if (out.vertexCount != in.vertexCount) {
    throw new IllegalArgumentException(
      s"Paths lead through vertices of one kind, but there are ${out.vertexCount} sources and " +
        s"${in.vertexCount} targets.")
  }

  def vertexCount: Int = out.vertexCount

  /** The same steps, taken from their ends. */
  def reversed: Steps = new Steps(in, out)
}

object Steps {
  def of(relation: Relation, isForward: Boolean = true): Steps =
    new Steps(relation.direction(isForward), relation.direction(!isForward))
}
