package io.wreath.kernel.partition

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.kernel.{GraphGen, PropertyChecks}
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import org.scalacheck.Gen

class WorkSplitterSuite extends PropertyChecks {

  private val triangle =
    GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))

  test("morsels cover the work exactly once, and are about as many as asked") {
    forAll(Gen.zip(GraphGen.joinCase, Gen.choose(1, 20)), 400) { case (c, asked) =>
      val program = JoinProgram.compile(c.pattern, c.order)
      val morsels = WorkSplitter.split(program, c.graphs, asked)
      assert(morsels.length <= 3 * asked)
      assert(morsels.forall(m => m.from < m.until && m.secondFrom < m.secondUntil))
      assert(morsels.flatMap(m =>
        m.from until m.until).toSeq.distinct == (0 until c.dictionary.size))
      morsels.filter(_.isCut).groupBy(_.from).values.foreach { pieces =>
        assert(pieces.forall(p => p.until == p.from + 1))
        assert(pieces.head.secondFrom == 0 && pieces.last.secondUntil == Int.MaxValue)
        assert(pieces.zip(pieces.tail).forall { case (a, b) => a.secondUntil == b.secondFrom })
      }
      val join = new GenericJoin(program, c.graphs)
      val counts = morsels.map { m => join.open(m); join.count() }
      assert(counts.sum == c.expected.values.sum)
    }
  }

  test("a graph whose edges all start low is cut where the work is") {
    // 100 sources with 50 edges each among 10,000 codes: even ranges would give it to one task.
    val src = Array.tabulate(5000)(i => i % 100)
    val dst = Array.tabulate(5000)(i => (i * 37) % 10000)
    val g = CsrBuilder.fromCodes(src, dst, 5000, 10000)
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val morsels = WorkSplitter.split(program, Array(g), 4)
    assert(morsels.length >= 4 && morsels.length <= 6)
    assert(morsels.take(2).forall(_.until <= 100))
  }

  test("a vertex that has most of the work is cut by its neighbours") {
    // One hub with 1,000 neighbours, each with two edges, and little else.
    val hub = (1 to 1000).map(0 -> _)
    val others = for (v <- 1 to 1000; k <- 1 to 2) yield v -> (1 + (v * 7 + k * 13) % 1000)
    val pairs = hub ++ others
    val g =
      CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, 1001)
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val morsels = WorkSplitter.split(program, Array(g), 16)
    assert(morsels.count(m => m.from == 0 && m.isCut) >= 5)
    val join = new GenericJoin(program, Array(g))
    join.open(Morsel(0, 1001))
    val whole = join.count()
    val touched = morsels.map { m =>
      val before = join.elementsTouched
      join.open(m)
      (join.count(), join.elementsTouched - before)
    }
    assert(touched.map(_._1).sum == whole)
    val (most, mean) = (touched.map(_._2).max, touched.map(_._2).sum / touched.length)
    assert(most < 2 * mean)
  }

  test("fewer than one morsel is refused, and a graph without vertices needs none") {
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val empty = Array(CsrBuilder.fromCodes(Array.empty, Array.empty, 0, 0))
    assert(WorkSplitter.split(program, empty, 3).isEmpty)
    assertThrows[IllegalArgumentException](WorkSplitter.split(program, empty, 0))
    val one = Array(CsrBuilder.fromCodes(Array(0), Array(0), 1, 1))
    assert(WorkSplitter.split(program, one, 3).toSeq == Seq(Morsel(0, 1)))
  }
}
