package io.wreath.kernel.path

/** How an edge pattern reads its relation. */
sealed trait Way
object Way {
  case object Forward extends Way
  case object Backward extends Way

  /**
   * Each edge in both directions, as `Undirected` makes them. Parallel edges are numbered alike from both ends:
   * first those from the smaller code to the greater.
   */
  case object Both extends Way
}
