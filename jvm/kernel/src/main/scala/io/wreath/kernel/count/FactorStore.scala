package io.wreath.kernel.count

import java.util.Arrays

import scala.collection.mutable

import io.wreath.kernel.csr.{Csr, CsrGraph}
import io.wreath.kernel.join.Domain
import io.wreath.kernel.lists.{ElementCounter, GallopingSearch}

/**
 * A number for each edge of some lists.
 *
 * @param weights parallel to the neighbours; null where all are one
 * @param columns how many codes the neighbours have
 */
final private[count] class EdgeNumbers(
    val lists: Csr,
    val weights: Array[Long],
    val columns: Int) {

  /** Where the last neighbour of `v` is that is less than `code`. */
  def lastBefore(v: Int, code: Int): Int =
    if (code >= columns) lists.until(v) - 1
    else GallopingSearch.lowerBound(lists.neighbours, lists.from(v), lists.until(v), code) - 1
}

/**
 * Something that all tasks of a JVM make together, the first time it is asked for.
 *
 * @param needs what has to be there before
 * @param begin what there is when the work is done, and the work
 */
final private[count] class Made[T](
    needs: Seq[ElementCounter => Any],
    begin: => (() => T, SharedWork)) {
  private[this] lazy val begun = begin

  def get(read: ElementCounter): T = {
    needs.foreach(_(read))
    begun._2.finish(read)
    begun._1()
  }
}

private[count] object Made {

  /** What is there already. */
  def of[T](there: T): Made[T] = new Made(Nil, (() => there, SharedWork.nothing))

  /** `size` numbers, made for some of `codes` at a time. */
  def parallel(codes: Int, size: Int, needs: Seq[Made[_]])(
      worker: Array[Long] => CodeWorker): Made[Array[Long]] =
    new Made(
      needs.map(n => n.get(_)), {
        val values = new Array[Long](size)
        (() => values, SharedWork.onCodes(codes)(() => worker(values)))
      })

  /** A number for each of `codes`. */
  def numbers(codes: Int, needs: Made[_]*)(
      worker: Array[Long] => CodeWorker): Made[Array[Long]] =
    parallel(codes, codes, needs)(worker)

  /** Numbers that one thread makes, from ones. */
  def product(size: Int, factors: Seq[(Made[Array[Long]], Int)]): Made[Array[Long]] =
    new Made(
      factors.map(f => f._1.get(_)), {
        val values = new Array[Long](size)
        val work = SharedWork.whole { read =>
          Arrays.fill(values, 1L)
          factors.foreach { case (f, times) =>
            val by = f.get(read)
            (1 to times).foreach(_ => multiply(values, by, read))
          }
        }
        (() => values, work)
      })

  private def multiply(into: Array[Long], by: Array[Long], read: ElementCounter): Unit = {
    var i = 0
    while (i < into.length) {
      into(i) = Math.multiplyExact(into(i), by(i))
      read.worked(1L)
      i += 1
    }
  }
}

/**
 * The factors of sums over some graphs, each made once.
 *
 * Thread-safety: any number of threads may ask.
 *
 * @param domains by number
 * @param asked by condition, the variables that it reads
 * @param tests by condition, makes one for a thread
 */
final private[count] class FactorStore(
    graphs: Array[CsrGraph],
    domains: Array[Domain],
    asked: Seq[Seq[Int]],
    tests: Seq[() => CodeTest],
    traits: IndexedSeq[RelationTraits]) {
  private[this] val made = mutable.HashMap.empty[Any, Made[_]]
  implicit private[this] val relations: IndexedSeq[RelationTraits] = traits

  private def once[T](key: Any)(make: => Made[T]): Made[T] = synchronized {
    made.get(key) match {
      case Some(found) => found.asInstanceOf[Made[T]]
      case None =>
        val fresh = make
        made(key) = fresh
        fresh
    }
  }

  private def lists(l: Lists): Csr = graphs(l.relation).direction(l.forward)

  private def opposite(l: Lists): Csr = graphs(l.relation).direction(!l.forward)

  /** A condition for one thread. */
  def test(number: Int): CodeTest = tests(number)()

  /** How many rows lists have. */
  def rows(l: Lists): Int = lists(l).vertexCount

  private def rows(e: EdgeFactor): Int = rows(e.lists.head)

  /** How many codes an edge leads to. */
  def columns(e: EdgeFactor): Int = opposite(e.lists.head).vertexCount

  /** How many codes a variable has that a factor weighs. */
  def codes(f: VertexFactor): Int = f match {
    case Within(d) => domains(d).size
    case Passed(test) => domains(asked(test).head).size
    case Looped(r, _) => graphs(r).forward.vertexCount
    case Grouped(_) => throw new IllegalStateException("A group alone has no codes.")
    case Along(edge, _) => rows(edge)
    case Pairwise(_, lists, _) => rows(lists)
  }

  /** The product of factors over the same `codes`; None where all are one. */
  def vertices(of: Vector[VertexFactor], codes: Int): Option[Made[Array[Long]]] =
    if (of.isEmpty) None
    else if (of.sizeIs == 1) Some(vertex(of.head, codes))
    else
      Some(once((of, codes)) {
        Made.product(codes, of.distinct.map(f => (vertex(f, codes), of.count(_ == f))))
      })

  private def vertex(f: VertexFactor, codes: Int): Made[Array[Long]] = once(f) {
    f match {
      case Within(d) =>
        Made.numbers(codes)(values => (v, _) => values(v) = if (domains(d).has(v)) 1L else 0L)
      case Grouped(_) => Made.numbers(codes)(values => (v, _) => values(v) = 1L)
      case Passed(test) =>
        Made.numbers(codes)(new PassedWorker(this.test(test), asked(test).size, _))
      case Looped(r, weighs) =>
        val own = graphs(r).forward
        Made.numbers(codes) { values => (v, _) =>
          val at = GallopingSearch.find(own.neighbours, own.from(v), own.until(v), v)
          values(v) =
            if (at < 0) 0L else if (weighs && own.mult != null) own.mult(at).toLong else 1L
        }
      case Along(edge, of) =>
        val e = edges(edge)
        val inner = vertices(of, columns(edge))
        Made.numbers(codes, e +: inner.toSeq: _*)(new AlongWorker(e, inner, _))
      case Pairwise(size, l, within) =>
        val ordered = towardsMore(l)
        val inner = vertices(within, codes)
        new Made(
          (ordered +: inner.toSeq).map(n => n.get(_: ElementCounter)), {
            val counts = new Array[Long](codes)
            val parts = (codes + PairwiseWorker.PartVertices - 1) / PairwiseWorker.PartVertices
            val work =
              new SharedWork(parts, () => new PairwiseWorker(ordered, size, inner, counts))
            (() => counts, work)
          })
    }
  }

  private def towardsMore(l: Lists): Made[Csr] = once(("towards more", l)) {
    new Made(
      Nil, {
        @volatile var ordered: Csr = null
        val work = SharedWork.whole(read =>
          ordered = PairwiseWorker.towardsMore(lists(l), read))
        (() => ordered, work)
      })
  }

  /** The lists of an edge, with what weighs it. */
  def edges(e: EdgeFactor): Made[EdgeNumbers] = once(e) {
    if (e.order == 0) weighed(e)
    else {
      val all = edges(e.ordered(0))
      val part = new OrderedEdges(all, isAscending = e.order > 0)
      new Made(Seq(all.get(_)), (() => part.found, SharedWork.whole(part.find)))
    }
  }

  private def weighed(e: EdgeFactor): Made[EdgeNumbers] = {
    val kinds = e.lists.groupBy(l => (l.relation, l.forward)).toVector.sortBy(_._1).map(_._2)
    if (kinds.sizeIs > 1) {
      // An edge is closed by the lists that it is in, whichever: those of the first.
      val each = edges(EdgeFactor.of(kinds.head, e.closings)) +:
        kinds.tail.map(same => edges(EdgeFactor.of(same, Vector.empty)))
      new Made(
        each.map(e => e.get(_)), {
          val common = new CommonEdges(each, rows(e), columns(e))
          (() => common.found, SharedWork.whole(common.find))
        })
    } else {
      val csr = lists(e.lists.head)
      val weighing = e.lists.filter(l => l.weighs && csr.mult != null).map(_ =>
        Made.of(csr.mult.map(_.toLong)) -> 1)
      val closings =
        e.closings.distinct.map(c => (closing(e.lists.head, c), e.closings.count(_ == c)))
      val factors = weighing ++ closings
      if (factors.isEmpty) Made.of(new EdgeNumbers(csr, null, columns(e)))
      else {
        val weights = Made.product(csr.edgeCount, factors)
        new Made(
          Seq(weights.get(_)), {
            var numbers: EdgeNumbers = null
            val work = SharedWork.whole { read =>
              numbers = new EdgeNumbers(csr, weights.get(read), columns(e))
            }
            (() => numbers, work)
          })
      }
    }
  }

  /** What closes each edge of `base`, parallel to its neighbours. */
  private def closing(base: Lists, c: Closing): Made[Array[Long]] = {
    val plain = base.copy(weighs = false)
    once((plain, c)) {
      val csr = lists(plain)
      val isMirrored = relations(base.relation).isSymmetric && c == c.opposite
      if (c.isTriangle(plain)) triangles(graphs(base.relation))
      else {
        val from = edges(c.from)
        val back = edges(c.back)
        val inner = vertices(c.of, columns(c.from))
        Made.parallel(csr.vertexCount, csr.edgeCount, Seq(from, back) ++ inner) { weights =>
          new ClosingWorker(csr, isMirrored, columns(c.from), from, back, inner, weights)
        }
      }
    }
  }

  private def triangles(graph: CsrGraph): Made[Array[Long]] =
    new Made(
      Seq(graph.triangles.get(_)), {
        val counts = new Array[Long](graph.edgeCount)
        val work = SharedWork.whole { read =>
          val found = graph.triangles.get(read)
          var i = 0
          while (i < found.length) {
            counts(i) = found(i).toLong
            i += 1
          }
        }
        (() => counts, work)
      })
}
