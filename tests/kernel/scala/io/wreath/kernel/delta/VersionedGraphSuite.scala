package io.wreath.kernel.delta

import java.util.Random

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.lists.Adjacency
import io.wreath.kernel.{GraphGen, PropertyChecks}
import org.scalacheck.Gen

/** Holds versions to a plain list of rows, and to the bytes of a fresh index. */
class VersionedGraphSuite extends PropertyChecks {

  private def rows(a: Adjacency): Vector[(Int, Int)] =
    (0 until a.vertexCount).flatMap { v =>
      val list = a.array(v)
      val mult = a.multiplicities(v)
      assert(a.degree(v) == a.until(v) - a.from(v))
      val neighbours = (a.from(v) until a.until(v)).map(list(_))
      assert(neighbours == neighbours.distinct.sorted, "a list must ascend without repeats")
      (a.from(v) until a.until(v)).flatMap { i =>
        Vector.fill(if (mult == null) 1 else mult(i))((v, list(i)))
      }
    }.toVector

  /** What the arrays of a version that is all pages take, each counted once. */
  private def bytesOfPages(a: VersionedAdjacency): Long = {
    val arrays = java.util.Collections.newSetFromMap(
      new java.util.IdentityHashMap[Array[Int], java.lang.Boolean])
    (0 until a.vertexCount).foreach { v =>
      if (a.array(v) ne VersionedAdjacency.EmptyPage) arrays.add(a.array(v))
      if (a.multiplicities(v) != null) arrays.add(a.multiplicities(v))
    }
    arrays.stream().mapToLong(p => 18L + 4L * p.length).sum()
  }

  private def check(g: VersionedGraph, expected: Rows): Unit = {
    val csr = g.toCsrGraph
    assert(rows(csr.forward) == expected.edges.sorted)
    assert(rows(csr.reverse) == expected.edges.map(_.swap).sorted)
    assert(csr.hasDuplicates == expected.edges.distinct.size < expected.edges.size)
    if (g.forward.isRebuilt) assert(g.forward.pageBytes == bytesOfPages(g.forward))
    assert(rows(g.forward) == expected.edges.sorted)
    assert(rows(g.reverse) == expected.edges.map(_.swap).sorted)
    assert(g.rowCount == expected.edges.size)
    val degrees = expected.edges.distinct.groupBy(_._1).values.map(_.size)
    assert(g.forward.maxDegree == degrees.maxOption.getOrElse(0))
    if (csr.hasDuplicates) assert(g.hasDuplicates)
    expected.edges.groupBy(identity).foreach { case ((s, t), same) =>
      assert(g.forward.multiplicity(s, t) == same.size)
      assert(g.reverse.has(t, s))
    }
  }

  private val codes = 70
  private val edge = Gen.zip(Gen.choose(0, codes - 1), Gen.choose(0, codes - 1))
  private val shape = Gen.oneOf(
    GraphGen.shape,
    Gen.choose(0, 300).flatMap(Gen.containerOfN[Vector, (Int, Int)](_, edge)))

  private def batch(shape: GraphGen.Shape): Gen[DeltaGen.Batch] = {
    val some = if (shape.isEmpty) edge else Gen.oneOf(edge, Gen.oneOf(shape))
    val change = Gen.zip(some, Gen.frequency(4 -> 1, 5 -> -1, 1 -> 2, 1 -> -3))
    Gen.choose(0, 30).flatMap(Gen.containerOfN[Vector, ((Int, Int), Int)](_, change))
      .map(_.map { case ((s, t), n) => (s, t, n) })
  }

  private val stream: Gen[(Rows, List[DeltaGen.Batch])] = for {
    s <- shape
    n <- Gen.choose(1, 6)
    b <- Gen.listOfN(n, batch(s))
  } yield (Rows(s), b)

  private def delta(b: DeltaGen.Batch): EdgeDelta =
    EdgeDelta.consolidate(b.map(_._1).toArray, b.map(_._2).toArray, b.map(_._3).toArray, b.size)

  private def vertices(r: Rows): Int =
    r.edges.flatMap(e => Vector(e._1, e._2)).maxOption.getOrElse(-1) + 1

  test("every version has its own rows, while batches go on, and both directions agree") {
    forAll(stream, 250) { case (first, batches) =>
      val start = first.graph(vertices(first))
      val versions = batches.scanLeft((start, first)) { case ((g, r), b) =>
        val change = g.change(delta(b))
        val next = r.after(b)
        assert(change.before.rowCount == g.rowCount)
        (change.after, next)
      }
      // Only now, so that a later batch that wrote into an earlier version is seen.
      versions.foreach { case (g, r) => check(g, r) }
    }
  }

  test("deletes beyond what is there are counted and otherwise left out") {
    forAll(stream, 300) { case (first, batches) =>
      val b = batches.head
      val change = first.graph(vertices(first)).change(delta(b))
      val net = b.groupMapReduce(c => (c._1, c._2))(_._3)(_ + _)
      val ignored = net.map { case (e, n) =>
        Math.max(0, -n - first.edges.count(_ == e))
      }.sum
      assert(change.ignoredDeletes == ignored)
      assert(change.after.rowCount == first.edges.size + net.values.sum + ignored)
      val deleted = (0 until change.deletes.size).map(change.deletes.diff)
      assert(
        deleted.forall(_ < 0) && -deleted.sum == net.values.filter(_ < 0).map(-_).sum - ignored)
    }
  }

  test("the version between has neither what is deleted nor what is inserted") {
    val g = Rows(Vector((0, 1), (1, 2))).graph(3)
    val change = g.change(delta(Vector((0, 1, -1), (2, 0, 1))))
    check(change.before, Rows(Vector((0, 1), (1, 2))))
    check(change.between, Rows(Vector((1, 2))))
    check(change.after, Rows(Vector((1, 2), (2, 0))))
  }

  test("new codes extend the code space, on every version of the change") {
    val change = Rows(Vector((0, 1))).graph(2).change(delta(Vector((40, 5, 1))), 100)
    assert(change.before.vertexCount == 100 && change.after.vertexCount == 100)
    check(change.before, Rows(Vector((0, 1))))
    check(change.after, Rows(Vector((0, 1), (40, 5))))
  }

  test("untouched lists are read where they are") {
    val csr = CsrBuilder.fromCodes(Array.range(0, 999), Array.range(1, 1000), 999, 1000)
    val after = VersionedGraph.of(csr).change(delta(Vector((500, 7, 1)))).after
    assert(after.forward.array(3) eq csr.forward.neighbours)
    assert(after.forward.array(500) ne csr.forward.neighbours)
    val later = after.change(delta(Vector((3, 3, 1)))).after
    assert(later.forward.array(500) eq after.forward.array(500))
  }

  test(
    "after 1,000 batches of equal inserts and deletes the index is within 1.5x of a fresh one") {
    val random = new Random(7L)
    val n = 4000
    // A few hubs, and many vertices of a few edges each, which is where pages cost most.
    def code(): Int = if (random.nextInt(4) == 0) random.nextInt(8) else random.nextInt(n)
    val live = collection.mutable.ArrayBuffer.empty[(Int, Int)]
    val known = collection.mutable.Set.empty[(Int, Int)]
    def fresh(): (Int, Int) = {
      val e = Iterator.continually((code(), code())).find(known.add).get
      live += e
      e
    }
    (0 until 12000).foreach(_ => fresh())
    var g = Rows(live.toVector).graph(n)
    var worst = 0.0
    (1 to 1000).foreach { i =>
      val inserts = Vector.fill(20)(fresh()).map(e => (e._1, e._2, 1))
      val deletes = Vector.fill(20) {
        val at = random.nextInt(live.size)
        val e = live(at)
        live(at) = live.last
        live.dropRightInPlace(1)
        known -= e
        (e._1, e._2, -1)
      }
      g = g.change(delta(inserts ++ deletes)).after
      if (i % 50 == 0 || i < 20) {
        val again = CsrBuilder
          .fromCodes(live.map(_._1).toArray, live.map(_._2).toArray, live.size, n)
        worst = Math.max(worst, g.sizeInBytes.toDouble / again.sizeInBytes)
      }
    }
    assert(g.rowCount == live.size)
    check(g, Rows(live.toVector))
    assert(worst <= 1.5, s"the index grew to $worst times a fresh one")
  }
}
