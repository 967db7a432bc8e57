package io.wreath.kernel.path

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * The shortest paths along a route between two vertices, one at a call of [[next]]: by length, and of one length
 * in the order of [[PathEnumerator]]. `ANY SHORTEST` is one path, `SHORTEST k` k of them, `ALL SHORTEST` one group
 * of equal length, `SHORTEST k GROUPS` k groups.
 *
 * A mode restricts first: the shortest trails are sought among trails, length by length. Walks of one length
 * are made without a step in vain.
 */
sealed trait ShortestRoutes extends RoutePath {

  /** Where paths are to end. Cost: searching back from there. */
  def aim(target: Int): Unit

  /** Begins anew. */
  def open(source: Int): Unit

  /** Goes on to the next path; false if there is none, or enough were found. */
  def next(): Boolean
}

object ShortestRoutes {

  /**
   * @param count how many paths, or groups of paths of equal length, are wanted
   * @param interrupt runs several times a millisecond, and ends the search by throwing
   */
  def apply(
      route: Route,
      mode: PathMode,
      count: Int,
      isGroups: Boolean,
      interrupt: Runnable = Pieces.NoInterrupt): ShortestRoutes = {
    if (count < 1) throw new IllegalArgumentException(s"There cannot be $count shortest paths.")
    if (mode == PathMode.Walk) new ShortestWalks(route, count, isGroups, interrupt)
    else new ShortestInMode(route, mode, count, isGroups, interrupt)
  }

  /** What is left of what is wanted. */
  final private class Quota(count: Int, isGroups: Boolean) {
    private[this] var left = 0
    private[this] var hasPath = false
    def open(): Unit = {
      left = count
      hasPath = false
    }
    def isUsedUp: Boolean = left == 0
    def path(): Unit = {
      hasPath = true
      if (!isGroups) left -= 1
    }
    def lengthEnds(): Unit = {
      if (isGroups && hasPath) left -= 1
      hasPath = false
    }
  }

  final private class ShortestWalks(
      route: Route,
      count: Int,
      isGroups: Boolean,
      interrupt: Runnable)
      extends ShortestRoutes {
    private[this] val read = new ElementCounter(interrupt)
    private[this] val layers = new WalkLayers(route, read)
    private[this] val stack = new RouteStack(route, read)
    private[this] val quota = new Quota(count, isGroups)
    private[this] var source = 0
    private[this] var steps = -1
    private[this] var isEnded = false

    override def aim(target: Int): Unit = {
      layers.open(target, count)
      isEnded = false
    }

    override def open(source: Int): Unit = {
      this.source = source
      steps = -1
      quota.open()
      while (stack.length >= 0) stack.pop()
    }

    override def next(): Boolean = {
      var found = false
      while (!found && !quota.isUsedUp && (stack.length >= 0 || nextLength())) {
        if (stack.length == steps) {
          // A walk of no steps is whole as soon as it is begun; any other was given when it came here.
          if (steps == 0 && isFirst) {
            isFirst = false
            found = true
          } else stack.pop()
        } else if (!stack.next()) stack.pop()
        else if (layers.has(stack.nextVertex, stack.nextState, steps - stack.length - 1)) {
          stack.push()
          found = stack.length == steps
        }
      }
      if (found) quota.path()
      found
    }

    private[this] var isFirst = false

    /** Goes on to the next length by which there is a walk from the source. */
    private def nextLength(): Boolean = {
      quota.lengthEnds()
      var found = false
      if (!quota.isUsedUp) {
        steps += 1
        while (!found && reaches(steps)) {
          found = layers.has(source, 0, steps)
          if (!found) steps += 1
        }
      }
      if (found) {
        stack.open(source)
        isFirst = true
      }
      found
    }

    private def reaches(steps: Int): Boolean = {
      while (!isEnded && layers.layer < steps) {
        read.worked(1L)
        isEnded = !layers.advance()
      }
      steps <= layers.layer
    }

    override def length: Int = stack.length
    override def vertex(i: Int): Int = stack.vertex(i)
    override def label(i: Int): Int = stack.label(i)
    override def copy(i: Int): Int = stack.copy(i)
  }

  final private class ShortestInMode(
      route: Route,
      mode: PathMode,
      count: Int,
      isGroups: Boolean,
      interrupt: Runnable)
      extends ShortestRoutes {
    private[this] val paths = new PathEnumerator(route, mode, interrupt)
    private[this] val quota = new Quota(count, isGroups)
    private[this] var source = 0
    private[this] var steps = -1

    override def aim(target: Int): Unit = paths.aim(target)

    override def open(source: Int): Unit = {
      this.source = source
      steps = paths.fewest(source)
      quota.open()
      if (steps >= 0) paths.open(source, Hops(steps, steps))
    }

    override def next(): Boolean = {
      var found = false
      while (!found && steps >= 0 && !quota.isUsedUp) {
        found = paths.next()
        if (!found) {
          quota.lengthEnds()
          steps = if (paths.wasCut) steps + 1 else -1
          if (steps >= 0) paths.open(source, Hops(steps, steps))
        }
      }
      if (found) quota.path()
      found
    }

    override def length: Int = paths.length
    override def vertex(i: Int): Int = paths.vertex(i)
    override def label(i: Int): Int = paths.label(i)
    override def copy(i: Int): Int = paths.copy(i)
  }

  /** What it takes at most, beside the path itself. Walks take it by and by, as they get longer. */
  def bytes(route: Route, mode: PathMode, count: Int): Long =
    if (mode == PathMode.Walk) {
      4L * route.pairCount + 16L * Math.min(route.pairCount * count, WalkLayers.MostPlaces)
    } else PathEnumerator.bytes(route)
}
