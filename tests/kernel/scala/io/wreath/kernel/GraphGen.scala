package io.wreath.kernel

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.dictionary.VertexDictionary
import io.wreath.pattern._
import org.scalacheck.Gen

/** One generated join: relations over a common id space, a pattern, an order and a split. */
final case class JoinCase(
    relations: Vector[NaiveJoin.Edges],
    pattern: GraphPattern,
    order: VariableOrder,
    cuts: Vector[Double]) {

  lazy val expected: Map[Vector[Long], Long] = NaiveJoin(relations, pattern)

  /** All relations coded by the dictionary of their union. */
  lazy val (dictionary: VertexDictionary, graphs: Array[CsrGraph]) = {
    val all = relations.flatten
    val d = CsrBuilder.fromIds(all.map(_._1).toArray, all.map(_._2).toArray, all.size).dictionary
    val coded = relations.map { edges =>
      CsrBuilder.fromCodes(
        edges.map(e => d.encode(e._1)).toArray,
        edges.map(e => d.encode(e._2)).toArray,
        edges.size,
        d.size)
    }
    (d, coded.toArray)
  }
}

/**
 * Generators. The grid: graph shape (empty, loops, repeats, star, clique, power law, random) x
 * ids (dense, with gaps, Long extremes) x pattern (any of 1-5 variables, one centre that all
 * others hang off, clique, cycle) x comparisons x any order or the centre first x any split.
 */
object GraphGen {

  type Shape = Vector[(Int, Int)]

  val empty: Gen[Shape] = Gen.const(Vector.empty)
  val star: Gen[Shape] = for {
    n <- Gen.choose(1, 7)
    out <- Gen.oneOf(true, false)
  } yield (1 to n).map(i => if (out) (0, i) else (i, 0)).toVector
  val clique: Gen[Shape] = for {
    n <- Gen.choose(2, 6)
    ascending <- Gen.oneOf(true, false)
  } yield (for (a <- 0 until n; b <- 0 until n if a < b || (!ascending && a > b)) yield (a, b))
    .toVector
  def random(vertices: Int, edges: Int): Gen[Shape] = {
    val v = Gen.choose(0, vertices - 1)
    Gen.choose(0, edges).flatMap(Gen.containerOfN[Vector, (Int, Int)](_, Gen.zip(v, v)))
  }
  val loops: Gen[Shape] = Gen.choose(1, 4).map(n => (0 until n).map(i => (i, i)).toVector)
  val powerLaw: Gen[Shape] = {
    // Low codes are hubs: the minimum of three draws.
    val v = Gen.listOfN(3, Gen.choose(0, 9)).map(_.min)
    Gen.choose(1, 24).flatMap(Gen.containerOfN[Vector, (Int, Int)](_, Gen.zip(v, v)))
  }

  val shape: Gen[Shape] = {
    val plain = Gen.frequency(
      1 -> empty,
      2 -> star,
      4 -> clique,
      1 -> loops,
      4 -> random(6, 20),
      2 -> random(3, 8),
      4 -> powerLaw)
    Gen.frequency(
      4 -> plain,
      1 -> Gen.zip(plain, loops).map { case (a, b) => a ++ b },
      1 -> plain.flatMap(g => Gen.someOf(g).map(g ++ _)))
  }

  /** Strictly ascending maps from small codes to ids. */
  val ids: Gen[Int => Long] = Gen.frequency(
    3 -> Gen.choose(-5L, 5L).map(base => (c: Int) => base + c),
    2 -> Gen.const((c: Int) => c * 1000003L - 2000000L),
    1 -> Gen.const((c: Int) =>
      if (c < 3) Long.MinValue + c else if (c > 5) Long.MaxValue - 20 + c else c * 10L))

  val edges: Gen[NaiveJoin.Edges] =
    for (s <- shape; id <- ids) yield s.map { case (a, b) => (id(a), id(b)) }

  def pattern(relations: Int): Gen[GraphPattern] = Gen.frequency(
    4 -> anyPattern(relations),
    3 -> centredPattern(relations),
    2 -> cliquePattern(relations),
    2 -> cyclePattern(relations))

  private def withComparisons(n: Int, edges: Gen[Vector[PatternEdge]]): Gen[GraphPattern] = {
    val variable = Gen.choose(0, n - 1)
    val op = Gen.frequency[ComparisonOp](
      4 -> ComparisonOp.Less,
      2 -> ComparisonOp.LessOrEqual,
      3 -> ComparisonOp.NotEqual,
      1 -> ComparisonOp.Equal)
    val comparison = Gen.zip(variable, op, variable).map(Comparison.tupled)
    val chain = Gen.const((1 until n).map(v => Comparison(v - 1, ComparisonOp.Less, v)).toVector)
    val comparisons = Gen.frequency(
      3 -> Gen.const(Vector.empty[Comparison]),
      1 -> chain,
      4 -> Gen.choose(1, 3).flatMap(Gen.containerOfN[Vector, Comparison](_, comparison)))
    for (e <- edges; c <- comparisons) yield GraphPattern(n, e, c)
  }

  private def anyPattern(relations: Int): Gen[GraphPattern] = for {
    n <- Gen.choose(1, 5)
    edge = Gen
      .zip(Gen.choose(0, n - 1), Gen.choose(0, n - 1), Gen.choose(0, relations - 1))
      .map { case (s, t, r) => PatternEdge(s, t, r) }
    extra = Gen.choose(0, 3).flatMap(Gen.containerOfN[Vector, PatternEdge](_, edge))
    // Every variable needs an edge; its other end may be itself.
    cover = Gen.sequence[Vector[PatternEdge], PatternEdge]((0 until n).map(v =>
      Gen.zip(edge, Gen.oneOf(true, false)).map {
        case (e, true) => e.copy(source = v)
        case (e, false) => e.copy(target = v)
      }))
    p <- withComparisons(n, Gen.zip(cover, extra).map { case (a, b) => a ++ b })
  } yield p

  /** All variables lie in the same list of variable 0: what the bit matrix is for. */
  private def centredPattern(relations: Int): Gen[GraphPattern] = for {
    n <- Gen.choose(3, 5)
    relation <- Gen.choose(0, relations - 1)
    out <- Gen.oneOf(true, false)
    spokes = (1 until n).map { v =>
      if (out) PatternEdge(0, v, relation) else PatternEdge(v, 0, relation)
    }.toVector
    edge = Gen
      .zip(Gen.choose(0, n - 1), Gen.choose(0, n - 1), Gen.choose(0, relations - 1))
      .map { case (s, t, r) => PatternEdge(s, t, r) }
    p <- withComparisons(
      n,
      Gen.choose(0, 4).flatMap(Gen.containerOfN[Vector, PatternEdge](_, edge)).map(spokes ++ _))
  } yield p

  private def cliquePattern(relations: Int): Gen[GraphPattern] = for {
    n <- Gen.choose(3, 5)
    relation <- Gen.choose(0, relations - 1)
    p <- withComparisons(
      n,
      Gen.const(
        (for (a <- 0 until n; b <- a + 1 until n) yield PatternEdge(a, b, relation)).toVector))
  } yield p

  /** Cycles, each edge either way round: the last list and the candidates come from one graph. */
  private def cyclePattern(relations: Int): Gen[GraphPattern] = for {
    n <- Gen.choose(3, 5)
    relation <- Gen.choose(0, relations - 1)
    ways <- Gen.listOfN(n, Gen.oneOf(true, false))
    p <- withComparisons(
      n,
      Gen.const(ways.zipWithIndex.map {
        case (true, v) => PatternEdge(v, (v + 1) % n, relation)
        case (false, v) => PatternEdge((v + 1) % n, v, relation)
      }.toVector))
  } yield p

  /**
   * Two or three variables that hang off one to three others and not off each other, with
   * comparisons mostly among themselves: what counting multiplies instead of binding it.
   */
  private def tailedPattern(relations: Int): Gen[GraphPattern] = for {
    prefix <- Gen.choose(1, 3)
    tail <- Gen.choose(2, 3)
    n = prefix + tail
    r = Gen.choose(0, relations - 1)
    links <- Gen.sequence[Vector[PatternEdge], PatternEdge]((1 until prefix).map(v =>
      Gen.zip(Gen.choose(0, v - 1), r).map { case (u, r) => PatternEdge(u, v, r) }))
    // Tails that hang off the same vertices are counted together.
    off = Gen.someOf(0 until prefix).map(some => if (some.isEmpty) Seq(0) else some.toSeq)
    common <- off
    hangs <- Gen.sequence[Vector[Vector[PatternEdge]], Vector[PatternEdge]](
      (prefix until n).map(v =>
        Gen.zip(Gen.oneOf(Gen.const(common), off), r, Gen.oneOf(true, true, false)).map {
          case (us, r, true) => us.map(PatternEdge(_, v, r)).toVector
          case (us, r, false) => us.map(PatternEdge(v, _, r)).toVector
        }))
    op = Gen.oneOf[ComparisonOp](
      ComparisonOp.Less,
      ComparisonOp.LessOrEqual,
      ComparisonOp.NotEqual,
      ComparisonOp.NotEqual)
    comparison =
      Gen.zip(Gen.choose(0, n - 1), op, Gen.choose(prefix, n - 1)).map(Comparison.tupled)
    comparisons <- Gen.choose(0, 3).flatMap(Gen.containerOfN[Vector, Comparison](_, comparison))
  } yield GraphPattern(n, links ++ hangs.flatten, comparisons)

  /** A pattern with a tail, the tail last or, with two variables before it, by any order. */
  val tailedCase: Gen[JoinCase] = for {
    id <- ids
    s <- shape
    symmetric <- Gen.oneOf(true, false)
    p <- tailedPattern(1)
    o <- Gen.frequency(
      3 -> Gen.const(VariableOrder.natural(p.variableCount)),
      1 -> order(p.variableCount))
    both = if (symmetric) (s ++ s.map(_.swap)).distinct else s
    limit = if (p.variableCount == 6) 6 else if (p.variableCount == 5) 8 else 12
  } yield JoinCase(
    Vector(both.take(limit).map { case (a, b) => (id(a), id(b)) }),
    p,
    o,
    Vector.empty)

  def order(n: Int): Gen[VariableOrder] =
    Gen.oneOf(
      Gen.listOfN(n, Gen.long).map { keys =>
        VariableOrder((0 until n).sortBy(keys(_)))
      },
      Gen.const(VariableOrder.natural(n)))

  val joinCase: Gen[JoinCase] = for {
    relations <- Gen.frequency(3 -> 1, 1 -> 2)
    id <- ids
    shapes <- Gen.listOfN(relations, shape)
    p <- pattern(relations)
    o <- order(p.variableCount)
    cuts <- Gen.choose(0, 3).flatMap(Gen.containerOfN[Vector, Double](_, Gen.choose(0.0, 1.0)))
  } yield JoinCase(
    shapes.map(_.take(edgeLimit(p)).map { case (a, b) => (id(a), id(b)) }).toVector,
    p,
    o,
    cuts.sorted)

  /** Keeps the oracle quick: what few pattern edges hold together has many rows. */
  private def edgeLimit(p: GraphPattern): Int =
    if (p.edges.distinct.size >= 2 * p.variableCount - 3) 20
    else if (p.variableCount < 4) 12
    else 7

  /** Pairs of different variables, other than the centre, that an edge links. */
  private def innerPairs(p: GraphPattern): Int =
    p.edges
      .map(e => Set(e.source, e.target))
      .filter(pair => pair.size == 2 && !pair(0))
      .distinct
      .size

  /**
   * One hub with more neighbours than a word has bits, random edges between them, and a pattern
   * around a centre: too large for the oracle, for holding the join's own paths to each other.
   */
  val wideCase: Gen[JoinCase] = for {
    n <- Gen.choose(60, 300)
    out <- Gen.oneOf(true, false)
    hub <- Gen.choose(0, n - 1)
    spokes = (0 until n).map(v => if (out) (hub, v) else (v, hub)).toVector
    v = Gen.choose(0, n - 1)
    others <- Gen.containerOfN[Vector, (Int, Int)](4 * n, Gen.zip(v, v))
    p <- Gen.oneOf(centredPattern(1), cliquePattern(1))
    // Spokes alone would give the cube of their number.
    if innerPairs(p) >= p.variableCount - 2
    o <- order(p.variableCount)
  } yield JoinCase(
    // Distinct, for weights would turn most of the fast paths off.
    Vector((spokes ++ others).distinct.map { case (a, b) => (a.toLong, b.toLong) }),
    p,
    o,
    Vector.empty)
}
