package io.wreath.kernel.count

/**
 * Sums that differ in one of the vectors that they multiply are one sum, of those vectors added up:
 * {{{
 *   the sum of p * q, and that of p * r       the sum of p * (q + r)
 * }}}
 * That is done where all of them are pushed along the same lists: these are then walked once.
 */
private[count] object Sharing {

  def of(sums: Vector[HeldSum]): Vector[HeldSum] = {
    // A sum along edges is a sum over where they end.
    val apart = sums.map(s => s -> lead(s))
    val (alone, led) = apart.partition(_._2.isEmpty)
    val shared = led
      .groupBy { case (s, l) => (s.times, s.held, l.get.to) }
      .toVector
      .sortBy(_._1.toString)
      .flatMap { case ((times, held, to), same) =>
        walks(same.map(_._2.get.term)).map(terms =>
          HeldSum(times, held, Vector(to.beside(terms))))
      }
    alone.map(_._1) ++ shared
  }

  /** A walk reads one kind of weight at each list element, and what has none rides along with any. */
  private def walks(terms: Vector[Pushed]): Vector[Vector[Pushed]] = {
    val (plain, weighed) = terms.sortBy(_.toString).partition(_.edge.closings.isEmpty)
    val kinds = weighed.groupBy(_.edge).toVector.sortBy(_._1.toString).map(_._2)
    if (kinds.isEmpty) Vector(plain) else (plain ++ kinds.head) +: kinds.tail
  }

  /** Vectors at one variable, of which one is pushed along the lists that others ride along. */
  final private case class Meeting(
      lead: Pushed,
      others: Vector[Reached],
      factors: Vector[VertexFactor]) {

    def beside(terms: Vector[Pushed]): Total =
      Sum(Product(others :+ lead :+ Beside(lead, terms), factors))
  }

  final private case class Led(to: Meeting, term: Pushed)

  private def lead(s: HeldSum): Option[Led] = s match {
    case HeldSum(_, _, Vector(Joined(from, edge, to)), None) =>
      val (of, factors) = to match {
        case Product(of, factors) => (of, factors)
        case one => (Vector(one), Vector.empty)
      }
      of.collectFirst {
        case p: Pushed if rides(Pushed(from, edge, p.bounds), p) =>
          Led(Meeting(p, of.diff(Vector(p)), factors), Pushed(from, edge, p.bounds))
      }
    case HeldSum(_, _, Vector(Sum(Product(of, factors))), None) =>
      val pushed = of.collect { case p: Pushed => p }
      val found = for (p <- pushed; q <- pushed.diff(Vector(p)) if rides(q, p))
        yield Led(Meeting(p, of.diff(Vector(p, q)), factors), q)
      found.headOption
    case _ => None
  }

  /** Whether all that `p` is pushed along is what `lead` walks, and nothing weighs that. */
  private def rides(p: Pushed, lead: Pushed): Boolean = (p.from, lead.from) match {
    case (Row(first, 0, within), Row(leading, 0, same)) =>
      isPlain(leading) && isPlain(lead.edge) && within == same && p.bounds == lead.bounds &&
      first.copy(closings = Vector.empty) == leading &&
      p.edge.copy(closings = Vector.empty) == lead.edge
    case _ => false
  }

  private def isPlain(e: EdgeFactor): Boolean =
    e.closings.isEmpty && e.order == 0 && e.lists.sizeIs == 1 && !e.lists.head.weighs
}
