package io.wreath.kernel.join

import java.util.Arrays

import scala.util.Random

import io.wreath.kernel.csr.{Csr, CsrBuilder, CsrGraph}
import io.wreath.kernel.partition.WorkSplitter
import io.wreath.kernel.{GraphGen, JoinCase, NaiveJoin, PropertyChecks}
import io.wreath.pattern._
import org.scalacheck.Gen

/**
 * Holds generic join to the oracle. The grid: every generated case x pull or count x marks and bit
 * matrix as chosen, forced and forbidden x one morsel or several.
 */
class GenericJoinSuite extends PropertyChecks {

  private val tunings = for {
    marks <- Seq(Use.WhenWorth, Use.Always, Use.Never)
    bits <- Seq(Use.WhenWorth, Use.Always, Use.Never)
  } yield JoinTuning(marks, bits)

  private def join(c: JoinCase, t: JoinTuning, predicates: BindingPredicate*): GenericJoin =
    join(c, t, null, predicates)

  private def join(
      c: JoinCase,
      t: JoinTuning,
      domains: Array[Domain],
      predicates: Seq[BindingPredicate]): GenericJoin =
    new GenericJoin(
      JoinProgram.compile(c.pattern, c.order, c.graphs(_).isSymmetric),
      c.graphs,
      predicates.toVector,
      domains,
      t,
      () => ())

  private def morsels(c: JoinCase): Vector[Morsel] = {
    val n = c.dictionary.size
    val cuts = 0 +: c.cuts.map(x => (x * n).toInt) :+ n
    cuts.zip(cuts.tail).map { case (from, until) => Morsel(from, until) }
  }

  /** The rows as `next` gives them; a binding given twice fails. */
  private def rows(c: JoinCase, j: GenericJoin): Map[Vector[Long], Long] = {
    val found = Map.newBuilder[Vector[Long], Long]
    var n = 0
    morsels(c).foreach { m =>
      j.open(m)
      while (j.next()) {
        found += j.binding.toVector.map(c.dictionary.decode) -> j.weight
        n += 1
      }
      assert(!j.next(), "an exhausted join must stay exhausted")
    }
    val result = found.result()
    assert(result.size == n, "a binding was given twice")
    result
  }

  /** The same by runs. */
  private def rowsByRun(c: JoinCase, j: GenericJoin): Map[Vector[Long], Long] = {
    val found = Map.newBuilder[Vector[Long], Long]
    var n = 0
    morsels(c).foreach { m =>
      j.open(m)
      while (j.nextRun()) {
        assert(j.run.from < j.run.until, "a run must not be empty")
        (j.run.from until j.run.until).foreach { i =>
          val binding = j.binding.updated(j.lastVariable, j.run.codes(i))
          found += binding.toVector.map(c.dictionary.decode) -> j.weight
          n += 1
        }
      }
      assert(!j.nextRun(), "an exhausted join must stay exhausted")
    }
    val result = found.result()
    assert(result.size == n, "a binding was given twice")
    assert(j.bindingsAt(j.levelCount - 1) >= n, "a binding was not counted")
    result
  }

  private def total(c: JoinCase, j: GenericJoin): Long =
    morsels(c).map { m => j.open(m); j.count() }.sum

  test("pulled rows and counts equal the oracle's on every path") {
    forAll(GraphGen.joinCase, 900) { c =>
      tunings.foreach { t =>
        assert(rows(c, join(c, t)) == c.expected, t)
        assert(rowsByRun(c, join(c, t)) == c.expected, t)
        assert(total(c, join(c, t)) == c.expected.values.sum, t)
      }
    }
  }

  test("neighbourhoods wider than a machine word give the same on every path") {
    forAll(GraphGen.wideCase, 100) { c =>
      val byLists = digest(c, join(c, JoinTuning(Use.Never, Use.Never)))
      tunings.foreach { t =>
        assert(digest(c, join(c, t)) == byLists, t)
        assert(total(c, join(c, t)) == byLists._1, t)
      }
    }
  }

  /** The number of bindings and a sum over them that does not depend on their order. */
  private def digest(c: JoinCase, j: GenericJoin): (Long, Long) = {
    var n = 0L
    var sum = 0L
    j.open(Morsel(0, c.dictionary.size))
    while (j.next()) {
      n += 1
      sum += Arrays.hashCode(j.binding) * 0x9e3779b97f4a7c15L
    }
    (n, sum)
  }

  test("predicates filter like a filter above the join, pulled or counted") {
    forAll(GraphGen.joinCase, 400) { c =>
      val n = c.pattern.variableCount
      def odd(vs: Int*): BindingPredicate = new BindingPredicate {
        override val variables: IndexedSeq[Int] = vs.toVector
        override def accepts(binding: Array[Int]): Boolean = vs.map(binding(_)).sum % 2 == 1
      }
      val predicates = Seq(odd(0, n - 1), odd(n / 2))
      val expected = c.expected.filter { case (row, _) =>
        val codes = row.map(c.dictionary.encode)
        (if (n == 1) codes(0) * 2 else codes(0) + codes(n - 1)) % 2 == 1 && codes(n / 2) % 2 == 1
      }
      tunings.foreach { t =>
        assert(rows(c, join(c, t, predicates: _*)) == expected)
        assert(rowsByRun(c, join(c, t, predicates: _*)) == expected)
        assert(total(c, join(c, t, predicates: _*)) == expected.values.sum)
      }
    }
  }

  test("domains filter like a filter above the join, pulled or counted, and are never left") {
    forAll(Gen.zip(GraphGen.joinCase, Gen.long), 300) { case (c, seed) =>
      val random = new Random(seed)
      val n = c.dictionary.size
      val domains = Array.fill(c.pattern.variableCount)(GenericJoinSuite.domain(random, n))
      val expected = c.expected.filter { case (row, _) =>
        row.indices.forall(v => domains(v).has(c.dictionary.encode(row(v))))
      }
      tunings.foreach { t =>
        assert(rows(c, join(c, t, domains, Nil)) == expected, t)
        assert(rowsByRun(c, join(c, t, domains, Nil)) == expected, t)
        assert(total(c, join(c, t, domains, Nil)) == expected.values.sum, t)
      }
      val program = JoinProgram.compile(c.pattern, c.order, c.graphs(_).isSymmetric)
      val split = WorkSplitter.split(program, c.graphs, 3, domains).flatten.sortBy(_.from)
      val first = domains(c.order.variables.head)
      assert(split.forall(m => m.from >= first.from && m.until <= first.until))
      assert(first.codes.toSeq == (first.from until first.until).filter(first.has))
      assert(split.flatMap(m => m.from until m.until).filter(first.has).toSeq.distinct ==
        first.codes.toSeq)
    }
  }

  test("domains of a wide neighbourhood give the same on every path") {
    forAll(Gen.zip(GraphGen.wideCase, Gen.long), 50) { case (c, seed) =>
      val random = new Random(seed)
      val n = c.dictionary.size
      val domains = Array.fill(c.pattern.variableCount)(GenericJoinSuite.domain(random, n))
      val byLists = digest(c, join(c, JoinTuning(Use.Never, Use.Never), domains, Nil))
      tunings.foreach { t =>
        assert(digest(c, join(c, t, domains, Nil)) == byLists, t)
        assert(total(c, join(c, t, domains, Nil)) == byLists._1, t)
      }
    }
  }

  test("edges whose rows the caller tells apart do not weigh") {
    forAll(Gen.zip(GraphGen.joinCase, Gen.long), 200) { case (c, seed) =>
      val random = new Random(seed)
      val edges = c.pattern.edges.map(_.copy(matchesOnce = random.nextBoolean()))
      val marked = c.copy(pattern = c.pattern.copy(edges = edges))
      val distinct = c.relations.map(_.distinct)
      val weighing = edges.zipWithIndex.collect { case (e, i) if !e.matchesOnce => i }
      // The oracle over relations of their own for each edge, without repeats where told apart.
      val own = c.copy(
        relations = edges.map(e =>
          if (e.matchesOnce) distinct(e.relation) else c.relations(e.relation)).toVector,
        pattern = c.pattern.copy(edges = edges.zipWithIndex.map { case (e, i) =>
          PatternEdge(e.source, e.target, i)
        }))
      tunings.foreach { t =>
        assert(rows(marked, join(marked, t)) == own.expected, s"$t $weighing")
        assert(total(marked, join(marked, t)) == own.expected.values.sum, t)
      }
    }
  }

  test("ends of two kinds have codes of their own") {
    // Buyers 0-3 and goods 0-6, as codes that have nothing to do with each other.
    forAll(
      Gen.zip(
        Gen.choose(0, 20).flatMap(k =>
          Gen.containerOfN[Vector, (Int, Int)](k, Gen.zip(Gen.choose(0, 3), Gen.choose(0, 6)))),
        Gen.oneOf(Seq(0, 1, 2, 3).permutations.toSeq)),
      300) { case (pairs, order) =>
      // Two buyers of the same two goods, coded apart for the oracle by an offset.
      val p = GraphPattern(
        4,
        Vector(PatternEdge(0, 2), PatternEdge(0, 3), PatternEdge(1, 2), PatternEdge(1, 3)),
        Vector(Comparison(0, ComparisonOp.Less, 1), Comparison(2, ComparisonOp.NotEqual, 3)))
      val expected =
        NaiveJoin(Vector(pairs.map { case (b, g) => (b.toLong, g.toLong + 100) }), p)
          .map { case (row, n) => row.map(x => if (x >= 100) x - 100 else x) -> n }
      val forward = CsrBuilder.fromCodes(
        pairs.map(_._1).toArray,
        pairs.map(_._2).toArray,
        pairs.size,
        7)
      // The same lists cut down to the codes of each kind.
      val graph = new CsrGraph(
        new Csr(
          forward.forward.offsets.take(5),
          forward.forward.neighbours,
          forward.forward.mult),
        forward.reverse)
      tunings.foreach { t =>
        val program = JoinProgram.compile(p, VariableOrder(order.toVector))
        val j = new GenericJoin(program, Array(graph), Vector.empty, null, t, () => ())
        val size = Domain.of(p, Array(graph))(order.head).size
        j.open(Morsel(0, size))
        val found = Iterator
          .continually(j.next())
          .takeWhile(identity)
          .map(_ => j.binding.toVector.map(_.toLong) -> j.weight)
          .toMap
        assert(found == expected, t)
        j.open(Morsel(0, size))
        assert(j.count() == expected.values.sum, t)
      }
    }
  }

  test("count after some calls of next counts what is left") {
    forAll(GraphGen.joinCase, 300) { c =>
      val j = join(c, JoinTuning())
      j.open(Morsel(0, c.dictionary.size))
      var passed = 0L
      while (passed < 3 && j.next()) passed += j.weight
      assert(j.count() + passed == c.expected.values.sum)
    }
  }

  test("a join reads no more list elements than it must on a star without triangles") {
    val n = 1000
    val g = CsrBuilder.fromCodes(Array.fill(n - 1)(0), Array.range(1, n), n - 1, n)
    val triangle =
      GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))
    val j = new GenericJoin(
      JoinProgram.compile(triangle, VariableOrder.natural(3)),
      Array(g))
    j.open(Morsel(0, n))
    assert(j.count() == 0)
    assert(j.elementsTouched <= 2L * n)
  }

  test("a count beyond Long raises instead of wrapping") {
    // 2^16 parallel edges, four times in the pattern: 2^64 rows.
    val m = 1 << 16
    val g = CsrBuilder.fromCodes(Array.fill(m)(0), Array.fill(m)(1), m, 2)
    val p = GraphPattern(2, Vector.fill(4)(PatternEdge(0, 1)))
    val j = new GenericJoin(JoinProgram.compile(p, VariableOrder.natural(2)), Array(g))
    j.open(Morsel(0, 2))
    assertThrows[ArithmeticException](j.count())
  }

  test("graphs over different code spaces, missing graphs and wrong morsels are refused") {
    val small = CsrBuilder.fromCodes(Array(0), Array(1), 1, 2)
    val large = CsrBuilder.fromCodes(Array(0), Array(1), 1, 3)
    val p = GraphPattern(2, Vector(PatternEdge(0, 1, 0), PatternEdge(1, 0, 1)))
    val program = JoinProgram.compile(p, VariableOrder.natural(2))
    assertThrows[IllegalArgumentException](new GenericJoin(program, Array(small, large)))
    assertThrows[IllegalArgumentException](new GenericJoin(program, Array(small)))
    val j = new GenericJoin(program, Array(small, small))
    assertThrows[IllegalArgumentException](j.open(Morsel(0, 3)))
    assertThrows[IllegalArgumentException](Morsel(2, 1))
  }

  test("the oracle counts the rows of a triangle by hand") {
    // 1->2 twice, 2->3, 1->3: one binding, two rows.
    val edges = Vector((1L, 2L), (1L, 2L), (2L, 3L), (1L, 3L))
    val triangle =
      GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))
    assert(NaiveJoin(Vector(edges), triangle) == Map(Vector(1L, 2L, 3L) -> 2L))
  }

  test("a join that finds nothing is interrupted all the same") {
    val n = 60
    val pairs = for (a <- 0 until n; b <- 0 until n) yield (a, b)
    val g = CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, n * n, n)
    val p = GraphPattern(4, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(2, 3)))
    val never = new BindingPredicate {
      override def variables: IndexedSeq[Int] = Vector(0, 1, 2, 3)
      override def accepts(binding: Array[Int]): Boolean = false
    }
    final class Stop extends RuntimeException
    for (counted <- Seq(true, false)) {
      val j = new GenericJoin(
        JoinProgram.compile(p, VariableOrder.natural(4)),
        Array(g),
        Vector(never),
        interrupt = () => throw new Stop)
      j.open(Morsel(0, n))
      assertThrows[Stop](if (counted) j.count() else j.next())
    }
  }
}

private object GenericJoinSuite {

  /** Any of: all codes, a range, some bits, bits within a range, none. */
  def domain(random: Random, size: Int): Domain = {
    val (a, b) = (random.nextInt(size + 1), random.nextInt(size + 1))
    val isRange = random.nextBoolean()
    val bits = if (random.nextBoolean()) null else Array.fill((size + 63) / 64)(random.nextLong())
    if (isRange) new Domain(size, math.min(a, b), math.max(a, b), bits)
    else new Domain(size, 0, size, bits)
  }
}
