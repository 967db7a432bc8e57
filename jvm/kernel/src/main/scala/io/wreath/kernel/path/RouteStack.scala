package io.wreath.kernel.path

import java.util.Arrays

import io.wreath.kernel.lists.ElementCounter

/**
 * A path along a route that is being made, step by step, and what is left to try at each of its vertices. Steps
 * are tried by the smallest next vertex, then by label, and parallel edges one after the other.
 *
 * Memory: by the longest path so far, some words for each step.
 */
final private[path] class RouteStack(route: Route, read: ElementCounter) {
  private[this] val labels = route.labelCount

  private[this] var vertices = new Array[Int](16)
  private[this] var states = new Array[Int](16)
  private[this] var cursors = new Array[Int](16 * labels)
  // The step that was tried last from the vertex at a place: its label and which of parallel edges.
  private[this] var tried = new Array[Int](16)
  private[this] var copies = new Array[Int](16)
  private[this] var top = -1
  private[this] var candidate = 0

  def open(source: Int): Unit = {
    top = -1
    enter(source, 0)
  }

  /** How many steps the path has, or -1 if it is used up. */
  def length: Int = top

  def vertex(i: Int): Int = vertices(i)

  /** The label of the step from the vertex at `i`. */
  def label(i: Int): Int = tried(i)

  /** Which of parallel edges that step takes. */
  def copy(i: Int): Int = copies(i)

  def last: Int = vertices(top)

  def lastState: Int = states(top)

  /** Goes on to the next step that is to be tried; false if there is none. */
  def next(): Boolean = {
    read.worked(labels + 1)
    val label = tried(top)
    if (label >= 0 && copies(top) + 1 < copiesOf(label)) {
      copies(top) += 1
      true
    } else {
      if (label >= 0) cursors(top * labels + label) += 1
      choose()
    }
  }

  /** Where the step that is tried leads. */
  def nextVertex: Int = candidate

  def nextState: Int = route.automaton.move(states(top), tried(top))

  def push(): Unit = enter(candidate, nextState)

  def pop(): Unit = {
    top -= 1
    if (top >= 0) candidate = at(tried(top))
  }

  private def at(label: Int): Int =
    route.steps(label).out.array(vertices(top))(cursors(top * labels + label))

  private def copiesOf(label: Int): Int = {
    val mult = route.steps(label).out.multiplicities(vertices(top))
    if (mult == null) 1 else mult(cursors(top * labels + label))
  }

  private def choose(): Boolean = {
    val v = vertices(top)
    val state = states(top)
    var best = -1
    var least = 0
    var label = 0
    while (label < labels) {
      if (route.automaton.move(state, label) >= 0) {
        val out = route.steps(label).out
        val cursor = cursors(top * labels + label)
        if (cursor < out.until(v)) {
          val w = out.array(v)(cursor)
          if (best < 0 || w < least) {
            best = label
            least = w
          }
        }
      }
      label += 1
    }
    tried(top) = best
    copies(top) = 0
    candidate = least
    best >= 0
  }

  private def enter(v: Int, state: Int): Unit = {
    top += 1
    if (top == vertices.length) grow()
    vertices(top) = v
    states(top) = state
    tried(top) = -1
    var label = 0
    while (label < labels) {
      cursors(top * labels + label) = route.steps(label).out.from(v)
      label += 1
    }
  }

  private def grow(): Unit = {
    val size = 2 * vertices.length
    vertices = Arrays.copyOf(vertices, size)
    states = Arrays.copyOf(states, size)
    tried = Arrays.copyOf(tried, size)
    copies = Arrays.copyOf(copies, size)
    cursors = Arrays.copyOf(cursors, Math.multiplyExact(size, labels))
  }
}
