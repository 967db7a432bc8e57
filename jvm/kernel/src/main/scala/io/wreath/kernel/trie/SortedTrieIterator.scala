package io.wreath.kernel.trie

import java.util.Arrays

import io.wreath.kernel.lists.GallopingSearch

/**
 * Sorted tuples of any arity as a trie: for small relations, deltas and tests.
 *
 * Requires: `columns(i)(row)` for `0 until rowCount`, rows in lexicographic order; equal rows
 * count as one. [[SortedTrieIterator.of]] sorts. See [[TrieIterator]] for contract and cost.
 */
final class SortedTrieIterator(columns: Array[Array[Long]], rowCount: Int) extends TrieIterator {
  private[this] var depth = -1

  // By level: the rows that share the keys of the levels above are `position until end`.
  private[this] val position = new Array[Int](columns.length)
  private[this] val end = new Array[Int](columns.length)

  override def arity: Int = columns.length

  override def open(): Unit = {
    if (depth < 0) {
      position(0) = 0
      end(0) = rowCount
    } else {
      position(depth + 1) = position(depth)
      end(depth + 1) = after(depth)
    }
    depth += 1
  }

  override def up(): Unit = depth -= 1

  override def key: Long = columns(depth)(position(depth))

  override def next(): Unit = position(depth) = after(depth)

  override def seek(key: Long): Unit =
    position(depth) =
      GallopingSearch.lowerBound(columns(depth), position(depth), end(depth), key)

  override def atEnd: Boolean = position(depth) >= end(depth)

  /** The first row behind those with the current key of `level`. */
  private def after(level: Int): Int = {
    val column = columns(level)
    val key = column(position(level))
    if (key == Long.MaxValue) end(level) // there is no larger key to search for
    else GallopingSearch.lowerBound(column, position(level), end(level), key + 1)
  }
}

object SortedTrieIterator {

  /** A trie over tuples of `arity` values in any order. Sorts, so not for hot loops. */
  def of(tuples: Iterable[IndexedSeq[Long]], arity: Int): SortedTrieIterator = {
    if (arity < 1 || tuples.exists(_.size != arity)) {
      throw new IllegalArgumentException(
        s"All tuples of a trie must have its arity, $arity, which must be at least one.")
    }
    val rows = tuples.iterator.map(_.toArray).toArray
    Arrays.sort(rows, (a: Array[Long], b: Array[Long]) => Arrays.compare(a, b))
    new SortedTrieIterator(Array.tabulate(arity)(c => rows.map(_(c))), rows.length)
  }
}
