package io.wreath.kernel.count

import java.util.Arrays

import io.wreath.kernel.csr.Csr
import io.wreath.kernel.lists.ElementCounter

/**
 * Counts, for each vertex, the sets of `size` vertices that it is in of which each two are joined.
 *
 * No such set is looked at by itself. Of the vertices after one vertex in an order by degree, all joined to
 * it, one is taken that is joined to most of the others, the pivot: each set is within what is joined to the
 * pivot, with it or without, or has a vertex that is not. So a tree of choices is walked where each end
 * stands for many sets, those of vertices that have to be in them and any of others:
 * {{{
 *   h vertices that are in, p that may be       the binomial of p and size - h sets
 *   a vertex that has to be in is in            all of these
 *   one that may be is in                       the binomial of p - 1 and size - h - 1
 * }}}
 * (The idea is that of Pivoter: Jain and Seshadhri, WSDM 2020.)
 *
 * Cost: the sum over ends of the tree, which are fewer than the sets of vertices that no other could join.
 *
 * @param ordered lists that lead to the later vertices of an order in which each has few
 */
final private[count] class PairwiseWorker(
    ordered: Made[Csr],
    size: Int,
    inner: Option[Made[Array[Long]]],
    counts: Array[Long])
    extends PartWorker {

  private[this] var lists: Csr = _
  private[this] var allowed: Array[Long] = _

  // By code, a number among the vertices after the one at hand; and what this part has found so far.
  private[this] var local: Array[Int] = _
  private[this] var found: Array[Long] = _
  private[this] var foundCodes: Array[Int] = _
  private[this] var foundCount = 0

  // The vertices at hand, and which of them are joined: a row of bits each.
  private[this] var codes: Array[Int] = Array.emptyIntArray
  private[this] var ownCounts: Array[Long] = Array.emptyLongArray
  private[this] var rows: Array[Long] = Array.emptyLongArray
  private[this] var words = 0

  // By depth of the tree: who may still come.
  private[this] var sets: Array[Array[Long]] = Array.empty
  private[this] var mayBe: Array[Int] = Array.emptyIntArray
  private[this] var binomials: Array[Array[Long]] = Array.empty
  private[this] var read: ElementCounter = _

  override def run(part: Int, read: ElementCounter): Unit = {
    if (lists == null) {
      lists = ordered.get(read)
      allowed = inner.map(_.get(read)).orNull
      local = Array.fill(lists.vertexCount)(-1)
      found = new Array[Long](lists.vertexCount)
      foundCodes = new Array[Int](lists.vertexCount)
    }
    this.read = read
    val until = Math.min(lists.vertexCount, (part + 1) * PairwiseWorker.PartVertices)
    var v = part * PairwiseWorker.PartVertices
    while (v < until) {
      if (allowed == null || allowed(v) != 0L) at(v)
      v += 1
    }
    // Others add to the same numbers. From here on nothing ends the part.
    counts.synchronized {
      while (foundCount > 0) {
        foundCount -= 1
        val c = foundCodes(foundCount)
        counts(c) = Math.addExact(counts(c), found(c))
        found(c) = 0L
      }
    }
  }

  private def add(code: Int, sets: Long): Unit = if (sets != 0L) {
    if (found(code) == 0L) {
      foundCodes(foundCount) = code
      foundCount += 1
    }
    found(code) = Math.addExact(found(code), sets)
  }

  private def at(v: Int): Unit = {
    val n = take(v)
    if (n >= size - 1) {
      join(n)
      Arrays.fill(sets(0), 0, words, 0L)
      var i = 0
      while (i < n) {
        sets(0)(i >>> 6) |= 1L << i
        i += 1
      }
      add(v, walk(0, n, 1, 0))
      i = 0
      while (i < n) {
        add(codes(i), ownCounts(i))
        ownCounts(i) = 0L
        i += 1
      }
    }
    var i = 0
    while (i < n) {
      local(codes(i)) = -1
      i += 1
    }
    read.worked(1L)
  }

  /** Numbers the vertices after `v`. */
  private def take(v: Int): Int = {
    val most = lists.degree(v)
    if (codes.length < most) grow(most)
    var n = 0
    var i = lists.from(v)
    while (i < lists.until(v)) {
      val u = lists.neighbours(i)
      if (allowed == null || allowed(u) != 0L) {
        codes(n) = u
        local(u) = n
        n += 1
      }
      i += 1
    }
    read.add(most)
    n
  }

  private def grow(most: Int): Unit = {
    val room = 2 * most + 64
    val wide = (room + 63) >>> 6
    codes = new Array[Int](room)
    ownCounts = new Array[Long](room)
    rows = new Array[Long](room * wide)
    mayBe = new Array[Int](room + size + 1)
    sets = Array.fill(Math.min(room, PairwiseWorker.FirstSets) + 2)(new Array[Long](wide))
    binomials = PairwiseWorker.binomials(room, size)
  }

  private def join(n: Int): Unit = {
    words = (n + 63) >>> 6
    Arrays.fill(rows, 0, n * words, 0L)
    var i = 0
    while (i < n) {
      val u = codes(i)
      val until = lists.until(u)
      var j = lists.from(u)
      while (j < until) {
        val other = local(lists.neighbours(j))
        if (other >= 0) {
          rows(i * words + (other >>> 6)) |= 1L << other
          rows(other * words + (i >>> 6)) |= 1L << i
        }
        j += 1
      }
      read.add(lists.degree(u))
      i += 1
    }
  }

  /**
   * Sets under one choice: all of them have `in` vertices, and any of the first `may` of [[mayBe]].
   *
   * @param left how many may still come, those of the set at this depth
   */
  private def walk(depth: Int, left: Int, in: Int, may: Int): Long =
    if (in + may + left < size) 0L
    else if (left == 0 || in == size) end(in, may)
    else {
      if (sets.length < depth + 2) {
        sets = Arrays.copyOf(sets, 2 * sets.length)
        var i = depth + 1
        while (i < sets.length) {
          if (sets(i) == null) sets(i) = new Array[Long](sets(0).length)
          i += 1
        }
      }
      val here = sets(depth)
      val pivot = pivotOf(here, left)
      mayBe(may) = pivot
      var total = walk(depth + 1, narrow(depth, pivot), in, may + 1)
      here(pivot >>> 6) &= ~(1L << pivot)
      // Whoever is joined to the pivot waits for one who is not.
      var z = 0
      while (z < words) {
        var open = here(z) & ~rows(pivot * words + z)
        while (open != 0L) {
          val v = (z << 6) + java.lang.Long.numberOfTrailingZeros(open)
          open &= open - 1L
          val with1 = walk(depth + 1, narrow(depth, v), in + 1, may)
          ownCounts(v) = Math.addExact(ownCounts(v), with1)
          total = Math.addExact(total, with1)
          here(z) &= ~(1L << v)
        }
        z += 1
      }
      total
    }

  /** Who of those at a depth is joined to `v`: the set of the next one. */
  private def narrow(depth: Int, v: Int): Int = {
    val here = sets(depth)
    val next = sets(depth + 1)
    var n = 0
    var z = 0
    while (z < words) {
      val both = here(z) & rows(v * words + z)
      next(z) = both
      n += java.lang.Long.bitCount(both)
      z += 1
    }
    n
  }

  private def pivotOf(here: Array[Long], left: Int): Int = {
    var best = -1
    var most = -1
    var z = 0
    while (z < words && most < left - 1) {
      var bits = here(z)
      while (bits != 0L) {
        val v = (z << 6) + java.lang.Long.numberOfTrailingZeros(bits)
        bits &= bits - 1L
        var n = 0
        var y = 0
        while (y < words) {
          n += java.lang.Long.bitCount(here(y) & rows(v * words + y))
          y += 1
        }
        if (n > most) {
          most = n
          best = v
        }
      }
      z += 1
    }
    read.worked(left.toLong * words)
    best
  }

  private def end(in: Int, may: Int): Long = {
    val each = choose(may, size - in)
    if (in < size && may > 0) {
      val withOne = choose(may - 1, size - in - 1)
      var i = 0
      while (i < may) {
        ownCounts(mayBe(i)) = Math.addExact(ownCounts(mayBe(i)), withOne)
        i += 1
      }
    }
    each
  }

  private def choose(n: Int, k: Int): Long =
    if (k > n) 0L
    else {
      val ways = binomials(k)(n)
      if (ways < 0L) throw new ArithmeticException(s"$n choose $k exceeds a Long.")
      ways
    }
}

private[count] object PairwiseWorker {

  final val PartVertices = 64

  final private val FirstSets = 64

  /** By k and n, how many sets of k there are of n; -1 where that exceeds a Long. */
  private def binomials(most: Int, size: Int): Array[Array[Long]] = {
    val all = Array.fill(size + 1)(new Array[Long](most + 1))
    Arrays.fill(all(0), 1L)
    for (k <- 1 to size; n <- 1 to most) {
      val (a, b) = (all(k - 1)(n - 1), all(k)(n - 1))
      all(k)(n) = if (a < 0L || b < 0L || a > Long.MaxValue - b) -1L else a + b
    }
    all
  }

  /** The lists of each vertex that lead to one of more neighbours, or of as many and a greater code. */
  def towardsMore(of: Csr, read: ElementCounter): Csr = {
    val offsets = new Array[Int](of.vertexCount + 1)
    val neighbours = new Array[Int](of.edgeCount / 2)
    var n = 0
    var v = 0
    while (v < of.vertexCount) {
      val degree = of.degree(v)
      var i = of.from(v)
      while (i < of.until(v)) {
        val u = of.neighbours(i)
        val other = of.degree(u)
        if (other > degree || (other == degree && u > v)) {
          neighbours(n) = u
          n += 1
        }
        i += 1
      }
      read.add(degree)
      offsets(v + 1) = n
      v += 1
    }
    new Csr(offsets, neighbours, null)
  }
}
