package io.wreath.kernel.path

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** Components and ranks are those of the definitions. */
class WholeGraphSuite extends PropertyChecks {

  test("a component is named by its smallest code") {
    forAll(PathGen.view, casesOf(500, 20000)) { case (g, steps) =>
      assert(Components.of(steps).toSeq == NaivePaths.components(g))
    }
  }

  test("components of graphs that are larger than the sample") {
    forAll(Gen.long, casesOf(3, 100)) { seed =>
      val random = new scala.util.Random(seed)
      val n = 3000
      val edges = Vector.fill(1800)((random.nextInt(n), random.nextInt(n))).sorted
      val g = PathCase(edges, n)
      assert(Components.of(g.steps).toSeq == NaivePaths.components(g))
    }
  }

  test("ranks are those of the matrix, and sum to 1") {
    val cases = Gen.zip(PathGen.view, Gen.oneOf(0.0, 0.5, 0.85), Gen.choose(0, 8))
    forAll(cases, casesOf(200, 10000)) { case ((g, steps), damping, rounds) =>
      val ranks = PageRank(steps, damping, rounds).of
      assert(Math.abs(ranks.sum - 1.0) < 1e-12)
      ranks.zip(NaivePaths.pageRank(g, damping, rounds)).foreach { case (rank, expected) =>
        assert(Math.abs(rank - expected) < 1e-12)
      }
    }
  }

  test("codes that are no vertices have no rank, and vertices without codes have their share") {
    val cases =
      Gen.zip(Gen.long, Gen.choose(1, 12), Gen.choose(0, 3), Gen.choose(0, 6))
    forAll(cases, casesOf(200, 10000)) { case (seed, codes, others, rounds) =>
      val random = new scala.util.Random(seed)
      val absent = (0 until codes).filter(_ => random.nextInt(3) == 0)
      val present = (0 until codes).diff(absent)
      val edges =
        if (present.isEmpty) Vector.empty
        else {
          def any = present(random.nextInt(present.size))
          Vector.fill(random.nextInt(20))((any, any)).sorted
        }
      val ranks =
        PageRank(PathCase(edges, codes).steps, 0.85, rounds, absent.toArray, others)
      // The same graph without gaps, where those that have no codes have the last ones.
      val close = edges.map { case (s, t) => (present.indexOf(s), present.indexOf(t)) }
      val expected =
        NaivePaths.pageRank(PathCase(close, present.size + others), 0.85, rounds)
      val found = present.map(ranks.of(_)) ++ Seq.fill(others)(ranks.ofOthers)
      assert(found.size == expected.size)
      found.zip(expected).foreach { case (r, e) => assert(Math.abs(r - e) < 1e-12) }
      assert(absent.forall(ranks.of(_) == 0.0))
    }
  }

  test("an empty graph has no components and no ranks") {
    val none = PathCase(Vector.empty, 0).steps
    assert(Components.of(none).isEmpty && PageRank(none, 0.85, 20).of.isEmpty)
  }

  test("what makes no sense is refused") {
    val steps = PathCase(Vector((0, 1)), 2).steps
    Seq(1.0, -0.1, Double.NaN).foreach { damping =>
      assertThrows[IllegalArgumentException](PageRank(steps, damping, 1))
    }
    assertThrows[IllegalArgumentException](PageRank(steps, 0.85, -1))
  }

  test("both look at the interrupt") {
    val steps = PathGen.longChain.steps
    def stop: Runnable = () => throw new InterruptedException
    assertThrows[InterruptedException](Components.of(steps, stop))
    assertThrows[InterruptedException](PageRank(steps, 0.85, 20, interrupt = stop))
  }

  test("a chain of 100,000 vertices is one component") {
    val g = PathGen.longChain
    assert(Components.of(g.steps).forall(_ == 0))
    assert(Components.of(g.steps.reversed).forall(_ == 0))
  }
}
