package io.wreath.kernel.count

/**
 * A sum whose variables are summed over one after the other, as long as what that gives is a number
 * for each vertex or for each edge:
 * {{{
 *   d hangs off a alone               into a number for each vertex a
 *   e hangs off a and b, which an     into a number for each edge (a, b)
 *   edge joins
 * }}}
 * What is left is one variable, or a core in which each variable has two neighbours or more.
 *
 * @param core the sum over what is left; its variables are numbered anew
 * @param names by variable of the core, what it was before
 * @param steps each variable that is gone, with those that it went into, in this order
 */
final private[count] case class Reduction(
    core: WeighedPattern,
    names: Vector[Int],
    steps: Vector[(Int, Vector[Int])]) {

  /** Whether one sum over the vertices is left. */
  def isDone: Boolean = names.size == 1

  /** Whether lists of both ends of an edge are read. */
  def closes: Boolean = steps.exists(_._2.size == 2)
}

private[count] object Reduction {

  def of(sum: WeighedPattern)(implicit relations: IndexedSeq[RelationTraits]): Reduction =
    reduce(Reduction(sum, sum.variables.toVector, Vector.empty))

  @annotation.tailrec
  private def reduce(r: Reduction)(implicit relations: IndexedSeq[RelationTraits]): Reduction = {
    val p = r.core
    // What hangs off one variable costs least.
    val free = p.variables.filterNot(p.group.contains)
    val leaf = free.find(p.neighbours(_).size == 1)
    def ear = free.find { v =>
      p.neighbours(v).size == 2 && p.edges.contains(
        (p.neighbours(v).min, p.neighbours(v).max))
    }
    leaf.orElse(ear) match {
      case None => r
      case Some(v) =>
        val ends = p.neighbours(v).toVector.sorted
        val into = ends match {
          case Vector(a) =>
            val along = Along(p.edge(a, v), p.factors(v))
            p.copy(factors =
              p.factors.updated(a, WeighedPattern.normal(p.factors(a) :+ along)))
          case _ =>
            val (a, b) = (ends(0), ends(1))
            val closing = Closing(p.edge(a, v), p.edge(b, v), p.factors(v))
            p.copy(edges = p.edges.updated((a, b), p.edges((a, b)).closed(closing)))
        }
        reduce(
          Reduction(
            without(into, v),
            r.names.patch(v, Nil, 1),
            r.steps :+ ((r.names(v), ends.map(r.names)))))
    }
  }

  private def without(p: WeighedPattern, v: Int): WeighedPattern = {
    def place(w: Int): Int = if (w > v) w - 1 else w
    WeighedPattern(
      p.factors.patch(v, Nil, 1),
      p.edges.collect { case ((a, b), e) if a != v && b != v => (place(a), place(b)) -> e })
  }
}
