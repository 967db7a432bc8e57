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
    tasks: Array[Array[Morsel]]) {

  /** The variable that is bound last. */
  def lastVariable: Int = prepared.program.order.variables.last

  def keyTable(tpe: DataType): KeyTable = prepared.input.space.table(tpe)

  /** Rows, or numbers of rows. */
  def rows(context: SparkContext, inRuns: Boolean): RDD[InternalRow] = {
    val task = evaluator
    onePerTask(context).mapPartitionsWithIndex { (i, assigned) =>
      // At most one, so that nothing stands between its rows and who takes them.
      if (assigned.isEmpty) Iterator.empty
      else if (inRuns) task.runRows(i, assigned.next())
      else task.run(i, assigned.next())
    }
  }

  /** Each task's morsels as rows, for generated code. */
  def morselRows(context: SparkContext): RDD[InternalRow] =
    onePerTask(context).flatMap(
      _.map(m => InternalRow(m.from, m.until, m.secondFrom, m.secondUntil)))

  private def onePerTask(context: SparkContext): RDD[Array[Morsel]] =
    context.parallelize(tasks.toIndexedSeq, math.max(1, tasks.length))
}
