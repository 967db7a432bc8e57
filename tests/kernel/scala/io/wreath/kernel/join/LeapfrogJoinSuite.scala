package io.wreath.kernel.join

import scala.collection.mutable

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.partition.WorkSplitter
import io.wreath.kernel.{GraphGen, JoinCase, PropertyChecks}
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import org.scalacheck.Gen

/**
 * Holds the baseline to the oracle. The grid: every generated case x {bindings, runs, counts, groups, whether
 * there is any} x morsels as they are cut for several tasks.
 */
class LeapfrogJoinSuite extends PropertyChecks {

  private def morsels(c: JoinCase, tasks: Int): Seq[Morsel] =
    WorkSplitter.split(JoinProgram.compile(c.pattern, c.order), c.graphs, tasks).flatten.toSeq

  private def join(c: JoinCase): LeapfrogJoin = new LeapfrogJoin(c.pattern, c.order, c.graphs)

  private def row(c: JoinCase, codes: Array[Int]): Vector[Long] =
    codes.toVector.map(c.dictionary.decode(_))

  private val cases = Gen.zip(GraphGen.joinCase, Gen.choose(1, 6))

  test("bindings and their weights are those of the oracle, whatever the morsels") {
    forAll(cases, 400) { case (c, tasks) =>
      val j = join(c)
      val found = mutable.Map.empty[Vector[Long], Long]
      morsels(c, tasks).foreach { m =>
        j.open(m)
        while (j.next()) {
          assert(found.put(row(c, j.binding), j.weight).isEmpty, "a binding was given twice")
        }
        assert(!j.next())
      }
      assert(found.toMap == c.expected)
    }
  }

  test("counts, and runs of bindings, are those of the oracle") {
    forAll(cases, 200) { case (c, tasks) =>
      val j = join(c)
      val total = morsels(c, tasks).map { m => j.open(m); j.count() }.sum
      assert(total == c.expected.values.sum)
      val byRuns = morsels(c, tasks).map { m =>
        j.open(m)
        var rows = 0L
        while (j.nextRun()) rows += (j.run.until - j.run.from) * j.weight
        rows
      }.sum
      assert(byRuns == total)
    }
  }

  test("groups of the first variables have the rows of the oracle, and are there if any has") {
    forAll(cases, 200) { case (c, tasks) =>
      for (levels <- 1 to c.order.variables.size; anyRow <- Seq(true, false)) {
        val group = c.order.variables.take(levels)
        val j = join(c)
        val found = mutable.Map.empty[Seq[Long], Long].withDefaultValue(0L)
        morsels(c, tasks).foreach { m =>
          j.open(m)
          var rows = j.nextGroup(levels, anyRow)
          while (rows > 0) {
            found(group.map(v => c.dictionary.decode(j.binding(v)))) += rows
            rows = j.nextGroup(levels, anyRow)
          }
        }
        val expected = c.expected.groupMapReduce(r => group.map(r._1))(_._2)(_ + _)
        if (anyRow) assert(found.keySet == expected.keySet) else assert(found.toMap == expected)
      }
    }
  }

  test("domains and predicates are heeded") {
    forAll(GraphGen.joinCase, 200) { c =>
      val domains = Domain.of(c.pattern, c.graphs).map { d =>
        val bits = Array.tabulate((d.size + 63) >>> 6)(z => 0x5555555555555555L << (z % 2))
        new Domain(d.size, Math.min(1, d.size), d.size, bits)
      }
      val odd = new BindingPredicate {
        override def variables: IndexedSeq[Int] = c.order.variables.take(2)
        override def accepts(b: Array[Int]): Boolean = variables.map(b(_)).sum % 3 != 1
      }
      val j = new LeapfrogJoin(c.pattern, c.order, c.graphs, Vector(odd), domains)
      val found = mutable.Map.empty[Vector[Long], Long]
      j.open(Morsel(0, c.dictionary.size))
      while (j.next()) found(row(c, j.binding)) = j.weight
      val expected = c.expected.filter { case (r, _) =>
        val codes = r.map(c.dictionary.encode(_)).toArray
        codes.indices.forall(v => domains(v).has(codes(v))) && odd.accepts(codes)
      }
      assert(found.toMap == expected)
    }
  }

  test("a search without a match ends when it is interrupted") {
    // Each vertex of the first third has an edge to all of the second, and those to all of the third.
    val third = 200
    val pairs = for (i <- 0 until third; j <- 0 until third; step <- 0 to 1)
      yield (step * third + i, (step + 1) * third + j)
    val g = CsrBuilder.fromCodes(
      pairs.map(_._1).toArray,
      pairs.map(_._2).toArray,
      pairs.size,
      3 * third)
    val path = GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2)))
    val never = new BindingPredicate {
      override def variables: IndexedSeq[Int] = Vector(0, 1, 2)
      override def accepts(b: Array[Int]): Boolean = false
    }
    val join = new LeapfrogJoin(
      path,
      VariableOrder.natural(3),
      Array(g),
      Vector(never),
      interrupt = () => throw new IllegalStateException("interrupted"))
    join.open(Morsel(0, 3 * third))
    assertThrows[IllegalStateException](join.count())
  }
}
