package io.wreath.kernel.trie

/**
 * A cursor over a relation seen as a trie: level i holds the distinct values of column i under
 * the values chosen at the levels above, ascending.
 *
 * It starts at the root, above level 0, where only [[open]] is allowed. After [[open]] it stands
 * on the first key of a level, or [[atEnd]] if the relation is empty.
 *
 *  - [[key]], [[next]], [[seek]] and [[open]] require a level and that it is not [[atEnd]].
 *  - [[up]] requires a level; it returns to the key above, from where the level was opened.
 *  - [[seek]] goes to the least key >= its argument and never goes back.
 *
 * Cost: [[seek]] is O(log distance), all else O(1) amortised over a level, as the bounds of
 * Leapfrog Triejoin require.
 * Not thread-safe: one cursor per task, over data that may be shared.
 */
trait TrieIterator {

  /** Number of levels. */
  def arity: Int

  def open(): Unit

  def up(): Unit

  def key: Long

  def next(): Unit

  def seek(key: Long): Unit

  def atEnd: Boolean
}
