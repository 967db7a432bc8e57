package io.wreath.kernel.csr

import scala.util.Random

import io.wreath.kernel.{GraphGen, PropertyChecks}
import org.scalacheck.Gen

/** A confined graph is the graph of the edges between the vertices that were left. */
class ConfinedListsSuite extends PropertyChecks {

  private def edges(csr: Csr): Vector[(Int, Int, Int)] = for {
    v <- (0 until csr.vertexCount).toVector
    i <- csr.from(v) until csr.until(v)
  } yield (v, csr.neighbours(i), if (csr.mult == null) 1 else csr.mult(i))

  private def build(pairs: Vector[(Int, Int)]): CsrGraph =
    CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, 12)

  test("a confined graph is what the edges between the vertices that are left build") {
    forAll(Gen.zip(GraphGen.shape, Gen.long, Gen.choose(0, 2)), 1000) {
      case (shape, seed, ends) =>
        val random = new Random(seed)
        def set(): Set[Int] = (0 until 12).filter(_ => random.nextInt(3) > 0).toSet
        def bits(set: Set[Int]): Array[Long] = Array(set.map(1L << _).sum)
        val (sources, targets) = (set(), set())
        val (from, to) = (ends != 1, ends != 0)
        val confined = ConfinedLists.of(
          build(shape.toVector),
          if (from) bits(sources) else null,
          if (to) bits(targets) else null)
        val expected = build(shape.toVector.filter { case (s, t) =>
          (!from || sources(s)) && (!to || targets(t))
        })
        assert(edges(confined.forward) == edges(expected.forward))
        assert(edges(confined.reverse) == edges(expected.reverse))
        assert(confined.hasDuplicates == expected.hasDuplicates)
    }
  }
}
