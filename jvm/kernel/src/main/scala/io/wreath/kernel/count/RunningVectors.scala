package io.wreath.kernel.count

import scala.collection.mutable

import io.wreath.kernel.lists.ElementCounter

/**
 * Makes what one task needs to run sums: equal vectors of the same held vertices are one.
 *
 * @param held by depth
 */
final private[count] class RunningVectors(
    store: FactorStore,
    held: Array[Int],
    read: ElementCounter) {

  /** Of vectors, and of what vertices that they depend on are held, but the first. */
  private[this] val made = mutable.HashMap.empty[(Reached, Vector[Reached]), SparseVector]

  private[this] val all = mutable.ArrayBuffer.empty[(Vector[Reached], SparseVector)]

  /** The vectors that change with the last of some held vertices. */
  def of(by: Vector[Reached]): Array[SparseVector] =
    all.collect { case (of, v) if of == by => v }.toArray

  def sum(s: HeldSum, codes: Int): RunningSum =
    new RunningSum(
      s.times,
      codes,
      store.vertices(s.held, codes).map(_.get(read)).orNull,
      s.totals.map(total(_, Vector.empty)).toArray,
      s.groups.map(heldTotal(_, Vector.empty)).orNull)

  private def total(t: Total, by: Vector[Reached]): RunningTotal = t match {
    case Sum(Product(of, factors)) =>
      val vectors = of.map(vector(_, by))
      new ProductTotal(vectors.toArray, numbers(factors, vectors.head))
    case Sum(of) => new ProductTotal(Array(vector(of, by)), null)
    case Joined(from, edge, to) =>
      new JoinedTotal(vector(from, by), edgeSums(edge, to, by), read)
    case Compared(less, than) =>
      new ComparedTotal(vector(less, by), vector(than, by), read)
    case h: Held => heldTotal(h, by)
  }

  private def edgeSums(edge: EdgeFactor, to: Reached, by: Vector[Reached]): EdgeSums =
    new EdgeSums(
      store.edges(edge).get(read),
      vector(to, by),
      new RunningBounds(boundsOf(to), held),
      read)

  private def heldTotal(h: Held, by: Vector[Reached]): HeldTotal = {
    val of = vector(h.of, by)
    val inner = by :+ h.of
    val totals = h.totals.map(total(_, inner))
    new HeldTotal(
      h.times,
      of,
      totals.toArray,
      this.of(inner),
      held,
      inner.size,
      read)
  }

  private def numbers(factors: Vector[VertexFactor], over: SparseVector): Array[Long] =
    store.vertices(factors, over.size).map(_.get(read)).orNull

  private def vector(v: Reached, by: Vector[Reached]): SparseVector = {
    val key = (v, by.take(v.depth))
    made.get(key) match {
      case Some(found) => found
      case None =>
        val fresh: SparseVector = v match {
          case Row(edge, of, bounds) =>
            new RowVector(
              store.edges(edge).get(read),
              held,
              of,
              new RunningBounds(bounds, held),
              read)
          case p: Pushed => pushed(p, by)
          case b: Beside => beside(b, by)
          case Among(of) => new AmongVector(vector(of, by))
          case Passing(of, test, depths) =>
            new PassingVector(vector(of, by), store.test(test), depths.toArray, held, read)
          case Gathered(at, edge, of) =>
            new GatheredVector(vector(at, by), edgeSums(edge, of, by), read)
          case Product(of, factors) =>
            val vectors = of.map(vector(_, by))
            new ProductVector(vectors.toArray, numbers(factors, vectors.head), read)
        }
        made(key) = fresh
        add(fresh, key._2)
    }
  }

  private def add[V <: SparseVector](v: V, by: Vector[Reached]): V = {
    all += ((by, v))
    v
  }

  private def pushed(p: Pushed, by: Vector[Reached]): PushedVector =
    new PushedVector(
      vector(p.from, by),
      store.edges(p.edge).get(read),
      new RunningBounds(p.bounds, held),
      read)

  private def beside(b: Beside, by: Vector[Reached]): BesideVector = {
    val lead = vector(b.lead, by) match {
      case free: PushedVector if !free.carries => free
      case _ => add(pushed(b.lead, by), by.take(b.depth))
    }
    val numbers = b.terms.map(t => vector(t.from, by) -> store.edges(t.edge).get(read).weights)
    val (plains, weighed) = numbers.partition(_._2 == null)
    if (weighed.exists(_._2 ne weighed.head._2))
      throw new IllegalStateException("A walk reads the weights of one kind of edge.")
    new BesideVector(
      lead,
      plains.map(_._1).toArray,
      weighed.map(_._1).toArray,
      weighed.headOption.map(_._2).orNull)
  }

  /** What all codes of a vector are within. */
  private def boundsOf(v: Reached): Bounds = v match {
    case Row(_, _, bounds) => bounds
    case Pushed(_, _, bounds) => bounds
    case Product(of, _) => boundsOf(of.head)
    case Beside(lead, _) => lead.bounds
    case Among(of) => boundsOf(of)
    case Passing(of, _, _) => boundsOf(of)
    case Gathered(at, _, _) => boundsOf(at)
  }
}
