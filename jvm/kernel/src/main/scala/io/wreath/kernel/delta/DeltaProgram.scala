package io.wreath.kernel.delta

import io.wreath.kernel.join.{JoinLevel, JoinProgram, JoinTuning, SeedList, TechniqueChoice}
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
 * of a 4-clique intersect are three different ones, which are made once a seed.
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
    /** By pattern edge, the others that must not be bound to the same row, and could be. */
    private[wreath] val rivals: Array[Array[Int]],
    /** By pattern edge, its place in the order in which changed edges own a match. */
    private[delta] val rank: Array[Int],
    /** Lists of a seed's ends that are to be intersected more than once. */
    private[delta] val sharedLists: Array[Array[SeedList]],
    /** Comparisons of ids, where codes do not keep their order. */
    private[delta] val onIds: IndexedSeq[Comparison])
    extends Serializable {

  /** Whether two pattern edges can be bound to the same edge, but must not be to the same row. */
  private[delta] val mayCoincide: Boolean = rivals.exists(_.length > 0)

  /** One term per pattern edge. */
  def termCount: Int = terms.length

  /** The relation whose changes seed `term`. */
  def relation(term: Int): Int = pattern.edges(term).relation

  /** The terms that are seeded from the changes of `relation`. */
  private[delta] def termsOf(relation: Int): Array[Int] =
    if (relation < termsByRelation.length) termsByRelation(relation) else Array.emptyIntArray

  private[this] val termsByRelation: Array[Array[Int]] =
    Array.tabulate(pattern.relationCount)(r =>
      terms.indices.filter(this.relation(_) == r).toArray)

  /** By term, how it finds its candidates. */
  private[wreath] def choices(tuning: JoinTuning = JoinTuning()): IndexedSeq[TechniqueChoice] =
    terms.toIndexedSeq.map(t => TechniqueChoice.of(t.program, tuning))

  /** The order in which `term` binds the variables. */
  def order(term: Int): VariableOrder = terms(term).program.order
}

object DeltaProgram {

  /**
   * @param codesAreOrdered whether codes compare as the ids do. If so, `<` and `<=` narrow lists;
   *                        if not, the join must be given a [[VertexOrder]], and they filter
   * @param isEdge by pattern edge, whether the mode speaks of it: a vertex of a table, which is an edge
   *               from itself to itself here, may be met more than once
   */
  def compile(
      pattern: GraphPattern,
      mode: MatchMode = MatchMode.Repeatable,
      codesAreOrdered: Boolean = true,
      isEdge: Int => Boolean = _ => true): DeltaProgram = {
    val n = pattern.variableCount
    val full =
      if (mode != MatchMode.DifferentVertices) pattern
      else {
        val different =
          for (a <- 0 until n; b <- a + 1 until n) yield Comparison(a, ComparisonOp.NotEqual, b)
        pattern.copy(comparisons = pattern.comparisons ++ different)
      }
    val (byId, byCode) = full.comparisons.partition(c => !codesAreOrdered && isOrdering(c.op))
    val rank = rankOf(full)
    val programs = full.edges.indices.map { i =>
      JoinProgram.ofEdge(versioned(full.copy(comparisons = byCode), i, rank), orderOf(full, i), i)
    }
    val sharedLists = shareable(full, programs)
    val terms = full.edges.indices.map { i =>
      val shared =
        programs(i).levels.map(l => sharedLists.indexOf(seedKey(full, i, programs(i), l)))
      new DeltaTerm(i, full.edges(i).relation, programs(i), shared)
    }
    val contradiction = full.comparisons.exists { c =>
      c.left == c.right && (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual)
    }
    new DeltaProgram(
      full,
      mode,
      terms.toArray,
      contradiction,
      Array.tabulate(full.edges.size) { i =>
        if (mode != MatchMode.DifferentEdges || !isEdge(i)) Array.emptyIntArray
        else full.edges.indices.filter(j => i != j && isEdge(j) && mayMeet(full, i, j)).toArray
      },
      rank,
      sharedLists.map(_._2.toArray).toArray,
      byId)
  }

  /**
   * The pattern as term `term` reads it: edges that rank before the seed's without the changed ones. Of
   * edges that are written twice, the one without decides for both.
   */
  private def versioned(p: GraphPattern, term: Int, rank: Array[Int]): GraphPattern = {
    def isBefore(edge: Int): Boolean = edge != term && rank(edge) < rank(term)
    def isTwin(e: Int, f: Int): Boolean =
      p.edges(e).source == p.edges(f).source && p.edges(e).target == p.edges(f).target &&
        p.edges(e).relation == p.edges(f).relation
    p.copy(edges = p.edges.indices.map { i =>
      val hasChanges = !p.edges.indices.exists(j => isTwin(i, j) && isBefore(j))
      p.edges(i).copy(
        relation = DeltaTerm.versionOf(p.edges(i).relation, hasChanges),
        matchesOnce = true)
    })
  }

  /** Edges by their ends; see the comment of the class. */
  private def rankOf(p: GraphPattern): Array[Int] = {
    val rank = new Array[Int](p.edges.size)
    p.edges.indices.sortBy(i => (p.edges(i).source, p.edges(i).target, i)).zipWithIndex.foreach {
      case (edge, place) => rank(edge) = place
    }
    rank
  }

  /** The lists of the seed's ends that a level intersects, and the relation of the seed. */
  private def seedKey(
      p: GraphPattern,
      term: Int,
      program: JoinProgram,
      level: JoinLevel): (Int, Seq[SeedList]) = {
    val lists = level.listLevel.indices
      .filter(level.listLevel(_) < program.seedLevels)
      .map(i => SeedList(level.listLevel(i), level.listRelation(i), level.listForward(i)))
    (p.edges(term).relation, lists)
  }

  /** Two lists or more that more than one level of the terms of one relation intersects. */
  private def shareable(
      p: GraphPattern,
      programs: IndexedSeq[JoinProgram]): IndexedSeq[(Int, Seq[SeedList])] = {
    val keys = for {
      i <- programs.indices
      l <- programs(i).levels.drop(programs(i).seedLevels)
    } yield seedKey(p, i, programs(i), l)
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
  private def mayMeet(p: GraphPattern, i: Int, j: Int): Boolean = {
    def differ(a: Int, b: Int): Boolean = p.comparisons.exists { c =>
      (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual) &&
      Set(c.left, c.right) == Set(a, b)
    }
    val (e, f) = (p.edges(i), p.edges(j))
    e.relation == f.relation && !differ(e.source, f.source) && !differ(e.target, f.target)
  }
}
