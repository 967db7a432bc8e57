package io.wreath.kernel.delta

import scala.collection.mutable

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.{GraphGen, NaiveJoin}
import io.wreath.pattern._
import org.scalacheck.Gen

/** A graph as the rows of its edge relation. */
final case class Rows(edges: Vector[(Int, Int)]) {

  /** After the net of the changes of each edge; deletes of what is not there do nothing. */
  def after(batch: DeltaGen.Batch): Rows = {
    val net = batch.groupMapReduce(c => (c._1, c._2))(_._3)(_ + _)
    Rows(net.foldLeft(edges) { case (rows, (e, n)) =>
      if (n > 0) rows ++ Vector.fill(n)(e) else rows.diff(Vector.fill(-n)(e))
    })
  }

  def graph(vertexCount: Int): VersionedGraph =
    VersionedGraph.of(
      CsrBuilder.fromCodes(
        edges.map(_._1).toArray,
        edges.map(_._2).toArray,
        edges.size,
        vertexCount))
}

/**
 * One generated stream: relations, batches (each a batch per relation), a pattern and its mode.
 *
 * @param ids  the id of each code; the identity where codes are ordered
 * @param cuts where the work is cut, as fractions
 */
final case class DeltaCase(
    first: Vector[Rows],
    batches: Vector[Vector[DeltaGen.Batch]],
    pattern: GraphPattern,
    mode: MatchMode,
    ids: Option[Vector[Int]],
    cuts: Vector[Double]) {

  def program: DeltaProgram = DeltaProgram.compile(pattern, mode, ids.isEmpty)

  def order: VertexOrder = ids.map { rank =>
    new VertexOrder {
      override def compare(a: Int, b: Int): Int = Integer.compare(rank(a), rank(b))
    }
  }.orNull

  /** The oracle: how often each binding is a match of `rows`. */
  def matches(rows: Vector[Rows]): Map[Vector[Int], Long] = {
    val id = ids.getOrElse(Vector.range(0, DeltaGen.MaxCodes))
    DeltaGen.naive(rows, pattern, mode, id)
  }
}

/**
 * Generators of streams. The grid: graph shape x one relation or two x batches that insert, delete
 * what is there and what is not, delete and re-insert in one batch, repeat themselves, make
 * parallel rows and self-loops, and bring new codes x pattern x comparisons x match mode x codes
 * that keep the order of ids or do not.
 */
object DeltaGen {

  type Batch = Vector[(Int, Int, Int)]

  final val MaxCodes = 12

  /** Nested loops over the rows, one loop a pattern edge. */
  def naive(
      rows: Vector[Rows],
      p: GraphPattern,
      mode: MatchMode,
      id: Int => Int): Map[Vector[Int], Long] = {
    val tables = rows.map(_.edges.toArray)
    val found = mutable.Map.empty[Vector[Int], Long].withDefaultValue(0L)
    val row = Array.fill(p.variableCount)(-1)
    val used = mutable.Set.empty[(Int, Int)]
    def isMatch: Boolean =
      p.comparisons.forall(NaiveJoin.holds(v => id(row(v)).toLong, _)) &&
        (mode != MatchMode.DifferentVertices || row.distinct.length == row.length)
    def extend(rest: List[PatternEdge]): Unit = rest match {
      case Nil => if (isMatch) found(row.toVector) += 1L
      case e :: others =>
        tables(e.relation).indices.foreach { i =>
          val (s, t) = tables(e.relation)(i)
          val (oldSource, oldTarget) = (row(e.source), row(e.target))
          if (oldSource == -1 || oldSource == s) {
            row(e.source) = s
            val isFree = mode != MatchMode.DifferentEdges || !used((e.relation, i))
            if (isFree && (row(e.target) == -1 || row(e.target) == t)) {
              row(e.target) = t
              used += (e.relation -> i)
              extend(others)
              used -= (e.relation -> i)
            }
            row(e.target) = oldTarget
            row(e.source) = oldSource
          }
        }
    }
    extend(p.edges.toList)
    found.toMap
  }

  private def batch(shape: GraphGen.Shape): Gen[Batch] = {
    val code = Gen.frequency(6 -> Gen.choose(0, 5), 1 -> Gen.choose(6, MaxCodes - 1))
    val anyEdge = Gen.frequency(5 -> Gen.zip(code, code), 1 -> code.map(c => (c, c)))
    val oldEdge = if (shape.isEmpty) anyEdge else Gen.oneOf(shape)
    val edge = Gen.frequency(3 -> oldEdge, 2 -> anyEdge)
    val change = Gen.frequency(
      5 -> anyEdge.map(e => Vector((e._1, e._2, 1))),
      5 -> oldEdge.map(e => Vector((e._1, e._2, -1))),
      1 -> edge.map(e => Vector((e._1, e._2, 2))),
      1 -> edge.map(e => Vector((e._1, e._2, -2))),
      1 -> edge.map(e => Vector((e._1, e._2, -1), (e._1, e._2, 1))),
      1 -> edge.map(e => Vector((e._1, e._2, 1), (e._1, e._2, 1))))
    Gen.choose(0, 5).flatMap(Gen.containerOfN[Vector, Batch](_, change)).map(_.flatten)
  }

  val mode: Gen[MatchMode] = Gen.frequency(
    4 -> MatchMode.Repeatable,
    2 -> MatchMode.DifferentVertices,
    3 -> MatchMode.DifferentEdges)

  /** Keeps the oracle quick: what few pattern edges hold together has many rows. */
  private def edgeLimit(p: GraphPattern): Int =
    if (p.edges.distinct.size >= 2 * p.variableCount - 3) 12
    else if (p.variableCount < 4) 9
    else 4

  private def simple(s: GraphGen.Shape): GraphGen.Shape = s.distinct

  /**
   * @param isSimple whether no edge ever occurs twice, which is what most fast paths are for
   */
  def deltaCase(isSimple: Boolean): Gen[DeltaCase] = for {
    relations <- Gen.frequency(3 -> 1, 1 -> 2)
    p <- GraphGen.pattern(relations)
    shapes <- Gen.listOfN(relations, GraphGen.shape)
    first = shapes.map(s => (if (isSimple) simple(s) else s).take(edgeLimit(p)))
    steps <- Gen.choose(1, 3)
    batches <- Gen.listOfN(steps, Gen.sequence[Vector[Batch], Batch](first.map(batch)))
    m <- mode
    keys <- Gen.option(Gen.listOfN(MaxCodes, Gen.long))
    ids = keys.map(k => (0 until MaxCodes).sortBy(k(_)).toVector)
    cuts <- Gen.choose(0, 3).flatMap(Gen.containerOfN[Vector, Double](_, Gen.choose(0.0, 1.0)))
  } yield {
    val rows = first.map(Rows(_)).toVector
    val kept = if (isSimple) keepSimple(rows, batches.toVector) else batches.toVector
    DeltaCase(rows, kept, p, m, ids, cuts.sorted)
  }

  /** Drops inserts of what is there. */
  private def keepSimple(first: Vector[Rows], batches: Vector[Vector[Batch]]) = {
    var now = first
    batches.map { step =>
      val kept = step.zip(now).map { case (b, rows) =>
        val net = b.groupMapReduce(c => (c._1, c._2))(_._3)(_ + _)
        net.collect {
          case ((s, t), n) if n < 0 => (s, t, -1)
          case ((s, t), n) if n > 0 && !rows.edges.contains((s, t)) => (s, t, 1)
        }.toVector
      }
      now = now.zip(kept).map { case (rows, b) => rows.after(b) }
      kept
    }
  }
}
