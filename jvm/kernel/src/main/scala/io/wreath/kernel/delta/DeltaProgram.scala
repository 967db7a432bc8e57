package io.wreath.kernel.delta

import io.wreath.kernel.join.{JoinLevel, JoinProgram}
import io.wreath.pattern._

/**
 * A pattern compiled for maintenance: one [[DeltaTerm]] per pattern edge.
 *
 * A batch changes a match if, and only if, it changes an edge of it. The first pattern edge, by
 * [[rank]], that is bound to a changed edge owns the match. So term i takes the changed edges as
 * bindings of pattern edge i, reads edges without the changed ones for all pattern edges that rank
 * before i, and edges with them for those after it. Each changed match is found by exactly one
 * term. Example: a batch {a->b, b->c} on a path of two edges. Term 0 binds a->b and then finds
 * b->c, which is new as well; term 1 binds b->c but does not see a->b.
 *
 * Any ranks do. They follow the ends of the edges, because then the lists of the seed's ends are
 * read in the same version by as many terms as can be: the twelve pairs of lists that the six terms
 * of a 4-clique intersect are three different ones, which [[SharedSets]] makes once a seed.
 *
 * Thread-safety: immutable and serializable; compiled once, run by every task.
 */
final class DeltaProgram private (
    /** With the comparisons that the match mode adds. */
    val pattern: GraphPattern,
    val mode: MatchMode,
    private[delta] val terms: Array[DeltaTerm],
    /** Whether a comparison excludes every match. */
    private[delta] val isContradictory: Boolean,
    /** Whether two pattern edges can be bound to the same edge. */
    private[delta] val mayCoincide: Boolean,
    /** By pattern edge, its place in the order in which changed edges own a match. */
    private[delta] val rank: Array[Int],
    /** Lists of a seed's ends that are to be intersected more than once. */
    private[delta] val sharedLists: Array[Array[ListRef]])
    extends Serializable {

  /** One term per pattern edge. */
  def termCount: Int = terms.length

  /** The relation whose changes seed `term`. */
  def relation(term: Int): Int = pattern.edges(term).relation

  /** The terms that are seeded from the changes of `relation`. */
  private[delta] def termsOf(relation: Int): Array[Int] =
    terms.indices.filter(this.relation(_) == relation).toArray

  /** The order in which `term` binds the variables. */
  def order(term: Int): VariableOrder = VariableOrder(terms(term).levels.map(_.variable).toVector)
}

object DeltaProgram {

  /**
   * @param codesAreOrdered whether codes compare as the ids do. If so, `<` and `<=` narrow lists;
   *                        if not, the join must be given a [[VertexOrder]], and they filter
   */
  def compile(
      pattern: GraphPattern,
      mode: MatchMode = MatchMode.Repeatable,
      codesAreOrdered: Boolean = true): DeltaProgram = {
    val n = pattern.variableCount
    val full =
      if (mode != MatchMode.DifferentVertices) pattern
      else {
        val different =
          for (a <- 0 until n; b <- a + 1 until n) yield Comparison(a, ComparisonOp.NotEqual, b)
        pattern.copy(comparisons = pattern.comparisons ++ different)
      }
    val (byId, byCode) = full.comparisons.partition(c => !codesAreOrdered && isOrdering(c.op))
    val onCodes = full.copy(comparisons = byCode)
    val rank = rankOf(full)
    val levels = full.edges.indices.map { i =>
      compileLevels(full, i, JoinProgram.compile(onCodes, orderOf(full, i)), byId, rank)
    }
    val sharedLists = shareable(full, levels)
    val terms = full.edges.indices.map { i =>
      val shared = levels(i).map(l => sharedLists.indexOf(seedKey(full, i, l)))
      new DeltaTerm(i, full.edges(i).relation, seedLevels(full, i), levels(i), shared)
    }
    val contradiction = full.comparisons.exists { c =>
      c.left == c.right && (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual)
    }
    new DeltaProgram(
      full,
      mode,
      terms.toArray,
      contradiction,
      mode == MatchMode.DifferentEdges && mayCoincide(full),
      rank,
      sharedLists.map(_._2.toArray).toArray)
  }

  private def seedLevels(p: GraphPattern, term: Int): Int =
    if (p.edges(term).source == p.edges(term).target) 1 else 2

  /** Edges by their ends; see the comment of the class. */
  private def rankOf(p: GraphPattern): Array[Int] = {
    val rank = new Array[Int](p.edges.size)
    p.edges.indices.sortBy(i => (p.edges(i).source, p.edges(i).target, i)).zipWithIndex.foreach {
      case (edge, place) => rank(edge) = place
    }
    rank
  }

  /** The lists of the seed's ends that a level intersects, and the relation of the seed. */
  private def seedKey(p: GraphPattern, term: Int, level: DeltaLevel): (Int, Seq[ListRef]) =
    (p.edges(term).relation, level.seedLists(seedLevels(p, term)).toSeq)

  /** Two lists or more that more than one level of the terms of one relation intersects. */
  private def shareable(
      p: GraphPattern,
      levels: IndexedSeq[Array[DeltaLevel]]): IndexedSeq[(Int, Seq[ListRef])] = {
    val keys = for (i <- levels.indices; l <- levels(i)) yield seedKey(p, i, l)
    keys.distinct.filter(k => k._2.size > 1 && keys.count(_ == k) > 1)
  }

  private def isOrdering(op: ComparisonOp): Boolean =
    op == ComparisonOp.Less || op == ComparisonOp.LessOrEqual

  /**
   * The ends of the seed first; then always the variable that most edges tie to bound ones, and
   * among those the one with most edges, so that lists are intersected as early as can be.
   */
  private def orderOf(p: GraphPattern, term: Int): VariableOrder = {
    val seed = p.edges(term)
    val ends = Vector(seed.source, seed.target).distinct
    val rest = Iterator.iterate(ends) { bound =>
      val free = (0 until p.variableCount).filterNot(bound.contains)
      def ties(v: Int): Int = p.edges.count { e =>
        (e.source == v && bound.contains(e.target)) || (e.target == v && bound.contains(e.source))
      }
      def edges(v: Int): Int = p.edges.count(e => e.source == v || e.target == v)
      bound :+ free.maxBy(v => (ties(v), edges(v), -v))
    }
    VariableOrder(rest.drop(p.variableCount - ends.size).next())
  }

  /** Whether two pattern edges of one relation can be bound to one pair of vertices. */
  private def mayCoincide(p: GraphPattern): Boolean = {
    def differ(a: Int, b: Int): Boolean = p.comparisons.exists { c =>
      (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual) &&
      Set(c.left, c.right) == Set(a, b)
    }
    p.edges.indices.combinations(2).map(_.map(p.edges)).exists { pair =>
      val (e, f) = (pair(0), pair(1))
      e.relation == f.relation && !differ(e.source, f.source) && !differ(e.target, f.target)
    }
  }

  private def compileLevels(
      p: GraphPattern,
      term: Int,
      program: JoinProgram,
      byId: IndexedSeq[Comparison],
      rank: Array[Int]): Array[DeltaLevel] = {
    val levelOf = new Array[Int](p.variableCount)
    program.order.variables.zipWithIndex.foreach { case (v, level) => levelOf(v) = level }
    program.levels.zipWithIndex.map { case (l, level) =>
      compileLevel(p, term, l, level, levelOf, byId, rank)
    }
  }

  private def compileLevel(
      p: GraphPattern,
      term: Int,
      onCodes: JoinLevel,
      level: Int,
      levelOf: Array[Int],
      byId: IndexedSeq[Comparison],
      rank: Array[Int]): DeltaLevel = {
    val v = onCodes.variable
    val others = p.edges.indices.filter(_ != term)
    val firstFree = seedLevels(p, term)
    def isBefore(edge: Int): Boolean = rank(edge) < rank(term)

    /** Where a list with changes and one without are both asked for, the one without decides. */
    def distinct(lists: IndexedSeq[ListRef]): Array[ListRef] =
      lists
        .groupBy(l => (l.level, l.relation, l.isForward))
        .values
        .map(same => same.find(_.isBefore).getOrElse(same.head))
        .toArray
        .sortBy(l => (l.level, l.relation, l.isForward))

    val incoming = distinct(others.collect {
      case i if p.edges(i).target == v && levelOf(p.edges(i).source) < level =>
        ListRef(levelOf(p.edges(i).source), p.edges(i).relation, isForward = true, isBefore(i))
      case i if p.edges(i).source == v && levelOf(p.edges(i).target) < level =>
        ListRef(levelOf(p.edges(i).target), p.edges(i).relation, isForward = false, isBefore(i))
    })
    val loops = distinct(others.collect {
      case i if p.edges(i).source == v && p.edges(i).target == v =>
        ListRef(level, p.edges(i).relation, isForward = true, isBefore(i))
    })
    val needed = distinct(others.collect {
      case i
          if p.edges(i).source == v && levelOf(p.edges(i).target) >= firstFree.max(level + 1) =>
        ListRef(level, p.edges(i).relation, isForward = true, isBefore(i))
      case i
          if p.edges(i).target == v && levelOf(p.edges(i).source) >= firstFree.max(level + 1) =>
        ListRef(level, p.edges(i).relation, isForward = false, isBefore(i))
    })
    val isSeed = level < firstFree
    val ids = byId.collect {
      case c if c.right == v && levelOf(c.left) < level =>
        IdBound(levelOf(c.left), isAbove = true, c.op == ComparisonOp.LessOrEqual)
      case c if c.left == v && levelOf(c.right) < level =>
        IdBound(levelOf(c.right), isAbove = false, c.op == ComparisonOp.LessOrEqual)
    }
    new DeltaLevel(
      v,
      lists = if (isSeed) Array.empty else incoming,
      checks = loops ++ (if (isSeed) incoming else Array.empty[ListRef]),
      needed,
      onCodes,
      ids.toArray)
  }
}
