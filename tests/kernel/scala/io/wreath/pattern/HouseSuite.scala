package io.wreath.pattern

import scala.util.Random

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.kernel.{NaiveJoin, PropertyChecks}
import org.scalacheck.Gen

class HouseSuite extends PropertyChecks {
  private val walls = Seq(0 -> 1, 1 -> 2, 2 -> 3, 3 -> 0)
  private val house = walls ++ Seq(0 -> 4, 1 -> 4)

  private def pattern(
      edges: Seq[(Int, Int)],
      less: Seq[(Int, Int)],
      differing: Seq[(Int, Int)]): GraphPattern =
    GraphPattern(
      edges.flatMap { case (a, b) => Seq(a, b) }.max + 1,
      edges.map { case (a, b) => PatternEdge(a, b) }.toVector,
      (less.map { case (a, b) => Comparison(a, ComparisonOp.Less, b) } ++
        differing.map { case (a, b) => Comparison(a, ComparisonOp.NotEqual, b) }).toVector)

  private val differing = Seq(0 -> 2, 1 -> 3, 4 -> 2, 4 -> 3)
  private val once = pattern(house, Seq(0 -> 1), differing)
  private val twice = pattern(house, Nil, differing)

  test("a house is found, however its variables are numbered and its edges directed") {
    forAll(Gen.long, 100) { seed =>
      val random = new Random(seed)
      val names = random.shuffle((0 until 5).toVector)
      def renamed(of: Seq[(Int, Int)]): Seq[(Int, Int)] = of.map { case (a, b) =>
        if (random.nextBoolean()) names(a) -> names(b) else names(b) -> names(a)
      }
      val edges = renamed(random.shuffle(house))
      val found = House.of(pattern(edges, Nil, renamed(differing)))
      assert(found.exists(_.matches == 2))
      assert(found.exists(_.roof == names(4)))
      val around = found.get.cycle
      assert(Set(around(0), around(1)) == Set(names(0), names(1)))
      assert(around.indices.forall { i =>
        val side = Set(around(i), around((i + 1) % 4))
        edges.exists { case (a, b) => Set(a, b) == side }
      })
    }
  }

  test("each house has one match or two") {
    assert(House.of(once).map(_.matches).contains(1))
    assert(House.of(pattern(house, Seq(3 -> 2), differing)).map(_.matches).contains(1))
    assert(House.of(twice).map(_.matches).contains(2))
  }

  test("what is no house") {
    val others = Seq(
      "vertices that may meet" -> pattern(house, Seq(0 -> 1), differing.tail),
      "matches depend on the order" -> pattern(house, Seq(0 -> 4), differing),
      "a cross beam" -> pattern(house :+ (0 -> 2), Nil, differing),
      "no roof" -> pattern(walls :+ (0 -> 4), Nil, differing :+ (1 -> 4)),
      "a roof from corner to corner" -> pattern(
        walls ++ Seq(0 -> 4, 2 -> 4),
        Nil,
        Seq(0 -> 2, 1 -> 3, 4 -> 1, 4 -> 3)),
      "a ring of five" -> pattern(
        Seq(0 -> 1, 1 -> 2, 2 -> 3, 3 -> 4, 4 -> 0),
        Nil,
        (0 until 5).map(i => i -> (i + 2) % 5)),
      "a bow tie" -> pattern(
        Seq(0 -> 1, 1 -> 2, 2 -> 0, 2 -> 3, 3 -> 4, 4 -> 2),
        Nil,
        Seq(0 -> 3, 0 -> 4, 1 -> 3, 1 -> 4)))
    others.foreach { case (name, p) => assert(House.of(p).isEmpty, name) }
  }

  private def symmetric(edges: Seq[(Int, Int)], n: Int): CsrGraph = {
    val both = edges.flatMap { case (a, b) => Seq(a -> b, b -> a) }.distinct
    CsrBuilder.fromCodes(both.map(_._1).toArray, both.map(_._2).toArray, both.size, n)
  }

  private def count(program: JoinProgram, g: CsrGraph, cuts: Seq[Int]): Long = {
    val join = new GenericJoin(program, Array(g))
    val bounds = (Seq(0, g.vertexCount) ++ cuts).sorted
    bounds
      .zip(bounds.tail)
      .map { case (from, until) =>
        join.open(Morsel(from, until))
        join.count()
      }
      .sum
  }

  test("houses are counted by cycles as they are by nested loops and one by one") {
    forAll(Gen.long, 300) { seed =>
      val random = new Random(seed)
      val n = 5 + random.nextInt(if (seed % 3 == 0) 3 else 25)
      val edges = Seq
        .fill(random.nextInt(5 * n))((random.nextInt(n), random.nextInt(n)))
        .filter { case (a, b) => a != b }
      val g = symmetric(edges, n)
      val cuts = Seq.fill(random.nextInt(3))(random.nextInt(n))
      Seq(once, twice).foreach { p =>
        val houses = JoinProgram.ofHouses(House.of(p).get)
        val one =
          count(JoinProgram.compile(p, VariableOrder.natural(5), _ => true), g, Nil)
        assert(count(houses, g, cuts) == one)
        assert(count(houses, g.byDegree, cuts) == one)
        if (n < 8) {
          val rows = (0 until n).flatMap(v =>
            g.forward.array(v).slice(g.forward.from(v), g.forward.until(v))
              .map(w => v.toLong -> w.toLong))
          assert(NaiveJoin(Vector(rows.toVector), p).values.sum == one)
        }
      }
    }
  }
}
