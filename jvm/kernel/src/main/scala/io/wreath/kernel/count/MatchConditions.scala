package io.wreath.kernel.count

import io.wreath.pattern.PatternEdge

/**
 * What is asked of matches that are counted, beside their edges and what they compare.
 *
 * @param different pairs of edges of the pattern, by number, that must be different rows of one table
 * @param both of two relations over one table, the one of the rows that both have; a relation by itself need not be named
 * @param undirected relations whose rows are read either way
 * @param absent edges that must not be there
 * @param tests by condition, the variables that it reads; they are asked by number
 */
final case class MatchConditions(
    different: Seq[(Int, Int)] = Nil,
    both: Map[(Int, Int), Int] = Map.empty,
    undirected: Set[Int] = Set.empty,
    absent: Seq[PatternEdge] = Nil,
    tests: Seq[Seq[Int]] = Nil) {

  private[count] def common(a: Int, b: Int): Int = if (a == b) a else both((a, b))
}

object MatchConditions {

  val none: MatchConditions = MatchConditions()
}

/** A condition on the codes of some variables, in the order in which [[MatchConditions]] has them. Not thread-safe. */
trait CodeTest {

  /** @param codes a reused array, to be left as it is */
  def accepts(codes: Array[Int]): Boolean
}

/**
 * A condition that is asked of a sum.
 *
 * @param test by number
 * @param of the variables that it reads, in its order; one may be there twice
 */
final private[count] case class Asked(test: Int, of: Vector[Int])
