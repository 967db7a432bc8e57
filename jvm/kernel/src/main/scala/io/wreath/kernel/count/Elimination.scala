package io.wreath.kernel.count

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{Domain, Use}
import io.wreath.pattern.{GraphPattern, PatternStatistics}

/**
 * How the matches of a pattern are counted by summing over its variables one after the other, instead of
 * binding them.
 *
 * @param sums their sum, divided by `over`, is the number of matches
 * @param byDegree whether codes must descend with the degrees
 * @param cost in list elements, to be compared with that of a join
 * @param steps of the pattern itself: each variable that is summed over into one or two others
 * @param core what is left of it: its variables, or the last one
 */
final class Elimination private[count] (
    private[count] val sums: Vector[HeldSum],
    private[count] val over: Long,
    val byDegree: Boolean,
    val cost: Double,
    val steps: Seq[(Int, Seq[Int])],
    val core: Seq[Int])
    extends Serializable {

  /** How many sums there are. */
  def size: Int = sums.size
}

object Elimination {

  /**
   * The cheapest way, or why there is none.
   *
   * @param domains by variable
   * @param below the moments of the only relation by degree, where vertices may be taken so
   * @param byDegree whether they are taken so wherever a core is left, or where that costs less
   */
  def of(
      pattern: GraphPattern,
      graphs: Array[_ <: Relation],
      domains: Array[Domain],
      below: Option[BelowMoments],
      byDegree: Use = Use.WhenWorth): Either[String, Elimination] = {
    implicit val relations: IndexedSeq[RelationTraits] = traits(graphs)
    val numbers = domains.indices.map { v =>
      if (domains(v).isWhole) None else Some(domains.indexWhere(sameAs(domains(v), _)))
    }
    val cost = new SumCost(PatternStatistics.of(graphs), domains(_).fraction, below)
    val search = new Search(cost, if (below.isEmpty) Use.Never else byDegree)
    SignedSums.whole(pattern, numbers) match {
      case None => Right(new Elimination(Vector.empty, 1L, false, 0.0, Nil, Nil))
      case Some(whole) =>
        val reduced = Reduction.of(whole)
        // Before anything is multiplied out.
        if (search.best(reduced).isEmpty) Left(NoCut)
        else
          SignedSums.of(whole, pattern.comparisons).flatMap { signed =>
            val found = signed.sums.map { case (times, sum) =>
              search.best(Reduction.of(sum)).map(_.map(h => h.copy(times = h.times * times)))
            }
            if (found.exists(_.isEmpty)) Left(NoCut)
            else {
              val all = found.flatten.flatten
              Right(
                new Elimination(
                  all,
                  signed.over,
                  below.isDefined && (reduced.closes || all.exists(
                    _.totals.exists(search.isBelow))),
                  cost.of(all),
                  reduced.steps,
                  reduced.names))
            }
          }
    }
  }

  private[count] def traits(graphs: Array[_ <: Relation]): IndexedSeq[RelationTraits] =
    graphs.toIndexedSeq.map(g => RelationTraits(g.isSymmetric, g.hasDuplicates, g.hasSelfLoops))

  final private val NoCut = "no variable cuts all of its cycles"

  private def sameAs(a: Domain, b: Domain): Boolean =
    a.size == b.size && a.from == b.from && a.until == b.until &&
      java.util.Arrays.equals(a.bits, b.bits)

  final private class Search(cost: SumCost, byDegree: Use)(implicit
      relations: IndexedSeq[RelationTraits]) {

    /** The cheapest way to sum over what is left, if there is one. */
    def best(r: Reduction): Option[Vector[HeldSum]] =
      if (r.isDone) Some(Vector(HeldSum(1L, r.core.factors.head, Vector.empty)))
      else {
        val same = r.core.symmetries
        val orbits = r.core.variables.map(v => same.map(_(v)).toSet).distinct
        val held = orbits.map(_.min).flatMap(held1(r.core, _, Set.empty, 1L).map(Vector(_)))
        val highest =
          if (byDegree == Use.Never) Vector.empty
          else
            orbits.toSet
              .subsets()
              .map(_.flatten)
              .filter(_.sizeIs > 1)
              .flatMap(highestOf(r.core, _, same))
              .toVector
        val ways = if (byDegree == Use.Always && highest.nonEmpty) highest else held ++ highest
        ways.minByOption(cost.of(_: Iterable[HeldSum]))
      }

    private def held1(
        core: WeighedPattern,
        x: Int,
        below: Set[Int],
        times: Long): Option[HeldSum] =
      Conditioned
        .ways(core, x, below)
        .minByOption(cost.of(_: Vector[Total]))
        .map(HeldSum(times, core.factors(x), _))

    /**
     * The sum by which of some variables, or which of them together, have the vertex of highest degree
     * among them: it is held still, and only lower ones are walked to. Equal sums are made once.
     */
    private def highestOf(
        core: WeighedPattern,
        among: Set[Int],
        same: Vector[IndexedSeq[Int]]): Option[Vector[HeldSum]] = {
      val kinds = among
        .subsets()
        .filter(_.nonEmpty)
        .toVector
        .groupBy(top => same.map(g => top.map(g).toVector.sorted.mkString(",")).min)
        .values
      val sums = kinds.toVector.sortBy(_.head.min).flatMap { kind =>
        val top = kind.head
        core.merged(top).map { merged =>
          val kept = core.variables.filter(v => !top(v) || v == top.min)
          held1(
            merged,
            kept.indexOf(top.min),
            (among -- top).map(kept.indexOf(_)),
            kind.size.toLong)
        }
      }
      if (sums.forall(_.isDefined)) Some(sums.flatten) else None
    }

    def isBelow(t: Total): Boolean = t match {
      case Sum(of) => isBelow(of)
      case Joined(from, _, to) => isBelow(from) || isBelow(to)
    }

    private def isBelow(v: Reached): Boolean = v match {
      case Row(_, is) => is
      case Pushed(from, _, is) => is || isBelow(from)
      case Product(of, _) => of.exists(isBelow)
    }
  }
}
