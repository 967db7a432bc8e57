package io.wreath.kernel.count

import scala.collection.mutable

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{Domain, Use}
import io.wreath.kernel.lists.Pieces
import io.wreath.pattern.{Comparison, ComparisonOp, GraphPattern, PatternStatistics}

/**
 * A variable that is summed over into others.
 *
 * @param into one, for whose vertices there is a number then, or two, for the edges between them
 * @param numbers how many
 * @param ofTriangles the relation whose edges they are the triangles on, which are kept with it
 */
final case class EliminationStep(
    variable: Int,
    into: Seq[Int],
    numbers: Long,
    ofTriangles: Option[Int] = None)

/**
 * How the matches of a pattern are counted by summing over its variables one after the other, instead of
 * binding them.
 *
 * @param sums their sum, divided by `over`, is the number of matches
 * @param byDegree whether codes must descend with the degrees
 * @param cost in list elements, to be compared with that of a join
 * @param bytes about what its factors and the vectors of one task take
 * @param steps of the pattern itself, which has nothing merged
 * @param factors of all sums together
 * @param core what is left of it: its variables, or the last one
 * @param groups how many variables are not summed over
 * @param asked by condition between several variables, those that it reads
 */
final class Elimination private[count] (
    private[count] val sums: Vector[HeldSum],
    private[count] val over: Long,
    val byDegree: Boolean,
    val cost: Double,
    val bytes: Long,
    val steps: Seq[EliminationStep],
    val factors: Int,
    val core: Seq[Int],
    val groups: Int,
    private[count] val asked: Seq[Seq[Int]])
    extends Serializable {

  /** How many sums there are. */
  def size: Int = sums.size

  /** Whether the numbers of one group are added up from all vertices that are held, see [[Spread]]. */
  private[count] def isSpread: Boolean = groups == 1 && sums.exists(_.groups.isDefined)
}

object Elimination {

  /**
   * The cheapest way, or why there is none.
   *
   * @param domains by variable
   * @param below the moments of the only relation by degree, where vertices may be taken so
   * @param groups variables, one or two, where the number of matches is asked for each of their vertices
   * @param byDegree whether they are taken so wherever a core is left, or where that costs less
   * @param most what it may cost: the search ends where it is known to cost as much
   * @param conditions what else is asked of matches
   * @param interrupt runs at each step of the search, of which there may be millions, and ends it by throwing
   */
  def of(
      pattern: GraphPattern,
      graphs: Array[_ <: Relation],
      domains: Array[Domain],
      below: Option[BelowMoments],
      groups: Seq[Int] = Nil,
      byDegree: Use = Use.WhenWorth,
      most: Double = Double.PositiveInfinity,
      conditions: MatchConditions = MatchConditions.none,
      interrupt: Runnable = Pieces.NoInterrupt): Either[String, Elimination] = {
    implicit val relations: IndexedSeq[RelationTraits] = traits(graphs, interrupt)
    val statistics = PatternStatistics.of(graphs, interrupt)
    val cost = new SumCost(statistics, domains(_).fraction, below)
    lazy val unordered = new SumCost(statistics, domains(_).fraction, None)
    val search = new Search(
      cost,
      if (below.isEmpty || groups.size > 1) Use.Never else byDegree,
      groups.size,
      interrupt)
    if (groups.sizeIs > 2) Left("it has more than two groups")
    else SignedSums.whole(
      Quotient.whole(pattern),
      numbers(domains),
      groups,
      conditions.tests) match {
      case None =>
        Right(new Elimination(Vector.empty, 1L, false, 0.0, 0L, Nil, 0, Nil, groups.size, Nil))
      case Some(whole) =>
        val reduced = Reduction.of(whole)
        def tooDear(cost: Double) =
          f"its sums cost $cost%.1e or more, $most%.1e would be worth it"
        SignedSums.declines(whole, reduced).toLeft(()).flatMap { _ =>
          // Before anything is multiplied out: what is compared adds sums to this one, unless codes are ordered.
          search.best(reduced, Vector.empty).toRight(NoCut).flatMap { first =>
            val least =
              if (pattern.comparisons.exists(isOrder)) 0.0 else cost.of(Sharing.of(first))
            if (least >= most) Left(tooDear(least))
            else
              Quotient.of(pattern, conditions, interrupt).toRight(TooManyRows).flatMap { all =>
                val parts = for {
                  q <- all
                  sum <- SignedSums.whole(q, numbers(domains), groups, conditions.tests)
                } yield (q.times, sum, q.comparisons(pattern))
                SignedSums.of(parts, interrupt)
              }
          }
        }.flatMap { signed =>
          // What earlier sums make costs later ones nothing.
          val isOrdered = signed.sums.exists(_._2.isOrdered)
          val best =
            if (isOrdered) new Search(unordered, Use.Never, groups.size, interrupt) else search
          val none: Either[String, Vector[HeldSum]] = Right(Vector.empty)
          val found = signed.sums.foldLeft(none) { case (before, (times, sum)) =>
            before.flatMap { b =>
              val least =
                if (most == Double.PositiveInfinity) 0.0 else best.cost.of(Sharing.of(b))
              if (least >= most) Left(tooDear(least))
              else
                best
                  .best(Reduction.of(sum), b)
                  .map(more => b ++ more.map(h => h.copy(times = h.times * times)))
                  .toRight(NoCut)
            }
          }
          found.map(Sharing.of).map { all =>
            val isBelow = all.exists(_.all.exists(search.isBelow))
            new Elimination(
              all,
              signed.over,
              below.isDefined && groups.size < 2 && !isOrdered && (reduced.closes || isBelow),
              best.cost.of(all),
              best.cost.bytes(all),
              reduced.steps.map(step(_, graphs, domains)),
              best.cost.factors(all),
              reduced.names,
              groups.size,
              conditions.tests)
          }
        }
    }
  }

  private def step(gone: Gone, graphs: Array[_ <: Relation], domains: Array[Domain])(implicit
      relations: IndexedSeq[RelationTraits]): EliminationStep =
    gone.closing match {
      case None =>
        EliminationStep(gone.variable, gone.into, domains(gone.into.head).size.toLong)
      case Some((lists, closing)) =>
        EliminationStep(
          gone.variable,
          gone.into,
          graphs(lists.relation).edgeCount.toLong,
          Option.when(closing.isTriangle(lists.copy(weighs = false)))(lists.relation))
    }

  private def isOrder(c: Comparison): Boolean =
    c.op == ComparisonOp.Less || c.op == ComparisonOp.LessOrEqual

  private[count] def traits(
      graphs: Array[_ <: Relation],
      interrupt: Runnable): IndexedSeq[RelationTraits] =
    graphs.toIndexedSeq.map { g =>
      RelationTraits(g.isSymmetric(interrupt), g.hasDuplicates, g.hasSelfLoops(interrupt))
    }

  /** By variable, the first one of the same domain, if not all codes are in it. */
  private[count] def numbers(domains: Array[Domain]): IndexedSeq[Option[Int]] =
    domains.toVector.map { d =>
      if (d.isWhole) None else Some(domains.indexWhere(sameAs(d, _)))
    }

  final private val TooManyRows = "edges may be the same rows in too many ways"

  final private val NoCut = "too many variables would have to be held still"

  private def sameAs(a: Domain, b: Domain): Boolean =
    a.size == b.size && a.from == b.from && a.until == b.until &&
      java.util.Arrays.equals(a.bits, b.bits)

  final private class Search(
      val cost: SumCost,
      byDegree: Use,
      groups: Int,
      interrupt: Runnable)(implicit relations: IndexedSeq[RelationTraits]) {
    private val known = mutable.HashMap.empty[(WeighedPattern, Int, Set[Int]), Vector[HeldSum]]

    /** The cheapest way to sum over what is left beside other sums, if there is one. */
    def best(r: Reduction, beside: Vector[HeldSum]): Option[Vector[HeldSum]] =
      if (r.isDone) Some(Vector(HeldSum(r.times, r.core.factors.head, Vector.empty)))
      else {
        val same = r.core.symmetries
        val orbits = r.core.variables.map(v => same.map(_(v)).toSet).distinct
        // The numbers of one group may come from any variable that is held, those of two from the first.
        val held = r.core.groups
          .take(groups - 1)
          .headOption
          .fold(orbits.map(_.min))(Vector(_))
          .flatMap(held1(r.core, _, Set.empty, 1L, beside).map(Vector(_)))
        val highest =
          if (byDegree == Use.Never || groups > 1) Vector.empty
          else
            orbits.toSet
              .subsets()
              .map(_.flatten)
              .filter(_.sizeIs > 1)
              .flatMap(highestOf(r.core, _, same, beside))
              .toVector
        val ways = if (byDegree == Use.Always && highest.nonEmpty) highest else held ++ highest
        ways
          .minByOption(cost.beside(beside))
          .map(_.map(h => h.copy(times = Math.multiplyExact(h.times, r.times))))
      }

    private def held1(
        core: WeighedPattern,
        x: Int,
        below: Set[Int],
        times: Long,
        beside: Vector[HeldSum]): Option[HeldSum] =
      known
        .getOrElseUpdate(
          (core, x, below),
          new Conditioned(core, byDegree != Use.Never, interrupt, cost.cheapest).ways(x, below))
        .minByOption { val together = cost.beside(beside); h => together(Vector(h)) }
        .map(_.copy(times = times))

    /**
     * The sum by which of some variables, or which of them together, have the vertex of highest degree
     * among them: it is held still, and only lower ones are walked to. Equal sums are made once.
     */
    private def highestOf(
        core: WeighedPattern,
        among: Set[Int],
        same: Vector[IndexedSeq[Int]],
        beside: Vector[HeldSum]): Option[Vector[HeldSum]] = {
      val kinds = among
        .subsets()
        .filter(_.nonEmpty)
        .toVector
        .groupBy { top =>
          interrupt.run()
          same.map(g => top.map(g).toVector.sorted.mkString(",")).min
        }
        .values
      kinds.toVector
        .sortBy(kind => (kind.head.size, kind.head.min))
        .foldLeft(Option(Vector.empty[HeldSum])) { (before, kind) =>
          val top = kind.head
          val kept = core.variables.filter(v => !top(v) || v == top.min)
          before.flatMap { b =>
            // No edge leads from a vertex to itself: what an edge joins is not at the top together.
            core.merged(top).fold(before) { merged =>
              val below = (among -- top).map(kept.indexOf(_))
              held1(
                merged,
                kept.indexOf(top.min),
                below,
                kind.size.toLong,
                beside ++ b).map(b :+ _)
            }
          }
        }
    }

    def isBelow(t: Total): Boolean = t match {
      case Sum(of) => isBelow(of)
      case Joined(from, _, to) => isBelow(from) || isBelow(to)
      case Compared(less, than) => isBelow(less) || isBelow(than)
      case Held(_, of, totals) => isBelow(of) || totals.exists(isBelow)
    }

    private def isBelow(v: Reached): Boolean = v match {
      case Row(_, _, bounds) => bounds.size > 0
      case Pushed(from, _, bounds) => bounds.size > 0 || isBelow(from)
      case Product(of, _) => of.exists(isBelow)
      case Beside(lead, _) => isBelow(lead)
      case Among(v) => isBelow(v)
      case Passing(of, _, _) => isBelow(of)
      case Gathered(at, _, of) => isBelow(at) || isBelow(of)
    }
  }
}
