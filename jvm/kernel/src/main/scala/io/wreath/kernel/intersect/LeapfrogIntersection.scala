package io.wreath.kernel.intersect

import io.wreath.kernel.trie.TrieIterator

/**
 * The keys that several trie levels have in common, by leapfrog: whoever is behind seeks to the
 * key of whoever is ahead, until all meet.
 *
 * Requires: one iterator or more; [[start]] when all of them have just been opened, after which
 * none may be moved by others until [[atEnd]].
 * Cost: O(shortest * log(longest / shortest)) for all keys, by the cost of `seek`.
 * Not thread-safe.
 */
final class LeapfrogIntersection(iterators: Array[TrieIterator]) {
  private[this] val n = iterators.length
  private[this] var current = 0
  private[this] var ended = true

  if (n == 0) throw new IllegalArgumentException("There is nothing to intersect.")

  /** Goes to the first common key. */
  def start(): Unit = {
    ended = false
    var i = 0
    while (i < n) {
      if (iterators(i).atEnd) ended = true
      i += 1
    }
    if (!ended) {
      // Begin where the largest key is: the others have to come there in any case.
      current = 0
      i = 1
      while (i < n) {
        if (iterators(i).key > iterators(current).key) current = i
        i += 1
      }
      meet()
    }
  }

  def atEnd: Boolean = ended

  /** The common key; requires not [[atEnd]]. */
  def key: Long = iterators(current).key

  /** Goes to the next common key; requires not [[atEnd]]. */
  def next(): Unit = {
    iterators(current).next()
    if (iterators(current).atEnd) ended = true else meet()
  }

  /** Goes to the least common key >= `key`; requires not [[atEnd]]. */
  def seek(key: Long): Unit = {
    iterators(current).seek(key)
    if (iterators(current).atEnd) ended = true else meet()
  }

  /** From the key of `current`, which is the largest, to a key that all `n` agree on. */
  private def meet(): Unit = {
    var largest = iterators(current).key
    var agreeing = 1
    while (!ended && agreeing < n) {
      current = if (current + 1 == n) 0 else current + 1
      val it = iterators(current)
      if (it.key < largest) it.seek(largest)
      if (it.atEnd) ended = true
      else if (it.key == largest) agreeing += 1
      else {
        largest = it.key
        agreeing = 1
      }
    }
  }
}
