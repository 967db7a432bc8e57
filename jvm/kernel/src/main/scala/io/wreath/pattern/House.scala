package io.wreath.pattern

/**
 * A pattern of houses: a 4-cycle and one more variable, the roof, with an edge to both ends of one of
 * the cycle's edges; all five differ.
 *
 * @param cycle the variables of the cycle, around it; the roof is on the edge of the first two
 * @param matches how many matches each house has, whatever the order of its vertices
 */
final case class House(cycle: IndexedSeq[Int], roof: Int, matches: Int)

object House {

  /** Each 4-cycle once, over variables that stand around it. */
  val cycles: GraphPattern = GraphPattern(
    4,
    Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(2, 3), PatternEdge(3, 0)),
    Vector((0, 1), (0, 2), (0, 3), (1, 3)).map { case (a, b) =>
      Comparison(a, ComparisonOp.Less, b)
    })

  /** From a corner to the one opposite, so that paths of two edges are counted. */
  val cycleOrder: VariableOrder = VariableOrder(Vector(0, 2, 1, 3))

  /**
   * The house that `p` is, if it is one.
   *
   * Requires: a graph that has each edge both ways and no edge from a vertex to itself.
   */
  def of(p: GraphPattern): Option[House] = {
    val ends = p.edges.map(e => Set(e.source, e.target)).toSet
    def neighbours(v: Int): Set[Int] = ends.filter(_.contains(v)).flatten - v
    def isRoof(v: Int): Boolean = neighbours(v).size == 2 && ends(neighbours(v))
    val roofs = (0 until p.variableCount).filter(isRoof)
    if (p.variableCount != 5 || ends.size != 6 || roofs.size != 1) None
    else {
      val Seq(a, b) = neighbours(roofs.head).toSeq.sorted: @unchecked
      for {
        c <- (neighbours(b) - a - roofs.head).headOption
        d <- (neighbours(a) - b - roofs.head - c).headOption
        if ends(Set(c, d))
        matches <- OrderFreedom.matches(p)
      } yield House(Vector(a, b, c, d), roofs.head, matches)
    }
  }
}
