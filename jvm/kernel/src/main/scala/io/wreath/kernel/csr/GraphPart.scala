package io.wreath.kernel.csr

import java.util.Arrays

import io.wreath.kernel.lists.{Adjacency, GallopingSearch}

/**
 * A part of a relation: the lists of some vertices only, each way. What is known of the whole, such as degrees'
 * moments, is told as of the whole, so that a plan for the one is a plan for the other.
 *
 * A join over a part is right if it asks for no other list. It fails if it does: a list that is not here is not empty.
 *
 * Thread-safety: immutable.
 */
final class GraphPart private (
    override val forward: PartLists,
    override val reverse: PartLists,
    whole: Relation,
    symmetric: Boolean)
    extends Relation {

  override def rowCount: Long = whole.rowCount
  override def edgeCount: Int = whole.edgeCount
  override def hasDuplicates: Boolean = whole.hasDuplicates
  override def isSymmetric(interrupt: Runnable): Boolean = symmetric
  override def hasSelfLoops(interrupt: Runnable): Boolean = whole.hasSelfLoops(interrupt)
  override def moments(interrupt: Runnable): DegreeMoments = whole.moments(interrupt)

  override def triangles: EdgeTriangles =
    throw new UnsupportedOperationException("A part of a graph keeps no triangles.")

  override def ranked(interrupt: Runnable): RankedGraph =
    throw new UnsupportedOperationException("A part of a graph does not know all degrees.")

  override def sizeInBytes: Long = forward.sizeInBytes + reverse.sizeInBytes
}

object GraphPart {

  /** The whole lists of some sources and of some targets. */
  def of(whole: Relation, sources: Int => Boolean, targets: Int => Boolean): GraphPart =
    new GraphPart(
      PartLists.of(whole.forward, sources, 0, Int.MaxValue),
      PartLists.of(whole.reverse, targets, 0, Int.MaxValue),
      whole,
      whole.isSymmetric)

  /** The edges from one range of vertices to another: a block of the matrix that the relation is. */
  def block(whole: Relation, sources: Range, targets: Range): GraphPart =
    new GraphPart(
      PartLists.of(whole.forward, sources.contains, targets.start, targets.end),
      PartLists.of(whole.reverse, targets.contains, sources.start, sources.end),
      whole,
      symmetric = false)
}

/**
 * The lists of some vertices, side by side.
 *
 * @param starts by code, where its list begins, or -1 if it is not here
 * @param ends by code
 * @param multiplicity null where each edge occurs once
 */
final class PartLists private (
    starts: Array[Int],
    ends: Array[Int],
    lists: Array[Int],
    multiplicity: Array[Int])
    extends Adjacency {

  override def vertexCount: Int = starts.length

  override def array(v: Int): Array[Int] = lists

  override def from(v: Int): Int = {
    val start = starts(v)
    if (start < 0) throw new NoSuchElementException(s"The list of vertex $v is not in this part.")
    start
  }

  override def until(v: Int): Int = ends(v)

  override def degree(v: Int): Int = ends(v) - from(v)

  override def multiplicities(v: Int): Array[Int] = multiplicity

  /** Of the lists that are here. */
  override lazy val maxDegree: Int =
    starts.indices.iterator.map(v => ends(v) - Math.max(starts(v), 0)).maxOption.getOrElse(0)

  def sizeInBytes: Long =
    4L * (starts.length + ends.length + lists.length +
      (if (multiplicity == null) 0 else multiplicity.length))
}

private object PartLists {

  /** What the lists of `all` have in `least until end`, of the vertices that are held. */
  def of(all: Adjacency, isHeld: Int => Boolean, least: Int, end: Int): PartLists = {
    val held = Array.range(0, all.vertexCount).filter(isHeld)
    val starts = Array.fill(all.vertexCount)(-1)
    val ends = new Array[Int](all.vertexCount)
    def low(v: Int): Int = place(all, v, least)
    def high(v: Int): Int = place(all, v, end)
    var n = 0
    held.foreach { v =>
      starts(v) = n
      n = Math.addExact(n, high(v) - low(v))
      ends(v) = n
    }
    val lists = new Array[Int](n)
    val mult = if (held.forall(all.multiplicities(_) == null)) null else new Array[Int](n)
    held.foreach { v =>
      System.arraycopy(all.array(v), low(v), lists, starts(v), ends(v) - starts(v))
      if (mult != null) {
        val own = all.multiplicities(v)
        if (own == null) Arrays.fill(mult, starts(v), ends(v), 1)
        else System.arraycopy(own, low(v), mult, starts(v), ends(v) - starts(v))
      }
    }
    new PartLists(starts, ends, lists, mult)
  }

  private def place(all: Adjacency, v: Int, code: Int): Int =
    GallopingSearch.lowerBound(all.array(v), all.from(v), all.until(v), code)
}
