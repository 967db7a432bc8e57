package io.wreath.kernel.csr

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.LockSupport

import io.wreath.kernel.intersect.NeighbourhoodMarks
import io.wreath.kernel.lists.{ElementCounter, GallopingSearch}

/**
 * How many triangles there are on each edge of a symmetric graph without parallel edges and loops.
 *
 * All tasks of a JVM that need the numbers count them together: each takes some vertices, counts the
 * triangles on their edges to vertices of greater codes, and takes the next, until none is left.
 *
 * Cost: for each edge, the list of the end with the greater code, read once; so codes that descend with
 * the degrees cost least. Four bytes for each position of the lists.
 * Thread-safety: any number of threads may call [[get]].
 */
final class EdgeTriangles(lists: Csr) {
  private[this] val counts = new Array[Int](lists.edgeCount)
  private[this] val parts = new ConcurrentLinkedQueue[Array[Int]]
  private[this] val open = new AtomicInteger

  // Some vertices each, by their lists: those of high degree come first and are parts of their own.
  {
    var from = 0
    while (from < lists.vertexCount) {
      var until = from + 1
      while (until < lists.vertexCount &&
        lists.until(until) - lists.from(from) <= EdgeTriangles.PartElements) until += 1
      parts.add(Array(from, until))
      from = until
    }
    open.set(parts.size)
  }

  /** Whether nothing is left to be counted. */
  private[csr] def isDone: Boolean = open.get == 0

  /**
   * By position in the lists, how many triangles that edge is part of; the array is not to be written to.
   * Counts what nobody else does, and waits for the rest.
   *
   * @param read is told how many list elements were read; where it ends the call by throwing, what was
   *   left is done by others
   */
  private[wreath] def get(read: ElementCounter): Array[Int] = {
    var marks: Array[Byte] = null
    while (open.get > 0) {
      read.worked(ElementCounter.Candidate)
      val part = parts.poll()
      // Whoever is at the last parts may yet give them back.
      if (part == null) {
        LockSupport.parkNanos(EdgeTriangles.PollNanos)
        read.worked(ElementCounter.BetweenChecks)
      } else {
        var isDone = false
        try {
          if (marks == null) marks = new Array[Byte](lists.vertexCount)
          count(part(0), part(1), marks, read)
          open.decrementAndGet()
          isDone = true
        } finally if (!isDone) parts.add(part)
      }
    }
    counts
  }

  private def count(from: Int, until: Int, marks: Array[Byte], read: ElementCounter): Unit = {
    var v = from
    while (v < until) {
      val after = lists.after(v)
      if (after < lists.until(v)) countAt(v, after, marks, read)
      v += 1
    }
  }

  private def countAt(v: Int, after: Int, marks: Array[Byte], read: ElementCounter): Unit = {
    val neighbours = lists.neighbours
    NeighbourhoodMarks.mark(marks, neighbours, lists.from(v), lists.until(v), read)
    var i = after
    while (i < lists.until(v)) {
      val w = neighbours(i)
      val from = lists.from(w)
      val end = lists.until(w)
      val common = NeighbourhoodMarks.count(marks, neighbours, from, end, read)
      read.add(end - from)
      counts(i) = common
      // The same edge as w has it. Nobody else writes there.
      if (common > 0) counts(GallopingSearch.find(neighbours, from, end, v)) = common
      i += 1
    }
    NeighbourhoodMarks.clear(marks, neighbours, lists.from(v), lists.until(v), read)
  }
}

private object EdgeTriangles {

  /** List elements of the vertices that are taken at a time. */
  final private val PartElements = 1024

  final private val PollNanos = 100000L
}
