package io.wreath.kernel.intersect

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.lists.ElementCounter
import org.scalacheck.Gen

/** Holds the loops over bit rows to sets of labels, in matrices of one to seven words a row. */
class BitRowsSuite extends PropertyChecks {

  private def unread = new ElementCounter(() => ())

  final private class Rows(n: Int, edges: Seq[(Int, Int)]) {
    val matrix = new LocalBitMatrix(n)
    val sets: Vector[Set[Int]] = {
      val targets = edges.groupMap(_._1)(_._2)
      Vector.tabulate(n)(i => targets.getOrElse(i, Nil).toSet)
    }
    private val all = Array.range(0, n)
    private val graph =
      CsrBuilder.fromCodes(edges.map(_._1).toArray, edges.map(_._2).toArray, edges.size, n)
    matrix.build(graph.forward, 0, all, 0, n, all, new ElementCounter(() => ()))
    val buffers: Array[Array[Long]] = Array.fill(6)(new Array[Long](matrix.width))
  }

  private val cases = for {
    n <- Gen.choose(1, 420)
    v = Gen.choose(0, n - 1)
    // A few labels have most of the edges, so that rows are long and cliques exist.
    hub = Gen.choose(0, Math.min(n, 9) - 1).map(_ * ((n - 1) / 9).max(1)).map(_ % n)
    among <- Gen.listOfN(60, Gen.zip(hub, hub))
    others <- Gen.listOfN(4 * n, Gen.zip(Gen.oneOf(hub, v), Gen.oneOf(hub, v)))
    picks <- Gen.zip(hub, hub)
    bounds <- Gen.zip(v, Gen.choose(0, n), v, Gen.choose(0, n))
    shifts <- Gen.zip(Gen.choose(-n, 1), Gen.choose(0, n))
  } yield (n, among ++ others, picks, bounds, shifts)

  test("pairs of a large matrix are counted with looks in between") {
    val n = 1 << 13
    // Few bits, and all words between them.
    val r = new Rows(n, (1 until n - 1).flatMap(i => Seq(i -> 0, i -> (n - 1), 0 -> i)))
    val m = r.matrix
    var looks = 0
    val read = new ElementCounter(() => looks += 1)
    val end = m.width
    val row = (n - 2) * m.width
    val all = BitRows.countPairs(m.bits, 0, 0, end, 0, n, m.bits, row, 0, end, m, read)
    assert(all == 2L * (n - 2))
    val words = (n - 2).toLong * m.width
    assert(looks >= words / (1 << 19))
    looks = 0
    val within =
      BitRows.countPairsWithin(m.bits, 0, 0, end, 0, n, m.bits, row, 0, end, 0, n, -n, n, m, read)
    assert(within == all)
    assert(looks >= words / (1 << 19))
  }

  test("pairs are what the rows of the candidates have in common with the set") {
    forAll(cases, 400) { case (n, edges, (i, k), (low, high, setLow, setHigh), (down, up)) =>
      val r = new Rows(n, edges)
      val m = r.matrix
      def common(j: Int): Set[Int] = r.sets(k).intersect(r.sets(j))
      val candidates = r.sets(i).filter(j => j >= low && j < high)
      val pairs = BitRows.countPairs(
        m.bits,
        i * m.width,
        m.rowFrom(i),
        m.rowUntil(i),
        low,
        high,
        m.bits,
        k * m.width,
        m.rowFrom(k),
        m.rowUntil(k),
        m,
        unread)
      assert(pairs == candidates.toSeq.map(common(_).size).sum)
      val within = BitRows.countPairsWithin(
        m.bits,
        i * m.width,
        m.rowFrom(i),
        m.rowUntil(i),
        low,
        high,
        m.bits,
        k * m.width,
        m.rowFrom(k),
        m.rowUntil(k),
        setLow,
        setHigh,
        down,
        up,
        m,
        unread)
      def counts(j: Int)(x: Int): Boolean =
        x >= setLow && x < setHigh && x >= j + down && x < j + up
      assert(within == candidates.toSeq.map(j => common(j).count(counts(j))).sum)
    }
  }

  test("a chain is every sequence in which each is in the rows of all before it") {
    def chains(r: Rows, levels: Int, set: Set[Int]): Long =
      if (levels == 1) set.size.toLong
      else set.toSeq.map(j => chains(r, levels - 1, set.intersect(r.sets(j)))).sum
    forAll(Gen.zip(cases, Gen.choose(1, 4)), 300) { case ((n, edges, (i, _), _, _), levels) =>
      val r = new Rows(n, edges)
      val m = r.matrix
      val found = BitRows.countChain(
        levels,
        m.bits,
        i * m.width,
        m.rowFrom(i),
        m.rowUntil(i),
        m,
        r.buffers,
        new ElementCounter(() => ()))
      assert(found == chains(r, levels, r.sets(i)))
    }
  }

  test("clearing a large matrix can be ended in the middle") {
    val n = 2048
    val rows = new Rows(n, Nil)
    var looks = 0
    val all = Array.range(0, n)
    val none = CsrBuilder.fromCodes(Array.empty, Array.empty, 0, n).forward
    rows.matrix.build(none, 0, all, 0, n, all, new ElementCounter(() => looks += 1))
    // It has so many words, and no list has anything to read.
    assert(looks == n * n / 64 / ElementCounter.BetweenChecks)
  }
}
