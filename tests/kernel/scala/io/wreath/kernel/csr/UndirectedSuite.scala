package io.wreath.kernel.csr

import io.wreath.kernel.{GraphGen, PropertyChecks}

/** Edges read both ways are the edges and their reverses, as lists build them. */
class UndirectedSuite extends PropertyChecks {

  test("every edge leads both ways, and one from a vertex to itself is one edge") {
    forAll(GraphGen.shape, 500) { shape =>
      def build(pairs: Vector[(Int, Int)]): CsrGraph =
        CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, 12)
      val both = Undirected.of(build(shape))
      val expected = build(shape ++ shape.collect { case (s, t) if s != t => (t, s) })
      assert(both.forward.offsets.sameElements(expected.forward.offsets))
      assert(both.forward.neighbours.sameElements(expected.forward.neighbours))
      assert(both.hasDuplicates == expected.hasDuplicates)
      if (both.hasDuplicates) assert(both.forward.mult.sameElements(expected.forward.mult))
      assert(both.reverse eq both.forward)
    }
  }
}
