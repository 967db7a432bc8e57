package io.wreath.spark.execution

import java.util.{LinkedHashMap, Map, WeakHashMap}

import org.apache.spark.broadcast.Broadcast

import io.wreath.kernel.partition.MeasuredWork
import io.wreath.pattern.{GraphPattern, VariableOrder}
import io.wreath.spark.logical.JoinGoal

/**
 * A join whose work is like that of another: what is read is the same, and so is the pattern. Conditions on
 * elements may differ: a cut by what others took is a worse one then, and no other rows.
 *
 * @param relations the indexes that it reads, by the numbers of their broadcasts
 * @param ranges of codes, by variable
 */
final private[execution] case class LikeWork(
    relations: Seq[Long],
    pattern: GraphPattern,
    order: VariableOrder,
    ranges: Seq[(Int, Int)],
    isByDegree: Boolean,
    goal: JoinGoal,
    groupLevels: Option[Int],
    technique: String)

/**
 * What joins took when they ran last, kept with the index that they read: the next one like it is cut by that.
 * Tasks tell through an accumulator, which has what a task took once it has ended.
 *
 * Bounded: the last few joins of each index, and of each the morsels of one run.
 * Thread-safety: all methods may be called by many threads.
 */
private[execution] object WorkHistory {

  final private val MostJoins = 16

  final private class Joins extends LinkedHashMap[LikeWork, MorselWork](MostJoins, 0.75f, true) {
    override protected def removeEldestEntry(eldest: Map.Entry[LikeWork, MorselWork]): Boolean =
      size > MostJoins
  }

  private val byIndex = new WeakHashMap[Broadcast[_], Joins]

  /** What the last join of the kind took; tasks of the next one tell `told`. */
  def next(index: Broadcast[_], work: LikeWork, told: MorselWork): MeasuredWork = synchronized {
    val before = byIndex.computeIfAbsent(index, _ => new Joins).put(work, told)
    if (before == null) MeasuredWork.none else MeasuredWork.of(before.value)
  }
}
