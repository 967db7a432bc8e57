package io.wreath.spark.execution

import scala.collection.mutable

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.{HashPartitioner, SparkContext, TaskContext}

import io.wreath.kernel.join.Morsel
import io.wreath.spark.index.JoinSpace

/**
 * A join that is ready to run: what is done for each of its patterns, and how the work is dealt to tasks.
 *
 * {{{
 *   made on the driver    PatternPreparation decides; this deals
 *   travels to tasks      PreparedPattern, what is done, and PatternInput, what is read
 *   lives in a task       PatternTask, and the kernel's join that it opens
 * }}}
 * It travels itself, without the work of others.
 *
 * @param inputs by pattern, or a broadcast of them
 * @param told by pattern, who hears what its morsels took
 * @param deal by task, its morsels of each pattern, by the pattern's number; on the driver alone
 */
final private[execution] class PreparedJoin(
    val patterns: Array[PreparedPattern],
    inputs: Either[Array[PatternInput], Broadcast[Array[PatternInput]]],
    metrics: JoinMetrics,
    told: Array[Option[MorselWork]],
    @transient deal: IndexedSeq[Seq[(Int, Array[Morsel])]])
    extends Serializable {

  private def input(pattern: Int): PatternInput = inputs.fold(identity, _.value)(pattern)

  def space: JoinSpace = patterns.head.elements.space

  private def task(pattern: Int, partition: Int): PatternTask =
    new PatternTask(patterns(pattern), input(pattern), partition, metrics, told(pattern))

  /** Rows, or numbers of rows. A row is reused: who keeps it copies it. */
  def rows(context: SparkContext, inRuns: Boolean): RDD[InternalRow] =
    if (patterns.head.isNumber) number(context)
    else onePerTask(context).mapPartitionsWithIndex { (partition, assigned) =>
      def of(pattern: Int, morsels: Array[Morsel]): Iterator[InternalRow] = {
        val own = task(pattern, partition)
        if (inRuns) own.runRows(morsels) else own.rows(morsels)
      }
      // Nothing stands between rows and who takes them where it need not.
      assigned.nextOption().getOrElse(Nil) match {
        case Seq((pattern, morsels)) => of(pattern, morsels)
        case several => several.iterator.flatMap { case (p, morsels) => of(p, morsels) }
      }
    }

  /** One partition, of one row: a task more adds up what the others count. Where there is one, it does it itself. */
  private def number(context: SparkContext): RDD[InternalRow] = {
    val sums = onePerTask(context).mapPartitionsWithIndex { (partition, assigned) =>
      assigned.flatMap(_.map { case (p, morsels) => task(p, partition).sum(morsels) })
    }
    val together =
      if (sums.getNumPartitions == 1) sums
      else sums.map((0, _)).partitionBy(new HashPartitioner(1)).values
    together.mapPartitions(task(0, 0).counted(_))
  }

  /** Each task's morsels as rows, for generated code. */
  def morselRows(context: SparkContext): RDD[InternalRow] =
    onePerTask(context).flatMap(_.flatMap { case (p, morsels) =>
      morsels.map(m => InternalRow(p, m.from, m.until, m.secondFrom, m.secondUntil))
    })

  private def onePerTask(context: SparkContext): RDD[Seq[(Int, Array[Morsel])]] =
    context.parallelize(deal, math.max(1, deal.length))

  /** The bindings of morsels that are given as rows, for generated code. */
  def runs(partition: Int, morsels: Iterator[InternalRow]): BindingRuns =
    new BindingRuns(
      patterns.indices.map(task(_, partition).runs).toArray,
      morsels.map(m => (m.getInt(0), morsel(m))),
      metrics.rows,
      TaskContext.get())

  /** The rows of morsels that are given as rows, for generated code; where there is one pattern. */
  def cursor(partition: Int, morsels: Iterator[InternalRow]): BindingCursor =
    task(0, partition).cursor(morsels.map(morsel))

  private def morsel(m: InternalRow): Morsel =
    Morsel(m.getInt(1), m.getInt(2), m.getInt(3), m.getInt(4))
}

private[execution] object PreparedJoin {

  /**
   * What each task does, of as many as the pattern with most work is worth. The work of a pattern comes
   * in pieces of about equal cost, so each task is given as many of them as any other.
   *
   * @param pieces by pattern, its morsels in the tasks that it would have alone
   */
  def deal(pieces: Seq[Array[Array[Morsel]]]): IndexedSeq[Seq[(Int, Array[Morsel])]] = {
    val tasks =
      Array.fill(pieces.map(_.length).max)(mutable.ArrayBuffer.empty[(Int, Array[Morsel])])
    val shares = for ((tasks, p) <- pieces.zipWithIndex; morsels <- tasks) yield (p, morsels)
    shares.zipWithIndex.foreach { case (share, i) => tasks(i % tasks.length) += share }
    tasks.map(_.toSeq).toIndexedSeq
  }
}
