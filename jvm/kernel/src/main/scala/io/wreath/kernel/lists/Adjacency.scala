package io.wreath.kernel.lists

/**
 * The neighbour lists of one direction of a graph.
 *
 * The list of `v` is `array(v)` from `from(v)` until `until(v)`: ascending codes, each once. Joins
 * are written against this trait and not against [[Csr]], so that a graph that is read in pages
 * or in versions can stand in.
 *
 * Implementations are safe for concurrent readers, and the arrays they hand out are not to be
 * written to.
 */
trait Adjacency {

  /** Codes are `0 until vertexCount`. */
  def vertexCount: Int

  /** The array that holds the list of `v`, along with others. */
  def array(v: Int): Array[Int]

  /** Where the list of `v` begins in `array(v)`. */
  def from(v: Int): Int

  /** Where the list of `v` ends in `array(v)`, exclusive. */
  def until(v: Int): Int

  /** Length of the list of `v`. */
  def degree(v: Int): Int

  /** Where in the list of `v` the neighbours greater than `v` begin. */
  def after(v: Int): Int = GallopingSearch.lowerBound(array(v), from(v), until(v), v + 1)

  /** Length of the longest list. */
  def maxDegree: Int

  /** How often each edge occurs, parallel to `array(v)`; null when every edge occurs once. */
  def multiplicities(v: Int): Array[Int]
}
