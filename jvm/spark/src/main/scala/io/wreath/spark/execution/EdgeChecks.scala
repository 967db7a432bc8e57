package io.wreath.spark.execution

import io.wreath.kernel.join.BindingPredicate
import io.wreath.kernel.lists.GallopingSearch

/** A condition on a binding and on the rows that its elements stand for. */
private[execution] trait RowPredicate {

  /** @param rows by element, the row it stands for */
  def accepts(binding: Array[Int], rows: Array[Int]): Boolean
}

/** What a join asks of its edges beside the lists it reads. */
private[execution] object EdgeChecks {

  /**
   * Pairs of edges that must be different rows of which each stands for one row: then it is enough
   * that they are not the same edge.
   */
  def onCodes(elements: PatternElements): Seq[(Int, Int)] =
    pairs(elements).filterNot { case (i, j) => repeats(i, j, elements) }

  /** The other pairs: which rows they stand for has to be looked at. */
  def onRows(elements: PatternElements): Seq[(Int, Int)] =
    pairs(elements).filter { case (i, j) => repeats(i, j, elements) }

  private def repeats(i: Int, j: Int, elements: PatternElements): Boolean =
    elements.lists(i).hasDuplicates || elements.lists(j).hasDuplicates

  private def pairs(elements: PatternElements): Seq[(Int, Int)] =
    for ((a, i) <- elements.atoms.zipWithIndex; j <- a.differentFrom) yield (i, j)

  /** Whether a join has any. */
  def isNeeded(elements: PatternElements): Boolean =
    elements.atoms.exists(a => a.test.isDefined || a.differentFrom.nonEmpty)

  /** Asked as soon as the vertices at the edges' ends are bound. */
  def predicates(elements: PatternElements): Seq[BindingPredicate] =
    onCodes(elements).map { case (i, j) => differentEdges(i, j, elements) } ++
      elements.atoms.indices.filter(elements.atoms(_).test.isDefined).map { i =>
        test(i, elements)
      }

  private def differentEdges(i: Int, j: Int, elements: PatternElements): BindingPredicate = {
    val (a, b) = (elements.atoms(i), elements.atoms(j))
    new BindingPredicate {
      private[this] val Seq(s1, t1) = a.variables: @unchecked
      private[this] val Seq(s2, t2) = b.variables: @unchecked
      private[this] val eitherWay = a.isUndirected || b.isUndirected

      override val variables: IndexedSeq[Int] = (a.variables ++ b.variables).distinct.toIndexedSeq

      override def accepts(binding: Array[Int]): Boolean = {
        val same = binding(s1) == binding(s2) && binding(t1) == binding(t2)
        val opposite = binding(s1) == binding(t2) && binding(t1) == binding(s2)
        !same && !(eitherWay && opposite)
      }
    }
  }

  private def test(atom: Int, elements: PatternElements): BindingPredicate =
    new BindingPredicate {
      private[this] val Seq(source, target) = elements.atoms(atom).variables: @unchecked
      private[this] val isThere = elements.atoms(atom).test.get
      private[this] val lists = elements.lists(atom).forward

      override val variables: IndexedSeq[Int] =
        elements.atoms(atom).variables.distinct.toIndexedSeq

      override def accepts(binding: Array[Int]): Boolean = {
        val s = binding(source)
        val at =
          GallopingSearch.find(lists.array(s), lists.from(s), lists.until(s), binding(target))
        (at >= 0) == isThere
      }
    }
}
