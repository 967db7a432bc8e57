package io.wreath.pattern

/**
 * What of a pattern need not be bound where rows are only counted, as far as the pattern alone
 * tells: estimates are made with it. What is done is decided by
 * [[io.wreath.kernel.join.CountPlan]], which knows the graphs too.
 */
final private[pattern] class PatternTail(p: GraphPattern) {
  private val n = p.variableCount

  private val neighbours: Array[Set[Int]] = Array.tabulate(n) { v =>
    p.edges.collect {
      case e if e.source == v => e.target
      case e if e.target == v => e.source
    }.toSet
  }

  /** The least number of levels, `least` or more, after which no variable hangs off another. */
  def prefixOf(order: Array[Int], least: Int): Int =
    (Math.max(1, least) until n)
      .find(prefix => isTail(order.drop(prefix).toIndexedSeq))
      .getOrElse(n)

  private def isTail(variables: IndexedSeq[Int]): Boolean =
    variables.forall(v => !neighbours(v).exists(variables.contains)) &&
      p.comparisons.forall { c =>
        !variables.contains(c.left) || !variables.contains(c.right) ||
        neighbours(c.left) == neighbours(c.right)
      }
}
