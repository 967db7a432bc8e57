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

  private val vertices = chosen.filterNot(elements.atoms(_).isEdge).toArray
  private val vertexVariable = vertices.map(elements.atoms(_).variables.head)
  private val vertexRows = vertices.map(a => space.vertexRows(elements.relationOf(a)))

  private val edges = chosen.filter(elements.atoms(_).isEdge).toArray
  private val source = edges.map(elements.atoms(_).variables(0))
  private val target = edges.map(elements.atoms(_).variables(1))
  private val lists: Array[Csr] = edges.map(a => space.graph(elements.relationOf(a)).forward)
  private val relations: Array[CsrRelation] =
    edges.map(a => space.relation(elements.relationOf(a)))
  private val first = new Array[Int](edges.length)
  private val until = new Array[Int](edges.length)

  /** Takes the first row of each element. */
  def start(binding: Array[Int]): Unit = {
    var i = 0
    while (i < vertices.length) {
      rows(vertices(i)) = vertexRows(i)(binding(vertexVariable(i)))
      i += 1
    }
    i = 0
    while (i < edges.length) {
      val list = lists(i)
      val s = binding(source(i))
      val at = GallopingSearch.find(
        list.array(s),
        list.from(s),
        list.until(s),
        binding(target(i)))
      first(i) = relations(i).firstRow(at)
      until(i) = relations(i).firstRow(at + 1)
      rows(edges(i)) = first(i)
      i += 1
    }
  }

  /** Goes on to the next combination; false after the last. */
  def next(): Boolean = {
    var i = 0
    var found = false
    while (!found && i < edges.length) {
      rows(edges(i)) += 1
      if (rows(edges(i)) < until(i)) found = true
      else {
        rows(edges(i)) = first(i)
        i += 1
      }
    }
    found
  }
}
