package io.wreath.kernel.csr

import io.wreath.kernel.delta._
import io.wreath.kernel.dictionary.{DenseDictionary, IdMerge, SortedDictionary, Translation}
import io.wreath.kernel.join.JoinProgram
import io.wreath.kernel.lists.Pieces
import io.wreath.kernel.partition.WorkSplitter
import io.wreath.pattern._
import org.scalatest.funsuite.AnyFunSuite

/**
 * What the driver does before a join, the build of an index and the split of the work, can be ended in
 * the middle of any of its passes: it looks at the interrupt again and again, and whichever look
 * throws ends it.
 */
class BuildInterruptSuite extends AnyFunSuite {

  final private class Stop extends RuntimeException

  /** @param least how many looks the work is worth, at least */
  private def stopsAnywhere(least: Int)(work: Runnable => Any): Unit = {
    var looks = 0
    work(() => looks += 1)
    assert(looks >= least)
    (1 to looks).foreach { last =>
      var seen = 0
      assertThrows[Stop](work { () =>
        seen += 1
        if (seen == last) throw new Stop
      })
      assert(seen == last)
    }
  }

  private val count = 5 * Pieces.Length / 2

  private def codes(below: Int, step: Int): Array[Int] =
    Array.tabulate(count)(i => ((i.toLong * step) % below).toInt)

  private val none = new Array[Int](count)

  /** Many vertices with short lists, and one long list. */
  private val big = Seq(Array.range(1, count + 1), none).map { src =>
    CsrBuilder.fromCodes(src, Array.range(0, count), count, count + 1)
  }

  private val parallel = CsrBuilder.fromCodes(none, none, count, 1)

  test("lists of both directions") {
    val n = Pieces.Length + 7
    val (src, dst) = (codes(n, 7919), codes(n, 104729))
    // A check, the offsets and a pass for each end, and two passes over the lists.
    stopsAnywhere(3 * 6)(CsrBuilder.fromCodes(src, dst, count, n, n, _))
    stopsAnywhere(3 * 6)(CsrBuilder.withOrder(src, dst, count, n, n, _))
    stopsAnywhere(3 * 5)(CsrBuilder.orderOf(src, dst, count, n, n, _))
  }

  test("parallel edges, and one list that is longer than a piece") {
    stopsAnywhere(3 * 6)(CsrBuilder.fromCodes(none, codes(1000, 1), count, 1, 1000, _))
    stopsAnywhere(3 * 6)(CsrBuilder.fromCodes(none, none, count, 1, 1, _))
    val graph = CsrBuilder.fromCodes(none, none, count, 1, 1)
    assert(graph.forward.edgeCount == 1 && graph.forward.mult.toSeq == Seq(count))
    val twice = CsrBuilder.fromCodes(none, codes(count / 2, 1), count, 1, count / 2)
    assert(twice.forward.edgeCount == count / 2 && twice.forward.mult.forall(_ == 2))
    assert(twice.reverse.edgeCount == count / 2 && twice.reverse.neighbours.forall(_ == 0))
  }

  test("ids that are merged and found") {
    val odd = Array.tabulate(count)(2L * _ + 1)
    val even = Array.tabulate(count)(2L * _)
    val all = new SortedDictionary(IdMerge.distinct(Array(odd, even)))
    assert(all.size == 2 * count && all.encode(5L) == 5)
    stopsAnywhere(5)(IdMerge.distinct(Array(odd, even), _))
    stopsAnywhere(5)(IdMerge.distinct(Array(even, Array.tabulate(count)(_ + 2L * count)), _))
    stopsAnywhere(2)(IdMerge.positions(odd, all, _))
    stopsAnywhere(2)(IdMerge.positions(odd, DenseDictionary(0L, 2 * count), _))
  }

  test("changes that are consolidated") {
    val (src, dst) = (codes(1000, 7919), codes(1000, 997).map(_ / 3))
    val ones = Array.fill(count)(1)
    // A check of the codes, the sort of each piece, a merge, and the sums.
    stopsAnywhere(2 + 3 + 2 + 2)(
      EdgeDelta.consolidate(src, dst, ones, count, keepsUnchanged = false, _))
  }

  private val vertices = 16000
  private val empty = CsrBuilder.fromCodes(Array.empty, Array.empty, 0, vertices)
  private val circle = EdgeDelta.consolidate(
    Array.range(0, vertices),
    Array.tabulate(vertices)(v => (v + 1) % vertices),
    Array.fill(vertices)(1),
    vertices)

  test("changes that are applied to a graph") {
    // Looking for each edge, and a page for each sixteen vertices, both ways.
    stopsAnywhere(16)(VersionedGraph.of(empty).change(circle, 0, _))
  }

  test("what is known of a graph, and known after it was ended") {
    val n = 4 * Pieces.Length
    val ring = CsrBuilder.fromCodes(
      Array.range(0, n) ++ Array.tabulate(n)(v => (v + 1) % n),
      Array.tabulate(n)(v => (v + 1) % n) ++ Array.range(0, n),
      2 * n,
      n)
    // Made anew: what was found stays.
    def fresh = new CsrGraph(ring.forward, ring.reverse)
    // The offsets, and twice as many neighbours.
    stopsAnywhere(4 + 8)(fresh.isSymmetric(_))
    stopsAnywhere(4)(fresh.moments(_))
    stopsAnywhere(4)(fresh.hasSelfLoops(_))
    stopsAnywhere(4 + 12)(PatternStatistics.of(Array(fresh), _))
    stopsAnywhere(4)(VersionedGraph.of(ring).moments(_))
    val one = fresh
    assertThrows[Stop](one.isSymmetric(() => throw new Stop))
    assert(one.isSymmetric && !one.hasSelfLoops && one.moments.inOut == 4.0 * n)
    assert(one.isSymmetric(() => throw new Stop))
    val parallels = new CsrGraph(parallel.forward, parallel.reverse)
    assert(parallels.isSymmetric && parallels.hasSelfLoops)
    assert(!big.head.isSymmetric && !big(1).isSymmetric)
  }

  test("the split of changes") {
    val path = DeltaProgram.compile(GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2))))
    val change = VersionedGraph.of(empty).change(circle)
    // Once for the costs, and once for the cuts.
    stopsAnywhere(2 * vertices * 64 / (1 << 16))(DeltaSplitter.split(path, Array(change), 4, _))
  }

  test("the split of the work, over many vertices and over one list") {
    val path = GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2)))
    val program = JoinProgram.compile(path, VariableOrder.natural(3))
    val n = 1 << 14
    val chain =
      CsrBuilder.fromCodes(Array.range(0, n - 1), Array.range(1, n), n - 1, n)
    stopsAnywhere(4)(i => WorkSplitter.split(program, Array(chain), 4, interrupt = i))
    val star = CsrBuilder.fromCodes(new Array[Int](n - 1), Array.range(1, n), n - 1, n)
    val looks = (1 to 2).map { tasks =>
      var seen = 0
      WorkSplitter.split(program, Array(star), tasks, interrupt = () => seen += 1)
      seen
    }
    // With two tasks the one list is cut.
    assert(looks(1) > looks(0))
  }

  test("lists over other codes") {
    val others = Translation.of(Array.tabulate(count + 1)(2 * _), 2 * count + 2)
    val shifted = Translation.shifted(1, count + 1, 2 * count + 2)
    for (graph <- big; (sources, targets) <- Seq(others -> others, shifted -> others)) {
      // Twice as many vertices as there are edges, and the lists, each way.
      stopsAnywhere(2 * (6 + 3))(TranslatedLists.of(graph, sources, targets, _))
    }
    // Most of the vertices come after the last that has a list.
    val few = CsrBuilder.fromCodes(Array(0), Array(0), 1, 1)
    val last = Translation.of(Array(0), count)
    stopsAnywhere(2 * 3)(TranslatedLists.of(few, last, last, _))
  }

  test("edges that are read both ways") {
    for (graph <- big) stopsAnywhere(3 + 3)(Undirected.of(graph, _))
  }

  test("edges that are left by a filter, many rows of one edge too") {
    val all = Array.fill(count / 64 + 1)(-1L)
    // The vertices, the rows, and what it takes to transpose them.
    for (graph <- big) stopsAnywhere(3 + 3 + 3)(CsrFilter(graph, all, _))
    stopsAnywhere(3)(CsrFilter(parallel, all, _))
    for (graph <- big) stopsAnywhere(3 + 3)(CsrFilter(graph, new Array[Long](all.length), _))
  }

  test("codes by degree, and made again after it was ended") {
    val star = (Array.fill(count)(0) ++ Array.range(1, count + 1)) ->
      (Array.range(1, count + 1) ++ Array.fill(count)(0))
    val matching = Array.range(0, count) -> Array.range(0, count).map(_ ^ 1)
    for ((src, dst) <- Seq(star, matching)) {
      def graph = CsrBuilder.fromCodes(src, dst, src.length, count + 2)
      stopsAnywhere(4 * 3)(graph.ranked(_))
      val one = graph
      assertThrows[Stop](one.ranked(() => throw new Stop))
      assert(one.ranked eq one.ranked(() => throw new Stop))
    }
  }
}
