package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeMap, ExprId, Expression}

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
 * A pattern that a [[WcoJoin]] matches, and what it returns of a match.
 *
 * @param atoms over variables 0 until variables.length; each variable is at an edge
 * @param variables the column of each variable, produced here
 * @param columns of elements that predicates or the output read
 * @param comparisons between variables, decided on the index's codes
 * @param predicates over [[variables]] and [[columns]] that need the values themselves
 * @param lastPredicates predicates that may raise an error, and so are asked only where all else holds
 * @param order variables that the user wants bound first
 * @param values what each column of the join's output is, the number of rows not counted, over
 *   [[variables]] and [[columns]]
 */
final case class JoinPattern(
    atoms: Seq[JoinAtom],
    variables: Seq[Attribute],
    columns: Seq[AtomColumn],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    lastPredicates: Seq[Expression],
    order: Seq[Int],
    values: Seq[Expression]) {

  def produced: Seq[Attribute] = variables ++ columns.map(_.column)

  /** Equal for patterns that differ in names alone. */
  def canonicalized: JoinPattern = {
    val numbered = AttributeMap(produced.zipWithIndex.map { case (a, i) =>
      a -> a.withExprId(ExprId(i.toLong)).canonicalized.asInstanceOf[Attribute]
    })
    def plain(e: Expression): Expression =
      e.transform { case a: Attribute => numbered.getOrElse(a, a) }.canonicalized
    copy(
      variables = variables.map(numbered),
      columns = columns.map(c => c.copy(column = numbered(c.column))),
      predicates = predicates.map(plain),
      lastPredicates = lastPredicates.map(plain),
      values = values.map(plain))
  }

  /**
   * `(a)->(b), not exists (b)-(c)`: the edges, by the ends of each, with those that have no direction
   * and those that are only asked for; vertices stand at their ends.
   */
  def describe: String =
    atoms
      .filter(_.variables.size == 2)
      .map { a =>
        val test = a.test.fold("")(isThere => if (isThere) "exists " else "not exists ")
        val arrow = if (a.isUndirected) "-" else "->"
        val ends = a.variables.map(v => s"(${variables(v).name})")
        s"$test${ends.mkString(arrow)}"
      }
      .mkString(", ")
}
