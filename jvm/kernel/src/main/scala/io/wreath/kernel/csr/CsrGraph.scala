package io.wreath.kernel.csr

import java.util.Arrays

import io.wreath.kernel.dictionary.VertexDictionary
import io.wreath.kernel.lists.{GallopingSearch, Once, Pieces}

/**
 * A directed multigraph, indexed in both directions: forward lists are over the sources' codes and
 * hold targets' codes, reverse lists the other way round. Most graphs have one kind of vertices, and
 * then both are `0 until vertexCount`.
 *
 * Requires: `reverse` is the transpose of `forward`, multiplicities included.
 * Thread-safety: immutable; one instance serves all tasks of an executor.
 */
final class CsrGraph(override val forward: Csr, override val reverse: Csr) extends Relation {

  if (forward.edgeCount != reverse.edgeCount ||
    (forward.mult == null) != (reverse.mult == null)) {
    throw new IllegalArgumentException(
      s"The forward lists (${forward.vertexCount} vertices, ${forward.edgeCount} edges) and the " +
        s"reverse lists (${reverse.vertexCount} vertices, ${reverse.edgeCount} edges) are not " +
        "of the same graph.")
  }

  /** Rows of the edge relation: distinct edges, each as often as it occurs. */
  override val rowCount: Long = {
    val mult = forward.mult
    if (mult == null) forward.edgeCount.toLong
    else {
      var sum = 0L
      var i = 0
      while (i < mult.length) {
        sum += mult(i)
        i += 1
      }
      sum
    }
  }

  /** Whether some vertex has an edge to itself. Cost: one search a vertex, the first time. */
  override def hasSelfLoops(interrupt: Runnable): Boolean = selfLoops.get(interrupt)

  private[this] val selfLoops = new Once[Boolean]({ interrupt =>
    var found = false
    var v = 0
    while (!found && v < vertexCount) {
      // A search is worth some elements of a list.
      if ((v & (Pieces.Length / 16 - 1)) == 0) interrupt.run()
      found = GallopingSearch.find(forward.neighbours, forward.from(v), forward.until(v), v) >= 0
      v += 1
    }
    found
  })

  /**
   * Whether each edge has its opposite, as often as itself: both directions have the same lists.
   * Cost: one pass over the lists, the first time, that ends at the first difference.
   */
  override def isSymmetric(interrupt: Runnable): Boolean = symmetric.get(interrupt)

  private[this] val symmetric = new Once[Boolean](interrupt =>
    CsrGraph.areEqual(forward.offsets, reverse.offsets, interrupt) &&
      CsrGraph.areEqual(forward.neighbours, reverse.neighbours, interrupt) &&
      (!hasDuplicates || CsrGraph.areEqual(forward.mult, reverse.mult, interrupt)))

  /**
   * The same graph with codes that descend with the degrees, see [[DegreeOrder]]; made the first time.
   * It takes as much memory again, or half of that where both directions are held, and a number a vertex.
   *
   * @param interrupt runs every few milliseconds, and ends the work by throwing
   */
  override def ranked(interrupt: Runnable): RankedGraph = synchronized {
    if (!isSymmetric || hasDuplicates) {
      throw new IllegalStateException("Only a symmetric graph without parallel edges is ordered.")
    }
    if (madeRanked == null) madeRanked = DegreeOrder.of(this, interrupt)
    madeRanked
  }

  private[this] var madeRanked: RankedGraph = _

  def ranked: RankedGraph = ranked(Pieces.NoInterrupt)

  def byDegree: CsrGraph = ranked.graph

  /** The triangles on each edge of a symmetric graph; counted by the tasks that first need them. */
  override def triangles: EdgeTriangles = synchronized {
    if (madeTriangles == null) madeTriangles = new EdgeTriangles(forward)
    madeTriangles
  }

  private[this] var madeTriangles: EdgeTriangles = _

  /** Whether they have been counted. */
  def hasTriangles: Boolean = synchronized(madeTriangles != null && madeTriangles.isDone)

  /** Computed the first time. */
  override def moments(interrupt: Runnable): DegreeMoments = degreeMoments.get(interrupt)

  private[this] val degreeMoments = new Once(DegreeMoments.of(forward, reverse, _))

  def vertexCount: Int = forward.vertexCount

  /** Distinct edges. */
  override def edgeCount: Int = forward.edgeCount

  /** Whether some edge occurs more than once. */
  override def hasDuplicates: Boolean = forward.mult != null

  /** The lists that lead from sources to targets, or back. */
  override def direction(isForward: Boolean): Csr = if (isForward) forward else reverse

  override def sizeInBytes: Long = forward.sizeInBytes + reverse.sizeInBytes

  /** Bytes of the arrays that `other` has not. */
  def bytesBeside(other: CsrGraph): Long = {
    def arrays(g: CsrGraph): Seq[Array[Int]] =
      Seq(g.forward, g.reverse).flatMap(c => Seq(c.offsets, c.neighbours, c.mult))
    val there = arrays(other)
    arrays(this).filter(a => a != null && !there.exists(_ eq a)).map(4L * _.length).sum
  }
}

private object CsrGraph {

  private def areEqual(a: Array[Int], b: Array[Int], interrupt: Runnable): Boolean =
    a.length == b.length && {
      var from = 0
      var same = true
      while (same && from < a.length) {
        interrupt.run()
        val until = if (a.length - from > Pieces.Length) from + Pieces.Length else a.length
        same = Arrays.equals(a, from, until, b, from, until)
        from = until
      }
      same
    }
}

/** A graph together with the dictionary that its codes come from. */
final case class IndexedGraph(dictionary: VertexDictionary, graph: CsrGraph)
