package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.ElementCounter

/**
 * For each vertex and state, how many steps a walk needs at least from there to a target: what keeps a search
 * of paths from going where no path can end.
 *
 * Memory: 8 bytes for each vertex and state.
 */
final private[path] class RouteDistances(route: Route, read: ElementCounter) {
  private[this] val n = route.vertexCount
  private[this] val distances = new Array[Int](route.pairCount.toInt)
  private[this] val queue = new Array[Int](distances.length)
  private[this] var count = 0

  /** @param target a vertex, or -1 for any */
  def aim(target: Int): Unit = {
    Arrays.fill(distances, -1)
    count = 0
    var state = 0
    while (state < route.automaton.stateCount) {
      if (route.automaton.accepts(state)) {
        if (target >= 0) reach(route.pair(target, state), 0)
        else {
          var v = 0
          while (v < n) {
            reach(route.pair(v, state), 0)
            v += 1
          }
          read.worked(n)
        }
      }
      state += 1
    }
    var i = 0
    while (i < count) {
      val pair = queue(i)
      var label = 0
      while (label < route.labelCount) {
        val origins = route.automaton.origins(pair / n, label)
        var o = 0
        while (o < origins.length) {
          back(route.steps(label), pair % n, origins(o) * n, distances(pair) + 1)
          o += 1
        }
        label += 1
      }
      i += 1
    }
  }

  /** Steps to the target, or -1 if no walk leads there. */
  def apply(v: Int, state: Int): Int = distances(state * n + v)

  private def back(steps: Steps, v: Int, base: Int, distance: Int): Unit = {
    val list = steps.in.array(v)
    var k = steps.in.from(v)
    val end = steps.in.until(v)
    read.add(end - k + 1)
    while (k < end) {
      reach(base + list(k), distance)
      k += 1
    }
  }

  private def reach(pair: Int, distance: Int): Unit = if (distances(pair) < 0) {
    distances(pair) = distance
    queue(count) = pair
    count += 1
  }
}
