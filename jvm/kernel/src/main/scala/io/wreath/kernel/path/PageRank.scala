package io.wreath.kernel.path

import io.wreath.kernel.lists.{ElementCounter, Pieces}

/**
 * PageRank: where somebody stands who takes one of the edges at hand with probability `damping`, and else, or
 * where there is no edge, goes to any vertex at all. Ranks sum to 1. Parallel edges are edges each.
 *
 * In each round a vertex gathers from its sources what each of them gives along one edge.
 *
 * Memory: [[PageRank.bytes]], of which a third is the answer.
 *
 * @param of by code; 0 for codes that are no vertices
 * @param ofOthers what each vertex has that no code is of
 */
final class PageRank private (val of: Array[Double], val ofOthers: Double)

object PageRank {

  /**
   * @param absent codes that are no vertices; no edge may lead to or from one
   * @param others how many vertices there are beside those that have codes; they have no edges
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def apply(
      steps: Steps,
      damping: Double,
      iterations: Int,
      absent: Array[Int] = Array.emptyIntArray,
      others: Int = 0,
      interrupt: Runnable = Pieces.NoInterrupt): PageRank = {
    if (!(damping >= 0.0 && damping < 1.0)) {
      throw new IllegalArgumentException(s"The damping is at least 0 and below 1, not $damping.")
    }
    if (iterations < 0) {
      throw new IllegalArgumentException(s"There cannot be $iterations iterations.")
    }
    val n = steps.vertexCount.toLong - absent.length + others
    val read = new ElementCounter(interrupt)
    val weights = outWeights(steps, read)
    val ranks = new Array[Double](steps.vertexCount)
    java.util.Arrays.fill(ranks, 1.0 / n)
    clear(ranks, absent)
    var ofOthers = if (others == 0) 0.0 else 1.0 / n
    val shares = new Array[Double](steps.vertexCount)
    var i = 0
    while (i < iterations) {
      val stuck = share(ranks, weights, shares, read) + others * ofOthers
      val base = (1.0 - damping) / n + damping * stuck / n
      gather(steps, shares, ranks, base, damping, read)
      clear(ranks, absent)
      if (others > 0) ofOthers = base
      i += 1
    }
    new PageRank(ranks, ofOthers)
  }

  private def clear(ranks: Array[Double], absent: Array[Int]): Unit = {
    var i = 0
    while (i < absent.length) {
      ranks(absent(i)) = 0.0
      i += 1
    }
  }

  def bytes(vertexCount: Int): Long = 24L * vertexCount

  /** One over the number of edges that lead from a vertex; 0 where none does. */
  private def outWeights(steps: Steps, read: ElementCounter): Array[Double] = {
    val out = steps.out
    val weights = new Array[Double](out.vertexCount)
    var v = 0
    while (v < weights.length) {
      var edges = 0L
      val mult = out.multiplicities(v)
      if (mult == null) edges = out.degree(v)
      else {
        var k = out.from(v)
        read.add(out.degree(v))
        while (k < out.until(v)) {
          edges += mult(k)
          k += 1
        }
      }
      weights(v) = if (edges == 0L) 0.0 else 1.0 / edges
      if ((v & BetweenLooks) == 0) read.worked(BetweenLooks)
      v += 1
    }
    weights
  }

  /** What each vertex gives along one edge; the sum of what those have who cannot give. */
  private def share(
      ranks: Array[Double],
      weights: Array[Double],
      shares: Array[Double],
      read: ElementCounter): Double = {
    var stuck = 0.0
    var v = 0
    while (v < ranks.length) {
      val weight = weights(v)
      shares(v) = ranks(v) * weight
      if (weight == 0.0) stuck += ranks(v)
      if ((v & BetweenLooks) == 0) read.worked(BetweenLooks)
      v += 1
    }
    stuck
  }

  private def gather(
      steps: Steps,
      shares: Array[Double],
      ranks: Array[Double],
      base: Double,
      damping: Double,
      read: ElementCounter): Unit = {
    val in = steps.in
    var work = 0
    var v = 0
    while (v < ranks.length) {
      val list = in.array(v)
      val mult = in.multiplicities(v)
      val start = in.from(v)
      val end = in.until(v)
      val sum =
        if (mult == null) plain(shares, list, start, end)
        else repeated(shares, list, mult, start, end)
      ranks(v) = base + damping * sum
      work += end - start + 1
      if (work >= BetweenLooks) {
        read.add(work)
        work = 0
      }
      v += 1
    }
    read.add(work)
  }

  /** In four sums, for one would wait for each addition before the next. */
  private def plain(shares: Array[Double], list: Array[Int], from: Int, until: Int): Double = {
    var a = 0.0
    var b = 0.0
    var c = 0.0
    var d = 0.0
    var k = from
    while (k < until - 3) {
      a += shares(list(k))
      b += shares(list(k + 1))
      c += shares(list(k + 2))
      d += shares(list(k + 3))
      k += 4
    }
    while (k < until) {
      a += shares(list(k))
      k += 1
    }
    (a + b) + (c + d)
  }

  private def repeated(
      shares: Array[Double],
      list: Array[Int],
      mult: Array[Int],
      from: Int,
      until: Int): Double = {
    var sum = 0.0
    var k = from
    while (k < until) {
      sum += shares(list(k)) * mult(k)
      k += 1
    }
    sum
  }

  final private val BetweenLooks = (1 << 14) - 1
}
