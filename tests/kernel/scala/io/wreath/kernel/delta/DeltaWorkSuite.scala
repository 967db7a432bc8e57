package io.wreath.kernel.delta

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.intersect.Intersection
import io.wreath.kernel.{GraphGen, PropertyChecks}
import io.wreath.pattern._
import org.scalacheck.Gen

/** The list elements that a batch reads stay within the worst-case optimal bound. */
class DeltaWorkSuite extends PropertyChecks {

  private val triangle =
    GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))
  private val program = DeltaProgram.compile(triangle)

  /** The degree of the vertex that stopped a degree-blind delta query on LiveJournal. */
  private val hubDegree = 13127

  private def inserts(edges: Seq[(Int, Int)]): EdgeDelta =
    EdgeDelta.consolidate(
      edges.map(_._1).toArray,
      edges.map(_._2).toArray,
      Array.fill(edges.size)(1),
      edges.size)

  private def touched(change: GraphChange): Long = {
    val j = new DeltaGenericJoin(program, Array(change))
    DeltaMorsel.all(program, Array(change)).foreach { m => j.open(m); j.count() }
    j.elementsTouched
  }

  /** What the rule for edge (a, c) reads if the list of a always proposes: a degree a change. */
  private def degreeBlind(change: GraphChange): Long =
    (0 until change.inserts.size).iterator
      .map(i => change.after.forward.degree(change.inserts.source(i)).toLong)
      .sum

  test(
    "loading a star reads a few elements a change, where a degree-blind rule reads its square") {
    val empty = VersionedGraph.of(CsrBuilder.fromCodes(Array.empty, Array.empty, 0, 0))
    val star = (1 to hubDegree).map(leaf => (0, leaf))
    val loaded = empty.change(inserts(star))
    assert(touched(loaded) <= 3L * hubDegree)
    assert(degreeBlind(loaded) == 172318129L, "the square of the degree")

    // The same edges over again in 13 batches: the hub's list grows, the work does not.
    var g = empty
    var blind = 0L
    var own = 0L
    star.grouped(1010).foreach { batch =>
      val change = g.change(inserts(batch))
      own += touched(change)
      blind += degreeBlind(change)
      g = change.after
    }
    assert(own <= 3L * hubDegree)
    assert(blind > 172318129L / 2)
  }

  test("a change at the hub of a star costs the other end's degree, not the hub's") {
    val n = hubDegree + 300
    val star = (1 to hubDegree).map(leaf => (0, leaf))
    // Vertices that the hub does not know, each with an edge to it from a leaf and one to a leaf.
    val others = (1 to 100).map(hubDegree + _)
    val known = others.flatMap(v => Seq((v - hubDegree, v), (v, v - hubDegree + 5000)))
    val g = Rows((star ++ known).toVector).graph(n)
    // 100 edges from the hub to them, and 100 edges between leaves: each closes triangles.
    val closing = (1 to 100).map(i => (i, i + 200))
    val change = g.change(inserts(others.map((0, _)) ++ closing))
    assert(degreeBlind(change) >= 100L * hubDegree)
    assert(touched(change) <= 2L * 3 * 200, "two elements for each change and term")
  }

  test("the lists of a triangle's term are read in proportion to the shorter one") {
    val large = for {
      s <- Gen.oneOf(GraphGen.powerLaw, GraphGen.random(60, 400), GraphGen.star)
      hub <- Gen.choose(0, 400)
      batch <- Gen.containerOfN[Vector, (Int, Int)](
        20,
        Gen.zip(Gen.choose(0, 60), Gen.choose(0, 60)))
    } yield (s.distinct ++ (1 to hub).map(i => (0, 100 + i)), batch.distinct)
    forAll(large, 100) { case (edges, batch) =>
      val g = Rows(edges).graph(600)
      val change = g.change(inserts(batch.filterNot(edges.contains)))
      val bound = (0 until change.inserts.size).map { i =>
        val (s, t) = (change.inserts.source(i), change.inserts.target(i))
        val a = change.after
        Math.min(a.forward.degree(s), a.forward.degree(t)) +
          Math.min(a.reverse.degree(s), a.reverse.degree(t)) +
          Math.min(a.forward.degree(s), a.reverse.degree(t))
      }.sum
      // A list up to GallopRatio times as long is read rather than searched.
      assert(touched(change) <= (Intersection.GallopRatio + 2L) * bound)
    }
  }

  test(
    "the terms of a clique make what a seed's ends have in common once, however it is written") {
    val edges = for (a <- 0 until 4; b <- a + 1 until 4) yield PatternEdge(a, b)
    edges.permutations.foreach { written =>
      val sets = DeltaProgram.compile(GraphPattern(4, written)).sharedLists
      assert(sets.length == 3, s"above, between and below the ends: $written")
    }
    forAll(GraphGen.powerLaw, 50) { rows =>
      val ascending = rows.filter(e => e._1 < e._2).distinct
      val (batch, there) = ascending.zipWithIndex.partition(_._2 % 10 == 0)
      val change = Rows(there.map(_._1)).graph(600).change(inserts(batch.map(_._1)))
      val clique = DeltaProgram.compile(GraphPattern(4, edges))
      def read(morsels: Array[DeltaMorsel]): (Long, Long) = {
        val j = new DeltaGenericJoin(clique, Array(change))
        (morsels.map { m => j.open(m); j.count() }.sum, j.elementsTouched)
      }
      val together = DeltaMorsel.all(clique, Array(change))
      val apart =
        together.flatMap(m => clique.termsOf(0).map(t => m.copy(term = t)))
      val (count, elements) = read(together)
      val (countApart, elementsApart) = read(apart)
      assert(count == countApart)
      assert(elements <= elementsApart)
    }
  }
}
