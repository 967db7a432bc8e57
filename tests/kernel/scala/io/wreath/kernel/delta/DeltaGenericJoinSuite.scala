package io.wreath.kernel.delta

import java.io._

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.join._
import io.wreath.kernel.{GraphGen, JoinCase, PropertyChecks}
import io.wreath.pattern._
import org.scalacheck.Gen

/**
 * Holds delta generic join to the oracle: what was there before, plus the delta, is what is there
 * after. The grid: every generated stream x pull or count x whole, cut by seeds, by codes, by terms.
 */
class DeltaGenericJoinSuite extends PropertyChecks {

  private def delta(batch: DeltaGen.Batch): EdgeDelta =
    EdgeDelta.consolidate(
      batch.map(_._1).toArray,
      batch.map(_._2).toArray,
      batch.map(_._3).toArray,
      batch.size)

  /** Runs the stream, and gives each batch's changes with what the oracle says they change. */
  private def run(c: DeltaCase)(
      check: (Array[GraphChange], Map[Vector[Int], Long]) => Unit): Unit = {
    var rows = c.first
    var matches = c.matches(rows)
    var graphs = rows.map(_.graph(DeltaGen.MaxCodes / 2 + 4))
    c.batches.foreach { step =>
      val drafts = graphs.zip(step).map { case (g, b) => g.change(delta(b)) }
      val count = drafts.map(_.vertexCount).max
      val changes = drafts.map(_.grown(count))
      val next = rows.zip(step).map { case (r, b) => r.after(b) }
      val nextMatches = c.matches(next)
      check(changes.toArray, difference(matches, nextMatches))
      rows = next
      matches = nextMatches
      graphs = changes.map(_.after)
    }
  }

  private def cutSeeds(c: DeltaCase, morsels: Array[DeltaMorsel]): Array[DeltaMorsel] =
    morsels.flatMap { m =>
      val cuts = 0 +: c.cuts.map(x => (x * m.until).toInt) :+ m.until
      cuts.zip(cuts.tail).map { case (from, until) => m.copy(from = from, until = until) }
    }

  private def cutCodes(c: DeltaCase, morsels: Array[DeltaMorsel]): Array[DeltaMorsel] =
    morsels.flatMap { m =>
      val cuts = 0 +: c.cuts.map(x => (x * DeltaGen.MaxCodes).toInt) :+ Int.MaxValue
      cuts.zip(cuts.tail).map { case (from, until) => m.copy(codeFrom = from, codeUntil = until) }
    }

  private def cutTerms(c: DeltaCase, morsels: Array[DeltaMorsel]): Array[DeltaMorsel] =
    morsels.flatMap(m => c.program.termsOf(m.relation).map(t => m.copy(term = t)))

  /** The weight of each changed match; a match reported twice in one batch fails. */
  private def pulled(j: DeltaGenericJoin, morsels: Array[DeltaMorsel]): Map[Vector[Int], Long] = {
    val found = collection.mutable.Map.empty[Vector[Int], Long]
    morsels.foreach { m =>
      j.open(m)
      while (j.next()) {
        assert(j.weight != 0, "a match that does not change was reported")
        assert(found.put(j.binding.toVector, j.weight).isEmpty, "a match was reported twice")
      }
      assert(!j.next(), "an exhausted morsel must stay exhausted")
    }
    found.toMap
  }

  private def counted(j: DeltaGenericJoin, morsels: Array[DeltaMorsel]): Long =
    morsels.map { m =>
      j.open(m)
      j.count()
    }.sum

  private def difference(
      before: Map[Vector[Int], Long],
      after: Map[Vector[Int], Long]): Map[Vector[Int], Long] =
    (before.keySet ++ after.keySet).iterator
      .map(k => k -> (after.getOrElse(k, 0L) - before.getOrElse(k, 0L)))
      .filter(_._2 != 0)
      .toMap

  private def checkStream(c: DeltaCase): Unit = run(c) { (changes, expected) =>
    val program = c.program
    val whole = DeltaMorsel.all(program, changes)
    val scratch = new JoinScratch
    val cuts = Seq(whole, cutSeeds(c, whole), cutCodes(c, whole), cutTerms(c, whole))
    cuts.foreach { morsels =>
      val j = new DeltaGenericJoin(program, changes, order = c.order, scratch = scratch)
      assert(pulled(j, morsels) == expected)
      val counts = morsels.map { m => j.open(m); j.count() }
      assert(counts.sum == expected.values.sum)
      assert(!j.next(), "a counted morsel is exhausted")
      j.close()
    }
  }

  test("before plus delta is after, on graphs without parallel edges") {
    forAll(DeltaGen.deltaCase(isSimple = true), 500)(checkStream)
  }

  test("before plus delta is after, on graphs with parallel edges") {
    forAll(DeltaGen.deltaCase(isSimple = false), 500)(checkStream)
  }

  test("predicates filter like a filter above the join") {
    forAll(DeltaGen.deltaCase(isSimple = false), 200) { c =>
      val n = c.pattern.variableCount
      val odd = new BindingPredicate {
        override val variables: IndexedSeq[Int] = Vector(0, n - 1)
        override def accepts(b: Array[Int]): Boolean = (b(0) + 2 * b(n - 1)) % 3 != 0
      }
      run(c) { (changes, expected) =>
        val passing = expected.filter { case (b, _) => odd.accepts(b.toArray) }
        val j = new DeltaGenericJoin(c.program, changes, Vector(odd), c.order)
        val whole = DeltaMorsel.all(c.program, changes)
        assert(pulled(j, whole) == passing)
        assert(counted(j, whole) == passing.values.sum)
      }
    }
  }

  /** Ranges, bits, both, nothing at all and everything. */
  private def domains(variables: Int, size: Int, seed: Long): Array[Domain] = {
    val r = new scala.util.Random(seed)
    Array.fill(variables) {
      val (x, y) = (r.nextInt(size + 1), r.nextInt(size + 1))
      val (from, until) = if (r.nextBoolean()) (0, size) else (Math.min(x, y), Math.max(x, y))
      val bits =
        if (r.nextBoolean()) null else Array.fill((size + 63) >>> 6)(r.nextLong() | r.nextLong())
      new Domain(size, from, until, bits)
    }
  }

  test("domains leave what a filter above the join would, by every technique") {
    for (isSimple <- Seq(true, false); technique <- JoinTuning.named.keys.toSeq) {
      forAll(DeltaGen.deltaCase(isSimple), 40) { c =>
        run(c) { (changes, expected) =>
          val of = domains(c.pattern.variableCount, changes(0).vertexCount, expected.hashCode)
          val passing =
            expected.filter { case (b, _) => b.indices.forall(v => of(v).has(b(v))) }
          val whole = DeltaMorsel.all(c.program, changes)
          Seq(whole, cutCodes(c, whole), cutTerms(c, whole)).foreach { morsels =>
            val j = new DeltaGenericJoin(
              c.program,
              changes,
              order = c.order,
              domains = of,
              choices = c.program.choices(JoinTuning.named(technique)))
            assert(pulled(j, morsels) == passing, technique)
            assert(counted(j, morsels) == passing.values.sum, technique)
          }
        }
      }
    }
  }

  test("every technique finds the same changes") {
    for (isSimple <- Seq(true, false); technique <- JoinTuning.named.keys.toSeq) {
      forAll(DeltaGen.deltaCase(isSimple), 40) { c =>
        run(c) { (changes, expected) =>
          val j = new DeltaGenericJoin(
            c.program,
            changes,
            order = c.order,
            choices = c.program.choices(JoinTuning.named(technique)))
          val whole = DeltaMorsel.all(c.program, changes)
          assert(pulled(j, whole) == expected, technique)
          assert(counted(j, whole) == expected.values.sum, technique)
        }
      }
    }
  }

  test("a join that goes on with the next batch finds what another join would") {
    for (isSimple <- Seq(true, false)) {
      forAll(DeltaGen.deltaCase(isSimple).map(_.copy(ids = None)), 200)(checkAttached)
    }
  }

  private def checkAttached(c: DeltaCase): Unit = {
    var j: DeltaGenericJoin = null
    run(c) { (changes, expected) =>
      if (j == null) j = new DeltaGenericJoin(c.program, changes) else j.attach(changes)
      val whole = DeltaMorsel.all(c.program, changes)
      assert(pulled(j, whole) == expected)
      assert(counted(j, whole) == expected.values.sum)
    }
  }

  test("count after some calls of next counts what is left") {
    forAll(DeltaGen.deltaCase(isSimple = true), 200) { c =>
      run(c) { (changes, expected) =>
        val j = new DeltaGenericJoin(c.program, changes, order = c.order)
        val sum = DeltaMorsel.all(c.program, changes).map { m =>
          j.open(m)
          var passed = 0L
          var n = 0
          while (n < 2 && j.next()) {
            passed += j.weight
            n += 1
          }
          passed + j.count()
        }.sum
        assert(sum == expected.values.sum)
      }
    }
  }

  test("any cut of the splitter covers the work exactly once") {
    forAll(DeltaGen.deltaCase(isSimple = false), 200) { c =>
      run(c) { (changes, expected) =>
        Seq(1, 2, 7, 50).foreach { n =>
          val j = new DeltaGenericJoin(c.program, changes, order = c.order)
          assert(pulled(j, DeltaSplitter.split(c.program, changes, n)) == expected)
        }
      }
    }
  }

  /** Lists long enough to be marked and searched; too many rows for nested loops. */
  private val wide: Gen[(JoinCase, DeltaGen.Batch)] = for {
    c <- GraphGen.wideCase
    // Few rows: what few edges hold together has a power of the hub's degree.
    if c.pattern.edges.distinct.size >= 2 * c.pattern.variableCount - 3
    n = c.dictionary.size
    v = Gen.frequency(1 -> Gen.choose(0, 3), 3 -> Gen.choose(0, n - 1))
    inserts <- Gen.containerOfN[Vector, (Int, Int)](40, Gen.zip(v, v))
    deletes <- Gen.pick(40, c.relations(0))
  } yield {
    val there = c.relations(0).toSet
    val added = inserts.distinct.filterNot { case (s, t) => there((s.toLong, t.toLong)) }
    val removed = deletes.toVector.map { case (s, t) => (s.toInt, t.toInt, -1) }
    (c, added.map { case (s, t) => (s, t, 1) } ++ removed)
  }

  test("long lists give what a whole join before and after gives") {
    def whole(p: GraphPattern, r: Rows, n: Int): Map[Vector[Int], Long] = {
      val g = CsrBuilder.fromCodes(
        r.edges.map(_._1).toArray,
        r.edges.map(_._2).toArray,
        r.edges.size,
        n)
      val program = JoinProgram.compile(p, VariableOrder.natural(p.variableCount))
      val j = new GenericJoin(program, Array(g))
      j.open(Morsel(0, n))
      val found = Map.newBuilder[Vector[Int], Long]
      while (j.next()) found += j.binding.toVector -> j.weight
      found.result()
    }
    forAll(wide, 40) { case (c, batch) =>
      val n = c.dictionary.size
      val before = Rows(c.relations(0).map { case (s, t) => (s.toInt, t.toInt) })
      val expected =
        difference(whole(c.pattern, before, n), whole(c.pattern, before.after(batch), n))
      val program = DeltaProgram.compile(c.pattern)
      val changes = Array(before.graph(n).change(delta(batch)))
      for {
        scratch <- Seq(new JoinScratch, new JoinScratch(0, () => ())) // with marks, and without
        morsels <- Seq(
          DeltaMorsel.all(program, changes),
          DeltaSplitter.split(program, changes, 9))
      } {
        val j = new DeltaGenericJoin(program, changes, scratch = scratch)
        assert(pulled(j, morsels) == expected)
        assert(morsels.map { m => j.open(m); j.count() }.sum == expected.values.sum)
        j.close()
      }
    }
  }

  private val path = GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2)))

  test("rows that parallel edges lose and gain at once cancel out") {
    // 0->1 falls from 2 rows to 1, 1->2 rises from 1 to 2: the path has 2 rows all along.
    val g = Rows(Vector((0, 1), (0, 1), (1, 2))).graph(3)
    val changes = Array(g.change(delta(Vector((0, 1, -1), (1, 2, 1)))))
    val j = new DeltaGenericJoin(DeltaProgram.compile(path), changes)
    assert(pulled(j, DeltaMorsel.all(DeltaProgram.compile(path), changes)).isEmpty)
  }

  test("two pattern edges on m parallel rows give m(m - 1) matches under DIFFERENT EDGES") {
    val p = GraphPattern(2, Vector(PatternEdge(0, 1), PatternEdge(0, 1)))
    val program = DeltaProgram.compile(p, MatchMode.DifferentEdges)
    val changes = Array(Rows(Vector((0, 1))).graph(2).change(delta(Vector((0, 1, 3)))))
    val j = new DeltaGenericJoin(program, changes)
    assert(pulled(j, DeltaMorsel.all(program, changes)) == Map(Vector(0, 1) -> 12L))
  }

  test("a rewritten edge reports its matches, with both numbers of rows, to who asks") {
    val g = Rows(Vector((0, 1), (1, 2), (1, 2), (2, 0))).graph(3)
    val batch =
      EdgeDelta.consolidate(Array(1, 1), Array(2, 2), Array(-1, 1), 2, keepsUnchanged = true)
    val program = DeltaProgram.compile(path)
    val changes = Array(g.change(batch))
    def reported(asks: Boolean): Map[Vector[Int], (Long, Long)] = {
      val j = new DeltaGenericJoin(program, changes, reportsRewritten = asks)
      DeltaMorsel.all(program, changes).flatMap { m =>
        j.open(m)
        Iterator.continually(j.next()).takeWhile(identity).map(_ =>
          j.binding.toVector -> ((j.rowsBefore, j.rowsAfter))).toVector
      }.toMap
    }
    assert(reported(asks = false).isEmpty)
    assert(
      reported(asks = true) == Map(Vector(0, 1, 2) -> ((2L, 2L)), Vector(1, 2, 0) -> ((2L, 2L))))
  }

  test("a program and a batch are the same after a trip through serialization") {
    def trip[A](a: A): A = {
      val bytes = new ByteArrayOutputStream
      val out = new ObjectOutputStream(bytes)
      out.writeObject(a)
      out.close()
      new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject()
        .asInstanceOf[A]
    }
    val program = trip(DeltaProgram.compile(path, MatchMode.DifferentVertices))
    val batch = trip(delta(Vector((0, 1, 1), (1, 2, 1), (1, 0, 1))))
    val changes = Array(Rows(Vector.empty).graph(0).change(batch))
    val j = new DeltaGenericJoin(program, changes)
    assert(pulled(j, DeltaMorsel.all(program, changes)) == Map(Vector(0, 1, 2) -> 1L))
  }

  test("a count beyond Long raises instead of wrapping") {
    val m = 1 << 16
    val g = Rows(Vector.empty).graph(2)
    val p = GraphPattern(2, Vector.fill(4)(PatternEdge(0, 1)))
    val changes = Array(g.change(delta(Vector((0, 1, m)))))
    val j = new DeltaGenericJoin(DeltaProgram.compile(p), changes)
    j.open(DeltaMorsel(isInsert = true, 0, 0, 1))
    assertThrows[ArithmeticException](j.count())
  }

  test("missing relations, different code spaces, missing orders and wrong morsels are refused") {
    val small = GraphChange.none(Rows(Vector((0, 1))).graph(2))
    val large = GraphChange.none(Rows(Vector((0, 1))).graph(3))
    val two = DeltaProgram.compile(
      GraphPattern(2, Vector(PatternEdge(0, 1, 0), PatternEdge(1, 0, 1))))
    assertThrows[IllegalArgumentException](new DeltaGenericJoin(two, Array(small)))
    assertThrows[IllegalArgumentException](new DeltaGenericJoin(two, Array(small, large)))
    val less = GraphPattern(
      2,
      Vector(PatternEdge(0, 1)),
      Vector(Comparison(0, ComparisonOp.Less, 1)))
    val byId = DeltaProgram.compile(less, codesAreOrdered = false)
    assertThrows[IllegalArgumentException](new DeltaGenericJoin(byId, Array(small)))
    val j = new DeltaGenericJoin(two, Array(small, small.grown(2)))
    assertThrows[IllegalArgumentException](j.open(DeltaMorsel(isInsert = true, 0, 0, 1)))
    assertThrows[IllegalArgumentException](j.open(DeltaMorsel(isInsert = true, 2, 0, 0)))
    assertThrows[IllegalArgumentException](j.open(DeltaMorsel(
      isInsert = true,
      0,
      0,
      0,
      term = 1)))
    assertThrows[IllegalArgumentException](DeltaMorsel(isInsert = true, 0, 2, 1))
  }
}
