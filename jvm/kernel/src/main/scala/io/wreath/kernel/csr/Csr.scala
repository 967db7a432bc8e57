package io.wreath.kernel.csr

import io.wreath.kernel.lists.Adjacency

/**
 * All neighbour lists of one direction in one array (compressed sparse rows).
 *
 * Requires: `offsets` ascending with `vertexCount + 1` entries, each list strictly ascending, and
 * `mult` either null or as long as `neighbours`. [[CsrBuilder]] guarantees all three.
 * Cost: 4 bytes a vertex and 4 bytes an edge, 8 with multiplicities.
 * Thread-safety: immutable.
 */
final class Csr(
    private[wreath] val offsets: Array[Int],
    private[wreath] val neighbours: Array[Int],
    private[wreath] val mult: Array[Int])
    extends Adjacency {

  override val vertexCount: Int = offsets.length - 1

  override val maxDegree: Int = {
    var longest = 0
    var v = 0
    while (v < vertexCount) {
      longest = Math.max(longest, offsets(v + 1) - offsets(v))
      v += 1
    }
    longest
  }

  override def array(v: Int): Array[Int] = neighbours
  override def from(v: Int): Int = offsets(v)
  override def until(v: Int): Int = offsets(v + 1)
  override def degree(v: Int): Int = offsets(v + 1) - offsets(v)
  override def multiplicities(v: Int): Array[Int] = mult

  // Symmetric graphs are joined under `a < b < c`, where every list is read from its own vertex
  // on: one search a vertex for all queries instead of one a list that is read.
  private[this] lazy val afterOffsets: Array[Int] = {
    val positions = new Array[Int](vertexCount)
    var v = 0
    while (v < vertexCount) {
      positions(v) = super.after(v)
      v += 1
    }
    positions
  }

  /** Cost: O(1), after one search a vertex at the first call. */
  override def after(v: Int): Int = afterOffsets(v)

  /** Number of distinct edges. */
  def edgeCount: Int = neighbours.length

  def sizeInBytes: Long =
    4L * offsets.length + 4L * neighbours.length + (if (mult == null) 0L else 4L * mult.length)
}
