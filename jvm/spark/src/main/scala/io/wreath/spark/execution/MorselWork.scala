package io.wreath.spark.execution

import java.util.HashMap

import org.apache.spark.util.AccumulatorV2

import io.wreath.kernel.join.Morsel

/**
 * What each morsel of a join took. A join that is run again, be it as a DataFrame that is collected twice,
 * tells of the same morsels, and what they took last counts.
 *
 * Thread-safety: tasks end while others read.
 */
final private[execution] class MorselWork
    extends AccumulatorV2[(Morsel, Long), Seq[(Morsel, Long)]] {

  private val took = new HashMap[Morsel, Long]

  override def isZero: Boolean = synchronized(took.isEmpty)

  override def reset(): Unit = synchronized(took.clear())

  override def add(morsel: (Morsel, Long)): Unit = synchronized {
    took.put(morsel._1, morsel._2)
  }

  override def merge(other: AccumulatorV2[(Morsel, Long), Seq[(Morsel, Long)]]): Unit =
    other.value.foreach(add)

  override def copy(): MorselWork = {
    val same = new MorselWork
    value.foreach(same.add)
    same
  }

  override def value: Seq[(Morsel, Long)] = synchronized {
    val all = Vector.newBuilder[(Morsel, Long)]
    took.forEach((morsel, work) => all += morsel -> work)
    all.result()
  }
}
