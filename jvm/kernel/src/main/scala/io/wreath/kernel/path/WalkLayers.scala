package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.ElementCounter

/**
 * From which vertices and states a target is reached by walks of exactly so many steps, for each number of steps
 * in turn.
 *
 * Each vertex and state is in the layers of its `most` smallest numbers only. That is enough for the `most`
 * smallest numbers from any source: if a walk went through a place with a greater number of steps left, there
 * would be as many shorter walks from the source.
 *
 * Memory: 4 bytes for each vertex and state, 16 for each of them and layer that it is in.
 */
final private[path] class WalkLayers(route: Route, read: ElementCounter) {
  private[this] val n = route.vertexCount
  // The entry of a vertex and state in the highest layer so far, and from there to lower ones.
  private[this] val highest = new Array[Int](route.pairCount.toInt)
  private[this] var pairs = new Array[Int](64)
  private[this] var lower = new Array[Int](64)
  private[this] var layers = new Array[Int](64)
  private[this] var ranks = new Array[Int](64)
  private[this] var count = 0
  private[this] var begin = 0
  private[this] var current = 0
  private[this] var most = 0

  /** The layer of no steps. */
  def open(target: Int, most: Int): Unit = {
    Arrays.fill(highest, -1)
    this.most = most
    count = 0
    begin = 0
    current = 0
    var state = 0
    while (state < route.automaton.stateCount) {
      if (route.automaton.accepts(state)) add(route.pair(target, state))
      state += 1
    }
  }

  /** The layer that was made last. */
  def layer: Int = current

  /** Makes the next layer; false if it is empty. */
  def advance(): Boolean = {
    val (from, until) = (begin, count)
    begin = count
    current += 1
    var i = from
    while (i < until) {
      val pair = pairs(i)
      var label = 0
      while (label < route.labelCount) {
        val origins = route.automaton.origins(pair / n, label)
        var o = 0
        while (o < origins.length) {
          back(route.steps(label), pair % n, origins(o) * n)
          o += 1
        }
        label += 1
      }
      i += 1
    }
    begin < count
  }

  /** Whether the target is reached by exactly `steps` steps, which are not more than the layer. */
  def has(v: Int, state: Int, steps: Int): Boolean = {
    var entry = highest(state * n + v)
    while (entry >= 0 && layers(entry) > steps) entry = lower(entry)
    entry >= 0 && layers(entry) == steps
  }

  private def back(steps: Steps, v: Int, base: Int): Unit = {
    val list = steps.in.array(v)
    var k = steps.in.from(v)
    val end = steps.in.until(v)
    read.add(end - k + 1)
    while (k < end) {
      add(base + list(k))
      k += 1
    }
  }

  private def add(pair: Int): Unit = {
    val before = highest(pair)
    val rank = if (before < 0) 1 else ranks(before) + 1
    if (rank <= most && (before < 0 || layers(before) != current)) {
      if (count == pairs.length) grow()
      pairs(count) = pair
      lower(count) = before
      layers(count) = current
      ranks(count) = rank
      highest(pair) = count
      count += 1
    }
  }

  private def grow(): Unit = {
    val size = Math.min(2L * count, WalkLayers.MostPlaces).toInt
    if (size == count) {
      throw new ArithmeticException("These walks have more places than an array can hold.")
    }
    pairs = Arrays.copyOf(pairs, size)
    lower = Arrays.copyOf(lower, size)
    layers = Arrays.copyOf(layers, size)
    ranks = Arrays.copyOf(ranks, size)
  }
}

private[path] object WalkLayers {

  /** In all layers together. */
  final val MostPlaces = Int.MaxValue - 8L
}
