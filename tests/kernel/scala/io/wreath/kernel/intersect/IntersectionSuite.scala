package io.wreath.kernel.intersect

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.lists.{ElementCounter, GallopingSearch, Pieces}
import org.scalacheck.Gen

class IntersectionSuite extends PropertyChecks {

  private val universe = 400

  /** Lists of very different lengths, so that merging and galloping are both chosen. */
  private val list: Gen[Array[Int]] = for {
    n <- Gen.frequency(1 -> Gen.const(0), 3 -> Gen.choose(1, 5), 3 -> Gen.choose(6, 300))
    xs <- Gen.listOfN(n, Gen.choose(0, universe - 1))
  } yield xs.distinct.sorted.toArray

  /** A list inside a larger array, as in a CSR. */
  private def padded(a: Array[Int]): (Array[Int], Int, Int) =
    (Array(-7, 500) ++ a ++ Array(-3, 900), 2, 2 + a.length)

  test("a lower bound is the first position that is not smaller") {
    forAll(Gen.zip(list, Gen.choose(-1, universe + 1), Gen.choose(0, 10)), 2000) {
      case (xs, key, skip) =>
        val (a, from0, until) = padded(xs)
        val from = Math.min(from0 + skip, until)
        val expected = (from until until).find(a(_) >= key).getOrElse(until)
        assert(GallopingSearch.lowerBound(a, from, until, key) == expected)
        assert(GallopingSearch.lowerBound(a.map(_.toLong), from, until, key.toLong) == expected)
        assert(GallopingSearch.find(a, from, until, key) ==
          (from until until).find(a(_) == key).getOrElse(-1))
    }
  }

  test("lists longer than a piece have the same in common, and may be left in the middle") {
    class Stop extends RuntimeException
    val piece = Pieces.Length
    def every(step: Int, n: Int, from: Int): Array[Int] =
      Array.tabulate(n)(i => from + (i.toLong * step).toInt)
    val lists = Seq(
      every(2, 3 * piece, 0),
      every(3, 5 * piece / 2, 1),
      every(1, 4 * piece + 1, 5 * piece),
      // Far shorter, spread and all in one place.
      every(701, 7000, 0),
      every(1, 900, 2 * piece),
      every(1, piece, piece),
      Array(Pieces.MaxArrayLength - 1))
    for (a <- lists; b <- lists) {
      val expected = {
        val in = b.toSet
        a.filter(in)
      }
      def looks(n: Int, pieces: Int)(run: (ElementCounter, Array[Int]) => Int): Unit = {
        var seen = 0
        val out = new Array[Int](Math.min(a.length, b.length) + 1)
        assert(run(new ElementCounter(() => seen += 1), out) == expected.length)
        if (n > 0) assert(out.take(n).sameElements(expected.take(n)))
        assert(seen >= pieces)
        if (seen > 0) {
          var left = seen
          assertThrows[Stop](run(
            new ElementCounter(() => {
              left -= 1
              if (left == 0) throw new Stop
            }),
            out))
        }
      }
      val n = expected.length
      // What ends before the other begins is not gone through.
      val both = math.min(a.last, b.last)
      val pieces = Seq(a, b).map(l => (l.count(_ <= both) - 1) / piece).max
      looks(n, pieces)((r, out) =>
        Intersection.into(a, 0, a.length, b, 0, b.length, out, r))
      looks(0, pieces)((r, _) => Intersection.count(a, 0, a.length, b, 0, b.length, r))
      if (Intersection.worthGalloping(a.length, b.length)) {
        looks(n, pieces)((r, out) =>
          Intersection.gallopInto(a, 0, a.length, b, 0, b.length, out, r))
        looks(0, pieces)((r, _) => Intersection.gallopCount(a, 0, a.length, b, 0, b.length, r))
      }
      // In place.
      val own = a.clone()
      assert(Intersection.into(
        own,
        0,
        own.length,
        b,
        0,
        b.length,
        own,
        new ElementCounter(() => ())) == n)
      assert(own.take(n).sameElements(expected))
      if (math.max(a.last, b.last) < 20 * piece) {
        val marks = new Array[Byte](20 * piece)
        val none = new ElementCounter(() => ())
        NeighbourhoodMarks.mark(marks, a, 0, a.length, none)
        looks(0, (b.length - 1) / piece)((r, _) => {
          // Room for all: each is written before it is judged.
          val out = new Array[Int](b.length + 1)
          val found = NeighbourhoodMarks.into(marks, b, 0, b.length, out, r)
          assert(out.take(found).sameElements(b.filter(marks(_) != 0)))
          found
        })
        looks(0, (b.length - 1) / piece)((r, _) =>
          NeighbourhoodMarks.count(marks, b, 0, b.length, r))
        var seen = 0
        NeighbourhoodMarks.clear(marks, a, 0, a.length, new ElementCounter(() => seen += 1))
        assert(seen >= (a.length - 1) / piece && marks.forall(_ == 0))
      }
    }
  }

  test("every intersection has the common elements in order, written or counted") {
    forAll(Gen.zip(list, list), 2000) { case (xs, ys) =>
      val expected = xs.toSet.intersect(ys.toSet).toVector.sorted
      val (a, aFrom, aUntil) = padded(xs)
      val (b, bFrom, bUntil) = padded(ys)
      val out = new Array[Int](Math.min(xs.length, ys.length) + 1)
      def written(n: Int): Vector[Int] = out.take(n).toVector
      assert(written(Intersection.into(a, aFrom, aUntil, b, bFrom, bUntil, out)) == expected)
      assert(Intersection.count(a, aFrom, aUntil, b, bFrom, bUntil) == expected.size)
      assert(written(Intersection.gallopInto(
        a,
        aFrom,
        aUntil,
        b,
        bFrom,
        bUntil,
        out)) == expected)
      assert(Intersection.gallopCount(a, aFrom, aUntil, b, bFrom, bUntil) == expected.size)

      val marks = new Array[Byte](universe)
      NeighbourhoodMarks.mark(marks, a, aFrom, aUntil)
      assert(NeighbourhoodMarks.count(marks, b, bFrom, bUntil) == expected.size)
      assert(written(NeighbourhoodMarks.into(marks, b, bFrom, bUntil, out)) == expected)
      NeighbourhoodMarks.clear(marks, a, aFrom, aUntil)
      assert(marks.forall(_ == 0))

      // In place, as the stable set of a level is narrowed.
      assert(xs.take(Intersection.into(
        xs,
        0,
        xs.length,
        ys,
        0,
        ys.length,
        xs)).toVector == expected)
    }
  }

  private val matrixCase = for {
    n <- Gen.choose(1, 200)
    v = Gen.choose(0, n - 1)
    m <- Gen.choose(0, 3000)
    edges <- Gen.listOfN(m, Gen.zip(v, v))
    members <- Gen.someOf(0 until n).map(_.sorted.toArray)
    low <- Gen.choose(0, members.length)
    high <- Gen.choose(0, members.length)
    side <- Gen.oneOf(-1, 0, 1)
  } yield (n, edges, members, low, high, side)

  test("rows of a bit matrix are the lists within the neighbourhood, relabelled") {
    forAll(matrixCase, 300) { case (n, edges, members, low, high, side) =>
      val g = CsrBuilder.fromCodes(
        edges.map(_._1).toArray,
        edges.map(_._2).toArray,
        edges.size,
        n)
      val labels = Array.fill(n)(-1)
      members.zipWithIndex.foreach { case (v, l) => labels(v) = l }
      val matrix = new LocalBitMatrix(n)
      val unread = new ElementCounter(() => ())
      // Twice, because the memory is reused.
      matrix.build(g.reverse, 0, members, 0, members.length, labels, unread)
      matrix.build(g.forward, side, members, 0, members.length, labels, unread)
      val has = edges.toSet
      members.indices.foreach { i =>
        val expected = members.indices
          .filter(j => has((members(i), members(j))) && (side == 0 || (j - i) * side > 0))
          .toSet
        val row = i * matrix.width
        def bit(j: Int): Boolean = (matrix.bits(row + (j >>> 6)) >>> j & 1L) != 0L
        assert(members.indices.filter(bit).toSet == expected)
        assert(expected.forall(j =>
          (j >>> 6) >= matrix.rowFrom(i) && (j >>> 6) < matrix.rowUntil(i)))
        assert(
          BitRows.count(
            matrix.bits,
            row,
            matrix.rowFrom(i),
            matrix.rowUntil(i),
            low,
            high) == expected.count(j => j >= low && j < high))
      }
    }
  }
}
