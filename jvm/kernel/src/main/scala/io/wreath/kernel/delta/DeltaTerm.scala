package io.wreath.kernel.delta

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{BindingPredicate, JoinProgram}
import io.wreath.pattern.ComparisonOp

/**
 * The part of a [[DeltaProgram]] that is seeded from the changed edges of pattern edge `index`. Its
 * program reads each relation in one of two versions: see [[DeltaTerm.relations]].
 */
final private[delta] class DeltaTerm(
    val index: Int,
    /** The relation whose changes are the seeds. */
    val relation: Int,
    val program: JoinProgram,
    /** By level, the index of its lists of the seed's ends among the shared sets, or -1. */
    val shared: Array[Int])
    extends Serializable {

  def seedLevels: Int = program.seedLevels
}

private[delta] object DeltaTerm {

  /** The index of a relation in the version that has the phase's changes, or has them not. */
  def versionOf(relation: Int, hasChanges: Boolean): Int =
    2 * relation + (if (hasChanges) 0 else 1)

  /** What the programs of one phase read, by [[versionOf]]. */
  def relations(changes: Array[GraphChange], isInsert: Boolean): Array[Relation] = {
    val versions = new Array[Relation](2 * changes.length)
    var i = 0
    while (i < changes.length) {
      val c = changes(i)
      versions(versionOf(i, hasChanges = true)) = if (isInsert) c.after else c.before
      versions(versionOf(i, hasChanges = false)) = c.between
      i += 1
    }
    versions
  }
}

/** A comparison of two variables by their ids, where codes do not keep the order of ids. */
final private[delta] class IdComparison(
    left: Int,
    op: ComparisonOp,
    right: Int,
    order: VertexOrder)
    extends BindingPredicate {

  private[this] val orEqual = op == ComparisonOp.LessOrEqual

  override val variables: IndexedSeq[Int] = Vector(left, right)

  override def accepts(binding: Array[Int]): Boolean = {
    val sign = order.compare(binding(left), binding(right))
    sign < 0 || (orEqual && sign == 0)
  }
}
