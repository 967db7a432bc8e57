package io.wreath.kernel.csr

import io.wreath.kernel.lists.{Adjacency, Pieces}

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

  /**
   * Whether some vertex may have an edge to itself.
   *
   * @param interrupt as in what follows: an answer may be worked out the first time; this runs every few
   *   milliseconds then, and ends the work by throwing
   */
  def hasSelfLoops(interrupt: Runnable): Boolean

  final def hasSelfLoops: Boolean = hasSelfLoops(Pieces.NoInterrupt)

  /** Whether it is known that each edge has its opposite, as often as itself. */
  def isSymmetric(interrupt: Runnable): Boolean

  final def isSymmetric: Boolean = isSymmetric(Pieces.NoInterrupt)

  /** The number of distinct edges. */
  def edgeCount: Int

  def moments(interrupt: Runnable): DegreeMoments

  final def moments: DegreeMoments = moments(Pieces.NoInterrupt)

  /** The triangles on each edge; only of symmetric relations without parallel edges. */
  def triangles: EdgeTriangles

  /**
   * The same edges over codes that descend with the degrees; only of symmetric relations without parallel edges.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def ranked(interrupt: Runnable): RankedGraph

  def sizeInBytes: Long
}
