package io.wreath.kernel.count

import io.wreath.kernel.lists.ElementCounter

/** The sums in one task, for vertices that are held one after the other. Not thread-safe. */
final private[count] class RunningSums(factors: EliminationFactors, read: ElementCounter) {
  private[this] val held = new Array[Int](Conditioned.MostHeld)
  private[this] val made = new RunningVectors(factors.store, held, read)

  private[this] val sums: Array[RunningSum] =
    factors.elimination.sums
      .zip(factors.codes)
      .map { case (s, codes) => made.sum(s, codes) }
      .toArray
  private[this] val vectors: Array[SparseVector] = made.of(Vector.empty)

  /** Adds what `x` adds to all sums. */
  def add(x: Int, total: WideSum): Unit = {
    held(0) = x
    var i = 0
    while (i < sums.length) {
      val s = sums(i)
      if (x < s.codes) total.add(s.times, s.at(x))
      i += 1
    }
    done()
  }

  /** Adds what `x` adds to each code of the last group; that is `x` itself where a sum has no other. */
  def addPairs(x: Int, pairs: PairSums): Unit = {
    held(0) = x
    var i = 0
    while (i < sums.length) {
      val s = sums(i)
      if (x < s.codes) {
        val ofFirst = s.at(x)
        if (s.groups == null) pairs.add(x, s.times, ofFirst)
        else if (ofFirst != 0L) addPairs(s, ofFirst, pairs)
      }
      i += 1
    }
    done()
  }

  private def addPairs(s: RunningSum, ofFirst: Long, pairs: PairSums): Unit = {
    val of = s.groups.of
    of.make()
    var i = 0
    while (i < of.count) {
      val y = of.codes(i)
      pairs.add(y, s.times, Math.multiplyExact(ofFirst, s.groups.at(y)))
      i += 1
    }
  }

  private def done(): Unit = {
    var i = 0
    while (i < vectors.length) {
      vectors(i).clear()
      i += 1
    }
    read.worked(1L)
  }
}
