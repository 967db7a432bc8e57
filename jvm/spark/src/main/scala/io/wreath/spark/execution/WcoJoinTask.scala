package io.wreath.spark.execution

import java.math.BigInteger

import scala.collection.mutable

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.dictionary.{SortedDictionary, VertexDictionary}
import io.wreath.kernel.join.Morsel
import io.wreath.spark.index.JoinSpace
import io.wreath.spark.index.keys.{LongKeyTable, VertexKeys}
import io.wreath.spark.logical.AtomColumn

/** Morsels of one pattern of a join, by the pattern's number. */
final private[execution] case class TaskShare(pattern: Int, morsels: Array[Morsel])

private[execution] object TaskShare {

  /**
   * What each task does, of as many as the pattern with most work is worth. The work of a pattern comes
   * in pieces of about equal cost, so each task is given as many of them as any other.
   *
   * @param pieces by pattern, its morsels in the tasks that it would have alone
   */
  def deal(pieces: Seq[Array[Array[Morsel]]]): Array[Array[TaskShare]] = {
    val tasks = Array.fill(pieces.map(_.length).max)(mutable.ArrayBuffer.empty[TaskShare])
    val shares =
      for ((tasks, p) <- pieces.zipWithIndex; morsels <- tasks) yield TaskShare(p, morsels)
    shares.zipWithIndex.foreach { case (share, i) => tasks(i % tasks.length) += share }
    tasks.map(_.toArray)
  }
}

/** What each task of a join does: its share of each pattern's morsels to rows. */
final private[execution] class WcoJoinTask(patterns: Array[WcoJoinEvaluator])
    extends Serializable {

  private def space: JoinSpace = patterns.head.space

  /** Whether tasks make sums of which only all together are a number of matches. */
  def addsSums: Boolean = patterns.length == 1 && patterns.head.addsSums

  /** What the morsels of a task add to the sums. */
  def sums(shares: Array[TaskShare]): Iterator[BigInteger] =
    shares.iterator.flatMap(s => patterns(s.pattern).sums(s.morsels))

  /** The row of all sums. */
  def counted(sums: Iterator[BigInteger]): Iterator[InternalRow] = patterns.head.counted(sums)

  /** Rows, or the numbers of groups. A row is reused: who keeps it copies it. */
  def rows(partition: Int, shares: Array[TaskShare], inRuns: Boolean): Iterator[InternalRow] = {
    def of(share: TaskShare): Iterator[InternalRow] = {
      val pattern = patterns(share.pattern)
      if (inRuns) pattern.runRows(partition, share.morsels)
      else pattern.run(partition, share.morsels)
    }
    // Nothing stands between rows and who takes them where it need not.
    if (shares.length == 1) of(shares.head) else shares.iterator.flatMap(of)
  }

  /** The bindings of morsels that are given as rows, for generated code. */
  def runs(partition: Int, morsels: Iterator[InternalRow]): BindingRuns =
    new BindingRuns(
      patterns.map(_.runs(partition)),
      morsels.map(m => (m.getInt(0), morsel(m))),
      patterns.head.countRows,
      TaskContext.get())

  /** The rows of morsels that are given as rows, for generated code; where there is one pattern. */
  def cursor(partition: Int, morsels: Iterator[InternalRow]): BindingCursor =
    patterns.head.cursor(partition, morsels.map(morsel))

  private def morsel(m: InternalRow): Morsel =
    Morsel(m.getInt(1), m.getInt(2), m.getInt(3), m.getInt(4))

  /** Where the index keeps a column. */
  def stored(column: AtomColumn): Int = patterns.head.stored(column)

  /** Where a cursor has the element of a column. */
  def placeOf(column: AtomColumn): Int = patterns.head.placeOf(column)

  /** By pattern, whether a column is the variable that is bound last. */
  def isLast(column: Int): Seq[Boolean] = patterns.toSeq.map(_.isLast(column))

  /** For generated code: the keys of vertices of one type, for this task alone. */
  def keys(tpe: DataType): VertexKeys = space.keys(tpe)

  /** Where ids are dense: the id with code 0. */
  def leastId(tpe: DataType): Long = dictionary(tpe).decode(0)

  /** Where ids have gaps: the id of each code. */
  def ids(tpe: DataType): Array[Long] = dictionary(tpe) match {
    case sorted: SortedDictionary => sorted.idArray
    case other => throw new IllegalStateException(s"$other has no table of ids")
  }

  private def dictionary(tpe: DataType): VertexDictionary = space.table(tpe) match {
    case LongKeyTable(d) => d
    case other => throw new IllegalStateException(s"$other is no table of integers")
  }
}
