package io.wreath.kernel.join

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.{GraphGen, JoinCase, PropertyChecks}
import io.wreath.pattern._
import org.scalacheck.Gen

/**
 * Holds counting without enumerating to the oracle. The grid: patterns with and without a tail x
 * groups of any number of variables x heavy vertices cut or not x every path.
 */
class CountingSuite extends PropertyChecks {

  private val tunings = for {
    marks <- Seq(Use.WhenWorth, Use.Always, Use.Never)
    bits <- Seq(Use.WhenWorth, Use.Always, Use.Never)
  } yield JoinTuning(marks, bits)

  private def join(c: JoinCase, t: JoinTuning): GenericJoin =
    new GenericJoin(
      JoinProgram.compile(c.pattern, c.order, c.graphs(_).isSymmetric),
      c.graphs,
      Vector.empty,
      null,
      t,
      () => ())

  private def whole(c: JoinCase): Morsel = Morsel(0, c.dictionary.size)

  private def total(c: JoinCase, j: GenericJoin): Long = {
    j.open(whole(c))
    j.count()
  }

  private val cases: Gen[JoinCase] = Gen.oneOf(GraphGen.joinCase, GraphGen.tailedCase)

  test(
    "patterns whose last variables hang together by comparisons alone count as the oracle does") {
    forAll(GraphGen.tailedCase, 2000) { c =>
      tunings.foreach(t => assert(total(c, join(c, t)) == c.expected.values.sum, t))
    }
  }

  test("a count for each binding of the first variables is that of the oracle's rows") {
    forAll(cases, 800) { c =>
      for (levels <- 1 to c.pattern.variableCount; t <- tunings) {
        val bound = c.order.variables.take(levels)
        val expected = c.expected
          .groupMapReduce { case (row, _) => bound.map(row(_)) }(_._2)(_ + _)
        val j = join(c, t)
        j.open(whole(c))
        val found = Iterator
          .continually(j.nextGroup(levels))
          .takeWhile(_ > 0)
          .map(rows => bound.map(v => c.dictionary.decode(j.binding(v))) -> rows)
          .toVector
        assert(found.toMap == expected, s"$levels levels, $t")
        assert(found.size == expected.size, "a group was given twice")
        assert(j.nextGroup(levels) == 0, "an exhausted join must stay exhausted")
      }
    }
  }

  test("the pieces of a cut vertex make up the whole, pulled, by runs, counted or grouped") {
    forAll(Gen.zip(cases, Gen.choose(0.0, 1.0)), 600) { case (c, at) =>
      val n = c.dictionary.size
      val cut = (at * n).toInt
      val pieces = (0 until n).flatMap(v =>
        Seq(Morsel(v, v + 1, 0, cut), Morsel(v, v + 1, cut, Int.MaxValue)))
      val isCuttable = c.pattern.variableCount > 1
      tunings.filter(_ => isCuttable).foreach { t =>
        val j = join(c, t)
        val expected = c.expected.values.sum
        assert(pieces.map { m => j.open(m); j.count() }.sum == expected, t)
        assert(
          pieces.map { m =>
            j.open(m)
            Iterator.continually(j.nextGroup(1)).takeWhile(_ > 0).sum
          }.sum == expected,
          t)
        val rows = pieces.flatMap { m =>
          j.open(m)
          Iterator
            .continually(j.next())
            .takeWhile(identity)
            .map(_ => j.binding.toVector.map(c.dictionary.decode) -> j.weight)
        }
        assert(rows.toMap == c.expected && rows.size == c.expected.size, t)
        val byRun = pieces.map { m =>
          j.open(m)
          Iterator
            .continually(j.nextRun())
            .takeWhile(identity)
            .map(_ => (j.run.until - j.run.from) * j.weight)
            .sum
        }
        assert(byRun.sum == expected, t)
      }
    }
  }

  test("wide neighbourhoods count alike on every path, cut or not") {
    forAll(GraphGen.wideCase, 60) { c =>
      val n = c.dictionary.size
      val expected = total(c, join(c, JoinTuning(Use.Never, Use.Never)))
      tunings.foreach { t =>
        val j = join(c, t)
        assert(total(c, j) == expected, t)
        val parts = Seq(Morsel(0, n, 0, n / 3), Morsel(0, n, n / 3, n)).map { m =>
          j.open(m); j.count()
        }
        assert(parts.sum == expected, t)
      }
    }
  }

  test("what comparisons leave of equal candidates is a sum of binomials") {
    val ops = Gen.oneOf[ComparisonOp](
      ComparisonOp.Less,
      ComparisonOp.LessOrEqual,
      ComparisonOp.NotEqual,
      ComparisonOp.Equal)
    val comparison = Gen.zip(Gen.choose(0, 2), ops, Gen.choose(0, 2)).map(Comparison.tupled)
    forAll(Gen.zip(Gen.choose(1, 3), Gen.listOf(comparison).map(_.take(3))), 300) {
      case (k, all) =>
        val comparisons = all.filter(c => c.left < k && c.right < k)
        def holds(places: IndexedSeq[Int]): Boolean = comparisons.forall { c =>
          val (l, r) = (places(c.left), places(c.right))
          c.op match {
            case ComparisonOp.Less => l < r
            case ComparisonOp.LessOrEqual => l <= r
            case ComparisonOp.NotEqual => l != r
            case ComparisonOp.Equal => l == r
          }
        }
        val polynomial = OrderPolynomial.of(k)(holds)
        (0 to 6).foreach { n =>
          def places(left: Int): Seq[Vector[Int]] =
            if (left == 0) Seq(Vector.empty)
            else for (rest <- places(left - 1); p <- 0 until n) yield rest :+ p
          assert(polynomial.applyAsLong(n.toLong) == places(k).count(holds).toLong, n)
        }
    }
  }

  /** All pairs of `n` vertices, both ways. */
  private def complete(n: Int) = {
    val pairs = for (a <- 0 until n; b <- 0 until n if a != b) yield (a, b)
    CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, n)
  }

  test("a diamond is counted by its edges, not by its rows") {
    val n = 200
    val g = complete(n)
    val less = ComparisonOp.Less
    val diamond = GraphPattern(
      4,
      Vector(
        PatternEdge(0, 1),
        PatternEdge(0, 2),
        PatternEdge(1, 2),
        PatternEdge(0, 3),
        PatternEdge(1, 3)),
      Vector(Comparison(0, less, 1), Comparison(2, less, 3)))
    val j = new GenericJoin(
      JoinProgram.compile(diamond, VariableOrder.natural(4), _ => true),
      Array(g))
    j.open(Morsel(0, n))
    assert(j.count() == n.toLong * (n - 1) * (n - 2) * (n - 3) / 4)
    assert(j.elementsTouched <= n.toLong * n * n)
  }

  test("a product beyond Long raises instead of wrapping") {
    // A star of 2^17 leaves, four of them chosen freely: 2^68 rows.
    val n = (1 << 17) + 1
    val g = CsrBuilder.fromCodes(Array.fill(n - 1)(0), Array.range(1, n), n - 1, n)
    val p = GraphPattern(5, (1 to 4).map(PatternEdge(0, _)))
    val j = new GenericJoin(JoinProgram.compile(p, VariableOrder.natural(5)), Array(g))
    j.open(Morsel(0, n))
    assertThrows[ArithmeticException](j.count())
  }
}
