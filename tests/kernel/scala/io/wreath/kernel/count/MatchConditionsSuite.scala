package io.wreath.kernel.count

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.csr.{CsrBuilder, CsrGraph, Undirected}
import io.wreath.kernel.join.{Domain, Use}
import io.wreath.pattern._
import org.scalacheck.Gen

/**
 * An edge of a pattern over the rows of one table.
 *
 * @param rows those that it may be
 */
final case class RowEdge(source: Int, target: Int, isUndirected: Boolean, rows: Set[Int])

/** A condition on some variables: the bindings of them that pass. */
final case class CodesPass(of: Vector[Int], passing: Set[Vector[Int]])

/** A pattern over the rows of one table, each its own, with what is asked of its matches. */
final case class RowCase(
    vertices: Int,
    rows: Vector[(Int, Int)],
    variables: Int,
    edges: Vector[RowEdge],
    different: Vector[(Int, Int)],
    absent: Vector[(Int, Int)],
    comparisons: Vector[Comparison],
    tests: Vector[CodesPass],
    allowed: Vector[Set[Int]])

/** The oracle: each edge is each of its rows in turn. */
object RowMatches {

  /** By what the first variables are bound to, how many. */
  def apply(c: RowCase, groups: Seq[Int]): Map[Seq[Int], Int] = {
    val found = scala.collection.mutable.Map.empty[Seq[Int], Int].withDefaultValue(0)
    val row = new Array[Int](c.edges.size)
    val code = Array.fill(c.variables)(-1)
    def holds: Boolean =
      c.different.forall { case (i, j) => row(i) != row(j) } &&
        c.absent.forall { case (s, t) => !c.rows.contains((code(s), code(t))) } &&
        c.tests.forall(t => t.passing(t.of.map(code(_)))) &&
        c.comparisons.forall { x =>
          val (l, r) = (code(x.left), code(x.right))
          x.op match {
            case ComparisonOp.Less => l < r
            case ComparisonOp.LessOrEqual => l <= r
            case ComparisonOp.NotEqual => l != r
            case ComparisonOp.Equal => l == r
          }
        }
    def bind(v: Int, to: Int)(more: => Unit): Unit = {
      val before = code(v)
      if (before == to || (before < 0 && c.allowed(v)(to))) {
        code(v) = to
        more
        code(v) = before
      }
    }
    def extend(e: Int): Unit =
      if (e == c.edges.size) {
        if (holds) found(groups.map(code(_))) += 1
      } else {
        val edge = c.edges(e)
        edge.rows.foreach { r =>
          row(e) = r
          val (s, t) = c.rows(r)
          bind(edge.source, s)(bind(edge.target, t)(extend(e + 1)))
          if (edge.isUndirected && s != t)
            bind(edge.source, t)(bind(edge.target, s)(extend(e + 1)))
        }
      }
    extend(0)
    found.toMap
  }
}

/**
 * Holds what is asked of matches that are counted to nested loops over rows. The grid: connected patterns of up to five
 * variables x edges with and without a direction, over all rows of a table or some of them x parallel rows, edges from a
 * vertex to itself x edges that must differ x edges that must not be there x conditions on two and three variables x
 * comparisons x codes that variables may have x groups.
 */
class MatchConditionsSuite extends PropertyChecks {

  private val cases: Gen[RowCase] = for {
    vertices <- Gen.choose(1, 5)
    v = Gen.choose(0, vertices - 1)
    count <- Gen.choose(1, 8)
    some <- Gen.containerOfN[Vector, (Int, Int)](count, Gen.zip(v, v))
    loops <- Gen.oneOf(true, false)
    repeats <- Gen.oneOf(true, false)
    left = some.filter(e => loops || e._1 != e._2)
    rows = if (repeats) left else left.distinct
    n <- Gen.choose(1, 5)
    few <- Gen.someOf(rows.indices).map(_.toSet)
    other <- Gen.someOf(rows.indices).map(_.toSet)
    all = rows.indices.toSet
    anyWay <-
      Gen.frequency(2 -> Gen.const(false), 1 -> Gen.const(true), 2 -> Gen.oneOf(true, false))
    which <- Gen.frequency(3 -> Vector(all), 1 -> Vector(all, few, other))
    kind = Gen.zip(Gen.const(anyWay), Gen.oneOf(which))
    tree <- Gen.sequence[Vector[RowEdge], RowEdge]((1 until n).map { v =>
      for (u <- Gen.choose(0, v - 1); (either, of) <- kind; out <- Gen.oneOf(true, false))
        yield if (out) RowEdge(u, v, either, of) else RowEdge(v, u, either, of)
    })
    variable = Gen.choose(0, n - 1)
    extra <- Gen.choose(if (n == 1) 1 else 0, 2)
    more <- Gen.containerOfN[Vector, RowEdge](
      extra,
      for (s <- variable; t <- variable; (either, of) <- kind) yield RowEdge(s, t, either, of))
    edges = tree ++ more
    pairs = edges.indices.combinations(2).map(p => (p(0), p(1))).toVector
    different <- Gen.oneOf(
      Gen.const(pairs),
      Gen.someOf(pairs).map(_.toVector),
      Gen.const(Vector.empty[(Int, Int)]))
    lacking <- Gen.frequency(3 -> 0, 1 -> 1, 1 -> 2)
    absent <- Gen.containerOfN[Vector, (Int, Int)](lacking, Gen.zip(variable, variable))
    compared <- Gen.frequency(2 -> 0, 1 -> 1, 1 -> 2)
    comparisons <- Gen.containerOfN[Vector, Comparison](
      compared,
      Gen.zip(
        variable,
        Gen.oneOf[ComparisonOp](
          ComparisonOp.Less,
          ComparisonOp.LessOrEqual,
          ComparisonOp.NotEqual,
          ComparisonOp.NotEqual,
          ComparisonOp.Equal),
        variable).map(Comparison.tupled))
    asked <- Gen.frequency(2 -> 0, 2 -> 1, 1 -> 2)
    tests <- Gen.containerOfN[Vector, CodesPass](
      asked,
      for {
        size <- Gen.frequency(3 -> 2, 1 -> 3)
        of <- Gen.pick(size.min(n), 0 until n).map(_.toVector)
        seed <- Gen.long
      } yield {
        val random = new scala.util.Random(seed)
        def all(k: Int): Vector[Vector[Int]] =
          if (k == 0) Vector(Vector.empty)
          else all(k - 1).flatMap(b => (0 until vertices).map(b :+ _))
        CodesPass(of, all(of.size).filter(_ => random.nextInt(3) > 0).toSet)
      })
    codes = (0 until vertices).toSet
    allowed <- Gen.sequence[Vector[Set[Int]], Set[Int]]((0 until n).map(_ =>
      Gen.frequency(3 -> Gen.const(codes), 1 -> Gen.someOf(codes).map(_.toSet))))
  } yield RowCase(
    vertices,
    rows,
    n,
    edges,
    different,
    absent,
    comparisons,
    tests.filter(_.of.nonEmpty),
    allowed)

  /** The relations that are read: of some rows, one way or either. */
  final private class Relations(c: RowCase) {
    private val named =
      scala.collection.mutable.LinkedHashMap.empty[(Set[Int], Boolean), Int]

    def of(rows: Set[Int], isUndirected: Boolean): Int =
      named.getOrElseUpdate((rows, isUndirected), named.size)

    val edges: Vector[PatternEdge] =
      c.edges.map(e => PatternEdge(e.source, e.target, of(e.rows, e.isUndirected)))
    val absent: Vector[PatternEdge] = c.absent.map { case (s, t) =>
      PatternEdge(s, t, of(c.rows.indices.toSet, false))
    }

    /** Whatever edges may be one row. */
    val both: Map[(Int, Int), Int] = {
      var found = Map.empty[(Int, Int), Int]
      var size = -1
      while (size != named.size) {
        size = named.size
        for (((r, u), i) <- named.toVector; ((s, w), j) <- named.toVector)
          found += (i, j) -> of(r & s, u && w)
      }
      found
    }
    val undirected: Set[Int] = named.collect { case ((_, true), i) => i }.toSet

    val graphs: Array[CsrGraph] = named.keys.toArray.map { case (rows, isUndirected) =>
      val edges = rows.toVector.map(c.rows)
      val graph = CsrBuilder.fromCodes(
        edges.map(_._1).toArray,
        edges.map(_._2).toArray,
        edges.size,
        c.vertices)
      if (isUndirected) Undirected.of(graph) else graph
    }
  }

  private def domains(c: RowCase): Array[Domain] = c.allowed.map { codes =>
    if (codes.size == c.vertices) Domain.whole(c.vertices)
    else new Domain(c.vertices, 0, c.vertices, Array(codes.map(1L << _).sum))
  }.toArray

  private def eliminated(c: RowCase, groups: Seq[Int], use: Use)
      : Either[String, (EliminationFactors, Array[Int])] = {
    val relations = new Relations(c)
    import relations.graphs
    val conditions = MatchConditions(
      c.different,
      relations.both,
      relations.undirected,
      relations.absent,
      c.tests.map(_.of))
    val isOrderable = graphs.length == 1 && graphs(0).isSymmetric &&
      !graphs(0).hasDuplicates && !graphs(0).hasSelfLoops
    val below =
      if (isOrderable) Some(BelowMoments.of(graphs(0).byDegree.forward)) else None
    Elimination
      .of(
        GraphPattern(c.variables, relations.edges, c.comparisons),
        graphs,
        domains(c),
        below,
        groups,
        use,
        conditions = conditions)
      .map { e =>
        val ranks =
          if (e.byDegree) graphs(0).ranked.rankOf else Array.range(0, c.vertices)
        val names = Array.range(0, c.vertices).map(ranks.indexOf(_))
        val tests = c.tests.map(t =>
          () =>
            new CodeTest {
              override def accepts(codes: Array[Int]): Boolean =
                t.passing(codes.map(names(_)).toVector)
            })
        val factors =
          if (e.byDegree)
            new EliminationFactors(
              e,
              graphs.map(_.byDegree),
              domains(c).map(_.renamed(ranks)),
              tests)
          else new EliminationFactors(e, graphs, domains(c), tests)
        (factors, names)
      }
  }

  test("matches of which something is asked are as many as nested loops over rows find") {
    var done = 0
    forAll(cases, casesOf(1500, 20000)) { c =>
      val expected = RowMatches(c, Nil).getOrElse(Nil, 0)
      Seq(Use.WhenWorth, Use.Always, Use.Never).foreach { use =>
        eliminated(c, Nil, use).foreach { case (factors, _) =>
          done += 1
          val n = factors.codeCount
          val parts = Seq((n / 3, n), (0, n / 3)).map { case (from, until) =>
            new EliminationRun(factors).sum(from, until)
          }
          val found = EliminationRun.result(factors.elimination, parts)
          assert(found == expected, use)
        }
      }
    }
    assert(done > casesOf(4000, 53000), done)
  }

  test("of each vertex, and of each two vertices, they are as many as nested loops find") {
    var done = 0
    forAll(Gen.zip(cases, Gen.choose(0, 4), Gen.choose(0, 4)), casesOf(1000, 20000)) {
      case (c, some, other) =>
        val groups = Seq(some % c.variables, (some + other) % c.variables).distinct
        eliminated(c, groups, Use.WhenWorth).foreach { case (factors, names) =>
          done += 1
          val run = new EliminationRun(factors)
          val found = scala.collection.mutable.Map.empty[Seq[Int], Int]
          (0 until factors.codeCount).foreach { x =>
            if (groups.sizeIs == 1) {
              val n = run.ofGroup(x)
              if (n > 0) found(Seq(names(x))) = n.toInt
            } else {
              run.startPairs(x)
              while (run.nextPair()) found(Seq(x, run.pairCode)) = run.pairRows.toInt
            }
          }
          assert(found.toMap == RowMatches(c, groups), groups)
        }
    }
    assert(done > casesOf(800, 16000), done)
  }
}
