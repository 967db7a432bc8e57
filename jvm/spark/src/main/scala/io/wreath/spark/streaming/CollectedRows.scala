package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.SparkPlan

/** The rows of a plan on the driver, each with how often it comes. */
private[wreath] object CollectedRows {

  /**
   * @param row the columns that are kept: the ends of an edge, then its properties
   * @param keepsNulls whether rows with a NULL end stay
   */
  def apply(
      plan: SparkPlan,
      row: Seq[Attribute],
      reader: ChangeReader,
      keepsNulls: Boolean): Array[(UnsafeRow, Int)] = {
    val input = plan.output
    plan.execute().mapPartitions { rows =>
      val edge = UnsafeProjection.create(row, input)
      ChangeBlock.encode(rows, row.size, edge(_), reader.diff, keepsNulls)
    }.collect().flatMap(_.iterator)
  }
}
