package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.NumericType

import io.wreath.spark.logical.JoinsWish

/**
 * Whether an expression has a value for every input.
 *
 * A join asks a predicate as soon as its variables are bound, before others are decided, and so of
 * more rows than Spark's joins would. `b > 0 AND 10 / a > 1` must not fail for a vertex that has no
 * `b`: what may raise an error is left to a filter above the join.
 */
private[optimizer] object NeverRaises {

  def apply(e: Expression): Boolean = isHarmless(e) && e.children.forall(apply)

  private def isHarmless(e: Expression): Boolean = e match {
    case _: Attribute | _: Literal | _: JoinsWish => true
    case _: And | _: Or | _: Not | _: BinaryComparison | _: In | _: InSet => true
    case _: IsNull | _: IsNotNull | _: Coalesce | _: If | _: CaseWhen => true
    case _: GetStructField => true
    case _: StringPredicate | _: Like | _: Length | _: Substring => true
    case c: Cast => Cast.canUpCast(c.child.dataType, c.dataType)
    case Remainder(_, divisor, _) => isNonZero(divisor)
    case Pmod(_, divisor, _) => isNonZero(divisor)
    case _: BitwiseAnd | _: BitwiseOr | _: BitwiseXor | _: BitwiseNot => true
    // Outside ANSI mode numbers wrap around.
    case a @ (_: Add | _: Subtract | _: Multiply) =>
      a.dataType.isInstanceOf[NumericType] &&
      a.asInstanceOf[BinaryArithmetic].evalMode == EvalMode.LEGACY
    case _ => false
  }

  private def isNonZero(e: Expression): Boolean = e match {
    case Literal(value: Number, _) => value.longValue != 0
    case _ => false
  }
}
