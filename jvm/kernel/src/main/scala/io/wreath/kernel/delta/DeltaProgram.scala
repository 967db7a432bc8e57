package io.wreath.kernel.delta

import io.wreath.kernel.join.{JoinLevel, JoinProgram}
import io.wreath.pattern._

/**
 * A pattern compiled for maintenance: one [[DeltaTerm]] per pattern edge.
 *
 * A batch changes a match if, and only if, it changes an edge of it. The first pattern edge, in
 * the order of the pattern, that is bound to a changed edge owns the match. So term i takes the
 * changed edges as bindings of pattern edge i, reads edges without the changed ones for all
 * pattern edges before i, and edges with them for those after i. Each changed match is found by
 * exactly one term. Example: a batch {a->b, b->c} on a path of two edges. Term 0 binds a->b and
 * then finds b->c, which is new as well; term 1 binds b->c but does not see a->b.
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
    private[delta] val mayCoincide: Boolean)
    extends Serializable {

  /** One term per pattern edge. */
  def termCount: Int = terms.length

  /** The relation whose changes seed `term`. */
  def relation(term: Int): Int = pattern.edges(term).relation

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
    val terms = full.edges.indices.map { i =>
      val order = orderOf(full, i)
      compileTerm(full, i, JoinProgram.compile(onCodes, order), byId)
    }
    val contradiction = full.comparisons.exists { c =>
      c.left == c.right && (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual)
    }
    new DeltaProgram(
      full,
      mode,
      terms.toArray,
      contradiction,
      mode == MatchMode.DifferentEdges && mayCoincide(full))
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

  private def compileTerm(
      p: GraphPattern,
      term: Int,
      program: JoinProgram,
      byId: IndexedSeq[Comparison]): DeltaTerm = {
    val seed = p.edges(term)
    val seedLevels = if (seed.source == seed.target) 1 else 2
    val levelOf = new Array[Int](p.variableCount)
    program.order.variables.zipWithIndex.foreach { case (v, level) => levelOf(v) = level }
    val levels = program.levels.zipWithIndex.map { case (l, level) =>
      compileLevel(p, term, l, level, levelOf, seedLevels, byId)
    }
    new DeltaTerm(term, seed.relation, seedLevels, levels)
  }

  private def compileLevel(
      p: GraphPattern,
      term: Int,
      onCodes: JoinLevel,
      level: Int,
      levelOf: Array[Int],
      seedLevels: Int,
      byId: IndexedSeq[Comparison]): DeltaLevel = {
    val v = onCodes.variable
    val others = p.edges.indices.filter(_ != term)

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
        ListRef(levelOf(p.edges(i).source), p.edges(i).relation, isForward = true, i < term)
      case i if p.edges(i).source == v && levelOf(p.edges(i).target) < level =>
        ListRef(levelOf(p.edges(i).target), p.edges(i).relation, isForward = false, i < term)
    })
    val loops = distinct(others.collect {
      case i if p.edges(i).source == v && p.edges(i).target == v =>
        ListRef(level, p.edges(i).relation, isForward = true, i < term)
    })
    val needed = distinct(others.collect {
      case i
          if p.edges(i).source == v && levelOf(p.edges(i).target) >= seedLevels.max(level + 1) =>
        ListRef(level, p.edges(i).relation, isForward = true, i < term)
      case i
          if p.edges(i).target == v && levelOf(p.edges(i).source) >= seedLevels.max(level + 1) =>
        ListRef(level, p.edges(i).relation, isForward = false, i < term)
    })
    val isSeed = level < seedLevels
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
