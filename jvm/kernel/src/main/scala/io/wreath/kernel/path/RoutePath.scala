package io.wreath.kernel.path

/** The path along a route that was found last: its vertices, and which edge each step takes. */
trait RoutePath {

  /** How many steps. */
  def length: Int

  /** From 0, the source, to `length`. */
  def vertex(i: Int): Int

  /** The label of the step from the vertex at `i`. */
  def label(i: Int): Int

  /** Which of parallel edges that step takes, counted from 0. */
  def copy(i: Int): Int
}
