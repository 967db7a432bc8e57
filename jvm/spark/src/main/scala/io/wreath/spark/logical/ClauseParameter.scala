package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{LeafExpression, Unevaluable}
import org.apache.spark.sql.types.{DataType, NullType}

/** Stands for the parameter marker at an offset of the text until the clause is resolved. */
final case class ClauseParameter(offset: Int) extends LeafExpression with Unevaluable {

  override def nullable: Boolean = true

  override def dataType: DataType = NullType

  override lazy val resolved: Boolean = false
}
