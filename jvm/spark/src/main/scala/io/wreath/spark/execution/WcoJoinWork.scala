package io.wreath.spark.execution

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

import io.wreath.spark.index.JoinSpace
import io.wreath.spark.index.keys.KeyTable

/** A join that is ready to run: what its tasks do, and how the work is cut among them. */
final private[execution] class WcoJoinWork(
    val task: WcoJoinTask,
    space: JoinSpace,
    shares: Array[Array[TaskShare]]) {

  def keyTable(tpe: DataType): KeyTable = space.table(tpe)

  /** Rows, or numbers of rows. */
  def rows(context: SparkContext, inRuns: Boolean): RDD[InternalRow] = {
    val run = task
    if (task.addsSums) counted(context)
    else onePerTask(context).mapPartitionsWithIndex { (i, assigned) =>
      if (assigned.isEmpty) Iterator.empty else run.rows(i, assigned.next(), inRuns)
    }
  }

  /** One task more adds up what the others made; where there is one, it does it itself. */
  private def counted(context: SparkContext): RDD[InternalRow] = {
    val run = task
    val sums = onePerTask(context).mapPartitions(_.flatMap(run.sums))
    if (sums.getNumPartitions == 1) sums.mapPartitions(run.counted)
    else sums.map((0, _)).groupByKey(1).flatMap { case (_, all) => run.counted(all.iterator) }
  }

  /** Each task's morsels as rows, for generated code. */
  def morselRows(context: SparkContext): RDD[InternalRow] =
    onePerTask(context).flatMap(_.iterator.flatMap(share =>
      share.morsels.map(m =>
        InternalRow(share.pattern, m.from, m.until, m.secondFrom, m.secondUntil))))

  private def onePerTask(context: SparkContext): RDD[Array[TaskShare]] =
    context.parallelize(shares.toIndexedSeq, math.max(1, shares.length))
}
