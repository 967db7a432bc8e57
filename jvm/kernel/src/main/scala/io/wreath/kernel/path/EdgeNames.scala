package io.wreath.kernel.path

import io.wreath.kernel.lists.{Adjacency, GallopingSearch}

/**
 * What the edge of a step is called, whichever way and by whichever label it is gone along: the codes of its ends
 * and which of parallel edges it is.
 *
 * Where some label reads a relation both ways, its edges are numbered as [[Way.Both]] says, by all labels.
 */
final private[path] class EdgeNames(route: Route) {
  private[this] val ways: Array[Way] = Array.tabulate(route.labelCount)(route.edge(_).way)
  private[this] val areBothWays: Array[Boolean] = Array.tabulate(route.labelCount) { label =>
    val relation = route.edge(label).relation
    ways.indices.exists(l => ways(l) == Way.Both && route.edge(l).relation == relation)
  }

  def source(label: Int, v: Int, w: Int): Int =
    if (areBothWays(label)) Math.min(v, w) else if (ways(label) == Way.Forward) v else w

  def target(label: Int, v: Int, w: Int): Int =
    if (areBothWays(label)) Math.max(v, w) else if (ways(label) == Way.Forward) w else v

  /** @param copy which of the parallel edges that the label reads from `v` to `w` */
  def copy(label: Int, v: Int, w: Int, copy: Int): Int =
    if (!areBothWays(label) || ways(label) == Way.Both) copy
    else if (ways(label) == Way.Forward) copy + opposite(route.steps(label).out, v, w)
    else copy + opposite(route.steps(label).in, w, v)

  /** How many edges are numbered before those from `v` to `w`: those back, where `v` is the greater code. */
  private def opposite(forward: Adjacency, v: Int, w: Int): Int =
    if (v <= w) 0
    else {
      val at = GallopingSearch.find(forward.array(w), forward.from(w), forward.until(w), v)
      val mult = forward.multiplicities(w)
      if (at < 0) 0 else if (mult == null) 1 else mult(at)
    }
}
