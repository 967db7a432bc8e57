package io.wreath.bench

import io.wreath.pattern.{Comparison, ComparisonOp, GraphPattern, PatternEdge}

/** The patterns that are measured, over edges that ascend (source < target). */
object Patterns {

  /** k vertices, all joined, each found once because edges ascend. */
  def clique(k: Int): GraphPattern =
    GraphPattern(k, for (a <- 0 until k; b <- a + 1 until k) yield PatternEdge(a, b))

  val triangle: GraphPattern = clique(3)

  /** a - b - c - d - a over edges in both directions; a is the least, b < d: each cycle once. */
  val cycle4: GraphPattern = GraphPattern(
    4,
    Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(2, 3), PatternEdge(3, 0)),
    Vector(
      Comparison(0, ComparisonOp.Less, 1),
      Comparison(0, ComparisonOp.Less, 2),
      Comparison(0, ComparisonOp.Less, 3),
      Comparison(1, ComparisonOp.Less, 3)))

  /** Two triangles, a b c and a b d, on one edge, over edges in both directions. */
  val diamond: GraphPattern = GraphPattern(
    4,
    Vector(
      PatternEdge(0, 1),
      PatternEdge(0, 2),
      PatternEdge(1, 2),
      PatternEdge(0, 3),
      PatternEdge(1, 3)),
    Vector(Comparison(0, ComparisonOp.Less, 1), Comparison(2, ComparisonOp.Less, 3)))

  /** A 4-cycle a b c d with a triangle a b e on one edge, five different vertices. */
  val house: GraphPattern = GraphPattern(
    5,
    Vector(
      PatternEdge(0, 1),
      PatternEdge(1, 2),
      PatternEdge(2, 3),
      PatternEdge(3, 0),
      PatternEdge(0, 4),
      PatternEdge(1, 4)),
    Vector(
      Comparison(0, ComparisonOp.Less, 1),
      Comparison(2, ComparisonOp.NotEqual, 0),
      Comparison(3, ComparisonOp.NotEqual, 1),
      Comparison(4, ComparisonOp.NotEqual, 2),
      Comparison(4, ComparisonOp.NotEqual, 3)))

  /** A clique over edges in both directions, each found once because ids ascend. */
  def orderedClique(k: Int): GraphPattern =
    clique(k).copy(comparisons = (1 until k).map(v => Comparison(v - 1, ComparisonOp.Less, v)))
}
