package io.wreath.kernel.count

import java.math.BigInteger

import io.wreath.kernel.csr.{CsrGraph, Relation}
import io.wreath.kernel.join.{Domain, JoinProgram}
import io.wreath.kernel.lists.{ElementCounter, Pieces}
import io.wreath.pattern.{Comparison, ComparisonOp, GraphPattern, PatternEdge, VariableOrder}

/**
 * What the tasks of one JVM share of a count by elimination: the factors.
 *
 * Requires: graphs and domains over codes as [[Elimination.byDegree]] says.
 *
 * @param interrupt of who makes this, while it is made
 */
final class EliminationFactors(
    val elimination: Elimination,
    graphs: Array[_ <: Relation],
    domains: Array[Domain],
    interrupt: Runnable = Pieces.NoInterrupt) {

  private[count] val store = new FactorStore(
    graphs.map {
      case g: CsrGraph => g
      case other => throw new IllegalArgumentException(s"$other is no graph that is whole.")
    },
    domains,
    Elimination.traits(graphs, interrupt))

  /** By sum, the codes that its held variable has. */
  private[count] val codes: Vector[Int] = elimination.sums.map { s =>
    s.held
      .find(!_.isInstanceOf[Grouped])
      .fold(store.rows(s.all.flatMap(rowsOf).find(_.of == 0).get.edge.lists.head))(store.codes)
  }

  /** Codes of held variables are less than this. */
  def codeCount: Int = codes.maxOption.getOrElse(0)

  /** A join that costs by its first variable about what it costs to hold a vertex: to cut the work by. */
  def walk: JoinProgram = {
    def isWhole(l: Lists) = graphs(l.relation).direction(l.forward).vertexCount == codeCount
    val rows = elimination.sums
      .flatMap(_.all.flatMap(rowsOf))
      .filter(_.of == 0)
      .flatMap(r => r.edge.lists.map((_, r.bounds.after.nonEmpty)))
    val any = for (r <- graphs.indices; forward <- Seq(true, false))
      yield (Lists(r, forward, weighs = false), false)
    val (lists, isBelow) = (rows ++ any).find(l => isWhole(l._1)).getOrElse(any.head)
    val edge = if (lists.forward) PatternEdge(0, 1, lists.relation)
    else PatternEdge(1, 0, lists.relation)
    val after =
      if (isBelow) Vector(Comparison(0, ComparisonOp.Less, 1)) else Vector.empty[Comparison]
    JoinProgram.compile(
      GraphPattern(2, Vector(edge), after),
      VariableOrder.natural(2),
      graphs(_).isSymmetric)
  }

  private def rowsOf(t: Total): Seq[Row] = {
    def of(v: Reached): Seq[Row] = v match {
      case r: Row => Seq(r)
      case Pushed(from, _, _) => of(from)
      case Product(several, _) => several.flatMap(of)
      case Beside(lead, _) => of(lead)
      case Among(v) => of(v)
    }
    t match {
      case Sum(v) => of(v)
      case Joined(from, _, to) => of(from) ++ of(to)
      case Compared(less, than) => of(less) ++ of(than)
      case Held(_, v, totals) => of(v) ++ totals.flatMap(rowsOf)
    }
  }
}

/**
 * Counts by elimination in one task: holds one vertex after the other still, and makes the vectors that
 * the sums need of it.
 *
 * Not thread-safe.
 *
 * @param interrupt runs several times a millisecond and ends the count by throwing
 */
final class EliminationRun(factors: EliminationFactors, interrupt: Runnable = () => ()) {
  private[this] val read = new ElementCounter(interrupt)
  private[this] val elimination = factors.elimination
  private[this] val held = new Array[Int](Conditioned.MostHeld)
  private[this] val made = new RunningVectors(factors.store, held, read)

  private[this] val sums: Array[RunningSum] =
    elimination.sums.zip(factors.codes).map { case (s, codes) => made.sum(s, codes) }.toArray
  private[this] val vectors: Array[SparseVector] = made.of(Vector.empty)
  private[this] val pairs: PairSums =
    if (elimination.groups < 2) null
    else {
      val codes = sums.map(s => if (s.groups == null) s.codes else s.groups.of.size)
      new PairSums(codes.maxOption.getOrElse(0))
    }

  /**
   * What held vertices in `from until until` add to the sums. All of them together, divided by
   * [[EliminationRun.result]], are the number of matches.
   */
  def sum(from: Int, until: Int): BigInteger = {
    val total = new WideSum
    var x = from
    while (x < until) {
      held(0) = x
      var i = 0
      while (i < sums.length) {
        val s = sums(i)
        if (x < s.codes) total.add(s.times, s.at(x))
        i += 1
      }
      done()
      x += 1
    }
    total.result
  }

  /** The number of matches in which the only group is `x`; throws where it exceeds a Long. */
  def ofGroup(x: Int): Long = EliminationRun.result(elimination, Seq(sum(x, x + 1)))

  /**
   * Gets ready for the matches in which the first group is `x`: [[nextPair]] advances to the next vertex of
   * the second one.
   */
  def startPairs(x: Int): Unit = {
    held(0) = x
    pairs.clear()
    var i = 0
    while (i < sums.length) {
      val s = sums(i)
      if (x < s.codes) {
        val ofFirst = s.at(x)
        // Both groups are one variable here.
        if (s.groups == null) pairs.add(x, s.times, ofFirst)
        else if (ofFirst != 0L) addPairs(s, ofFirst)
      }
      i += 1
    }
    done()
  }

  private def addPairs(s: RunningSum, ofFirst: Long): Unit = {
    val of = s.groups.of
    of.make()
    var i = 0
    while (i < of.count) {
      val y = of.codes(i)
      pairs.add(y, s.times, Math.multiplyExact(ofFirst, s.groups.at(y)))
      i += 1
    }
  }

  /** Advances to the next vertex of the second group that has matches; false when none is left. */
  def nextPair(): Boolean = pairs.next(elimination.over)

  def pairCode: Int = pairs.code

  def pairRows: Long = pairs.rows

  private def done(): Unit = {
    var i = 0
    while (i < vectors.length) {
      vectors(i).clear()
      i += 1
    }
    read.worked(1L)
  }

  /** List elements read since construction. */
  def elementsTouched: Long = read.elements
}

object EliminationRun {

  /** The number of matches that parts of the sums add up to; throws where it exceeds a Long. */
  def result(elimination: Elimination, parts: Iterable[BigInteger]): Long = {
    matches(parts.foldLeft(BigInteger.ZERO)(_ add _), elimination.over)
  }

  private[count] def matches(whole: BigInteger, over: Long): Long = {
    val parted = whole.divideAndRemainder(BigInteger.valueOf(over))
    if (parted(1).signum != 0 || parted(0).signum < 0) {
      throw new IllegalStateException(
        s"$whole is no number of matches of which each is counted $over times.")
    }
    parted(0).longValueExact
  }
}
