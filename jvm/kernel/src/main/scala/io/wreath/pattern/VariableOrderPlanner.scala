package io.wreath.pattern

/**
 * What a join is to count instead of giving rows.
 *
 * @param groups variables for each binding of which rows are counted apart; they are bound first
 */
final case class Counting(groups: Set[Int] = Set.empty)

/**
 * Chooses the order in which a join binds the variables, by estimated i-cost: the number of list
 * elements that the intersections read.
 *
 * For an order v1 … vk let P(i) be the estimated number of bindings of its first i variables.
 * When vi is bound, each pattern edge to an earlier variable gives a list of length
 *
 *   L = mean degree                            if that variable was scanned and is all there is,
 *   L = sum(d(v) * d'(v)) / edges              if it was itself reached along the relation, or
 *                                              another one was reached from it: d' is the degree
 *                                              that was used, for a vertex is then met d' times.
 *
 * With the lists in the order in which they become known, L1 … Lm, and n the vertices that have
 * a list at all:
 *
 *   P(i)    = P(i-1) * min(L) * product of L/n over the other lists * selectivity
 *   cost(i) = P(i-1) * Lm  +  P(level of L(m-1)) * (L1 + … + L(m-1))
 *
 * for the join intersects all lists but the last once and probes them by the last. A variable
 * without an edge to an earlier one is scanned: cost(i) = P(i-1) * n * the part of its vertices that
 * constants and predicates leave, and P(i) the same times the selectivity. Selectivity is 1/2 for
 * each `<` or `<=` that vi completes and 1/n for `=`; behind lists it includes that part too. From
 * the fourth variable on the cost is divided by [[BitMatrixGain]] if all variables after the first
 * lie in one list of it, as in a clique: those levels run on bit rows. Filling the rows reads the
 * lists that the third variable would.
 *
 * Where rows are only counted, the last variables that hang off the others and not off each other, the
 * tail, are not bound: each costs as if it came right after the last variable that it hangs off, and
 * variables that hang off the same ones are counted once ([[io.wreath.kernel.join.CountPlan]]).
 *
 * Estimates are not exact to the last quarter, so of the orders within [[Tolerance]] of the
 * cheapest the one that contradicts the fewest `<` is taken, and of these the least in
 * lexicographic order. That makes the choice deterministic, and natural for cliques.
 *
 * An order that can continue along an edge always does. Up to [[ExhaustiveLimit]] variables all
 * such orders are tried with branch and bound, beyond it the order is grown greedily.
 */
object VariableOrderPlanner {

  final private val Tolerance = 1.25
  final private val BitMatrixGain = 8.0
  final private val FirstGain = 3

  /** 8! = 40,320 orders of a clique cost some tens of milliseconds; 9! would be felt. */
  final private val ExhaustiveLimit = 8

  /** The cost of a tail is known only when all is bound, so that bounds cut nothing off. */
  final private val CountedLimit = 6

  /** From this many levels on a join runs on bit rows if it can. */
  final private val MinLevelsForBits = 4

  /**
   * @param first variables to begin with, in this order, whatever they cost
   * @param fractions by variable, which part of its vertices constants and predicates leave; empty
   *   stands for all of them
   * @param counting what is counted, if rows are not asked for
   */
  def choose(
      p: GraphPattern,
      s: PatternStatistics,
      first: IndexedSeq[Int] = Vector.empty,
      fractions: IndexedSeq[Double] = Vector.empty,
      counting: Option[Counting] = None): VariableOrder = {
    if (p.relationCount > s.relations.size) {
      throw new IllegalArgumentException(
        s"The pattern names ${p.relationCount} relations, but there are statistics of " +
          s"${s.relations.size}.")
    }
    val search = new Search(p, s, first, fractions, counting)
    VariableOrder(
      if (p.variableCount <= ExhaustiveLimit) search.exhaustive()
      else search.greedy())
  }

  /** Estimated cost of one order, as described above. */
  private[wreath] def cost(
      p: GraphPattern,
      s: PatternStatistics,
      order: VariableOrder,
      fractions: IndexedSeq[Double] = Vector.empty,
      counting: Option[Counting] = None): Double =
    new Search(p, s, Vector.empty, fractions, counting).costOf(order.variables)

  /** Estimated number of bindings of all variables, bound in this order. */
  private[wreath] def bindings(
      p: GraphPattern,
      s: PatternStatistics,
      order: VariableOrder,
      fractions: IndexedSeq[Double] = Vector.empty): Double =
    new Search(p, s, Vector.empty, fractions, None).bindingsOf(order.variables)

  final private class Search(
      p: GraphPattern,
      s: PatternStatistics,
      first: IndexedSeq[Int],
      fractions: IndexedSeq[Double],
      counting: Option[Counting]) {
    private val n = p.variableCount
    private val groups = counting.fold(Set.empty[Int])(_.groups)
    private val tail = new PatternTail(p)
    // Whether parallel edges are told apart changes no list.
    private val edges = p.edges.map(_.copy(matchesOnce = false)).distinct
    private val order = new Array[Int](n)
    private val level = Array.fill(n)(-1)
    private val bindings = new Array[Double](n + 1)
    // The edge a variable was reached along or, if it was scanned, another one was reached by.
    private val reached = new Array[PatternEdge](n)
    private val markedBy = Array.fill(n)(-1) // by depth, the scanned variable that it marked so
    private var gain = 1.0
    bindings(0) = 1.0

    // By depth, what binding costs: a list for each binding of the levels before, and the rest.
    private val lastList = new Array[Double](n)
    private val stableLists = new Array[Double](n)

    private val neighbours: Array[Set[Int]] = Array.tabulate(n) { v =>
      p.edges.collect {
        case e if e.source == v => e.target
        case e if e.target == v => e.source
      }.toSet - v
    }

    private var best = Double.PositiveInfinity
    private var chosen: Vector[Int] = Vector.empty
    private var chosenViolations = Int.MaxValue

    def exhaustive(): IndexedSeq[Int] = {
      eachOrder(total => best = Math.min(best, total))
      best *= Tolerance
      eachOrder { total =>
        // Orders come in lexicographic order, so the first of equals stays.
        val violations = countViolations()
        if (total <= best && violations < chosenViolations) {
          chosenViolations = violations
          chosen = order.toVector
        }
      }
      chosen
    }

    /** Every order worth a look, with its cost. */
    private def eachOrder(found: Double => Unit): Unit = {
      if (counting.isEmpty || n > CountedLimit) descend(0, 0.0, isBounded = true, found)
      else descend(0, 0.0, isBounded = false, _ => found(countedCost()))
    }

    def greedy(): IndexedSeq[Int] = {
      (0 until n).foreach { depth =>
        val next = candidates(depth).minBy { v =>
          val c = push(depth, v)
          val extension = bindings(depth + 1)
          pop(v)
          (c, extension, v)
        }
        push(depth, next)
      }
      order.toVector
    }

    def costOf(variables: IndexedSeq[Int]): Double = {
      val sum = variables.indices.map(i => push(i, variables(i))).sum
      if (counting.isEmpty) sum
      else countedCost()
    }

    def bindingsOf(variables: IndexedSeq[Int]): Double = {
      variables.indices.foreach(i => push(i, variables(i)))
      bindings(n)
    }

    private def descend(
        depth: Int,
        spent: Double,
        isBounded: Boolean,
        found: Double => Unit): Unit =
      if (depth == n) found(spent)
      else
        candidates(depth).foreach { v =>
          val total = spent + push(depth, v)
          if (!isBounded || total <= best) descend(depth + 1, total, isBounded, found)
          pop(v)
        }

    /** The cost of the complete order where only its prefix is bound. */
    private def countedCost(): Double = {
      val prefix = tail.prefixOf(order, groups.size)
      val isOnBits = gain > 1.0 && prefix + 1 >= MinLevelsForBits
      def scaled(depth: Int, cost: Double): Double =
        if (isOnBits && depth >= FirstGain) cost / gain else cost
      val bound = (0 until prefix).map(d =>
        scaled(d, bindings(d) * lastList(d) + stableLists(d)))
      // What hangs off the same variables is counted once.
      val counted = (prefix until n).map { d =>
        val hangsOff = neighbours(order(d)).map(level(_))
        val before = bindings(hangsOff.filter(_ < prefix).maxOption.getOrElse(-1) + 1)
        hangsOff -> scaled(d, before * lastList(d) + stableLists(d))
      }
      bound.sum + counted.toMap.values.sum
    }

    /** Unbound variables, ascending; those with an edge to a bound one if there are any. */
    private def candidates(depth: Int): Seq[Int] = {
      val free = (0 until n).filter(level(_) < 0)
      val connected = free.filter(v => neighbours(v).exists(level(_) >= 0))
      if (depth < first.size) Seq(first(depth))
      else if (depth < groups.size) {
        val open = free.filter(groups)
        val linked = open.filter(connected.contains)
        if (linked.isEmpty) open else linked
      } else if (depth == 0 || connected.isEmpty) free
      else connected
    }

    private def countViolations(): Int = p.comparisons.count { c =>
      (c.op == ComparisonOp.Less || c.op == ComparisonOp.LessOrEqual) &&
      level(c.left) > level(c.right)
    }

    /** Binds `v` at `depth` and returns the cost of doing so. */
    private def push(depth: Int, v: Int): Double = {
      order(depth) = v
      level(v) = depth
      if (depth == 0) gain = if (sharesOneList(v)) BitMatrixGain else 1.0
      val lists = edges.filter { e =>
        e.source != e.target &&
        ((e.target == v && isBefore(e.source, depth)) || (e.source == v && isBefore(
          e.target,
          depth)))
      }
      val active = activeVertices(v)
      val before = bindings(depth)
      if (lists.isEmpty) {
        reached(v) = null
        lastList(depth) = active * fractionOf(v)
        stableLists(depth) = 0.0
        val scanned = before * lastList(depth)
        bindings(depth + 1) = scanned * selectivity(v, depth, active)
        scanned
      } else {
        val known = lists.sortBy(e => level(other(e, v)))
        val lengths = known.map(e => length(e, other(e, v)))
        reached(v) = known.last
        val from = other(known.last, v)
        if (reached(from) == null) {
          reached(from) = known.last
          markedBy(depth) = from
        }
        val shortest = lengths.min
        val rest = lengths.product / shortest.max(Double.MinPositiveValue)
        val scale = Math.pow(active.max(1.0), (lengths.size - 1).toDouble)
        bindings(depth + 1) =
          before * shortest * (rest / scale) * selectivity(v, depth, active) * fractionOf(v)
        val stable =
          if (known.size == 1) 0.0
          else {
            val changes = bindings(level(other(known(known.size - 2), v)) + 1)
            changes * known.init.map(e => ownLength(e, other(e, v))).sum
          }
        lastList(depth) = lengths.last
        stableLists(depth) = stable
        (before * lengths.last + stable) / (if (depth >= FirstGain) gain else 1.0)
      }
    }

    private def pop(v: Int): Unit = {
      val marked = markedBy(level(v))
      if (marked >= 0) {
        reached(marked) = null
        markedBy(level(v)) = -1
      }
      level(v) = -1
    }

    private def fractionOf(v: Int): Double = if (fractions.isEmpty) 1.0 else fractions(v)

    private def isBefore(v: Int, depth: Int): Boolean = level(v) >= 0 && level(v) < depth

    private def other(e: PatternEdge, v: Int): Int = if (e.source == v) e.target else e.source

    /** Estimated length of the list that `e` gives when it hangs off `from`. */
    private def length(e: PatternEdge, from: Int): Double = {
      val r = s.relations(e.relation)
      val forward = e.source == from
      val by = reached(from)
      if (by == null || by.relation != e.relation) r.meanLength(forward)
      // To be left along an edge is to be met as often as by being reached against it.
      else r.reachedLength(forward, reachedForward = by.target == from)
    }

    /** [[length]] when `from` has just been bound: nothing was reached from it so far. */
    private def ownLength(e: PatternEdge, from: Int): Double =
      if (markedBy.exists(_ == from)) s.relations(e.relation).meanLength(e.source == from)
      else length(e, from)

    /** Vertices with every list that the edges of `v` ask for, at most. */
    private def activeVertices(v: Int): Double =
      p.edges.iterator
        .collect {
          case e if e.source == v => s.relations(e.relation).active(forward = true)
          case e if e.target == v => s.relations(e.relation).active(forward = false)
        }
        .min

    private def selectivity(v: Int, depth: Int, active: Double): Double =
      p.comparisons.iterator
        .filter(c =>
          c.left != c.right &&
            ((c.left == v && isBefore(c.right, depth)) ||
              (c.right == v && isBefore(c.left, depth))))
        .map(_.op match {
          case ComparisonOp.Less | ComparisonOp.LessOrEqual => 0.5
          case ComparisonOp.Equal => 1.0 / active.max(1.0)
          case ComparisonOp.NotEqual => 1.0
        })
        .product

    /** Whether all other variables lie in the same list of `first`, and are enough for bits. */
    private def sharesOneList(first: Int): Boolean =
      n >= 4 && (0 until n).filter(_ != first).forall(neighbours(first).contains) && {
        val lists = (0 until n)
          .filter(_ != first)
          .map(v =>
            p.edges.collect {
              case e if e.source == first && e.target == v => (e.relation, true)
              case e if e.target == first && e.source == v =>
                (e.relation, s.relations(e.relation).isSymmetric)
            }.toSet)
        lists.reduce(_ intersect _).nonEmpty
      }
  }
}
