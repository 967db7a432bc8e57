package io.wreath.kernel.path

import io.wreath.kernel.lists.{Adjacency, ElementCounter, Pieces}

/**
 * Weakly connected components: which vertices hang together, whichever way edges lead.
 *
 * Each vertex points to one of a smaller code in its component, or to itself. First two edges of each vertex
 * join what they link. In most graphs nearly all vertices are one component then, whose edges need not be read
 * any more: the edges of all others, read both ways, link what is left to link.
 *
 * Memory: 4 bytes for each vertex, the answer itself.
 */
object Components {

  /**
   * For each vertex the smallest code of its component.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  def of(steps: Steps, interrupt: Runnable = Pieces.NoInterrupt): Array[Int] = {
    val n = steps.vertexCount
    val read = new ElementCounter(interrupt)
    val parents = new Array[Int](n)
    var v = 0
    while (v < n) {
      parents(v) = v
      v += 1
    }
    var round = 0
    while (round < SampledEdges) {
      linkOne(parents, steps.out, round, read)
      flatten(parents, read)
      round += 1
    }
    val common = mostFrequent(parents)
    v = 0
    while (v < n) {
      if (parents(v) != common) {
        linkAll(parents, steps.out, v, SampledEdges, read)
        linkAll(parents, steps.in, v, 0, read)
      }
      read.worked(1L)
      v += 1
    }
    flatten(parents, read)
    parents
  }

  private def linkOne(parents: Array[Int], out: Adjacency, i: Int, read: ElementCounter): Unit = {
    var v = 0
    while (v < out.vertexCount) {
      val at = out.from(v) + i
      if (at < out.until(v)) link(parents, v, out.array(v)(at))
      if ((v & BetweenLooks) == 0) read.add(BetweenLooks)
      v += 1
    }
  }

  private def linkAll(
      parents: Array[Int],
      lists: Adjacency,
      v: Int,
      skipped: Int,
      read: ElementCounter): Unit = {
    val list = lists.array(v)
    var k = lists.from(v) + skipped
    val end = lists.until(v)
    if (k < end) {
      read.add(end - k)
      while (k < end) {
        link(parents, v, list(k))
        k += 1
      }
    }
  }

  /** Makes one of two trees: the root of the greater code points into the other. */
  private def link(parents: Array[Int], u: Int, v: Int): Unit = {
    var a = parents(u)
    var b = parents(v)
    while (a != b) {
      val high = Math.max(a, b)
      val low = Math.min(a, b)
      val above = parents(high)
      if (above == low) return
      if (above == high) {
        parents(high) = low
        return
      }
      a = parents(above)
      b = parents(low)
    }
  }

  /** Points each vertex to its root. A parent has a smaller code, so that it is at its root already. */
  private def flatten(parents: Array[Int], read: ElementCounter): Unit = {
    var v = 0
    while (v < parents.length) {
      parents(v) = parents(parents(v))
      if ((v & BetweenLooks) == 0) read.worked(BetweenLooks)
      v += 1
    }
  }

  /** The root of most vertices in a sample, evenly spread; a wrong guess costs time and nothing else. */
  private def mostFrequent(parents: Array[Int]): Int = if (parents.isEmpty) -1
  else {
    val sample = new Array[Int](Math.min(SampleSize, parents.length))
    var i = 0
    while (i < sample.length) {
      sample(i) = parents((i.toLong * parents.length / sample.length).toInt)
      i += 1
    }
    java.util.Arrays.sort(sample)
    var best = sample(0)
    var bestRun = 0
    var run = 0
    i = 0
    while (i < sample.length) {
      run = if (i > 0 && sample(i) == sample(i - 1)) run + 1 else 1
      if (run > bestRun) {
        bestRun = run
        best = sample(i)
      }
      i += 1
    }
    best
  }

  final private val SampledEdges = 2
  final private val SampleSize = 1024
  final private val BetweenLooks = (1 << 14) - 1
}
