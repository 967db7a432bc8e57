package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._

import io.wreath.pattern.{Comparison, ComparisonOp}

/** Conditions between two variables of a pattern, which a join decides on codes. */
private[optimizer] object VariableComparison {
  import ComparisonOp._

  /** @param variable of a column that is one, by number */
  def of(condition: Expression, variable: Attribute => Option[Int]): Option[Comparison] = {
    def between(l: Expression, op: ComparisonOp, r: Expression): Option[Comparison] =
      (l, r) match {
        case (a: Attribute, b: Attribute) =>
          for (left <- variable(a); right <- variable(b)) yield Comparison(left, op, right)
        case _ => None
      }
    condition match {
      case LessThan(l, r) => between(l, Less, r)
      case LessThanOrEqual(l, r) => between(l, LessOrEqual, r)
      case GreaterThan(l, r) => between(r, Less, l)
      case GreaterThanOrEqual(l, r) => between(r, LessOrEqual, l)
      case Not(EqualTo(l, r)) => between(l, NotEqual, r)
      case _ => None
    }
  }
}
