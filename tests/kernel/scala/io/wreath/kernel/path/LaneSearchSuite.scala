package io.wreath.kernel.path

import scala.collection.mutable

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** Levels from many sources are those of walks, whatever the bounds and however often it is opened. */
class LaneSearchSuite extends PropertyChecks {

  private def found(search: LaneSearch): Map[(Int, Int), Int] = {
    val all = mutable.Map.empty[(Int, Int), Int]
    while (search.advance()) {
      (0 until search.freshCount).foreach { i =>
        (0 until 64).filter(lane => (search.freshLanes(i) >>> lane & 1L) != 0).foreach { lane =>
          assert(all.put((lane, search.freshVertex(i)), search.level).isEmpty)
        }
      }
    }
    all.toMap
  }

  private val hops: Gen[Hops] = for {
    least <- Gen.choose(0, 5)
    more <- Gen.choose(0, 6)
    isBounded <- Gen.oneOf(true, false)
  } yield Hops(least, if (isBounded) least + more else Hops.Unbounded)

  test("each lane finds each vertex once, at the least length within the bounds") {
    val cases = for {
      (g, steps) <- PathGen.view
      groups <- Gen.listOfN(
        3,
        Gen.zip(
          hops,
          Gen.choose(0, 64).flatMap(Gen.containerOfN[Vector, Int](_, Gen.choose(0, g.n - 1)))))
    } yield (g, steps, groups)
    forAll(cases, casesOf(60, 5000)) { case (g, steps, groups) =>
      val search = new LaneSearch(steps)
      groups.foreach { case (hops, sources) =>
        search.open((-1 +: sources).toArray, 1, sources.size, hops)
        val expected = for {
          (source, lane) <- sources.zipWithIndex
          (v, level) <- NaivePaths.levels(g, source, hops)
        } yield ((lane, v), level)
        assert(found(search) == expected.toMap)
      }
    }
  }

  test("a chain of 100,000 vertices has as many levels") {
    val n = PathGen.longChain.n
    val search = new LaneSearch(PathGen.longChain.steps)
    search.open(Array(0, 10), 0, 2, Hops.some)
    var levels = 0
    while (search.advance()) {
      levels += 1
      assert(search.level == levels)
    }
    assert(levels == n - 1)
  }

  test("whoever has enough opens anew, and an interrupt ends a search that can be opened again") {
    var stops = false
    val g = PathGen.longChain
    val interrupt: Runnable = () => if (stops) throw new InterruptedException
    val ring = PathCase(g.edges :+ ((g.n - 1, 0)), g.n)
    Seq(ring.steps, Steps.of(ring.graph, isForward = false)).foreach { steps =>
      val search = new LaneSearch(steps, interrupt)
      search.open(Array.range(0, 64), 0, 64, Hops.some)
      (0 until 5).foreach(_ => assert(search.advance()))
      stops = true
      search.open(Array.range(0, 64), 0, 64, Hops(1000000000, Hops.Unbounded))
      assertThrows[InterruptedException](search.advance())
      stops = false
      search.open(Array(7), 0, 1, Hops(0, 2))
      assert(found(search).size == 3)
    }
  }

  test("more sources than lanes, and vertices of two kinds, are refused") {
    val g = PathCase(Vector((0, 1)), 2)
    assertThrows[IllegalArgumentException](
      new LaneSearch(g.steps).open(new Array[Int](65), 0, 65, Hops.any))
    val twoKinds =
      io.wreath.kernel.csr.CsrBuilder.fromCodes(Array(0), Array(4), 1, 1, 5)
    assert(
      intercept[IllegalArgumentException](Steps.of(twoKinds)).getMessage.contains("one kind"))
    assertThrows[IllegalArgumentException](Hops(3, 2))
  }
}
