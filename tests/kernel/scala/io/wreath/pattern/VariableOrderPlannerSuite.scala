package io.wreath.pattern

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.{GraphGen, PropertyChecks}

class VariableOrderPlannerSuite extends PropertyChecks {
  import ComparisonOp.Less

  private def clique(k: Int): GraphPattern =
    GraphPattern(k, for (a <- 0 until k; b <- a + 1 until k) yield PatternEdge(a, b))

  /** 1,000 vertices, 10,000 edges, every degree 10 both ways: squares sum to 100,000. */
  private val regular =
    PatternStatistics(1000, Vector(RelationStatistics(10000, 1000, 1000, 1e5, 1e5, 1e5)))

  private def isConnected(p: GraphPattern, order: Seq[Int]): Boolean =
    order.indices.tail.forall { i =>
      val before = order.take(i).toSet
      def touches(v: Int) = p.edges.exists(e =>
        (e.source == v && before(e.target)) || (e.target == v && before(e.source)))
      // A part that has been begun is finished first.
      touches(order(i)) || !order.drop(i).exists(touches)
    }

  test("every order is a permutation that goes on along edges while it can") {
    forAll(GraphGen.joinCase, 500) { c =>
      val stats = PatternStatistics.of(c.graphs)
      val order = VariableOrderPlanner.choose(c.pattern, stats)
      assert(order.variables.size == c.pattern.variableCount)
      assert(isConnected(c.pattern, order.variables))
      assert(order == VariableOrderPlanner.choose(c.pattern, stats))
    }
  }

  test("the cost of a triangle on a regular graph is what the formula says") {
    // Scan 1,000; then 1,000 lists of 10; then 10,000 lists of 10 probed against 1,000 marked.
    val cost = VariableOrderPlanner.cost(clique(3), regular, VariableOrder.natural(3))
    assert(cost == 1000.0 + 1000 * 10 + (10000 * 10 + 1000 * 10))
  }

  test("cliques are bound in their natural order, which is that of the bit matrix") {
    (3 to 6).foreach { k =>
      assert(VariableOrderPlanner.choose(clique(k), regular) == VariableOrder.natural(k))
    }
  }

  test("among equals the order follows the < comparisons") {
    val p = clique(4).copy(comparisons =
      Vector(Comparison(3, Less, 2), Comparison(2, Less, 1), Comparison(1, Less, 0)))
    assert(VariableOrderPlanner.choose(p, regular).variables == Vector(3, 2, 1, 0))
  }

  test("a path starts at the end with the smaller relation") {
    val small = RelationStatistics(10, 10, 10, 10, 10, 10)
    val large = regular.relations.head
    val p = GraphPattern(3, Vector(PatternEdge(0, 1, 0), PatternEdge(1, 2, 1)))
    val order = VariableOrderPlanner.choose(p, PatternStatistics(1000, Vector(large, small)))
    assert(order.variables.head != 0)
  }

  test("patterns beyond the exhaustive limit get a connected order too") {
    val path = GraphPattern(30, (1 until 30).map(v => PatternEdge(v - 1, v)))
    assert(isConnected(path, VariableOrderPlanner.choose(path, regular).variables))
    for (v <- 0 until path.variableCount) {
      val order = VariableOrderPlanner.choose(path, regular, Vector(v)).variables
      assert(order.head == v && isConnected(path, order))
    }
  }

  test("statistics are the degree moments of the graph") {
    // 0->1, 0->2, 1->2: out 2,1,0; in 0,1,2
    val g = CsrBuilder.fromCodes(Array(0, 0, 1), Array(1, 2, 2), 3, 3)
    assert(
      PatternStatistics.of(Array(g)) ==
        PatternStatistics(3, Vector(RelationStatistics(3, 2, 2, 5.0, 5.0, 1.0))))
  }

  test("a relation without statistics is refused") {
    val p = GraphPattern(2, Vector(PatternEdge(0, 1, 1)))
    assertThrows[IllegalArgumentException](VariableOrderPlanner.choose(p, regular))
  }
}
