package io.wreath.kernel.path

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** One source and one pair find what walks find, and of the shortest paths the first. */
class ShortestPathSuite extends PropertyChecks {

  private val cases = for {
    (g, steps) <- PathGen.view
    least <- Gen.choose(0, 1)
    most <- Gen.oneOf(Gen.const(Hops.Unbounded), Gen.choose(least, 5))
    sources <- Gen.listOfN(4, Gen.choose(0, g.n - 1))
  } yield (g, steps, Hops(least, most), sources)

  test("one source finds each vertex at its level, and the first of the shortest paths") {
    forAll(cases, casesOf(80, 10000)) { case (g, steps, hops, sources) =>
      val plain = new BreadthSearch(steps)
      val withPaths = new BreadthSearch(steps, withPaths = true)
      val path = new VertexPath
      sources.foreach { source =>
        val expected = NaivePaths.levels(g, source, hops)
        Seq(plain, withPaths).foreach { search =>
          search.open(source, hops)
          val fresh = Iterator
            .continually(search.advance())
            .takeWhile(identity)
            .flatMap(_ =>
              (0 until search.freshCount).map(i => search.freshVertex(i) -> search.level))
            .toVector
          assert(fresh.toMap == expected && fresh.size == expected.size)
          (0 until g.n).foreach(v => assert(search.distance(v) == expected.getOrElse(v, -1)))
        }
        expected.keys.foreach { target =>
          withPaths.path(target, path)
          assert(path.toArray.toSeq == NaivePaths.first(g, source, target, hops).get)
        }
      }
    }
  }

  test("a pair has the length and the path that one source finds") {
    forAll(cases, casesOf(80, 10000)) { case (g, steps, hops, sources) =>
      val search = new PairSearch(steps)
      val path = new VertexPath
      sources.foreach { source =>
        val expected = NaivePaths.levels(g, source, hops)
        (0 until Math.min(g.n, 12)).foreach { target =>
          val length = expected.getOrElse(target, -1)
          assert(search.distance(source, target, hops) == length)
          assert(search.path(source, target, hops, path) == length)
          assert(
            path.toArray.toSeq ==
              NaivePaths.first(g, source, target, hops).getOrElse(Vector.empty))
        }
      }
    }
  }

  test("dense graphs are searched from the other side, with the same answers") {
    forAll(Gen.choose(100, 300).flatMap(n => Gen.zip(Gen.const(n), Gen.long)), casesOf(3, 100)) {
      case (n, seed) =>
        val random = new scala.util.Random(seed)
        val g = PathCase(Vector.fill(8 * n)((random.nextInt(n), random.nextInt(n))).sorted, n)
        val search = new BreadthSearch(g.steps)
        Seq(0, 1, n - 1).foreach { source =>
          search.open(source, Hops.some)
          while (search.advance()) {}
          val expected = NaivePaths.levels(g, source, Hops.some)
          assert((0 until n).forall(v => search.distance(v) == expected.getOrElse(v, -1)))
        }
    }
  }

  test("a chain of 100,000 vertices is one path") {
    val g = PathGen.longChain
    val path = new VertexPath
    assert(new PairSearch(g.steps).path(0, g.n - 1, Hops.any, path) == g.n - 1)
    assert(path.toArray.toSeq == (0 until g.n))
    val search = new BreadthSearch(g.steps, withPaths = true)
    search.open(0, Hops.any)
    while (search.advance()) {}
    search.path(g.n - 1, path)
    assert(path.toArray.toSeq == (0 until g.n))
    val back = new PairSearch(g.steps.reversed)
    assert(back.distance(g.n - 1, 0, Hops.any) == g.n - 1)
    assert(back.distance(0, g.n - 1, Hops.any) == -1)
  }

  test("a cycle leads back, a self-loop in one step, and nothing where neither is") {
    val ring = PathCase(Vector.tabulate(50000)(v => (v, (v + 1) % 50000)), 50000)
    val path = new VertexPath
    assert(new PairSearch(ring.steps).path(3, 3, Hops.some, path) == 50000)
    assert(path.size == 50001 && path(0) == 3 && path(50000) == 3)
    val loop = new PairSearch(PathCase(Vector((0, 0), (0, 1)), 2).steps)
    assert(loop.distance(0, 0, Hops.some) == 1 && loop.distance(0, 0, Hops.any) == 0)
    assert(loop.distance(1, 1, Hops.some) == -1 && loop.distance(0, 1, Hops(0, 0)) == -1)
  }

  test("searches look at the interrupt and can be used again after it") {
    var stops = false
    val interrupt: Runnable = () => if (stops) throw new InterruptedException
    val g = PathGen.longChain
    val pair = new PairSearch(g.steps, interrupt)
    val breadth = new BreadthSearch(g.steps, withPaths = false, interrupt)
    stops = true
    assertThrows[InterruptedException](pair.distance(0, g.n - 1, Hops.any))
    breadth.open(0, Hops.any)
    assertThrows[InterruptedException](while (breadth.advance()) {})
    stops = false
    assert(pair.distance(5, 15, Hops.any) == 10)
    breadth.open(5, Hops.any)
    while (breadth.advance()) {}
    assert(breadth.distance(15) == 10 && breadth.distance(4) == -1)
  }
}
