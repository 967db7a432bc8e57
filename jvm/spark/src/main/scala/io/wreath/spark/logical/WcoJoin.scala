package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Statistics, UnaryNode}

import io.wreath.pattern.Comparison

/**
 * One element of a pattern in a [[WcoJoin]].
 *
 * @param relation which of the join's relations it reads
 * @param variables at its ends: source and target of an edge, one for a vertex
 * @param isUndirected whether the edge may lead either way
 * @param differentFrom elements before this one, of the same relation, that must be other rows of it
 * @param test an edge that is only asked for: whether it has to be there, or must not be. It binds
 *   nothing and multiplies nothing
 */
final case class JoinAtom(
    relation: Int,
    variables: Seq[Int],
    isUndirected: Boolean = false,
    differentFrom: Seq[Int] = Nil,
    test: Option[Boolean] = None) {

  def isEdge: Boolean = variables.size == 2 && test.isEmpty

  def isVertex: Boolean = variables.size == 1
}

/**
 * A column of an element beside its ends: read by a predicate, or handed on.
 *
 * @param column produced here
 * @param atom the element
 * @param ordinal among the columns of the element's relation, keys not counted
 */
final case class AtomColumn(column: Attribute, atom: Int, ordinal: Int)

/**
 * A join of many elements at once, variable by variable: what the optimizer decided to do with a
 * pattern.
 *
 * @param relations the edge and vertex tables, each once however many elements read it; keys come
 *   first, then the columns that are read
 * @param atoms the pattern over variables 0 until variables.length; each variable is at an edge
 * @param variables the column of each variable, produced here
 * @param columns of elements that predicates or the output read
 * @param comparisons between variables, decided on the index's codes
 * @param predicates over [[variables]] and [[columns]] that need the values themselves
 * @param order variables that the user wants bound first
 * @param goal what is asked of the join: its rows, or less
 * @param asJoins the same rows by Spark's joins, for when the index would not fit
 */
final case class WcoJoin(
    relations: Seq[LogicalPlan],
    atoms: Seq[JoinAtom],
    variables: Seq[Attribute],
    columns: Seq[AtomColumn],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    order: Seq[Int],
    goal: JoinGoal,
    asJoins: SparksJoins,
    output: Seq[Attribute])
    extends LogicalPlan {

  override def children: Seq[LogicalPlan] = relations

  override def producedAttributes: AttributeSet =
    AttributeSet(variables ++ columns.map(_.column) ++ goal.produced)

  /** Relations are read whole, by position: column pruning leaves them alone. */
  override lazy val references: AttributeSet = AttributeSet(relations.flatMap(_.output))

  /** How many of a relation's columns are keys. */
  def keyCount(relation: Int): Int =
    atoms.find(_.relation == relation).map(_.variables.size).getOrElse(0)

  /**
   * The bound of Atserias, Grohe and Marx for a relation of m rows and a pattern that is covered by
   * half-edges, m^(variables / 2): too large rather than too small, so that Spark does not
   * broadcast our result.
   */
  override lazy val stats: Statistics = {
    val rows = relations.map { r =>
      r.stats.rowCount.getOrElse(r.stats.sizeInBytes / EstimationUtils.getSizePerRow(r.output))
    }.max
    val bound = BigDecimal(
      math.min(math.pow(rows.toDouble.max(1), variables.size / 2.0), WcoJoin.MostRows)).toBigInt
    Statistics(sizeInBytes = bound * EstimationUtils.getSizePerRow(output), rowCount = None)
  }

  override def simpleString(maxFields: Int): String =
    s"WcoJoin ${WcoJoin.describeAtoms(atoms, variables)}${goal.text(output)}"

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): WcoJoin = copy(relations = newChildren)
}

object WcoJoin {

  /** More than any relation holds; beyond it a Double has no number for the bound. */
  private val MostRows = 1e100

  /** Likewise, with edges that have no direction, and those that are only asked for. */
  def describeAtoms(atoms: Seq[JoinAtom], variables: Seq[Attribute]): String =
    atoms
      .filter(_.variables.size == 2)
      .map { a =>
        val test = a.test.fold("")(isThere => if (isThere) "exists " else "not exists ")
        val arrow = if (a.isUndirected) "-" else "->"
        val ends = a.variables.map(v => s"(${variables(v).name})")
        s"$test${ends.mkString(arrow)}"
      }
      .mkString(", ")

  /** `(a)->(b), (b)->(c)`: the edges, by the ends of each; vertices stand at their ends. */
  def describe(elements: Seq[Seq[Int]], variables: Seq[Attribute]): String =
    elements
      .collect { case Seq(source, target) =>
        s"(${variables(source).name})->(${variables(target).name})"
      }
      .mkString(", ")
}

/**
 * A plan that is kept beside a join and is not part of it: no rule sees it, and two joins that
 * differ only in it are the same.
 */
final class SparksJoins(val plan: LogicalPlan) {
  override def equals(other: Any): Boolean = other.isInstanceOf[SparksJoins]
  override def hashCode: Int = 0
  override def toString: String = "Spark's joins"
}

/** Marks joins of a pattern that stay Spark's own, so that EXPLAIN can say why. */
final case class WcoJoinDeclined(reason: String, child: LogicalPlan) extends UnaryNode {

  override def output: Seq[Attribute] = child.output

  override protected def withNewChildInternal(newChild: LogicalPlan): WcoJoinDeclined =
    copy(child = newChild)
}
