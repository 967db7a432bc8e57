package io.wreath.kernel.path

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * All paths along a route from a source, one at a call of [[next]], depth first: by the smallest next vertex,
 * then label, then copy, and a path before those that go on from it. Nobody goes where no path can end.
 *
 * Memory: 8 bytes for each vertex and state and one for each vertex, taken when it is made; then by the longest
 * path. The number of paths does not matter. Not thread-safe: one for each task.
 *
 * @param interrupt runs several times a millisecond, and ends the search by throwing
 */
final class PathEnumerator(
    route: Route,
    mode: PathMode,
    interrupt: Runnable = Pieces.NoInterrupt)
    extends RoutePath {

  private[this] val read = new ElementCounter(interrupt)
  private[this] val distances = new RouteDistances(route, read)
  private[this] val stack = new RouteStack(route, read)
  private[this] val isTrail = mode == PathMode.Trail
  private[this] val isSimple = mode == PathMode.Simple
  private[this] val edges = if (isTrail) new UsedEdges else null
  private[this] val names = if (isTrail) new EdgeNames(route) else null
  // How often the path visits a vertex; where it may go more than once, nobody asks.
  private[this] val visits =
    if (isSimple || mode == PathMode.Acyclic) new Array[Byte](route.vertexCount) else null
  private[this] var target = -1
  private[this] var source = 0
  private[this] var least = 0
  private[this] var most = 0
  private[this] var isFirst = false
  private[this] var cut = false

  /** Where paths are to end: a vertex, or -1 for any. Cost: one search back from there. */
  def aim(target: Int): Unit = {
    this.target = target
    distances.aim(target)
  }

  /**
   * Begins anew, towards what it was aimed at.
   *
   * @param hops bounds beside those of the route
   */
  def open(source: Int, hops: Hops): Unit = {
    if (mode == PathMode.Walk && hops.most == Hops.Unbounded) {
      throw new IllegalArgumentException("Walks without a bound have no end.")
    }
    while (stack.length >= 0) leave()
    this.source = source
    least = hops.least
    most = hops.most
    cut = false
    isFirst = true
    stack.open(source)
    if (visits != null) visits(source) = 1
  }

  /** Goes on to the next path; false if there is none. */
  def next(): Boolean = {
    var found = false
    if (isFirst) {
      isFirst = false
      val fewest = distances(source, 0)
      if (fewest < 0 || fewest > most) leave() else found = isWhole
    }
    while (!found && stack.length >= 0) {
      if (isClosed || !stack.next()) leave()
      else if (leads()) {
        stack.push()
        if (visits != null) visits(stack.last) = (visits(stack.last) + 1).toByte
        found = isWhole
      }
    }
    found
  }

  override def length: Int = stack.length
  override def vertex(i: Int): Int = stack.vertex(i)
  override def label(i: Int): Int = stack.label(i)
  override def copy(i: Int): Int = stack.copy(i)

  /** Whether longer bounds could give more paths; known when there is no next one. */
  private[path] def wasCut: Boolean = cut

  /** The least number of steps of a walk to the target, or -1. */
  private[path] def fewest(source: Int): Int = distances(source, 0)

  /** List elements that were read. */
  def elementsRead: Long = read.elements

  private def isWhole: Boolean =
    stack.length >= least && route.automaton.accepts(stack.lastState) &&
      (target < 0 || target == stack.last)

  /** A simple path that came back to its source goes nowhere else. */
  private def isClosed: Boolean = isSimple && stack.length > 0 && stack.last == source

  /** Whether the step that is tried may be taken; if so, and edges matter, it is noted. */
  private def leads(): Boolean = {
    val v = stack.nextVertex
    val left = distances(v, stack.nextState)
    if (left < 0 || !isAllowed(v)) false
    else if (stack.length + 1L + left > most) {
      cut = true
      false
    } else !isTrail || note()
  }

  private def isAllowed(v: Int): Boolean =
    visits == null || visits(v) == 0 ||
      // The only step that may come back, if that ends the path.
      (isSimple && v == source && (target < 0 || target == source) &&
        route.automaton.accepts(stack.nextState))

  private def note(): Boolean = {
    val i = stack.length
    val v = stack.last
    val w = stack.nextVertex
    val label = stack.label(i)
    edges.add(
      names.source(label, v, w),
      names.target(label, v, w),
      route.edge(label).relation,
      names.copy(label, v, w, stack.copy(i)))
  }

  private def leave(): Unit = {
    if (visits != null) visits(stack.last) = (visits(stack.last) - 1).toByte
    stack.pop()
    if (isTrail && stack.length >= 0) forget()
  }

  private def forget(): Unit = {
    val i = stack.length
    val v = stack.last
    val w = stack.nextVertex
    val label = stack.label(i)
    edges.remove(
      names.source(label, v, w),
      names.target(label, v, w),
      route.edge(label).relation,
      names.copy(label, v, w, stack.copy(i)))
  }
}

object PathEnumerator {

  /** What it takes before the first path. */
  def bytes(route: Route): Long = 8L * route.pairCount + route.vertexCount
}
