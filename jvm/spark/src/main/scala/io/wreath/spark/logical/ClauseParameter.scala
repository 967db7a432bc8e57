package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{LeafExpression, Unevaluable}
import org.apache.spark.sql.types.{DataType, NullType}

/** Stands for the `index`-th parameter marker of a clause until the clause is resolved. */
final case class ClauseParameter(index: Int) extends LeafExpression with Unevaluable {

  override def nullable: Boolean = true

  override def dataType: DataType = NullType

  override lazy val resolved: Boolean = false
}
