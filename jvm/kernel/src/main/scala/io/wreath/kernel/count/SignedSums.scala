package io.wreath.kernel.count

import scala.collection.mutable

import io.wreath.pattern.{Comparison, ComparisonOp}

/**
 * The number of matches of a pattern as sums that compare nothing: the sum of these, each as often as
 * it says, divided by `over`, without remainder.
 *
 * {{{
 *   a = b     one variable in place of both
 *   a <= b    a < b or a = b
 *   a <> b    all, less those with a = b
 *   a < b     a <> b, and of the rearrangements of each match that leave the pattern as it is, the
 *             part that fulfils all of the `<`, where that part is the same for every match; else the
 *             sums are over codes in that order
 * }}}
 */
final private[count] case class SignedSums(sums: Vector[(Long, WeighedPattern)], over: Long) {

  def taken(times: Long): SignedSums =
    copy(sums = sums.map { case (t, s) => (Math.multiplyExact(t, times), s) })
}

private[count] object SignedSums {

  /** Sums that are made at most: each `<>` may double them. */
  final private val MostSums = 1024

  /** Orders of the compared variables times symmetries that are tried at most. */
  final private val MostSteps = 4000000L

  final private val MostVariables = 8

  /** Of more the rearrangements are more than a Long. */
  final private val MostChain = 20

  /** Why nothing should be looked for: what follows takes time that grows with the powers of variables. */
  def declines(whole: WeighedPattern, reduced: Reduction): Option[String] =
    // What is joined each with each goes at once.
    if (whole.factors.size > MostVariables && reduced.core.factors.size > 1)
      Some(s"it has more than $MostVariables variables")
    else if (!whole.isConnected) Some("its parts are not connected")
    else None

  /**
   * The sums, or why there are none. [[declines]] is asked before.
   *
   * @param parts sums that are added up, each as often as it says, with what is compared in it
   * @param interrupt runs at each step, and ends the search by throwing
   */
  def of(parts: Seq[(Long, WeighedPattern, Seq[Comparison])], interrupt: Runnable)(implicit
      relations: IndexedSeq[RelationTraits]): Either[String, SignedSums] = {
    val expansion = new Expansion(interrupt)
    val none: Either[String, Vector[SignedSums]] = Right(Vector.empty)
    parts.foldLeft(none) { case (before, (times, sum, comparisons)) =>
      for (b <- before; more <- expansion.equated(State(sum, comparisons.toVector)))
        yield b ++ more.map(_.taken(times))
    }.map { found =>
      val over = found.map(_.over).foldLeft(1L)(leastMultiple)
      val all = mutable.LinkedHashMap.empty[WeighedPattern, Long]
      for (p <- found; (times, sum) <- p.sums) {
        interrupt.run()
        val key = sum.canonical
        all(key) = all.getOrElse(key, 0L) + times * (over / p.over)
      }
      SignedSums(all.toVector.collect { case (p, times) if times != 0 => (times, p) }, over)
    }
  }

  /**
   * The sum that a pattern is without its comparisons; None where no vertex has an edge to itself.
   *
   * @param domains by variable of the pattern, as groups and the variables of tests
   */
  def whole(
      p: Quotient,
      domains: IndexedSeq[Option[Int]],
      groups: Seq[Int],
      tests: Seq[Seq[Int]])(implicit
      relations: IndexedSeq[RelationTraits]): Option[WeighedPattern] = {
    val loops = p.edges.filter(e => e.source == e.target)
    if (loops.exists(e => !relations(e.relation).hasSelfLoops)) None
    else {
      val asked = tests.zipWithIndex.map { case (of, t) => Asked(t, of.map(p.place).toVector) }
      val (alone, between) = asked.toVector.partition(_.of.distinct.sizeIs == 1)
      val factors = (0 until p.variableCount).toVector.map { v =>
        val within = domains.indices.filter(p.place(_) == v).flatMap(domains(_)).map(Within(_))
        val looped = loops.filter(_.source == v).map { e =>
          Looped(e.relation, !e.matchesOnce && relations(e.relation).hasDuplicates)
        }
        val grouped = groups.indices.filter(g => p.place(groups(g)) == v).map(Grouped(_))
        val passed = alone.filter(_.of.head == v).map(a => Passed(a.test))
        WeighedPattern.normal(within.toVector ++ looped ++ grouped ++ passed)
      }
      val edges = p.edges.filter(e => e.source != e.target).map { e =>
        val t = relations(e.relation)
        val ends = (Math.min(e.source, e.target), Math.max(e.source, e.target))
        val lists =
          Lists(
            e.relation,
            t.isSymmetric || e.source < e.target,
            !e.matchesOnce && t.hasDuplicates)
        ends -> EdgeFactor.of(Vector(lists), Vector.empty)
      }
      Some(
        WeighedPattern(
          factors,
          edges.groupMapReduce(_._1)(_._2)(_ times _),
          asked = between))
    }
  }

  private def leastMultiple(a: Long, b: Long): Long =
    a / BigInt(a).gcd(BigInt(b)).toLong * b

  final private case class State(sum: WeighedPattern, comparisons: Vector[Comparison]) {

    def without(c: Comparison): State = copy(comparisons = comparisons.filterNot(_ == c))

    def pairs(op: ComparisonOp): Vector[(Int, Int)] =
      comparisons.collect { case c if c.op == op => (c.left, c.right) }

    /** None where there is no such binding. */
    def merged(a: Int, b: Int)(implicit relations: IndexedSeq[RelationTraits]): Option[State] = {
      val (low, high) = (Math.min(a, b), Math.max(a, b))
      def place(v: Int): Int = if (v == high) low else if (v > high) v - 1 else v
      sum.merged(Set(a, b)).map { s =>
        State(s, comparisons.map(c => Comparison(place(c.left), c.op, place(c.right))))
      }
    }
  }

  final private class Expansion(interrupt: Runnable)(implicit
      relations: IndexedSeq[RelationTraits]) {
    private var made = 0

    /** Settles all but `<` and `<>`. */
    def equated(s: State): Either[String, Vector[SignedSums]] = {
      import ComparisonOp._
      val own = s.comparisons.find(c => c.left == c.right)
      if (own.exists(c => c.op == Less || c.op == NotEqual)) Right(Vector.empty)
      else if (own.isDefined) equated(s.without(own.get))
      else {
        s.comparisons.find(c => c.op == Equal || c.op == LessOrEqual) match {
          case Some(c) =>
            val equal =
              s.without(c).merged(c.left, c.right).fold(none)(equated)
            if (c.op == Equal) equal
            else {
              val less =
                State(s.sum, s.without(c).comparisons :+ Comparison(c.left, Less, c.right))
              for (e <- equal; l <- equated(less)) yield e ++ l
            }
          case None => ordered(s).map(_.toVector)
        }
      }
    }

    private val none: Either[String, Vector[SignedSums]] = Right(Vector.empty)

    private def ordered(s: State): Either[String, Option[SignedSums]] = {
      val written = s.pairs(ComparisonOp.Less).toSet
      val less = WeighedPattern.closure(written).toVector.sorted
      val below = less.map { case (a, b) => Set(a, b) }
      val apart = s.pairs(ComparisonOp.NotEqual).map { case (a, b) => Set(a, b) }.toSet
      val sums = Vector.newBuilder[(Long, WeighedPattern)]
      val (of, isDone) = fulfilling(s.sum, less, apart ++ below) match {
        case Some((0L, _)) => (1L, true)
        case Some((part, of)) =>
          (of, differing(s.sum, (apart ++ below).toVector, Set.empty, part, sums))
        case None => (1L, differing(s.sum, (apart -- below).toVector, written, 1L, sums))
      }
      if (!isDone) Left(s"its <> make more than $MostSums sums")
      else Right(Some(SignedSums(sums.result(), of)).filter(_.sums.nonEmpty))
    }

    /** Whether two variables differ by themselves: an edge joins them, and none leads back to its source. */
    private def differ(sum: WeighedPattern, pair: Set[Int]): Boolean =
      sum.edges
        .get((pair.min, pair.max))
        .exists(_.lists.exists(l => !relations(l.relation).hasSelfLoops))

    /** Adds up to `sums` what is left where all of `apart` differ; false where that is too much. */
    private def differing(
        sum: WeighedPattern,
        apart: Vector[Set[Int]],
        less: Set[(Int, Int)],
        times: Long,
        sums: mutable.Builder[(Long, WeighedPattern), Vector[(Long, WeighedPattern)]])
        : Boolean = {
      interrupt.run()
      apart.filterNot(differ(sum, _)).toList match {
        case Nil =>
          made += 1
          sum.ordered(less).foreach(s => sums += ((times, s)))
          made <= MostSums
        case pair :: rest =>
          val others = rest.toVector
          val (low, high) = (pair.min, pair.max)
          def place(v: Int): Int = if (v == high) low else if (v > high) v - 1 else v
          differing(sum, others, less, times, sums) && sum.merged(pair).forall { same =>
            val placed = less.map { case (a, b) => (place(a), place(b)) }
            differing(same, others.map(_.map(place)).distinct, placed, -times, sums)
          }
      }
    }

    /**
     * How many of how many rearrangements fulfil the `<`, for every binding in which `apart` differ; None
     * where bindings differ in that.
     */
    private def fulfilling(
        sum: WeighedPattern,
        less: Vector[(Int, Int)],
        apart: Set[Set[Int]]): Option[(Long, Long)] =
      if (less.isEmpty) Some((1L, 1L))
      else if (isChain(sum, less, apart)) {
        Some((1L, (1 to less.flatMap(l => Seq(l._1, l._2)).distinct.size).map(_.toLong).product))
      } else if (sum.factors.size > MostVariables) None
      else {
        val known = apart ++ sum.edges.keySet.map { case (a, b) => Set(a, b) }.filter(
          differ(sum, _))
        val same = sum.symmetries.filter(g => apart.forall(pair => known(pair.map(g))))
        val compared = less.flatMap { case (a, b) => same.flatMap(g => Seq(g(a), g(b))) }.distinct
        val orders = weakOrders(compared.sorted, known, MostSteps / same.size)
        val parts = orders.map(_.map { rank =>
          interrupt.run()
          same.count(g => less.forall { case (a, b) => rank(g(a)) < rank(g(b)) })
        }.distinct)
        parts match {
          case Some(Vector(part)) => Some((part.toLong, same.size.toLong))
          case _ => None
        }
      }

    /** Whether all that `<` compares is in one order, differs, and may take any other's place. */
    private def isChain(
        sum: WeighedPattern,
        less: Vector[(Int, Int)],
        apart: Set[Set[Int]]): Boolean = {
      val compared = less.flatMap { case (a, b) => Seq(a, b) }.distinct
      val chain = compared.sortBy(v => less.count(_._2 == v))
      val n = chain.size
      n <= MostChain && less.size == n * (n - 1) / 2 &&
      chain.zip(chain.tail).forall { case (a, b) =>
        val swapped = sum.variables.map(v => if (v == a) b else if (v == b) a else v)
        apart.forall(pair => apart(pair.map(swapped)) || differ(sum, pair.map(swapped))) &&
        sum.isKeptBy(swapped)
      }
    }

    /** All orders of `variables`, with ties but of those that differ; None where they are too many. */
    private def weakOrders(
        variables: Vector[Int],
        differ: Set[Set[Int]],
        most: Long): Option[Vector[Map[Int, Int]]] =
      variables.foldLeft(Option(Vector(Map.empty[Int, Int]))) { (before, v) =>
        before
          .map(_.flatMap { ranks =>
            interrupt.run()
            val levels = ranks.values.toSet.size
            // Between two ranks, or at one of them.
            (0 until 2 * levels + 1).flatMap { slot =>
              val tied = slot % 2 == 1
              val at = slot / 2
              if (tied && ranks.exists { case (w, r) => r == at && differ(Set(v, w)) }) None
              else if (tied) Some(ranks + (v -> at))
              else
                Some(ranks.map { case (w, r) => w -> (if (r >= at) r + 1 else r) } + (v -> at))
            }
          })
          .filter(_.size <= most)
      }
  }
}
