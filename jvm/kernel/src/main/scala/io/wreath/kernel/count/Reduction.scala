package io.wreath.kernel.count

/**
 * A sum whose variables are summed over one after the other, as long as what that gives is a number
 * for each vertex or for each edge:
 * {{{
 *   d hangs off a alone               into a number for each vertex a
 *   e hangs off a and b, which an     into a number for each edge (a, b)
 *   edge joins
 *   b, c, d, …, each two of them      into a number for each vertex a
 *   and a joined, all alike
 * }}}
 * What is left is one variable, or a core in which each variable has two neighbours or more.
 *
 * @param core the sum over what is left; its variables are numbered anew
 * @param names by variable of the core, what it was before
 * @param steps the variables that are gone, in this order
 * @param times how often what is left counts
 */
final private[count] case class Reduction(
    core: WeighedPattern,
    names: Vector[Int],
    steps: Vector[Gone],
    times: Long) {

  /** Whether one sum over the vertices is left. */
  def isDone: Boolean = names.size == 1

  /** Whether lists of both ends of an edge are read. */
  def closes: Boolean = steps.exists(_.into.size == 2)
}

/**
 * A variable that has gone into others.
 *
 * @param into one, or the two at the ends of an edge
 * @param closing what it is for that edge, with one of the edge's lists
 */
final private[count] case class Gone(
    variable: Int,
    into: Vector[Int],
    closing: Option[(Lists, Closing)] = None)

private[count] object Reduction {

  def of(sum: WeighedPattern)(implicit relations: IndexedSeq[RelationTraits]): Reduction =
    reduce(Reduction(sum, sum.variables.toVector, Vector.empty, 1L))

  @annotation.tailrec
  private def reduce(r: Reduction)(implicit relations: IndexedSeq[RelationTraits]): Reduction = {
    val p = r.core
    // What hangs off one variable costs least.
    val free =
      p.variables.filterNot(v => p.groups.contains(v) || p.isCompared(v))
    val leaf = free.find(p.neighbours(_).size == 1)
    def ear = free.find { v =>
      p.neighbours(v).size == 2 && p.edges.contains(
        (p.neighbours(v).min, p.neighbours(v).max))
    }
    leaf.orElse(ear) match {
      case None =>
        together(r) match {
          case Some(less) => reduce(less)
          case None => r
        }
      case Some(v) =>
        val ends = p.neighbours(v).toVector.sorted
        val gone = Gone(r.names(v), ends.map(r.names))
        val (into, step) = ends match {
          case Vector(a) =>
            val along = Along(p.edge(a, v), p.factors(v))
            val weighed = WeighedPattern.normal(p.factors(a) :+ along)
            (p.copy(factors = p.factors.updated(a, weighed)), gone)
          case _ =>
            val (a, b) = (ends(0), ends(1))
            val closing = Closing(p.edge(a, v), p.edge(b, v), p.factors(v))
            val edge = p.edges((a, b))
            (
              p.copy(edges = p.edges.updated((a, b), edge.closed(closing))),
              gone.copy(closing = Some((edge.lists.head, closing))))
        }
        reduce(
          Reduction(
            into.without(v),
            r.names.patch(v, Nil, 1),
            r.steps :+ step,
            r.times))
    }
  }

  /** What is joined each with each, and hangs together with the rest in one of them at most. */
  private def together(r: Reduction)(implicit
      relations: IndexedSeq[RelationTraits]): Option[Reduction] = {
    val p = r.core
    p.edges.values.toVector.distinct.filter(isPlain).flatMap { edge =>
      def all(v: Int): Set[Int] = p.neighbours(v).filter(p.edge(v, _) == edge) + v
      p.variables
        .map(all)
        .filter(k => k.size >= LeastTogether && k.forall(v => k.subsetOf(all(v))))
        .flatMap { k =>
          val bound = k.filter(v =>
            p.neighbours(v).exists(!k(_)) || p.groups.contains(v) || p.isCompared(v))
          val one = bound.headOption.getOrElse(k.toVector.sorted.maxBy(p.factors(_).size))
          val others = (k - one).toVector.sorted
          val within = p.factors(others.head)
          val areAlike = others.forall(p.factors(_) == within) && within.forall {
            case _: Within => true
            case _ => false
          }
          if (bound.size > 1 || !areAlike || !within.forall(p.factors(one).contains)) None
          else Some(gone(r, one, others, Pairwise(k.size, edge.lists.head, within)))
        }
        .headOption
    }.headOption
  }

  private def gone(r: Reduction, one: Int, others: Vector[Int], into: Pairwise): Reduction = {
    val p = r.core
    val weighed =
      p.copy(factors =
        p.factors.updated(one, WeighedPattern.normal(p.factors(one) :+ into)))
    Reduction(
      others.reverse.foldLeft(weighed)(_ without _),
      others.reverse.foldLeft(r.names)((names, v) => names.patch(v, Nil, 1)),
      r.steps ++ others.map(v => Gone(r.names(v), Vector(r.names(one)))),
      // In any order.
      (1 to others.size).foldLeft(r.times)((times, n) => Math.multiplyExact(times, n.toLong)))
  }

  private def isPlain(e: EdgeFactor)(implicit relations: IndexedSeq[RelationTraits]): Boolean =
    e.closings.isEmpty && e.order == 0 && e.lists.sizeIs == 1 && {
      val t = relations(e.lists.head.relation)
      t.isSymmetric && !t.hasSelfLoops && !e.lists.head.weighs
    }

  /** Three are a number for each edge, which costs less. */
  final private val LeastTogether = 4
}
