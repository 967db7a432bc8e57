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

  /**
   * Whether a pattern over one graph has as many matches under every order of its vertices, and has
   * comparisons that make a difference to how they are found.
   *
   * So it is if of the ways to rearrange any match equally many fulfil the comparisons, whatever the
   * order of the vertices in it.
   *
   * Requires: a graph that has each edge both ways and no edge from a vertex to itself.
   */
  def of(p: GraphPattern): Boolean = {
    val less = p.comparisons.collect { case c if c.op == ComparisonOp.Less => (c.left, c.right) }
    val ends = p.edges.map(e => Set(e.source, e.target)).toSet
    val differing =
      ends ++ p.comparisons.filter(_.op == ComparisonOp.NotEqual).map(c =>
        Set(c.left, c.right)) ++
        less.map { case (a, b) => Set(a, b) }
    val variables = 0 until p.variableCount
    val isPlain = less.nonEmpty && ends.forall(_.size == 2) && p.relationCount == 1 &&
      p.comparisons.forall(c =>
        c.left != c.right && (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual))
    isPlain && p.variableCount <= 6 &&
    variables.combinations(2).forall(pair => differing(pair.toSet)) && {
      val orders = variables.permutations.toVector
      val symmetries = orders.filter(places => ends.map(_.map(places)) == ends)
      symmetries.size > 1 && symmetries.size * orders.size <= MostSteps && {
        val fulfilled = orders.map { rank =>
          symmetries.count(places =>
            less.forall { case (a, b) => rank(places(a)) < rank(places(b)) })
        }
        fulfilled.head > 0 && fulfilled.forall(_ == fulfilled.head)
      }
    }
  }
}
