package io.wreath.kernel.join

import java.util.function.IntPredicate

import io.wreath.kernel.intersect.LeapfrogIntersection
import io.wreath.kernel.trie.TrieIterator
import io.wreath.pattern.VariableOrder

/** One relation of a [[LeapfrogTriejoin]]: column i of the trie is bound to `variables(i)`. */
final case class TrieAtom(trie: TrieIterator, variables: IndexedSeq[Int])

/**
 * Leapfrog Triejoin: joins relations of any arity, variable by variable, in a global order.
 *
 * The baseline that [[GenericJoin]] is measured against, by way of [[LeapfrogJoin]], and the join for what is
 * not a graph. Set semantics; comparisons are up to the filter.
 *
 * Requires: tries at their root, each used by one atom only; the variables of an atom distinct
 * and in the order of `order`; every variable in some atom.
 * Cost: O(AGM bound * log size); no allocation after construction.
 * Not thread-safe.
 *
 * @param accepts asked of each level, once [[binding]] has its variable, whether to go on with it
 */
final class LeapfrogTriejoin(
    atoms: IndexedSeq[TrieAtom],
    order: VariableOrder,
    accepts: IntPredicate = _ => true) {
  private[this] val count = order.variables.size
  LeapfrogTriejoin.check(atoms, order)

  private[this] val variableAt = order.variables.toArray
  private[this] val tries: Array[Array[TrieIterator]] =
    variableAt.map(v => atoms.iterator.filter(_.variables.contains(v)).map(_.trie).toArray)
  private[this] val leaps = tries.map(new LeapfrogIntersection(_))
  private[this] var level = -1
  private[this] var started = false

  /** The current binding, indexed by variable. The array is reused. */
  val binding: Array[Long] = new Array[Long](count)

  /** Advances to the next binding; false when there is none, and from then on. */
  def next(): Boolean = {
    if (!started) {
      started = true
      open()
    } else if (level >= 0) leaps(level).next()
    var found = false
    while (!found && level >= 0) {
      if (leaps(level).atEnd) close()
      else {
        binding(variableAt(level)) = leaps(level).key
        if (!accepts.test(level)) leaps(level).next()
        else if (level == count - 1) found = true
        else open()
      }
    }
    found
  }

  /** Goes back to before the first binding. */
  def restart(): Unit = {
    leave(0)
    started = false
  }

  /** After a binding: leaves out all others that have the same first `levels` variables. */
  def leave(levels: Int): Unit =
    while (level >= levels) {
      up()
      level -= 1
    }

  private def open(): Unit = {
    level += 1
    val opened = tries(level)
    var i = 0
    while (i < opened.length) {
      opened(i).open()
      i += 1
    }
    leaps(level).start()
  }

  /** Leaves a level that has ended and advances the one above it. */
  private def close(): Unit = {
    up()
    level -= 1
    if (level >= 0) leaps(level).next()
  }

  private def up(): Unit = {
    val closed = tries(level)
    var i = 0
    while (i < closed.length) {
      closed(i).up()
      i += 1
    }
  }
}

private object LeapfrogTriejoin {

  private def check(atoms: IndexedSeq[TrieAtom], order: VariableOrder): Unit = {
    val levelOf = order.variables.zipWithIndex.toMap
    atoms.foreach { a =>
      if (a.variables.size != a.trie.arity) {
        throw new IllegalArgumentException(
          s"An atom names ${a.variables.size} variables, but its trie has ${a.trie.arity} levels.")
      }
      val levels = a.variables.map(levelOf.getOrElse(_, -1))
      if (levels.contains(-1) || levels != levels.distinct.sorted) {
        throw new IllegalArgumentException(
          s"The variables (${a.variables.mkString(", ")}) of an atom must be distinct and in the " +
            s"order (${order.variables.mkString(", ")}).")
      }
    }
    order.variables.foreach { v =>
      if (!atoms.exists(_.variables.contains(v))) {
        throw new IllegalArgumentException(s"Variable $v occurs in no atom.")
      }
    }
  }
}
