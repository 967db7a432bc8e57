package io.wreath.spark.execution

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.join.Morsel
import io.wreath.spark.index.KeyTable

/** A join that is ready to run: what its tasks do, and how the work is cut among them. */
final private[execution] class WcoJoinWork(
    val evaluator: WcoJoinEvaluator,
    prepared: PreparedJoin,
    morsels: Array[Morsel]) {

  /** The variable that is bound last. */
  def lastVariable: Int = prepared.program.order.variables.last

  def keyTable(tpe: DataType): KeyTable = prepared.input.space.table(tpe)

  /** Rows, or the number of rows of each morsel. */
  def rows(context: SparkContext): RDD[InternalRow] = {
    val task = evaluator
    onePerTask(context).mapPartitionsWithIndex((i, assigned) => assigned.flatMap(task.run(i, _)))
  }

  /** Each task's morsel as a row, for generated code. */
  def morselRows(context: SparkContext): RDD[InternalRow] =
    onePerTask(context).map(m => InternalRow(m.from, m.until, m.secondFrom, m.secondUntil))

  private def onePerTask(context: SparkContext): RDD[Morsel] =
    context.parallelize(morsels.toIndexedSeq, math.max(1, morsels.length))
}
