package io.wreath.spark.execution

import io.wreath.kernel.lists.{Adjacency, ElementCounter, GallopingSearch}
import io.wreath.spark.index.CsrRelation

/**
 * Goes through the rows that some elements of a binding stand for: a vertex for one, an edge for as
 * many as there are parallel edges. Several edges give all combinations.
 *
 * Use: [[start]], then [[settle]], then [[next]], until one of them is false. Not thread-safe.
 *
 * @param chosen the elements, by number
 * @param differing pairs of edges among them that must be different rows
 * @param interrupt runs once in a while; it ends the search by throwing
 */
final private[execution] class RowChoices(
    chosen: Seq[Int],
    elements: PatternElements,
    differing: Seq[(Int, Int)],
    interrupt: Runnable) {

  /** The current row of each element, by number; of those that are not chosen it has no meaning. */
  val rows: Array[Int] = new Array[Int](elements.atoms.size)

  private val vertices = chosen.filter(elements.atoms(_).isVertex).toArray
  private val vertexVariable = vertices.map(elements.atoms(_).variables.head)
  private val vertexRows = vertices.map(a => elements.space.vertexRows(elements.relationOf(a)))

  private[execution] val edges = chosen.filter(elements.atoms(_).isEdge).toArray
  private val source = edges.map(elements.atoms(_).variables(0))
  private val target = edges.map(elements.atoms(_).variables(1))
  private val isUndirected = edges.map(elements.atoms(_).isUndirected)
  private val lists: Array[Adjacency] = edges.map(a => elements.graph(a).forward)
  private val relations: Array[CsrRelation] =
    edges.map(a => elements.index(a))

  // By edge, those with greater places from which it must differ.
  private val outer = Array.tabulate(edges.length) { i =>
    (i + 1 until edges.length).filter { j =>
      differing.contains((edges(i), edges(j))) || differing.contains((edges(j), edges(i)))
    }.toArray
  }
  private val work = new ElementCounter(interrupt)

  // Rows from `first` until `until`; then, for an edge without a direction, those of the other one.
  private[execution] val first = new Array[Int](edges.length)
  private[execution] val until = new Array[Int](edges.length)
  private[execution] val backFirst = new Array[Int](edges.length)
  private[execution] val backUntil = new Array[Int](edges.length)

  /** Takes the first row of each element. */
  def start(binding: Array[Int]): Unit = {
    var i = 0
    while (i < vertices.length) {
      rows(vertices(i)) = vertexRows(i)(binding(vertexVariable(i)))
      i += 1
    }
    i = 0
    while (i < edges.length) {
      val s = binding(source(i))
      val t = binding(target(i))
      val there = position(i, s, t)
      val back = if (isUndirected(i) && s != t) position(i, t, s) else -1
      if (there >= 0) {
        first(i) = relations(i).firstRow(there)
        until(i) = relations(i).firstRow(there + 1)
        backFirst(i) = if (back < 0) 0 else relations(i).firstRow(back)
        backUntil(i) = if (back < 0) 0 else relations(i).firstRow(back + 1)
      } else {
        first(i) = relations(i).firstRow(back)
        until(i) = relations(i).firstRow(back + 1)
        backFirst(i) = 0
        backUntil(i) = 0
      }
      rows(edges(i)) = first(i)
      i += 1
    }
  }

  private def position(edge: Int, from: Int, to: Int): Int = {
    val list = lists(edge)
    GallopingSearch.find(list.array(from), list.from(from), list.until(from), to)
  }

  /** Goes on to the next combination; false after the last. */
  def next(): Boolean = advance(0) && settle()

  /**
   * Goes on, unless it is right already, to a combination in which edges that must differ do; false if
   * there is none left. What begins with a clash is left out as a whole.
   */
  def settle(): Boolean = {
    var more = true
    var clash = firstClash()
    while (more && clash >= 0) {
      more = advance(clash)
      if (more) clash = firstClash()
    }
    more
  }

  /** The outermost edge that has the row of one further out from which it must differ; -1 if none has. */
  private def firstClash(): Int = {
    var i = edges.length - 1
    var found = -1
    while (found < 0 && i >= 0) {
      val others = outer(i)
      var j = 0
      while (found < 0 && j < others.length) {
        if (rows(edges(i)) == rows(edges(others(j)))) found = i
        j += 1
      }
      i -= 1
    }
    found
  }

  /** Gives an edge its next row, or one further out, and all further in their first. */
  private def advance(edge: Int): Boolean = {
    work.worked(ElementCounter.Candidate)
    var i = 0
    while (i < edge) {
      rows(edges(i)) = first(i)
      i += 1
    }
    var found = false
    while (!found && i < edges.length) {
      val row = rows(edges(i)) + 1
      if (row == until(i) && backFirst(i) < backUntil(i)) {
        rows(edges(i)) = backFirst(i)
        found = true
      } else if (row != until(i) && row != backUntil(i)) {
        rows(edges(i)) = row
        found = true
      } else {
        rows(edges(i)) = first(i)
        i += 1
      }
    }
    found
  }
}
