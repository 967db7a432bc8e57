package io.wreath.spark.index.keys

import org.apache.spark.sql.catalyst.expressions.{Literal, ToPrettyString}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, StringType}

/** A vertex's key as people write it: `1` rather than the literal `1L`. */
object KeyText {

  def apply(key: Any, tpe: DataType): String = tpe match {
    case _: StringType => s"'$key'"
    case _ =>
      ToPrettyString(Literal(key, tpe), Some(SQLConf.get.sessionLocalTimeZone)).eval().toString
  }
}
