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
 * @param tests by condition of [[MatchConditions]], how a thread gets one of its own
 * @param interrupt of who makes this, while it is made
 */
final class EliminationFactors(
    val elimination: Elimination,
    graphs: Array[_ <: Relation],
    domains: Array[Domain],
    tests: Seq[() => CodeTest] = Nil,
    interrupt: Runnable = Pieces.NoInterrupt) {

  private[count] val store = new FactorStore(
    graphs.map {
      case g: CsrGraph => g
      case other => throw new IllegalArgumentException(s"$other is no graph that is whole.")
    },
    domains,
    elimination.asked,
    tests,
    Elimination.traits(graphs, interrupt))

  /** By sum, the codes that its held variable has. */
  private[count] val codes: Vector[Int] = elimination.sums.map { s =>
    s.held
      .find(!_.isInstanceOf[Grouped])
      .fold(store.rows(s.all.flatMap(rowsOf).find(_.of == 0).get.edge.lists.head))(store.codes)
  }

  /** By sum, the codes of its second group, or else of its held variable. */
  private[count] val groupCodes: Vector[Int] = elimination.sums.zip(codes).map { case (s, held) =>
    s.groups.fold(held)(g => columns(g.of))
  }

  private def columns(v: Reached): Int = v match {
    case Row(edge, _, _) => store.columns(edge)
    case Pushed(_, edge, _) => store.columns(edge)
    case Product(of, _) => columns(of.head)
    case Beside(lead, _) => store.columns(lead.edge)
    case Among(of) => columns(of)
    case Passing(of, _, _) => columns(of)
    case Gathered(at, _, _) => columns(at)
  }

  /** The numbers of the only group, where they come from other vertices than its own. */
  private[count] val spread: Option[Made[Array[Long]]] =
    if (elimination.isSpread) Some(Spread.of(this)) else None

  /** Codes of held variables are less than this, and those of the only group. */
  val codeCount: Int =
    (if (spread.isDefined) codes ++ groupCodes else codes).maxOption.getOrElse(0)

  /** Whether lists are read for each vertex that is held; else all there is to do is to make the factors. */
  def walks: Boolean = elimination.sums.exists(_.all.nonEmpty)

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
      case Passing(v, _, _) => of(v)
      case Gathered(at, _, v) => of(at) ++ of(v)
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
  private[this] val spread = factors.spread.orNull
  private[this] lazy val numbers = spread.get(read)
  private[this] lazy val running = new RunningSums(factors, read)
  private[this] val pairs: PairSums =
    if (elimination.groups < 2) null else new PairSums(factors.groupCodes.maxOption.getOrElse(0))

  /**
   * What held vertices in `from until until` add to the sums. All of them together, divided by
   * [[EliminationRun.result]], are the number of matches.
   */
  def sum(from: Int, until: Int): BigInteger = {
    val total = new WideSum
    var x = from
    while (x < until) {
      running.add(x, total)
      x += 1
    }
    total.result
  }

  /** The number of matches in which the only group is `x`; throws where it exceeds a Long. */
  def ofGroup(x: Int): Long =
    if (spread == null) EliminationRun.result(elimination, Seq(sum(x, x + 1)))
    else {
      read.worked(1L)
      numbers(x)
    }

  /**
   * Gets ready for the matches in which the first group is `x`: [[nextPair]] advances to the next vertex of
   * the second one.
   */
  def startPairs(x: Int): Unit = {
    pairs.clear()
    running.addPairs(x, pairs)
  }

  /** Advances to the next vertex of the second group that has matches; false when none is left. */
  def nextPair(): Boolean = pairs.next(elimination.over)

  def pairCode: Int = pairs.code

  def pairRows: Long = pairs.rows

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
