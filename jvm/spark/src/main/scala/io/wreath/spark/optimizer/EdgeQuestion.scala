package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{Attribute, EqualTo, Expression, IsNotNull}

import io.wreath.spark.logical.MatchExists

/**
 * A test that an index answers by looking: whether there is an edge between two vertices that the
 * pattern has bound.
 *
 * @param edge the element that is looked for
 * @param variables of the pattern, at its source and target
 */
final private[optimizer] case class EdgeQuestion(
    test: MatchExists,
    edge: ElementAtom,
    variables: Seq[Int])

private[optimizer] object EdgeQuestion {

  /**
   * Some, if the test is one bare edge and all that is asked is that its ends are two variables.
   *
   * @param variable of a column that is one, by number
   * @param plain a condition without casts that change no value
   */
  def of(
      test: MatchExists,
      variable: Attribute => Option[Int],
      plain: Expression => Expression): Option[EdgeQuestion] =
    test.right match {
      case ElementAtom(edge)
          if edge.isEdge && edge.conditions.forall(isTrivial(
            _,
            edge)) && edge.table.deterministic =>
        val found = test.condition.toSeq
          .flatMap(ElementAtom.conjuncts)
          .map(c => link(plain(c), edge, variable))
        if (found.exists(_.isEmpty)) None
        else {
          val ends = found.flatten
          val variables = edge.ends.map { end =>
            ends.collect { case (e, v) if e.exprId == end.exprId => v }.distinct
          }
          if (variables.forall(_.size == 1)) Some(EdgeQuestion(test, edge, variables.map(_.head)))
          else None
        }
      case _ => None
    }

  private def isTrivial(condition: Expression, edge: ElementAtom): Boolean = condition match {
    case IsNotNull(a: Attribute) => edge.ends.exists(_.exprId == a.exprId)
    case _ => false
  }

  /** An end of the edge, and the variable that it has to be. */
  private def link(
      condition: Expression,
      edge: ElementAtom,
      variable: Attribute => Option[Int]): Option[(Attribute, Int)] = {
    def end(a: Attribute): Option[Attribute] =
      edge.columns.get(a).filter(c => edge.ends.exists(_.exprId == c.exprId))
    condition match {
      case EqualTo(a: Attribute, b: Attribute) =>
        val pairs =
          for ((x, y) <- Seq((a, b), (b, a)); e <- end(x); v <- variable(y)) yield (e, v)
        pairs.headOption
      case _ => None
    }
  }
}
