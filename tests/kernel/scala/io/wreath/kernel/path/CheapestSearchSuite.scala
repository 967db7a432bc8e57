package io.wreath.kernel.path

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** Costs are those of relaxing until nothing changes; of equal ones the path with the fewest steps. */
class CheapestSearchSuite extends PropertyChecks {

  private val cases = for {
    g <- PathGen.graph
    way <- Gen.oneOf(Way.Forward, Way.Backward, Way.Both)
    range <- Gen.choose(0, 2)
    cost = range match {
      case 0 => Gen.choose(1L, 4L)
      case 1 => Gen.choose(1000L, 3000000L)
      case _ => Gen.oneOf(Gen.choose(1L, 4L), Gen.choose(1L, 1L << 40))
    }
    rows <- Gen.containerOfN[Vector, Long](
      g.edges.size,
      cost)
    source <- Gen.choose(0, g.n - 1)
    hops <- Gen.oneOf(Hops.any, Hops.some)
  } yield (g, way, rows, source, hops)

  test("each vertex that is reached is settled once, by ascending cost, with the first path") {
    forAll(cases, casesOf(120, 10000)) { case (g, way, byRow, source, hops) =>
      val doubles = EdgeCosts.doubles(g.graph, byRow.map(_.toDouble).toArray, way)
      val longs = EdgeCosts.longs(g.graph, byRow.toArray, way)
      val forward = g.edges.zip(byRow)
      val back = forward.map { case (edge, cost) => (edge.swap, cost) }
      val along = way match {
        case Way.Forward => forward
        case Way.Backward => back.sortBy(_._1)
        case Way.Both => (forward ++ back).sortBy(_._1)
      }
      val seen = PathCase(along.map(_._1), g.n)
      val rows = along.map(_._2)
      val expected = NaivePaths.costs(seen, rows, source, hops)
      val path = new VertexPath
      Seq(doubles, longs).foreach { costs =>
        val search = new CheapestSearch(costs, withPaths = true)
        // The second time everything is as the first left it.
        (0 until 2).foreach { _ =>
          search.open(source, hops)
          val order =
            Iterator.continually(search.advance()).takeWhile(identity).map(_ => search.vertex)
          val settled = order.toVector
          assert(settled.toSet == expected.keySet && settled.size == expected.size)
          if (byRow.nonEmpty) {
            // Nobody is settled after one whose cost is greater by an edge.
            settled.zip(settled.drop(1)).foreach { case (v, w) =>
              assert(expected(w) > expected(v) - byRow.min)
            }
          }
          settled.foreach { v =>
            assert(
              (if (costs.isLong) search.longCost(v) else search.doubleCost(v).toLong) ==
                expected(v))
            search.path(v, path)
            assert(path.toArray.toSeq == NaivePaths.cheapest(seen, rows, source, v, hops))
          }
        }
      }
    }
  }

  test("of parallel edges the cheapest counts, and of equal ones the first") {
    val g = PathCase(Vector((0, 1), (0, 1), (0, 1), (1, 0), (1, 0), (1, 2)), 3)
    def costs(way: Way): EdgeCosts =
      EdgeCosts.doubles(g.graph, Array(5.0, 2.5, 2.5, 2.5, 1.0, 0.5), way)
    // Forward 0 -> 1, 1 -> 0, 1 -> 2; backward and both ways: 0 - 1, 1 - 0 and so on.
    assert((0 until 3).map(costs(Way.Forward).cheapest) == Seq(1, 1, 0))
    assert((0 until 3).map(costs(Way.Backward).cheapest) == Seq(1, 1, 0))
    // From both ends it is the fifth of the edges between 0 and 1, those from 0 to 1 first.
    assert((0 until 4).map(costs(Way.Both).cheapest) == Seq(4, 4, 0, 0))
    val search = new CheapestSearch(costs(Way.Both))
    search.open(2, Hops.any)
    while (search.advance()) {}
    assert(search.doubleCost(0) == 1.5)
  }

  test("a cost that is not finite and above 0 is refused by the ends of its edge") {
    val g = PathCase(Vector((0, 1), (0, 1), (2, 1)), 3)
    Seq(0.0, -1.0, Double.NaN, Double.PositiveInfinity).foreach { bad =>
      val e = intercept[InvalidCost](EdgeCosts.doubles(g.graph, Array(1.0, 1.0, bad)))
      assert(e.source == 2 && e.target == 1)
      val first = intercept[InvalidCost](EdgeCosts.doubles(g.graph, Array(1.0, bad, 1.0)))
      assert(first.source == 0 && first.target == 1)
    }
    assertThrows[InvalidCost](EdgeCosts.longs(g.graph, Array(1L, 0L, 1L)))
    assertThrows[IllegalArgumentException](EdgeCosts.longs(g.graph, Array(1L)))
  }

  test("bounds of steps are refused") {
    val search =
      new CheapestSearch(EdgeCosts.longs(PathCase(Vector((0, 1)), 2).graph, Array(1L)))
    Seq(Hops(0, 5), Hops(2, Hops.Unbounded)).foreach { hops =>
      assertThrows[IllegalArgumentException](search.open(0, hops))
    }
  }

  test("a sum that no number holds is an error, not a wrong path") {
    val g = PathCase(Vector((0, 1), (1, 2)), 3)
    def run(costs: EdgeCosts): Unit = {
      val search = new CheapestSearch(costs)
      search.open(0, Hops.any)
      while (search.advance()) {}
    }
    assertThrows[ArithmeticException](
      run(EdgeCosts.longs(g.graph, Array(Long.MaxValue - 1, 2L))))
    assertThrows[ArithmeticException](
      run(EdgeCosts.doubles(g.graph, Array(Double.MaxValue, Double.MaxValue))))
  }

  test("costs may be as great or as small as their numbers go") {
    val g = PathCase(Vector((0, 1), (0, 2), (1, 2), (2, 3)), 4)
    val dear = new CheapestSearch(EdgeCosts.longs(g.graph, Array(1L, Long.MaxValue, 7L, 1L)))
    dear.open(0, Hops.any)
    while (dear.advance()) {}
    assert((0 until 4).map(dear.longCost) == Seq(0L, 1L, 8L, 9L))
    val one = PathCase(Vector((0, 1), (0, 2)), 3)
    val dearest = new CheapestSearch(EdgeCosts.longs(one.graph, Array(1L, Long.MaxValue)))
    dearest.open(0, Hops.any)
    (0 until 3).foreach(v => assert(dearest.advance() && dearest.vertex == v))
    assert(dearest.longCost(2) == Long.MaxValue && !dearest.advance())
    val least = Double.MinPositiveValue
    val cheap = new CheapestSearch(
      EdgeCosts.doubles(g.graph, Array(1.0, 9.0, 1.0, 1.0).map(_ * least)))
    cheap.open(0, Hops.any)
    while (cheap.advance()) {}
    assert((0 until 4).map(cheap.doubleCost) == Seq(0.0, 1.0, 2.0, 3.0).map(_ * least))
  }

  test(
    "the greatest sum that a number holds is found, and one beyond it harms nobody who is cheaper") {
    val g = PathCase(Vector((0, 1), (0, 2), (1, 2), (2, 0), (2, 3)), 4)
    def costsOf(costs: EdgeCosts, least: Int): Seq[Long] = {
      val search = new CheapestSearch(costs)
      search.open(0, Hops(least, Hops.Unbounded))
      while (search.advance()) {}
      (0 to 3).map(search.longCost)
    }
    val most = Long.MaxValue
    assert(
      costsOf(EdgeCosts.longs(g.graph, Array(most - 5L, 5L, 6L, 9L, most - 5L)), 0) ==
        Seq(0L, most - 5L, 5L, most))
    val dear = Double.MaxValue
    assert(
      costsOf(EdgeCosts.doubles(g.graph, Array(dear, 1.0, dear, dear, dear)), 1)
        .map(java.lang.Double.longBitsToDouble) == Seq(dear, dear, 1.0, dear))
  }

  test("a chain of 100,000 vertices is one path, and a search looks at the interrupt") {
    val g = PathGen.longChain
    var stops = false
    val search = new CheapestSearch(
      EdgeCosts.doubles(g.graph, Array.fill(g.edges.size)(0.5)),
      withPaths = true,
      () => if (stops) throw new InterruptedException)
    search.open(0, Hops.any)
    while (search.advance()) {}
    assert(search.doubleCost(g.n - 1) == (g.n - 1) * 0.5)
    val path = new VertexPath
    search.path(g.n - 1, path)
    assert(path.toArray.toSeq == (0 until g.n))
    stops = true
    assertThrows[InterruptedException] {
      search.open(0, Hops.any)
      while (search.advance()) {}
    }
  }
}
