package io.wreath.kernel.path

import scala.collection.mutable

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** A set of edges, whatever is added and removed. */
class UsedEdgesSuite extends PropertyChecks {

  test("an edge is there from when it is added until it is removed") {
    forAll(Gen.zip(Gen.choose(1, 12), Gen.long), 100) { case (n, seed) =>
      val random = new scala.util.Random(seed)
      val edges = new UsedEdges
      val expected = mutable.Set.empty[(Int, Int, Int, Int)]
      (0 until 1000).foreach { _ =>
        val edge = (random.nextInt(n), random.nextInt(n), random.nextInt(2), random.nextInt(2))
        val (source, target, relation, copy) = edge
        if (expected(edge) && random.nextBoolean()) {
          edges.remove(source, target, relation, copy)
          expected -= edge
        } else assert(edges.add(source, target, relation, copy) == expected.add(edge))
      }
    }
  }
}
