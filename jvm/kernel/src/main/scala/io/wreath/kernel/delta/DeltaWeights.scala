package io.wreath.kernel.delta

/**
 * Judges complete matches: which term owns them, and how many rows they gain or lose.
 *
 * The multiplicity of a match is a product over its edges, before the batch and after it; its
 * weight is the difference. Computing it from both sides, instead of adding up one summand per
 * term, makes the weight of a match one number, with one sign, and lets [[MatchMode]] change the
 * product at will.
 *
 * Where edges can occur more than once, a changed edge may be there before, between and after, and
 * lists alone do not tell which pattern edge is the first changed one, nor which phase is to report
 * a match that has edges of both kinds. Then:
 *  - a term owns a match only if no pattern edge that ranks before it is bound to an edge of the
 *    same phase;
 *  - a match that was there before and has a deleted edge belongs to the delete phase, even if it
 *    has inserted edges too. Example: a->b falls from 2 rows to 1 while b->c rises from 1 to 2. The
 *    path has 2 rows before and after, so neither phase may say anything: the insert phase
 *    leaves it to the delete phase, which computes 2 - 2 = 0.
 *
 * Cost: a few binary searches a pattern edge; not used at all where no edge occurs twice, no edge
 * is rewritten and the mode does not ask for it.
 * Not thread-safe: remembers the last products.
 */
final private[delta] class DeltaWeights(
    program: DeltaProgram,
    binding: Array[Int],
    reportsRewritten: Boolean) {

  private[this] val edges = program.pattern.edges.toArray
  private[this] val sources = edges.map(_.source)
  private[this] val targets = edges.map(_.target)
  private[this] val graphs = new Array[GraphChange](edges.length)

  private[this] var hasPartialDeletes = false
  private[this] var hasPartialInserts = false

  /** Whether every match changes by exactly one row. */
  var areTrivial: Boolean = false

  /** Takes up a batch. */
  def attach(changes: Array[GraphChange]): Unit = {
    hasPartialDeletes = false
    hasPartialInserts = false
    areTrivial = !program.mayCoincide
    var i = 0
    while (i < edges.length) {
      val g = changes(edges(i).relation)
      graphs(i) = g
      hasPartialDeletes |= g.hasPartialDeletes
      hasPartialInserts |= g.hasPartialInserts
      areTrivial &= !(g.hasRewrites || g.before.hasDuplicates || g.after.hasDuplicates)
      i += 1
    }
  }

  /** Rows of the match before the batch and after it, as [[judge]] found them. */
  var rowsBefore: Long = 0L
  var rowsAfter: Long = 0L

  /** Whether the current binding is a match that `term` has to report in this phase. */
  def judge(term: Int, isInsert: Boolean): Boolean =
    if (areTrivial) {
      rowsBefore = if (isInsert) 0L else 1L
      rowsAfter = if (isInsert) 1L else 0L
      true
    } else if (!owns(term, isInsert)) false
    else {
      rowsBefore = rows(isAfter = false)
      rowsAfter = rows(isAfter = true)
      rowsBefore != rowsAfter || (reportsRewritten && rowsBefore > 0)
    }

  private def owns(term: Int, isInsert: Boolean): Boolean = {
    val mayRepeat = if (isInsert) hasPartialInserts else hasPartialDeletes
    var isFirst = true
    var i = 0
    while (mayRepeat && isFirst && i < edges.length) {
      isFirst = program.rank(i) >= program.rank(term) ||
        !graphs(i).seeds(isInsert).contains(binding(sources(i)), binding(targets(i)))
      i += 1
    }
    isFirst && !(isInsert && hasPartialDeletes && wasThere && hasDeletedEdge)
  }

  /** Whether all edges of the match were there before the batch. */
  private def wasThere: Boolean = {
    var all = true
    var i = 0
    while (all && i < edges.length) {
      all = graphs(i).before.forward.has(binding(sources(i)), binding(targets(i)))
      i += 1
    }
    all
  }

  private def hasDeletedEdge: Boolean = {
    var found = false
    var i = 0
    while (!found && i < edges.length) {
      found = graphs(i).deletes.contains(binding(sources(i)), binding(targets(i)))
      i += 1
    }
    found
  }

  private def rows(isAfter: Boolean): Long = {
    var product = 1L
    var i = 0
    while (product != 0 && i < edges.length) {
      val g = if (isAfter) graphs(i).after else graphs(i).before
      val m = g.forward.multiplicity(binding(sources(i)), binding(targets(i)))
      // Rows that earlier pattern edges on the same pair have taken are not there any more.
      val free = m - earlierOnSamePair(i)
      product = if (free <= 0) 0L else Math.multiplyExact(product, free.toLong)
      i += 1
    }
    product
  }

  private def earlierOnSamePair(i: Int): Int = {
    val rivals = program.rivals(i)
    var n = 0
    var at = 0
    while (at < rivals.length && rivals(at) < i) {
      val j = rivals(at)
      if (binding(sources(j)) == binding(sources(i)) &&
        binding(targets(j)) == binding(targets(i))) n += 1
      at += 1
    }
    n
  }
}
