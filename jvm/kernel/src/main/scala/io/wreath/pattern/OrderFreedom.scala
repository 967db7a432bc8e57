package io.wreath.pattern

/**
 * Tells whether it matters which order of the vertices the comparisons of a pattern mean.
 *
 * `a < b` in a diamond says no more than that each diamond is to be counted once, and any other order
 * would do as well: by degree, say. In a 2-path `a < b < c` selects paths, and each order others.
 */
object OrderFreedom {

  /** Symmetries times orders that are tried at most. */
  private val MostSteps = 200000

  private val MostVariables = 6

  /**
   * Whether a pattern over one graph has as many matches under every order of its vertices, and has
   * comparisons that make a difference to how they are found.
   *
   * Requires: as [[matches]].
   */
  def of(p: GraphPattern): Boolean =
    p.comparisons.exists(_.op == ComparisonOp.Less) && symmetries(p).sizeIs > 1 &&
      matches(p).isDefined

  /**
   * How many matches a pattern over one graph has in each subgraph that looks like it, if that does not
   * depend on the order of the vertices.
   *
   * So it is if of the ways to rearrange any match equally many fulfil the comparisons, whatever the
   * order of the vertices in it.
   *
   * Requires: a graph that has each edge both ways and no edge from a vertex to itself.
   */
  def matches(p: GraphPattern): Option[Int] = {
    val less = pairs(p, ComparisonOp.Less)
    val differing = (ends(p) ++ (less ++ pairs(p, ComparisonOp.NotEqual)).map { case (a, b) =>
      Set(a, b)
    })
    val isPlain = ends(p).forall(_.size == 2) && p.relationCount == 1 &&
      p.comparisons.forall(c =>
        c.left != c.right && (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual))
    val variables = 0 until p.variableCount
    if (!isPlain || p.variableCount > MostVariables ||
      !variables.combinations(2).forall(pair => differing(pair.toSet))) None
    else {
      val same = symmetries(p)
      val orders = variables.permutations.toVector
      if (same.size * orders.size > MostSteps) None
      else {
        val fulfilled = orders.map { rank =>
          same.count(places =>
            less.forall { case (a, b) => rank(places(a)) < rank(places(b)) })
        }
        fulfilled.headOption.filter(n => n > 0 && fulfilled.forall(_ == n))
      }
    }
  }

  /** The ways to rearrange the variables that leave the edges as they are, or none if there are many. */
  private def symmetries(p: GraphPattern): Seq[IndexedSeq[Int]] =
    if (p.variableCount > MostVariables) Nil
    else {
      (0 until p.variableCount).permutations
        .filter(places => ends(p).map(_.map(places)) == ends(p))
        .toVector
    }

  private def ends(p: GraphPattern): Set[Set[Int]] =
    p.edges.map(e => Set(e.source, e.target)).toSet

  private def pairs(p: GraphPattern, op: ComparisonOp): Seq[(Int, Int)] =
    p.comparisons.collect { case c if c.op == op => (c.left, c.right) }
}
