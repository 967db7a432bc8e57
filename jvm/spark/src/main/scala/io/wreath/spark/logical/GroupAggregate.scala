package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult.{TypeCheckFailure, TypeCheckSuccess}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/**
 * An aggregate over the values that one path has of a group of its edges: what Spark's function of the same
 * name would be over rows with these values, in the order of the path.
 *
 * @param function in upper case
 * @param values an array
 * @param separator of LISTAGG
 */
final case class GroupAggregate(
    function: String,
    values: Expression,
    separator: Option[Expression])
    extends RuntimeReplaceable {

  override def children: Seq[Expression] = values +: separator.toSeq

  override def checkInputDataTypes(): TypeCheckResult = function match {
    case "SUM" | "AVG" | "MEAN" =>
      element match {
        case _: NumericType => TypeCheckSuccess
        case other => TypeCheckFailure(s"$function needs numbers, and here are ${other.sql}")
      }
    case "MIN" | "MAX" => if (RowOrdering.isOrderable(element)) TypeCheckSuccess
      else TypeCheckFailure(s"$function needs values with an order, and here are ${element.sql}")
    case "LISTAGG" | "STRING_AGG" =>
      element match {
        case _: ArrayType | _: StructType | _: MapType =>
          TypeCheckFailure(s"$function needs strings, and here are ${element.sql}")
        case _ => TypeCheckSuccess
      }
    case _ => TypeCheckSuccess
  }

  private def element: DataType = values.dataType.asInstanceOf[ArrayType].elementType

  private lazy val present: Expression = {
    val v = NamedLambdaVariable("x", element, nullable = true)
    ArrayFilter(values, LambdaFunction(IsNotNull(v), Seq(v)))
  }

  private def count: Expression = Cast(Size(present, legacySizeOfNull = false), LongType)

  private def sum(tpe: DataType): Expression = {
    val total = NamedLambdaVariable("total", tpe, nullable = true)
    val v = NamedLambdaVariable("x", element, nullable = true)
    val own = if (element == tpe) v else Cast(v, tpe)
    val added = Add(total, own)
    val next = if (added.dataType == tpe) added else Cast(added, tpe)
    val folded = NamedLambdaVariable("total", tpe, nullable = true)
    ArrayAggregate(
      present,
      Literal(null, tpe),
      LambdaFunction(If(IsNull(total), own, next), Seq(total, v)),
      LambdaFunction(folded, Seq(folded)))
  }

  override lazy val replacement: Expression = function match {
    case "COUNT" => count
    case "SUM" =>
      sum(element match {
        case d: DecimalType =>
          DecimalType(math.min(d.precision + 10, DecimalType.MAX_PRECISION), d.scale)
        case ByteType | ShortType | IntegerType | LongType => LongType
        case _ => DoubleType
      })
    case "AVG" | "MEAN" =>
      Divide(sum(DoubleType), Cast(count, DoubleType), EvalMode.LEGACY)
    case "MIN" => ArrayMin(values)
    case "MAX" => ArrayMax(values)
    case "LISTAGG" | "STRING_AGG" =>
      val texts =
        if (element == StringType) present else Cast(present, ArrayType(StringType))
      val joined = ArrayJoin(texts, separator.getOrElse(Literal("")), None)
      If(EqualTo(count, Literal(0L)), Literal(null, StringType), joined)
    case _ => present
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): GroupAggregate =
    copy(values = newChildren.head, separator = separator.map(_ => newChildren(1)))
}

object GroupAggregate {
  val Functions: Seq[String] = Seq(
    "COUNT",
    "SUM",
    "AVG",
    "MEAN",
    "MIN",
    "MAX",
    "LISTAGG",
    "STRING_AGG",
    "ARRAY_AGG",
    "COLLECT_LIST")
}
