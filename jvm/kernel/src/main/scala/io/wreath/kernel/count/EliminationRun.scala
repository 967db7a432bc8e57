package io.wreath.kernel.count

import java.math.BigInteger

import scala.collection.mutable

import io.wreath.kernel.csr.{CsrGraph, Relation}
import io.wreath.kernel.join.{Domain, JoinProgram}
import io.wreath.kernel.lists.ElementCounter
import io.wreath.pattern.{Comparison, ComparisonOp, GraphPattern, PatternEdge, VariableOrder}

/**
 * What the tasks of one JVM share of a count by elimination: the factors.
 *
 * Requires: graphs and domains over codes as [[Elimination.byDegree]] says.
 */
final class EliminationFactors(
    val elimination: Elimination,
    graphs: Array[_ <: Relation],
    domains: Array[Domain]) {

  private[count] val store = new FactorStore(
    graphs.map {
      case g: CsrGraph => g
      case other => throw new IllegalArgumentException(s"$other is no graph that is whole.")
    },
    domains)

  /** By sum, the codes that its held variable has. */
  private[count] val codes: Vector[Int] = elimination.sums.map { s =>
    s.held.find(_ != Grouped).fold(store.rows(s.totals.flatMap(rowsOf).head._1))(store.codes)
  }

  /** Codes of held variables are less than this. */
  def codeCount: Int = codes.maxOption.getOrElse(0)

  /** A join that costs by its first variable about what it costs to hold a vertex: to cut the work by. */
  def walk: JoinProgram = {
    def isWhole(l: Lists) = graphs(l.relation).direction(l.forward).vertexCount == codeCount
    val rows = elimination.sums.flatMap(_.totals.flatMap(rowsOf))
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

  private def rowsOf(t: Total): Seq[(Lists, Boolean)] = {
    def of(v: Reached): Seq[(Lists, Boolean)] = v match {
      case Row(edge, isBelow) => edge.lists.map((_, isBelow))
      case Pushed(from, _, _) => of(from)
      case Product(several, _) => several.flatMap(of)
    }
    t match {
      case Sum(v) => of(v)
      case Joined(from, _, to) => of(from) ++ of(to)
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
  private[this] val store = factors.store
  private[this] val made = mutable.LinkedHashMap.empty[Reached, SparseVector]

  private[this] val sums: Array[RunningSum] =
    factors.elimination.sums.zip(factors.codes).map { case (s, codes) =>
      running(s, codes)
    }.toArray
  private[this] val vectors: Array[SparseVector] = made.values.toArray

  /**
   * What held vertices in `from until until` add to the sums. All of them together, divided by
   * [[EliminationRun.result]], are the number of matches.
   */
  def sum(from: Int, until: Int): BigInteger = {
    val total = new WideSum
    var x = from
    while (x < until) {
      add(x, total)
      x += 1
    }
    total.result
  }

  /** The number of matches in which the group is `x`; throws where it exceeds a Long. */
  def ofGroup(x: Int): Long = {
    val total = new WideSum
    add(x, total)
    EliminationRun.result(factors.elimination, Seq(total.result))
  }

  private def add(x: Int, total: WideSum): Unit = {
    var i = 0
    while (i < sums.length) {
      val s = sums(i)
      if (x < s.codes) total.add(s.times, s.at(x))
      i += 1
    }
    i = 0
    while (i < vectors.length) {
      vectors(i).clear()
      i += 1
    }
    read.worked(1L)
  }

  /** List elements read since construction. */
  def elementsTouched: Long = read.elements

  private def running(s: HeldSum, codes: Int): RunningSum =
    new RunningSum(
      s.times,
      codes,
      store.vertices(s.held, codes).map(_.get(read)).orNull,
      s.totals.map(total).toArray)

  private def total(t: Total): RunningTotal = t match {
    case Sum(Product(of, factors)) =>
      val vectors = of.map(vector)
      new ProductTotal(vectors.toArray, numbers(factors, vectors.head))
    case Sum(of) => new ProductTotal(Array(vector(of)), null)
    case Joined(from, edge, to) =>
      new JoinedTotal(vector(from), store.edges(edge).get(read), vector(to), boundOf(to), read)
  }

  private def numbers(factors: Vector[VertexFactor], over: SparseVector): Array[Long] =
    store.vertices(factors, over.size).map(_.get(read)).orNull

  private def vector(v: Reached): SparseVector = made.get(v) match {
    case Some(found) => found
    case None =>
      val fresh: SparseVector = v match {
        case Row(edge, isBelow) => new RowVector(store.edges(edge).get(read), isBelow, read)
        case Pushed(from, edge, isBelow) =>
          new PushedVector(vector(from), store.edges(edge).get(read), isBelow, read)
        case Product(of, factors) =>
          val vectors = of.map(vector)
          new ProductVector(vectors.toArray, numbers(factors, vectors.head), read)
      }
      made(v) = fresh
      fresh
  }

  /** Whether codes of a vector all come after that of the held vertex. */
  private def boundOf(v: Reached): Boolean = v match {
    case Row(_, isBelow) => isBelow
    case Pushed(_, _, isBelow) => isBelow
    case Product(of, _) => of.exists(boundOf)
  }
}

object EliminationRun {

  /** The number of matches that parts of the sums add up to; throws where it exceeds a Long. */
  def result(elimination: Elimination, parts: Iterable[BigInteger]): Long = {
    val whole = parts.foldLeft(BigInteger.ZERO)(_ add _)
    val parted = whole.divideAndRemainder(BigInteger.valueOf(elimination.over))
    val matches = parted(0)
    if (parted(1).signum != 0 || matches.signum < 0) {
      throw new IllegalStateException(
        s"$whole is no number of matches of which each is counted ${elimination.over} times.")
    }
    matches.longValueExact
  }
}
