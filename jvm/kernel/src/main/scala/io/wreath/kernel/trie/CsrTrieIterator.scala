package io.wreath.kernel.trie

import io.wreath.kernel.lists.{Adjacency, GallopingSearch}

/**
 * One direction of a graph as a trie of two levels: vertices that have neighbours, and these.
 *
 * Over the forward lists the columns are (source, target), over the reverse ones (target, source).
 * Keys are codes. See [[TrieIterator]] for contract and cost; at the first level [[seek]] goes to
 * its key directly, and both it and [[next]] step over vertices without neighbours.
 */
final class CsrTrieIterator(adjacency: Adjacency) extends TrieIterator {
  private[this] var depth = -1
  private[this] var vertex = 0
  private[this] var list: Array[Int] = Array.emptyIntArray
  private[this] var position = 0
  private[this] var end = 0

  override def arity: Int = 2

  override def open(): Unit = {
    depth += 1
    if (depth == 0) toVertex(0)
    else {
      list = adjacency.array(vertex)
      position = adjacency.from(vertex)
      end = adjacency.until(vertex)
    }
  }

  override def up(): Unit = depth -= 1

  override def key: Long = (if (depth == 0) vertex else list(position)).toLong

  override def next(): Unit = if (depth == 0) toVertex(vertex + 1) else position += 1

  override def seek(key: Long): Unit =
    if (depth == 0) {
      if (key >= adjacency.vertexCount) vertex = adjacency.vertexCount
      else if (key > vertex) toVertex(key.toInt)
    } else {
      position =
        if (key > Int.MaxValue) end
        else if (key < 0L) position
        else GallopingSearch.lowerBound(list, position, end, key.toInt)
    }

  override def atEnd: Boolean =
    if (depth == 0) vertex >= adjacency.vertexCount else position >= end

  private def toVertex(from: Int): Unit = {
    vertex = from
    while (vertex < adjacency.vertexCount && adjacency.degree(vertex) == 0) vertex += 1
  }
}
