package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.types._

import io.wreath.spark.execution.WeighedSum

/**
 * An aggregate over rows, as one over fewer rows of which each stands for some of them:
 * {{{
 *   count(x)                 coalesce(sum(rows) FILTER (x IS NOT NULL), 0)
 *   sum(x), avg(x)           from the sum of x * rows, exact, and the count
 *   min(x), count(DISTINCT x), and what else does not care how often a row comes: as it is
 * }}}
 * Numbers with a binary point are left out: their sum depends on the order of rows.
 *
 * @param reads what it reads of a row
 * @param weighs whether it has to know how many rows a row stands for
 * @param made the aggregate over such rows
 * @param isCount whether a row that stands for none makes no difference to it
 */
final private[optimizer] case class WeighedAggregate(
    reads: AttributeSet,
    weighs: Boolean,
    made: Expression,
    isCount: Boolean = false)

private[optimizer] object WeighedAggregate {

  /**
   * None where it would not be the same.
   *
   * @param rows tells how many rows a row stands for
   */
  def of(e: AggregateExpression, rows: Attribute): Option[WeighedAggregate] =
    if (e.mode != Complete || !e.deterministic) None
    else
      e.aggregateFunction match {
        case f if e.isDistinct || ignoresRepeats(f) =>
          Some(WeighedAggregate(e.references, weighs = false, e))
        case Count(counted) =>
          val asked = counted.filter(_.nullable)
          val made = count(asked, e.filter, rows)
          Some(WeighedAggregate(
            AttributeSet(asked ++ e.filter),
            weighs = true,
            made,
            isCount = true))
        case s: Sum =>
          sum(s, e.filter, rows).map(WeighedAggregate(e.references, weighs = true, _))
        case a: Average =>
          average(a, e.filter, rows).map(WeighedAggregate(e.references, weighs = true, _))
        case _ => None
      }

  /** Whether it is the same where rows are repeated. */
  private def ignoresRepeats(f: AggregateFunction): Boolean = f match {
    case _: Min | _: Max | _: BitAndAgg | _: BitOrAgg | _: HyperLogLogPlusPlus => true
    case _ => false
  }

  private def count(
      asked: Seq[Expression],
      filter: Option[Expression],
      rows: Attribute): Expression = {
    val all = (asked.map(IsNotNull) ++ filter).reduceOption(And(_, _))
    val total = Sum(rows, NumericEvalContext(EvalMode.ANSI))
    Coalesce(Seq(total.toAggregateExpression(isDistinct = false, all), Literal(0L)))
  }

  private def sum(s: Sum, filter: Option[Expression], rows: Attribute): Option[Expression] = {
    val isError = s.evalContext.evalMode == EvalMode.ANSI
    whole(s.child, filter, rows).filter(_ => s.evalContext.evalMode != EvalMode.TRY).map { sum =>
      (s.child.dataType, s.dataType) match {
        case (d: DecimalType, result: DecimalType) =>
          If(
            IsNull(sum),
            Literal(null, result),
            CheckOverflowInSum(
              WeighedSum.scaled(sum, d.scale),
              result,
              !isError,
              s.getContextOrNull()))
        case _ => WeighedSum.asLong(sum, isError)
      }
    }
  }

  /** What Spark makes of its own sum and count, of these. */
  private def average(
      a: Average,
      filter: Option[Expression],
      rows: Attribute): Option[Expression] =
    whole(a.child, filter, rows).filter(_ => a.evalMode != EvalMode.TRY).map { sum =>
      val total = a.child.dataType match {
        case d: DecimalType => WeighedSum.scaled(sum, d.scale)
        case _ => Cast(sum, DoubleType)
      }
      val counted = count(Seq(a.child), filter, rows)
      a.evaluateExpression.transform {
        case b: AttributeReference if b.exprId == a.sum.exprId => total
        case b: AttributeReference if b.exprId == a.count.exprId => counted
      }
    }

  /** The sum of whole numbers, or of the digits of decimals. */
  private def whole(
      summed: Expression,
      filter: Option[Expression],
      rows: Attribute): Option[Expression] =
    digits(summed).map(WeighedSum(_, rows).toAggregateExpression(isDistinct = false, filter))

  private def digits(summed: Expression): Option[Expression] = summed.dataType match {
    case LongType => Some(summed)
    case IntegerType | ShortType | ByteType => Some(Cast(summed, LongType))
    case d: DecimalType if d.precision <= Decimal.MAX_LONG_DIGITS => Some(UnscaledValue(summed))
    case _ => None
  }
}
