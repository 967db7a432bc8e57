package io.wreath.spark.optimizer

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._

/**
 * Which columns of the leaves of a join tree must be equal: each such set that spans several leaves is
 * a variable.
 *
 * @param leaves of the tree
 * @param equal pairs of their columns, as the leaves call them
 */
final private[optimizer] class JoinGraph(
    leaves: IndexedSeq[PeeledLeaf],
    pairs: Seq[(Attribute, Attribute)]) {
  import JoinGraph._

  private val places: AttributeMap[Place] = AttributeMap(for {
    (leaf, i) <- leaves.zipWithIndex
    (own, column) <- leaf.columns.toSeq
  } yield own -> Place(i, column.exprId))

  val equal: Seq[(Attribute, Attribute)] = pairs.filter { case (a, b) =>
    places.contains(a) && places.contains(b)
  }

  private val parent = mutable.LinkedHashMap.empty[Place, Place]

  private def root(p: Place): Place = {
    val above = parent.getOrElseUpdate(p, p)
    if (above == p) p else root(above)
  }

  equal.foreach { case (a, b) => parent(root(places(b))) = root(places(a)) }

  /** The columns of each variable, by number. */
  val variables: IndexedSeq[Seq[Place]] =
    parent.keys.toIndexedSeq
      .groupBy(root)
      .values
      .filter(_.map(_.leaf).distinct.size > 1)
      .map(_.sortBy(p => (p.leaf, p.column.id)))
      .toIndexedSeq
      .sortBy(v => (v.head.leaf, v.head.column.id))

  private val variableOf: Map[Place, Int] =
    variables.zipWithIndex.flatMap { case (columns, v) => columns.map(_ -> v) }.toMap

  /** The variable of a column, if it is of one. */
  def variable(a: Attribute): Option[Int] = places.get(a).flatMap(variableOf.get)

  def variable(leaf: Int, column: Attribute): Option[Int] =
    variableOf.get(Place(leaf, column.exprId))

  /** By leaf, its variables. */
  val tables: IndexedSeq[Set[Int]] = leaves.indices.map { i =>
    variables.indices.filter(v => variables(v).exists(_.leaf == i)).toSet
  }
}

private[optimizer] object JoinGraph {

  /** A column of a leaf, as its base calls it. */
  final case class Place(leaf: Int, column: ExprId)

  /** The pairs of columns that a condition says are equal. */
  def pairs(conditions: Seq[Expression]): Seq[(Attribute, Attribute)] = conditions.collect {
    case EqualTo(a: Attribute, b: Attribute) => (a, b)
  }

  /** The same where one or both are cast. */
  def pairsBelowCasts(conditions: Seq[Expression]): Seq[(Attribute, Attribute)] = {
    def below(e: Expression): Expression = e match {
      case Cast(child, _, _, _) => below(child)
      case other => other
    }
    conditions.collect { case EqualTo(a, b) => (below(a), below(b)) }.collect {
      case (a: Attribute, b: Attribute) => (a, b)
    }
  }
}
