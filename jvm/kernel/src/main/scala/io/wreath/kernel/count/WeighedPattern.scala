package io.wreath.kernel.count

/** What a sum has to know of a relation before its lists are read. */
final private[count] case class RelationTraits(
    isSymmetric: Boolean,
    hasDuplicates: Boolean,
    hasSelfLoops: Boolean)

/**
 * A sum over all bindings of its variables, of the product of what weighs them. Nothing is compared but what `less` and
 * `asked` say: two variables may be bound to the same vertex.
 *
 * @param factors by variable
 * @param edges by the two variables at their ends, the lesser first; read from the lesser
 * @param less variables that no edge joins, of which the first must have the lesser code
 * @param asked conditions between several variables
 */
final private[count] case class WeighedPattern(
    factors: Vector[Vector[VertexFactor]],
    edges: Map[(Int, Int), EdgeFactor],
    less: Set[(Int, Int)] = Set.empty,
    asked: Vector[Asked] = Vector.empty) {

  def variables: Range = factors.indices

  /** The variables that are not summed over, in their order; two that are merged are one. */
  lazy val groups: Vector[Int] = variables
    .flatMap(v => factors(v).collect { case Grouped(place) => (place, v) })
    .sorted
    .map(_._2)
    .distinct
    .toVector

  /** Whether the codes of vertices have to be in the order of their ids. */
  def isOrdered: Boolean = less.nonEmpty || edges.values.exists(_.order != 0)

  private lazy val adjacent: Vector[Set[Int]] = Vector.tabulate(factors.size) { v =>
    edges.keySet.collect {
      case (a, b) if a == v => b
      case (a, b) if b == v => a
    }
  }

  def neighbours(v: Int): Set[Int] = adjacent(v)

  /** Whether something is asked of a variable and others, so that it cannot be summed over by itself. */
  def isCompared(v: Int): Boolean =
    less.exists(l => l._1 == v || l._2 == v) || asked.exists(_.of.contains(v))

  /** What weighs `from` and `to` together, read from the first. */
  def edge(from: Int, to: Int)(implicit relations: IndexedSeq[RelationTraits]): EdgeFactor =
    if (from < to) edges((from, to))
    else edges((to, from)).opposite(relations(_).isSymmetric)

  /**
   * The sum over bindings in which some variables have the same vertex, as a sum with one variable in
   * their place, the least of them; None where it is zero, for no vertex has an edge to itself.
   *
   * Requires: edges among these variables are plain lists, as they are before anything is eliminated,
   * or of relations without edges from a vertex to itself; nothing is ordered.
   */
  def merged(same: Set[Int])(implicit
      relations: IndexedSeq[RelationTraits]): Option[WeighedPattern] = {
    val inner = edges.collect { case ((a, b), e) if same(a) && same(b) => e }
    if (inner.exists(_.lists.exists(l => !relations(l.relation).hasSelfLoops))) None
    else {
      val kept = variables.filter(v => !same(v) || v == same.min)
      val place = variables.map(v => kept.indexOf(if (same(v)) same.min else v))
      val loops = inner.flatMap(_.lists.map(l => Looped(l.relation, l.weighs))).toVector
      val moved = edges.toVector
        .filterNot { case ((a, b), _) => same(a) && same(b) }
        .map { case ((a, b), e) =>
          if (place(a) < place(b)) (place(a), place(b)) -> e
          else (place(b), place(a)) -> e.opposite(relations(_).isSymmetric)
        }
      val (alone, between) = asked
        .map(a => a.copy(of = a.of.map(place)))
        .partition(_.of.distinct.sizeIs == 1)
      val passed = alone.map(a => Passed(a.test))
      Some(
        WeighedPattern(
          kept.toVector.map { v =>
            val all =
              if (same(v)) same.toVector.flatMap(factors(_)) ++ loops ++ passed else factors(v)
            WeighedPattern.normal(all)
          },
          moved.groupMapReduce(_._1)(_._2)(_ times _),
          asked = between))
    }
  }

  /** With codes in this order; None where there are no such codes. */
  def ordered(pairs: Set[(Int, Int)]): Option[WeighedPattern] = {
    val all = WeighedPattern.closure(pairs)
    def follows(a: Int, b: Int): Boolean =
      all.exists { case (from, by) => from == a && all((by, b)) }
    if (all.exists { case (a, b) => a == b }) None
    else {
      val (along, apart) = pairs
        .filterNot { case (a, b) => follows(a, b) }
        .partition { case (a, b) => neighbours(a)(b) }
      val orders = along.map { case (a, b) => (a.min(b), a.max(b)) -> (if (a < b) 1 else -1) }
      Some(copy(
        edges = orders.foldLeft(edges) { case (es, (at, by)) =>
          es.updated(at, es(at).ordered(by))
        },
        less = apart))
    }
  }

  /** Without a variable that has gone into others. */
  def without(v: Int): WeighedPattern = {
    def place(w: Int): Int = if (w > v) w - 1 else w
    WeighedPattern(
      factors.patch(v, Nil, 1),
      edges.collect { case ((a, b), e) if a != v && b != v => (place(a), place(b)) -> e },
      less.collect { case (a, b) if a != v && b != v => (place(a), place(b)) },
      asked.map(a => a.copy(of = a.of.map(place))))
  }

  def isConnected: Boolean = {
    def grow(found: Set[Int]): Set[Int] = {
      val more = found ++ found.flatMap(neighbours)
      if (more == found) found else grow(more)
    }
    grow(Set(0)).size == factors.size
  }

  /** Of all ways to number the variables, one that is the same for all equal sums. */
  def canonical(implicit relations: IndexedSeq[RelationTraits]): WeighedPattern =
    renumbered(arranged.leastPlaces)

  /** The ways to rearrange the variables that leave the sum as it is. */
  def symmetries(implicit relations: IndexedSeq[RelationTraits]): Vector[IndexedSeq[Int]] = {
    if (knownSymmetries.isEmpty) knownSymmetries = arranged.symmetries
    knownSymmetries
  }

  /** Whether the sum stays as it is where variables take the places of others. */
  def isKeptBy(places: IndexedSeq[Int])(implicit relations: IndexedSeq[RelationTraits]): Boolean =
    arranged.isKeptBy(places)

  // There is always one.
  private[this] var knownSymmetries: Vector[IndexedSeq[Int]] = Vector.empty

  private[this] var knownArrangement: Option[Arrangement] = None

  /** What is equal is told by how it is written; a pattern is read by the same relations all the time. */
  private def arranged(implicit relations: IndexedSeq[RelationTraits]): Arrangement =
    knownArrangement.getOrElse {
      // Each condition is there once: where its variables stay in their places, it does.
      val alone = variables.map { v =>
        val places = asked.flatMap(a => a.of.indices.filter(a.of(_) == v).map((a.test, _)))
        factors(v).toString + places
      }
      val ofFactors = alone.distinct.sorted
      val marks = Array.tabulate(factors.size, factors.size)((v, u) =>
        if (u == v) ofFactors.indexOf(alone(v)) else 0)
      val along = edges.toVector.map { case ((a, b), e) =>
        (a, b, e.toString, e.opposite(relations(_).isSymmetric).toString)
      }
      val ofEdges = along.flatMap(e => Vector(e._3, e._4)).distinct.sorted
      along.foreach { case (a, b, there, back) =>
        marks(a)(b) = 3 * (ofEdges.indexOf(there) + 1)
        marks(b)(a) = 3 * (ofEdges.indexOf(back) + 1)
      }
      less.foreach { case (a, b) =>
        marks(a)(b) += 1
        marks(b)(a) += 2
      }
      val made = new Arrangement(marks)
      knownArrangement = Some(made)
      made
    }

  private def renumbered(place: IndexedSeq[Int])(implicit
      relations: IndexedSeq[RelationTraits]): WeighedPattern =
    if (place == variables) this
    else
      WeighedPattern(
        variables.toVector.map(i => factors(place.indexOf(i))),
        edges.map { case ((a, b), e) =>
          if (place(a) < place(b)) (place(a), place(b)) -> e
          else (place(b), place(a)) -> e.opposite(relations(_).isSymmetric)
        },
        less.map { case (a, b) => (place(a), place(b)) },
        asked.map(a => a.copy(of = a.of.map(place))))
}

private[count] object WeighedPattern {

  /** What is less because it is less than what is less still. */
  @annotation.tailrec
  def closure(less: Set[(Int, Int)]): Set[(Int, Int)] = {
    val more = less ++ (for ((a, b) <- less; (c, d) <- less if b == c) yield (a, d))
    if (more == less) less else closure(more)
  }

  /** Factors of zero and one are asked once. */
  def normal(factors: Vector[VertexFactor]): Vector[VertexFactor] = {
    val (once, others) = factors.partition {
      case _: Within | _: Grouped | _: Passed => true
      case l: Looped => !l.weighs
      case _: Along | _: Pairwise => false
    }
    (once.distinct ++ others).sortBy(_.toString)
  }
}
