package io.wreath.bench

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.nio.{ByteBuffer, ByteOrder}
import java.util.Locale

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.delta._
import io.wreath.kernel.join.{GenericJoin, JoinProgram, JoinTuning, Morsel, Use}
import io.wreath.pattern.{GraphPattern, VariableOrder}

/**
 * Prints one JSON line per batch size: the best of `runs` times of one thread that consolidates the
 * batches, applies them and counts what they change; with the count of the pattern after them, and
 * the list elements that the batch join touches to count the base: as it would run, and by lists
 * alone, as the delta join runs. Words of its bit matrices are no list elements.
 *
 * {{{ DeltaFigures <directory> <runs> <tri|clique4> [check] }}}
 *
 * The directory has `base_o.bin`, ascending edges as pairs of little-endian int32, and
 * `updates.bin`, changes as triples of int32: sign, source, target. They are played as the
 * reference program in C++ plays them: 200 batches of 1, 100 of 10, 10 of 1,000 and 3 of 10,000.
 * Each run starts over from the base, with the join of the run before: a stream makes it once, as the
 * reference makes its buffers before the clock starts. With `check` the last count is held to a recount; the base
 * count comes from the batch join, outside the clock.
 */
object DeltaFigures {

  final private val WarmUpNanos = 6000L * 1000 * 1000
  private val batches = Seq((1, 200), (10, 100), (1000, 10), (10000, 3))

  def main(args: Array[String]): Unit = {
    if (args.length < 3) {
      Console.err.println("usage: DeltaFigures <directory> <runs> <tri|clique4> [check]")
      sys.exit(2)
    }
    val directory = Path.of(args(0))
    val runs = args(1).toInt
    val (query, pattern) = args(2) match {
      case "tri" => ("tri_o", Patterns.triangle)
      case "clique4" => ("clique4", Patterns.clique(4))
    }
    val base = EdgeFiles.read(directory.resolve("base_o.bin"))
    val updates = readInts(directory.resolve("updates.bin"))
    val n = Math.max(
      base.vertexCount,
      updates.indices.iterator.filter(_ % 3 != 0).map(updates(_)).max + 1)
    val csr = CsrBuilder.fromCodes(base.sources, base.targets, base.size, n)
    val first = VersionedGraph.of(csr)
    val (total, wholeElements) = recompute(csr, pattern, JoinTuning())
    val (byLists, wholeListElements) =
      recompute(csr, pattern, JoinTuning(bitMatrix = Use.Never))
    require(byLists == total, s"By lists there are $byLists matches, not $total.")
    val program = DeltaProgram.compile(pattern)

    val join = new DeltaGenericJoin(program, Array(GraphChange.none(first)))
    val begin = System.nanoTime()
    while (System.nanoTime() - begin < WarmUpNanos) play(first, updates, program, join)
    val plays = (0 until runs).map(_ => play(first, updates, program, join))
    batches.indices.foreach { i =>
      val steps = plays.map(_(i))
      Console.println(
        String.format(
          Locale.ROOT,
          """{"contender":"wreath-delta","threads":1,"graph":"%s","query":"%s_delta%d","secs":%.6f,"cpu":%.6f,"apply":%.6f,"count":%d,"updates":%d,"elements":%d,"whole_elements":%d,"whole_list_elements":%d,"index_bytes":%d,"status":"ok"}""",
          directory.getFileName,
          query,
          Int.box(batches(i)._1),
          Double.box(steps.map(_.nanos).min / 1e9),
          Double.box(steps.map(_.cpuNanos).min / 1e9),
          Double.box(steps.map(_.applyNanos).min / 1e9),
          Long.box(total + plays.head.take(i + 1).map(_.delta).sum),
          Int.box(steps.head.updates),
          Long.box(steps.head.elements),
          Long.box(wholeElements),
          Long.box(wholeListElements),
          Long.box(steps.head.indexBytes)))
    }
    if (args.lift(3).contains("check")) {
      val expected = recount(base, updates, pattern, plays.head.map(_.updates).sum, n)
      if (expected != total + plays.head.map(_.delta).sum) {
        Console.err.println(s"The recount gives $expected.")
        sys.exit(1)
      }
    }
  }

  /** The count of a whole join, and the list elements that it touches. */
  private def recompute(g: CsrGraph, p: GraphPattern, tuning: JoinTuning): (Long, Long) = {
    val program = JoinProgram.compile(p, VariableOrder.natural(p.variableCount))
    val join = new GenericJoin(program, Array(g), Vector.empty, null, tuning, () => ())
    join.open(Morsel(0, g.vertexCount))
    (join.count(), join.elementsTouched)
  }

  final private case class Step(
      nanos: Long,
      cpuNanos: Long,
      applyNanos: Long,
      delta: Long,
      updates: Int,
      elements: Long,
      indexBytes: Long)

  /** All batches of all sizes, in order, from the base on. */
  private def play(
      first: VersionedGraph,
      updates: Array[Int],
      program: DeltaProgram,
      join: DeltaGenericJoin): Seq[Step] = {
    var g = first
    var position = 0
    batches.map { case (size, repeats) =>
      var delta = 0L
      var done = 0
      var elements = 0L
      var applying = 0L
      val start = System.nanoTime()
      val startCpu = cpu()
      (0 until repeats).foreach { _ =>
        if (position + size <= updates.length / 3) {
          val applyStart = System.nanoTime()
          val change = g.change(batch(updates, position, size))
          applying += System.nanoTime() - applyStart
          val changes = Array(change)
          join.attach(changes)
          val before = join.elementsTouched
          DeltaMorsel.all(program, changes).foreach { m =>
            join.open(m)
            delta += join.count()
          }
          elements += join.elementsTouched - before
          g = change.after
          position += size
          done += size
        }
      }
      Step(
        System.nanoTime() - start,
        cpu() - startCpu,
        applying,
        delta,
        done,
        elements,
        g.sizeInBytes)
    }
  }

  private def batch(updates: Array[Int], from: Int, size: Int): EdgeDelta = {
    val src = new Array[Int](size)
    val dst = new Array[Int](size)
    val diff = new Array[Int](size)
    var i = 0
    while (i < size) {
      diff(i) = updates(3 * (from + i))
      src(i) = updates(3 * (from + i) + 1)
      dst(i) = updates(3 * (from + i) + 2)
      i += 1
    }
    EdgeDelta.consolidate(src, dst, diff, size)
  }

  private def recount(
      base: EdgeList,
      updates: Array[Int],
      pattern: GraphPattern,
      played: Int,
      n: Int): Long = {
    def pack(s: Int, t: Int): Long = s.toLong << 32 | t
    val edges = scala.collection.mutable.HashSet.empty[Long]
    (0 until base.size).foreach(i => edges += pack(base.sources(i), base.targets(i)))
    (0 until played).foreach { i =>
      val e = pack(updates(3 * i + 1), updates(3 * i + 2))
      if (updates(3 * i) > 0) edges += e else edges -= e
    }
    val all = edges.toArray
    val g =
      CsrBuilder.fromCodes(all.map(e => (e >>> 32).toInt), all.map(_.toInt), all.length, n)
    recompute(g, pattern, JoinTuning())._1
  }

  private def cpu(): Long = ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime

  private def readInts(path: Path): Array[Int] = {
    val ints =
      ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer()
    Array.fill(ints.remaining())(ints.get())
  }
}
