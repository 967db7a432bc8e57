package io.wreath.kernel.partition

import scala.util.Random

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.join.{GenericJoin, JoinProgram, JoinTuning, Morsel}
import io.wreath.kernel.{GraphGen, JoinCase, PropertyChecks}
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import org.scalacheck.Gen

class WorkSplitterSuite extends PropertyChecks {

  private val triangle =
    GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))

  /** What each morsel of these tasks took. */
  private def checkCover(c: JoinCase, tasks: Array[Array[Morsel]]): Seq[(Morsel, Long)] = {
    val program = JoinProgram.compile(c.pattern, c.order)
    val morsels = tasks.flatten.sortBy(m => (m.from, m.secondFrom))
    assert(morsels.forall(m => m.from < m.until && m.secondFrom < m.secondUntil))
    assert(morsels.flatMap(m =>
      m.from until m.until).toSeq.distinct == (0 until c.dictionary.size))
    assert(morsels.filterNot(_.isCut).map(m => m.until - m.from).sum +
      morsels.filter(_.isCut).map(_.from).distinct.length == c.dictionary.size)
    morsels.filter(_.isCut).groupBy(_.from).values.foreach { pieces =>
      assert(pieces.forall(p => p.until == p.from + 1))
      assert(pieces.head.secondFrom == 0 && pieces.last.secondUntil == Int.MaxValue)
      assert(pieces.zip(pieces.tail).forall { case (a, b) => a.secondUntil == b.secondFrom })
    }
    val join = new GenericJoin(program, c.graphs)
    val counts = morsels.map { m => join.open(m); join.count() }
    assert(counts.sum == c.expected.values.sum)
    join.morselWork
  }

  test("tasks cover the work exactly once, and are about as many as asked") {
    forAll(Gen.zip(GraphGen.joinCase, Gen.choose(1, 20)), 400) { case (c, asked) =>
      val program = JoinProgram.compile(c.pattern, c.order)
      val tasks = WorkSplitter.split(program, c.graphs, asked)
      assert(tasks.length <= asked && tasks.forall(_.nonEmpty))
      checkCover(c, tasks)
    }
  }

  test("so do tasks that are cut by what others took, be it true or not") {
    forAll(Gen.zip(GraphGen.joinCase, Gen.choose(1, 20), Gen.choose(0, 1000)), 400) {
      case (c, asked, seed) =>
        val program = JoinProgram.compile(c.pattern, c.order)
        val random = new Random(seed)
        val took = checkCover(c, WorkSplitter.split(program, c.graphs, asked))
        val wrong = took
          .filter(_ => random.nextInt(4) > 0)
          .map { case (m, _) => m -> random.nextInt(1 << random.nextInt(20)).toLong }
        Seq(took, wrong).foreach { work =>
          val measured = MeasuredWork.of(work)
          checkCover(c, WorkSplitter.split(program, c.graphs, asked, measured = measured))
        }
    }
  }

  test("a graph whose edges all start low is cut where the work is") {
    // 100 sources with 50 edges each among 10,000 codes: even ranges would give it to one task.
    val src = Array.tabulate(5000)(i => i % 100)
    val dst = Array.tabulate(5000)(i => (i * 37) % 10000)
    val g = CsrBuilder.fromCodes(src, dst, 5000, 10000)
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val tasks = WorkSplitter.split(program, Array(g), 4)
    assert(tasks.length == 4)
    tasks.foreach { t =>
      val sources = t.map(m => Math.max(0, Math.min(m.until, 100) - m.from)).sum
      assert(sources >= 10 && sources <= 45)
    }
  }

  test("a task that would cost less than its start is not cut off") {
    val src = Array.tabulate(5000)(i => i % 100)
    val dst = Array.tabulate(5000)(i => (i * 37 + i / 100) % 100)
    val g = CsrBuilder.fromCodes(src, dst, 5000, 100)
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    def tasks(least: Double): Int =
      WorkSplitter.split(program, Array(g), 32, null, cores = 2, least = least).length
    assert(tasks(1e9) == 1)
    assert(tasks(1e4) > 2 && tasks(1e4) < 32 && tasks(1e4) % 2 == 0)
    assert(tasks(0) == 32)
  }

  /** Rows and list elements touched, by task. */
  private def run(
      program: JoinProgram,
      g: CsrGraph,
      tasks: Array[Array[Morsel]]): Seq[(Long, Long)] = {
    val join = new GenericJoin(program, Array(g))
    tasks.toSeq.map { t =>
      val before = join.elementsTouched
      val rows = t.map { m => join.open(m); join.count() }.sum
      (rows, join.elementsTouched - before)
    }
  }

  test("a vertex that has most of the work is cut by its neighbours") {
    // One hub with 1,000 neighbours, each with two edges, and little else.
    val hub = (1 to 1000).map(0 -> _)
    val others = for (v <- 1 to 1000; k <- 1 to 2) yield v -> (1 + (v * 7 + k * 13) % 1000)
    val pairs = hub ++ others
    val g =
      CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, 1001)
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val tasks = WorkSplitter.split(program, Array(g), 16)
    assert(tasks.count(_.exists(m => m.from == 0 && m.isCut)) >= 5)
    val done = run(program, g, tasks)
    assert(done.map(_._1).sum == run(program, g, Array(Array(Morsel(0, 1001)))).head._1)
    val (most, mean) = (done.map(_._2).max, done.map(_._2).sum / done.length)
    assert(most < 2 * mean)
  }

  test("vertices that cost more than their degrees say are spread over the tasks") {
    // Of 300 vertices of one degree, the first 60 are joined among themselves: only there are cliques.
    val random = new Random(7)
    val pairs = for (a <- 0 until 300; _ <- 0 until 30) yield {
      if (a < 60) a -> random.nextInt(60) else a -> (60 + random.nextInt(2940))
    }
    val g =
      CsrBuilder.fromCodes(pairs.map(_._1).toArray, pairs.map(_._2).toArray, pairs.size, 3000)
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val rows = run(program, g, WorkSplitter.split(program, Array(g), 4)).map(_._1)
    assert(rows.size == 4 && rows.max < 2 * rows.sum / 4)
  }

  /**
   * 64 vertices with `block` neighbours each, of like degrees. Those of the first are joined among
   * themselves, one pair in `oneIn`, those of the others to vertices elsewhere.
   */
  private def oneHangsTogether(block: Int, oneIn: Int): Seq[(Int, Int)] = {
    val random = new Random(11)
    val far = 64 + 2 * block
    val inside = for (i <- 0 until block; j <- i + 1 until block if random.nextInt(oneIn) == 0)
      yield (i, j)
    (0 until 64).flatMap(h =>
      (0 until block).map(i => h -> (64 + (if (h == 0) i else block + i)))) ++
      inside.flatMap { case (i, j) => Seq((64 + i, 64 + j), (64 + block + i, far + j)) }
  }

  private def graphOf(pairs: Seq[(Int, Int)]): CsrGraph =
    CsrBuilder.fromCodes(
      pairs.map(_._1).toArray,
      pairs.map(_._2).toArray,
      pairs.size,
      pairs.map(p => Math.max(p._1, p._2)).max + 1)

  test("neighbours that hang together weigh by the bit rows they will be, not by their lists") {
    val pairs = oneHangsTogether(512, oneIn = 3)
    val g = graphOf(pairs)
    val clique =
      GraphPattern(5, (for (i <- 0 until 5; j <- i + 1 until 5) yield PatternEdge(i, j)).toVector)
    val program = JoinProgram.compile(clique, VariableOrder.natural(5))
    val lists = pairs.groupMap(_._1)(_._2).map { case (v, list) =>
      v -> list.toSet
    }.withDefaultValue(Set.empty)

    /** How often rows meet in a morsel: once for each pair and each triple of neighbours that hang together. */
    def meetings(m: Morsel): Long = (for {
      a <- m.from until m.until
      b <- lists(a) if b >= m.secondFrom && b < m.secondUntil
    } yield {
      val common = lists(a) & lists(b)
      common.size + common.toSeq.map(c => (common & lists(c)).size.toLong).sum
    }).sum

    def skew(tuning: String): Double = {
      val tasks = WorkSplitter.split(program, Array(g), 8, tuning = JoinTuning.named(tuning))
      val work = tasks.map(_.map(meetings).sum)
      work.max.toDouble * work.length / work.sum
    }
    assert(skew("lists") > 2.0)
    assert(skew("auto") < 1.5)
  }

  test("what took more than three times its share is cut smaller next time, to the same rows") {
    // The first variable is one of the 64 alone: an edge from them is of another kind than the others.
    val (fromHubs, others) = oneHangsTogether(256, oneIn = 2).partition(_._1 < 64)
    val codes = graphOf(others).forward.vertexCount
    val graphs = Array(fromHubs, others).map(p =>
      CsrBuilder.fromCodes(p.map(_._1).toArray, p.map(_._2).toArray, p.size, codes))
    val edges =
      for (i <- 0 until 5; j <- i + 1 until 5) yield PatternEdge(i, j, if (i == 0) 0 else 1)
    val program =
      JoinProgram.compile(GraphPattern(5, edges.toVector), VariableOrder.natural(5))
    val tuning = JoinTuning.named("lists")
    def split(measured: MeasuredWork): Array[Array[Morsel]] =
      WorkSplitter.split(program, graphs, 8, tuning = tuning, measured = measured)

    /** Rows, the work of the heaviest task over the mean, and that of each morsel. */
    def run(tasks: Array[Array[Morsel]]): (Long, Double, Seq[(Morsel, Long)]) = {
      val done = tasks.toSeq.map { morsels =>
        val join =
          new GenericJoin(program, graphs, Vector.empty, null, tuning, () => ())
        val rows = morsels.map { m => join.open(m); join.count() }.sum
        (rows, join.morselWork)
      }
      val work = done.map(_._2.map(_._2).sum)
      assert(done.map(_._2.map(_._1)) == tasks.toSeq.map(_.toSeq))
      (done.map(_._1).sum, work.max.toDouble * work.size / work.sum, done.flatMap(_._2))
    }
    val (rows, skew, measured) = run(split(MeasuredWork.none))
    assert(skew > 3.0)
    val again = split(MeasuredWork.of(measured ++ measured))
    val (sameRows, lessSkew, measuredAgain) = run(again)
    assert(sameRows == rows && lessSkew < 1.5)
    // The estimate is corrected and not what was corrected: it does not swing.
    val (_, stillLess, _) = run(split(MeasuredWork.of(measuredAgain)))
    assert(stillLess < 1.5)
  }

  test("measured ranges are bounded, and cover what was measured") {
    val morsels = (0 until 10000).map(i => Morsel(2 * i, 2 * i + 1) -> 3L) ++
      (0 until 5).map(k => Morsel(30000, 30001, 10 * k, 10 * k + 10) -> 7L)
    val measured = MeasuredWork.of(morsels.reverse)
    assert(measured.size <= MeasuredWork.MostRanges)
    assert(measured.from.head == 0 && measured.until.last == 30001)
    assert(measured.work.sum == 30000L + 35L)
    assert(measured.until.zip(measured.from.drop(1)).forall { case (u, f) => u <= f })
  }

  test("fewer than one task is refused, and a graph without vertices needs none") {
    val program = JoinProgram.compile(triangle, VariableOrder.natural(3))
    val empty = Array(CsrBuilder.fromCodes(Array.empty, Array.empty, 0, 0))
    assert(WorkSplitter.split(program, empty, 3).isEmpty)
    assertThrows[IllegalArgumentException](WorkSplitter.split(program, empty, 0))
    val one = Array(CsrBuilder.fromCodes(Array(0), Array(0), 1, 1))
    assert(WorkSplitter.split(program, one, 3).map(_.toSeq).toSeq == Seq(Seq(Morsel(0, 1))))
  }
}
