package io.wreath.pattern

/**
 * An edge as symmetries see it.
 *
 * @param colour edges of different colours are not exchanged
 */
final case class SymmetricEdge(source: Int, target: Int, colour: Int, isUndirected: Boolean)

/** The symmetries of a pattern: ways to rearrange its vertices that leave it as it is. */
object Symmetry {

  /** Beyond so many steps a symmetry is not looked for: the pattern keeps it, and its matches stay. */
  private val MostSteps = 200000

  /**
   * Comparisons `left < right` of which each match that binds all vertices differently fulfils exactly
   * one of its rearrangements: each subgraph is then found once.
   *
   * The first vertex is to be the least of those that can take its place; then, with the first one
   * held still, the second, and so on. With vertices held one after the other, only whether a
   * symmetry exists has to be known, not all of them: a star of n leaves has n! of them.
   *
   * @param colours of the vertices; those of different colours are not exchanged
   * @param isKept whether something else about the pattern, such as its conditions, stays as it is if
   *   vertex v takes the place of vertex `places(v)`
   */
  def breaking(
      colours: IndexedSeq[Int],
      edges: IndexedSeq[SymmetricEdge],
      isKept: IndexedSeq[Int] => Boolean): Seq[(Int, Int)] = {
    val search = new SymmetrySearch(refined(colours, edges), edges, isKept, MostSteps)
    for {
      v <- colours.indices
      u <- v + 1 until colours.size
      if search.exists(v, u)
    } yield (v, u)
  }

  /**
   * Colours that differ wherever the edges at two vertices do, and the colours at their other ends. A
   * symmetry keeps these too, and most vertices that cannot be exchanged are told apart by them
   * before any place is tried.
   */
  private[pattern] def refined(
      colours: IndexedSeq[Int],
      edges: IndexedSeq[SymmetricEdge]): IndexedSeq[Int] = {
    def around(known: IndexedSeq[Int], v: Int): Seq[(Int, Int, Int)] = edges.flatMap { e =>
      val out = if (e.source == v) Seq((e.colour, if (e.isUndirected) 2 else 0, known(e.target)))
      else Nil
      val in = if (e.target == v) Seq((e.colour, if (e.isUndirected) 2 else 1, known(e.source)))
      else Nil
      out ++ in
    }.sorted

    @annotation.tailrec
    def refine(known: IndexedSeq[Int]): IndexedSeq[Int] = {
      val seen = known.indices.map(v => (known(v), around(known, v)))
      val numbers = seen.distinct.zipWithIndex.toMap
      val next = seen.map(numbers)
      if (next.distinct.size == known.distinct.size) known else refine(next)
    }
    refine(colours)
  }
}

/** Looks for symmetries by trying: patterns are small. */
final private class SymmetrySearch(
    colours: IndexedSeq[Int],
    edges: IndexedSeq[SymmetricEdge],
    isKept: IndexedSeq[Int] => Boolean,
    mostSteps: Int) {

  private val count = colours.size
  private var steps = 0

  /** How often each edge stands in the pattern; an undirected one with its lesser end first. */
  private val written: Map[SymmetricEdge, Int] =
    edges.map(normal).groupBy(identity).map { case (e, same) => e -> same.size }

  private def normal(e: SymmetricEdge): SymmetricEdge =
    if (e.isUndirected && e.source > e.target) e.copy(source = e.target, target = e.source) else e

  /** By vertex, the edges to vertices up to it: what can be checked once it has a place. */
  private val closing: IndexedSeq[IndexedSeq[SymmetricEdge]] =
    (0 until count).map(v => edges.filter(e => math.max(e.source, e.target) == v))

  /** Whether a symmetry leaves the vertices before `v` in place and puts `v` in the place of `u`. */
  def exists(v: Int, u: Int): Boolean = {
    steps = 0
    extend(Vector.range(0, v), v, Some(u))
  }

  private def extend(places: Vector[Int], next: Int, forced: Option[Int]): Boolean = {
    steps += 1
    if (steps > mostSteps) false
    else if (next == count) isKept(places)
    else {
      val candidates = forced.map(Seq(_)).getOrElse((0 until count).filterNot(places.contains))
      candidates.exists { to =>
        colours(to) == colours(next) && !places.contains(to) && {
          val wider = places :+ to
          closing(next).forall(keeps(_, wider)) && extend(wider, next + 1, None)
        }
      }
    }
  }

  private def keeps(e: SymmetricEdge, places: Vector[Int]): Boolean = {
    val moved = normal(e.copy(source = places(e.source), target = places(e.target)))
    written.get(moved).contains(written(normal(e)))
  }
}
