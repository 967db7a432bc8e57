package io.wreath.spark.execution

import io.wreath.kernel.csr.Csr
import io.wreath.kernel.intersect.GallopingSearch
import io.wreath.spark.index.{CsrRelation, JoinSpace}

/**
 * Goes through the rows that some elements of a binding stand for: a vertex for one, an edge for as
 * many as there are parallel edges. Several edges give all combinations.
 *
 * Use: [[start]], then [[next]] until it is false. Not thread-safe.
 *
 * @param chosen the elements, by number
 */
final private[execution] class RowChoices(
    chosen: Seq[Int],
    elements: JoinElements,
    space: JoinSpace) {

  /** The current row of each element, by number; of those that are not chosen it has no meaning. */
  val rows: Array[Int] = new Array[Int](elements.atoms.size)

  private val vertices = chosen.filter(elements.atoms(_).isVertex).toArray
  private val vertexVariable = vertices.map(elements.atoms(_).variables.head)
  private val vertexRows = vertices.map(a => space.vertexRows(elements.relationOf(a)))

  private val edges = chosen.filter(elements.atoms(_).isEdge).toArray
  private val source = edges.map(elements.atoms(_).variables(0))
  private val target = edges.map(elements.atoms(_).variables(1))
  private val isUndirected = edges.map(elements.atoms(_).isUndirected)
  private val lists: Array[Csr] = edges.map(a => space.graph(elements.relationOf(a)).forward)
  private val relations: Array[CsrRelation] =
    edges.map(a => space.relation(elements.relationOf(a)))

  // Rows from `first` until `until`; then, for an edge without a direction, those of the other one.
  private val first = new Array[Int](edges.length)
  private val until = new Array[Int](edges.length)
  private val backFirst = new Array[Int](edges.length)
  private val backUntil = new Array[Int](edges.length)

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
  def next(): Boolean = {
    var i = 0
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
