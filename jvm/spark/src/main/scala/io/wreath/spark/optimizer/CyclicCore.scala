package io.wreath.spark.optimizer

import scala.annotation.tailrec

/**
 * What makes a join cyclic, by the reduction of Graham, Yu and Özsoyoğlu: a variable that one table
 * alone has is dropped, and a table whose variables are all in another's, until there is none such.
 * {{{
 *   x(a, b)  y(b, c)  z(a, c)  d(a)      d is dropped, x, y and z are left
 *   x(a, b)  y(b, c)  z(c, d)            nothing is left
 * }}}
 * Of a join that leaves nothing Spark's plan has small intermediate results, if it is a good one; of
 * what is left, no plan of two tables at a time needs to have.
 */
private[optimizer] object CyclicCore {

  /**
   * The tables that are left, by number: none of an acyclic join.
   *
   * @param tables each by its variables
   */
  def of(tables: IndexedSeq[Set[Int]]): Set[Int] = reduce(tables, tables.indices.toSet).keySet

  /**
   * The tables of a core that all have two variables in it, as edges do. A table with more of them is
   * left out, and what is cyclic without it is looked for.
   */
  @tailrec
  def ofEdges(tables: IndexedSeq[Set[Int]], among: Set[Int]): Set[Int] = {
    val left = reduce(tables, among)
    val wide = left.collect { case (table, variables) if variables.size > 2 => table }
    if (wide.isEmpty) left.keySet else ofEdges(tables, among -- wide)
  }

  private def reduce(tables: IndexedSeq[Set[Int]], among: Set[Int]): Map[Int, Set[Int]] = {
    @tailrec
    def step(left: Map[Int, Set[Int]]): Map[Int, Set[Int]] = {
      val shared = left.values.toSeq.flatten.groupBy(identity).filter(_._2.size > 1).keySet
      val narrowed = left.map { case (table, variables) => table -> variables.intersect(shared) }
      // One at a time: of two that have the same variables, one stays.
      val ear = narrowed.keys.toSeq.sorted.reverse.find { t =>
        narrowed(t).isEmpty ||
        narrowed.exists { case (other, variables) =>
          other != t && narrowed(t).subsetOf(variables)
        }
      }
      ear match {
        case Some(table) => step(narrowed - table)
        case None => narrowed
      }
    }
    step(among.map(t => t -> tables(t)).toMap)
  }
}
