package io.wreath.kernel.csr

import scala.util.Random

import io.wreath.kernel.{GraphGen, PropertyChecks}
import org.scalacheck.Gen

/** A filtered graph is the graph of the rows that were left. */
class CsrFilterSuite extends PropertyChecks {

  private def edges(csr: Csr): Vector[(Int, Int, Int)] = for {
    v <- (0 until csr.vertexCount).toVector
    i <- csr.from(v) until csr.until(v)
  } yield (v, csr.neighbours(i), if (csr.mult == null) 1 else csr.mult(i))

  test("a filtered graph is what the rows that are left build") {
    forAll(Gen.zip(GraphGen.shape, Gen.long, Gen.choose(0.0, 1.0)), 500) {
      case (shape, seed, share) =>
        val random = new Random(seed)
        val sorted = shape.sorted
        val left = sorted.map(_ => random.nextDouble() < share)
        val rows = new Array[Long](sorted.size / 64 + 1)
        left.zipWithIndex.foreach { case (l, i) => if (l) rows(i / 64) |= 1L << i }
        def build(pairs: Vector[(Int, Int)]): CsrGraph =
          CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, 12)
        val filtered = CsrFilter(build(sorted), rows)
        val expected = build(sorted.zip(left).collect { case (e, true) => e })
        assert(edges(filtered.forward) == edges(expected.forward))
        assert(edges(filtered.reverse) == edges(expected.reverse))
        assert(filtered.hasDuplicates == expected.hasDuplicates)
    }
  }
}
