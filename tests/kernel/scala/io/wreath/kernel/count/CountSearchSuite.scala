package io.wreath.kernel.count

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.join.Domain
import io.wreath.pattern._
import org.scalacheck.Gen

/** How sums are looked for: what is the same, when to end, and what was found before. */
class CountSearchSuite extends PropertyChecks {

  private def ring(vertices: Int, chords: (Int, Int)*): CsrGraph = {
    val edges = (0 until vertices).map(v => (v, (v + 1) % vertices)) ++ chords
    val both = edges ++ edges.map(_.swap)
    CsrBuilder.fromCodes(both.map(_._1).toArray, both.map(_._2).toArray, both.size, vertices)
  }

  private def cycle(n: Int): GraphPattern = GraphPattern(
    n,
    (0 until n).map(v => PatternEdge(v, (v + 1) % n)),
    (0 until n).combinations(2).map(p =>
      Comparison(p(0), ComparisonOp.NotEqual, p(1))).toVector)

  private def whole(p: GraphPattern, g: CsrGraph): Array[Domain] =
    Array.fill(p.variableCount)(Domain.whole(g.vertexCount))

  private val g = ring(12, (0, 5), (0, 7), (3, 9))

  /** How often a search looks at the interrupt. */
  private def looks(search: Runnable => Any): Int = {
    var n = 0
    search(() => n += 1)
    n
  }

  test("a search ends where its sums are known to cost more than they may") {
    val p = cycle(6)
    def search(most: Double)(look: Runnable) =
      Elimination.of(p, Array(g), whole(p, g), None, most = most, interrupt = look)
    val Right(found) = search(Double.PositiveInfinity)(() => ()): @unchecked
    assert(search(1.0)(() => ()).left.exists(_.contains("would be worth it")))
    val all = looks(search(Double.PositiveInfinity))
    assert(looks(search(1.0)) < all / 10, all)
    assert(looks(search(found.cost / 2)) < all, all)
    assert(search(found.cost * 1.01)(() => ()).exists(_.cost == found.cost))
  }

  test("what was found for a pattern is found again without a search, and nothing else is") {
    val p = cycle(5)
    def search(p: GraphPattern, g: CsrGraph, domains: Array[Domain], most: Double = 1e18)(
        look: Runnable) =
      KnownEliminations.of(p, Array(g), domains, None, Nil, most, interrupt = look)
    val first = search(p, g, whole(p, g))(() => ())
    assert(looks(search(p, g, whole(p, g))) == 0)
    assert(search(p, g, whole(p, g))(() => ()) eq first)
    val others = Seq[Runnable => Any](
      search(p.copy(comparisons = p.comparisons.take(3)), g, whole(p, g)),
      search(p, ring(12, (0, 5), (0, 7), (3, 8), (3, 9)), whole(p, g)),
      search(p, ring(12, (0, 0), (0, 7), (3, 9)), whole(p, g)),
      search(p, g, whole(p, g).updated(2, new Domain(12, 0, 12, Array(0x0fL)))),
      search(p, g, whole(p, g), 1e19))
    others.foreach(o => assert(looks(o) > 0))
    // One domain twice is another sum than two domains of as many codes.
    val (some, more) = (Array(0x0fL), Array(0xf0L))
    val alike = Seq(some, more).map { bits =>
      whole(p, g)
        .updated(0, new Domain(12, 0, 12, some))
        .updated(1, new Domain(12, 0, 12, bits))
    }
    alike.foreach(d => assert(looks(search(p, g, d)) > 0))
  }

  private val marked: Gen[Array[Array[Int]]] = for {
    n <- Gen.choose(1, 6)
    kinds <- Gen.choose(1, 3)
    marks <- Gen.listOfN(n * n, Gen.choose(0, kinds))
    alone <- Gen.listOfN(n, Gen.frequency(4 -> 0, 1 -> 1))
    mirrored <- Gen.oneOf(true, false)
  } yield Array.tabulate(n, n) { (i, j) =>
    if (i == j) alone(i) else if (mirrored && i > j) marks(j * n + i) else marks(i * n + j)
  }

  private def moved(marks: Array[Array[Int]], places: IndexedSeq[Int]): Array[Array[Int]] = {
    val at = marks.indices.map(places.indexOf(_))
    Array.tabulate(marks.length, marks.length)((i, j) => marks(at(i))(at(j)))
  }

  private def text(marks: Array[Array[Int]]): String = marks.map(_.mkString(",")).mkString(";")

  test("sums that differ in the names of variables only are the same by place") {
    forAll(Gen.zip(marked, Gen.choose(0, 1000000)), casesOf(500, 20000)) { case (marks, seed) =>
      val places = new scala.util.Random(seed).shuffle(marks.indices.toVector)
      val other = moved(marks, places)
      val (a, b) = (new Arrangement(marks), new Arrangement(other))
      assert(text(moved(marks, a.leastPlaces)) == text(moved(other, b.leastPlaces)))
      val expected =
        marks.indices.permutations.filter(p => text(moved(marks, p)) == text(marks)).toSet
      assert(a.symmetries.toSet == expected.map(_.toVector))
      assert(marks.indices.permutations.forall(p => a.isKeptBy(p) == expected(p)))
    }
  }

  test("more variables than are gone through keep their places") {
    val star = Array.tabulate(70, 70)((i, j) => if (i != j && (i == 0 || j == 0)) 1 else 0)
    val a = new Arrangement(star)
    assert(a.leastPlaces == star.indices)
    assert(a.symmetries == Vector(star.indices))
    val path = Array.tabulate(40, 40)((i, j) => if (i + 1 == j) 1 else if (j + 1 == i) 2 else 0)
    assert(new Arrangement(path).leastPlaces.sorted == path.indices)
    assert(new Arrangement(path).symmetries == Vector(path.indices))
  }
}
