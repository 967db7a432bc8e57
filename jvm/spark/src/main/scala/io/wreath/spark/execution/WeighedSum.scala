package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.expressions.{
  And,
  AttributeReference,
  Expression,
  If,
  IsNull,
  Literal
}
import org.apache.spark.sql.catalyst.trees.BinaryLike
import org.apache.spark.sql.types.{BooleanType, DataType, DecimalType, LongType}

/**
 * The sum of a value over rows that each stand for several: exact, in 128 bits, and NULL where no row has a
 * value.
 *
 * @param value of a row, a Long
 * @param rows how many it stands for, a Long that is never NULL
 */
final private[wreath] case class WeighedSum(value: Expression, rows: Expression)
    extends DeclarativeAggregate
    with BinaryLike[Expression] {

  override def left: Expression = value
  override def right: Expression = rows

  override def nullable: Boolean = true
  override def dataType: DataType = WeighedSum.Whole
  override def prettyName: String = "weighed_sum"

  private lazy val high = AttributeReference("high", LongType, nullable = false)()
  private lazy val low = AttributeReference("low", LongType, nullable = false)()
  private lazy val isEmpty = AttributeReference("isEmpty", BooleanType, nullable = false)()

  override lazy val aggBufferAttributes: Seq[AttributeReference] = Seq(high, low, isEmpty)

  override lazy val initialValues: Seq[Expression] =
    Seq(Literal(0L), Literal(0L), Literal(true, BooleanType))

  override lazy val updateExpressions: Seq[Expression] = Seq(
    If(IsNull(value), high, WeighedSum.long("addedHigh", high, low, value, rows)),
    If(IsNull(value), low, WeighedSum.long("addedLow", low, value, rows)),
    And(isEmpty, IsNull(value)))

  override lazy val mergeExpressions: Seq[Expression] = Seq(
    WeighedSum.long("summedHigh", high.left, low.left, high.right, low.right),
    WeighedSum.long("summedLow", low.left, low.right),
    And(isEmpty.left, isEmpty.right))

  override lazy val evaluateExpression: Expression =
    If(
      isEmpty,
      Literal(null, dataType),
      WeighedSum.invoked("decimal", dataType, Seq(high, low)))

  override protected def withNewChildrenInternal(
      newLeft: Expression,
      newRight: Expression): WeighedSum = copy(value = newLeft, rows = newRight)
}

private[wreath] object WeighedSum {

  private val Whole = DecimalType(DecimalType.MAX_PRECISION, 0)

  /** The sum as a Long, which is an error or wraps around where it does not fit. */
  def asLong(sum: Expression, isError: Boolean): Expression =
    invoked(if (isError) "exactLong" else "wrappedLong", LongType, Seq(sum))

  /** The sum of unscaled values, as a decimal of that scale. */
  def scaled(sum: Expression, scale: Int): Expression =
    invoked("scaled", DecimalType(DecimalType.MAX_PRECISION, scale), Seq(sum, Literal(scale)))

  private def long(function: String, of: Expression*): Expression =
    invoked(function, LongType, of)

  private def invoked(function: String, tpe: DataType, of: Seq[Expression]): Expression =
    StaticInvoke(WideNumbers.getClass, tpe, function, of, returnNullable = false)
}
