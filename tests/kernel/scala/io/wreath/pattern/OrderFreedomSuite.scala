package io.wreath.pattern

import scala.util.Random

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import org.scalacheck.Gen

class OrderFreedomSuite extends PropertyChecks {

  private def pattern(n: Int, edges: Seq[(Int, Int)], comparisons: Comparison*): GraphPattern =
    GraphPattern(
      n,
      edges.map { case (a, b) => PatternEdge(a, b) }.toVector,
      comparisons.toVector)

  private def less(a: Int, b: Int): Comparison = Comparison(a, ComparisonOp.Less, b)
  private def differ(a: Int, b: Int): Comparison = Comparison(a, ComparisonOp.NotEqual, b)

  private val cycle4 = Seq(0 -> 1, 1 -> 2, 2 -> 3, 3 -> 0)
  private val clique4 = Seq(0 -> 1, 0 -> 2, 0 -> 3, 1 -> 2, 1 -> 3, 2 -> 3)

  private val free = Seq(
    "triangle" -> pattern(3, Seq(0 -> 1, 1 -> 2, 0 -> 2), less(0, 1), less(1, 2)),
    "triangle, two of three" -> pattern(3, Seq(0 -> 1, 1 -> 2, 0 -> 2), less(0, 1)),
    "4-clique" -> pattern(4, clique4, less(0, 1), less(1, 2), less(2, 3)),
    "4-cycle" -> pattern(4, cycle4, less(0, 1), less(0, 2), less(0, 3), less(1, 3)),
    "diamond" -> pattern(
      4,
      Seq(0 -> 1, 0 -> 2, 1 -> 2, 0 -> 3, 1 -> 3),
      less(0, 1),
      less(2, 3)),
    "house" -> pattern(
      5,
      cycle4 ++ Seq(0 -> 4, 1 -> 4),
      less(0, 1),
      differ(2, 0),
      differ(3, 1),
      differ(4, 2),
      differ(4, 3)))

  private val bound = Seq(
    "ascending path" -> pattern(3, Seq(0 -> 1, 1 -> 2), less(0, 1), less(1, 2)),
    "path from the lesser end" -> pattern(3, Seq(0 -> 1, 1 -> 2), less(0, 1), differ(0, 2)),
    "4-cycle that ascends" -> pattern(
      4,
      cycle4,
      less(0, 1),
      less(1, 2),
      differ(0, 2),
      less(1, 3)),
    "ends that may meet" -> pattern(4, Seq(0 -> 1, 1 -> 2, 2 -> 3), less(0, 3)),
    "nothing compared" -> pattern(3, Seq(0 -> 1, 1 -> 2, 0 -> 2)),
    "at most" -> pattern(
      3,
      Seq(0 -> 1, 1 -> 2, 0 -> 2),
      Comparison(0, ComparisonOp.LessOrEqual, 1)))

  free.foreach { case (name, p) => test(s"any order: $name")(assert(OrderFreedom.of(p))) }
  bound.foreach { case (name, p) => test(s"not any order: $name")(assert(!OrderFreedom.of(p))) }

  private def symmetric(edges: Seq[(Int, Int)], n: Int): CsrGraph = {
    val both = edges.flatMap { case (a, b) => Seq(a -> b, b -> a) }.distinct
    CsrBuilder.fromCodes(both.map(_._1).toArray, both.map(_._2).toArray, both.size, n)
  }

  private def count(p: GraphPattern, g: CsrGraph): Long = {
    val order = VariableOrderPlanner.choose(
      p,
      PatternStatistics.of(Array(g)),
      counting = Some(Counting()))
    val join = new GenericJoin(JoinProgram.compile(p, order, _ => true), Array(g))
    join.open(Morsel(0, g.vertexCount))
    join.count()
  }

  private def edges(random: Random, n: Int): Seq[(Int, Int)] =
    Seq
      .fill(random.nextInt(4 * n))((random.nextInt(n), random.nextInt(n)))
      .filter { case (a, b) => a != b }

  test("a pattern that is said to be free has as many matches by degree and by any other order") {
    forAll(Gen.long, 300) { seed =>
      val random = new Random(seed)
      val n = 3 + random.nextInt(12)
      val found = edges(random, n)
      val g = symmetric(found, n)
      val shuffled = random.shuffle((0 until n).toVector)
      val other = symmetric(found.map { case (a, b) => (shuffled(a), shuffled(b)) }, n)
      val vertices = 3 + random.nextInt(2)
      val pairs = (0 until vertices).combinations(2).toVector
      // A path through all, and more.
      val path = (1 until vertices).map(v => v - 1 -> v)
      val guess = pattern(
        vertices,
        path ++ random.shuffle(pairs).take(random.nextInt(4)).map(p => p(0) -> p(1)),
        random.shuffle(pairs).take(random.nextInt(4)).map(p => less(p(0), p(1))) ++
          pairs.map(p => differ(p(0), p(1))): _*)
      val patterns = free.map(_._2) ++ Some(guess).filter(OrderFreedom.of)
      patterns.foreach { p =>
        assert(count(p, g.byDegree) == count(p, g), p)
        assert(count(p, other) == count(p, g), p)
      }
    }
  }

  test("codes by degree: the same graph, the longest lists first") {
    forAll(Gen.long, 200) { seed =>
      val random = new Random(seed)
      val n = 1 + random.nextInt(20)
      val g = symmetric(edges(random, n), n)
      val ranked = g.byDegree
      def degrees(of: CsrGraph): Seq[Int] = (0 until n).map(of.forward.degree)
      assert(degrees(ranked) == degrees(g).sortBy(-_))
      assert(ranked.isSymmetric && ranked.edgeCount == g.edgeCount)
      (0 until n).foreach { v =>
        val list =
          ranked.forward.array(v).slice(ranked.forward.from(v), ranked.forward.until(v)).toSeq
        assert(list == list.distinct.sorted)
      }
    }
  }

  test("codes by degree: only of symmetric graphs without parallel edges") {
    val oneWay = CsrBuilder.fromCodes(Array(0), Array(1), 1, 2)
    assertThrows[IllegalStateException](oneWay.byDegree)
    val twice = CsrBuilder.fromCodes(Array(0, 1, 0, 1), Array(1, 0, 1, 0), 4, 2)
    assertThrows[IllegalStateException](twice.byDegree)
  }
}
