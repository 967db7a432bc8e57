package io.wreath.kernel.csr

import io.wreath.kernel.lists.Adjacency

/**
 * What a join reads: an edge relation as neighbour lists in both directions, with what is known of it.
 *
 * A graph that is whole, one version of a graph that changes, or a view of either is a relation; a
 * join does not know which. What it asks for in its loops are the lists of an [[Adjacency]], so that a
 * relation costs nothing there.
 *
 * Thread-safety: implementations are safe for concurrent readers.
 */
trait Relation {

  /** The lists over the sources' codes, which hold targets' codes. */
  def forward: Adjacency

  /** The lists over the targets' codes, which hold sources' codes. */
  def reverse: Adjacency

  /** The lists that lead from sources to targets, or back. */
  def direction(isForward: Boolean): Adjacency = if (isForward) forward else reverse

  /** Rows of the relation: distinct edges, each as often as it occurs. */
  def rowCount: Long

  /** Whether some edge may occur more than once. */
  def hasDuplicates: Boolean

  /** Whether some vertex may have an edge to itself. */
  def hasSelfLoops: Boolean

  /** Whether it is known that each edge has its opposite, as often as itself. */
  def isSymmetric: Boolean

  /** The number of distinct edges. */
  def edgeCount: Int

  /** Computed the first time. */
  def moments: DegreeMoments

  /** The triangles on each edge; only of symmetric relations without parallel edges. */
  def triangles: EdgeTriangles

  def sizeInBytes: Long
}
