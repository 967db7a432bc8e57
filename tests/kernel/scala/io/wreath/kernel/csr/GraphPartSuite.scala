package io.wreath.kernel.csr

import scala.collection.mutable

import io.wreath.kernel.join._
import io.wreath.kernel.{GraphGen, JoinCase, PropertyChecks}

/**
 * Joins over parts of graphs, held to nested loops over the whole: the parts around each seed, and all
 * blocks of ranges of vertices. The grid: every generated case x pulled and counted x every technique.
 */
class GraphPartSuite extends PropertyChecks {

  /** What is within `steps` edges of `code`, of any relation and direction. */
  private def around(c: JoinCase, code: Int, steps: Int): Set[Int] =
    (1 to steps).foldLeft(Set(code)) { (found, _) =>
      found ++ found.flatMap { v =>
        c.graphs.iterator.flatMap(g => Iterator(g.forward, g.reverse)).flatMap(a =>
          a.array(v).slice(a.from(v), a.until(v)))
      }
    }

  private def rows(
      c: JoinCase,
      join: GenericJoin,
      morsel: Morsel,
      found: mutable.Map[Vector[Long], Long]): Unit = {
    join.open(morsel)
    var pulled = 0L
    while (join.next()) {
      val row = join.binding.toVector.map(c.dictionary.decode)
      assert(found.put(row, join.weight).isEmpty, s"$row came twice")
      pulled += join.weight
    }
    join.open(morsel)
    assert(join.count() == pulled)
  }

  test("a join under one seed reads the lists around it and no others") {
    forAll(GraphGen.joinCase, 150) { c =>
      val program = JoinProgram.compile(c.pattern, c.order)
      // A level without a list takes all codes there are.
      val isTied = program.levels.tail.forall(_.listCount > 0)
      for (technique <- JoinTuning.named.keys if isTied) {
        val found = mutable.Map.empty[Vector[Long], Long]
        (0 until c.dictionary.size).foreach { seed =>
          val near = around(c, seed, c.pattern.variableCount)
          val parts = c.graphs.map(g => GraphPart.of(g, near, near): Relation)
          val join = new GenericJoin(
            program,
            parts,
            Vector.empty,
            null,
            JoinTuning.named(technique),
            () => ())
          rows(c, join, Morsel(seed, seed + 1), found)
        }
        assert(found.toMap == c.expected, technique)
      }
    }
  }

  test("the rows of all blocks together are the rows of the whole") {
    forAll(GraphGen.joinCase, 100) { c =>
      val n = c.dictionary.size
      val p = c.pattern
      val ranges = Seq(0 until n / 2, n / 2 until n)
      // Each edge of the pattern reads a relation of its own: the block of its ends' ranges.
      val apart = p.copy(edges = p.edges.indices.map(i => p.edges(i).copy(relation = i)))
      val program = JoinProgram.compile(apart, c.order)
      for (technique <- JoinTuning.named.keys) {
        val found = mutable.Map.empty[Vector[Long], Long]
        (0 until 1 << p.variableCount).foreach { choice =>
          def range(v: Int): Range = ranges(choice >> v & 1)
          val blocks = p.edges.toArray.map(e =>
            GraphPart.block(c.graphs(e.relation), range(e.source), range(e.target)): Relation)
          val domains = Array.tabulate(p.variableCount)(v =>
            new Domain(n, range(v).start, range(v).end, null))
          val join = new GenericJoin(
            program,
            blocks,
            Vector.empty,
            domains,
            JoinTuning.named(technique),
            () => ())
          rows(c, join, Morsel(0, n), found)
        }
        assert(found.toMap == c.expected, technique)
      }
    }
  }

  test("a list that is not there is an error that names its vertex") {
    val graph = CsrBuilder.fromCodes(Array(0, 1, 2), Array(1, 2, 0), 3, 3)
    val part = GraphPart.of(graph, Set(0, 1), Set(1))
    assert(part.forward.array(1)(part.forward.from(1)) == 2 && part.forward.degree(1) == 1)
    Seq[Int => Any](part.forward.from, part.forward.degree).foreach { ask =>
      val e = intercept[NoSuchElementException](ask(2))
      assert(e.getMessage == "The list of vertex 2 is not in this part.")
    }
    assertThrows[NoSuchElementException](part.reverse.degree(0))
    val block = GraphPart.block(graph, 0 until 2, 0 until 2)
    assert(block.forward.degree(0) == 1 && block.forward.degree(1) == 0)
    assert(block.reverse.degree(0) == 0 && block.reverse.degree(1) == 1)
    assertThrows[NoSuchElementException](block.forward.degree(2))
    assert(part.sizeInBytes > 0 && block.forward.maxDegree == 1)
  }
}
