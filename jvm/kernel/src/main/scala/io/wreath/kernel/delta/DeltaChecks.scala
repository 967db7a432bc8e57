package io.wreath.kernel.delta

import io.wreath.kernel.intersect.GallopingSearch
import io.wreath.kernel.join.BindingPredicate

/**
 * The checks of single candidates of a term's levels, and the binding they are made against.
 *
 * Not thread-safe.
 *
 * @param checks by level, the lists that must have the candidate
 * @param needed by level, the lists of the candidate that must not be empty
 * @param order  null where codes compare as ids do
 */
final private[delta] class DeltaChecks(
    term: DeltaTerm,
    checks: Array[Array[VersionedAdjacency]],
    needed: Array[Array[VersionedAdjacency]],
    predicates: IndexedSeq[BindingPredicate],
    order: VertexOrder,
    binding: Array[Int]) {

  private[this] val levels = term.levels

  /** The binding by level. */
  val codes: Array[Int] = new Array[Int](levels.length)

  private[this] val predicatesAt: Array[Array[BindingPredicate]] = {
    val levelOf = levels.map(_.variable).zipWithIndex.toMap
    val due = predicates.map(_.variables.map(levelOf).maxOption.getOrElse(0))
    levels.indices.map(l =>
      predicates.indices.filter(due(_) == l).map(predicates).toArray).toArray
  }

  /** Whether a level's candidates need no look at each, but for those that `<>` excludes. */
  def isPlain(level: Int): Boolean =
    checks(level).length == 0 && needed(level).length == 0 && predicatesAt(level).length == 0 &&
      levels(level).onIds.length == 0

  def isBounded(level: Int): Boolean = levels(level).onCodes.isBounded

  /** Whether `<>` excludes single candidates. */
  def isSkipping(level: Int): Boolean = levels(level).onCodes.isSkipping

  /** The least code that comparisons of codes admit, at least `least`. */
  def lowerBound(level: Int, least: Int): Int = {
    val l = levels(level).onCodes
    var bound = least
    var i = 0
    while (i < l.lowerLevel.length) {
      bound = Math.max(bound, codes(l.lowerLevel(i)) + l.lowerShift(i))
      i += 1
    }
    bound
  }

  /** The bound above the codes that comparisons of codes admit, at most `most`. */
  def upperBound(level: Int, most: Int): Int = {
    val l = levels(level).onCodes
    var bound = most
    var i = 0
    while (i < l.upperLevel.length) {
      bound = Math.min(bound, codes(l.upperLevel(i)) + l.upperShift(i))
      i += 1
    }
    bound
  }

  def isWithinBounds(level: Int, code: Int): Boolean =
    !isBounded(level) ||
      (lowerBound(level, 0) <= code && code < upperBound(level, Int.MaxValue))

  /** Checks what lists and bounds do not: `<>`, order of ids, self-loops, lists to go on with. */
  def accepts(level: Int, code: Int): Boolean = {
    val notEqual = levels(level).onCodes.notEqualLevel
    var ok = true
    var i = 0
    while (ok && i < notEqual.length) {
      ok = codes(notEqual(i)) != code
      i += 1
    }
    val further = needed(level)
    i = 0
    while (ok && i < further.length) {
      ok = further(i).degree(code) > 0
      i += 1
    }
    ok && isOrdered(level, code) && isChecked(level, code)
  }

  /** Binds `level`; false if a predicate whose variables are now complete refuses. */
  def bind(level: Int, code: Int): Boolean = {
    codes(level) = code
    binding(levels(level).variable) = code
    val due = predicatesAt(level)
    var ok = true
    var i = 0
    while (ok && i < due.length) {
      ok = due(i).accepts(binding)
      i += 1
    }
    ok
  }

  /** How many distinct codes that `level` must differ from are in the list. */
  def countExcluded(level: Int, list: Array[Int], from: Int, until: Int): Int = {
    val notEqual = levels(level).onCodes.notEqualLevel
    var n = 0
    var i = 0
    while (i < notEqual.length) {
      val code = codes(notEqual(i))
      var isNew = true
      var j = 0
      while (j < i) {
        if (codes(notEqual(j)) == code) isNew = false
        j += 1
      }
      if (isNew && GallopingSearch.find(list, from, until, code) >= 0) n += 1
      i += 1
    }
    n
  }

  private def isOrdered(level: Int, code: Int): Boolean = {
    val bounds = levels(level).onIds
    var ok = true
    var i = 0
    while (ok && i < bounds.length) {
      val b = bounds(i)
      val sign = order.compare(code, codes(b.level))
      ok = (if (b.isAbove) sign > 0 else sign < 0) || (b.orEqual && sign == 0)
      i += 1
    }
    ok
  }

  private def isChecked(level: Int, code: Int): Boolean = {
    val lists = checks(level)
    val refs = levels(level).checks
    var ok = true
    var i = 0
    while (ok && i < lists.length) {
      val v = if (refs(i).level == level) code else codes(refs(i).level)
      ok = lists(i).has(v, code)
      i += 1
    }
    ok
  }
}
