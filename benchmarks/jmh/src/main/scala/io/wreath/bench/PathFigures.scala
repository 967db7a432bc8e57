package io.wreath.bench

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.nio.{ByteBuffer, ByteOrder}
import java.util.Locale

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.path._

/**
 * Prints one JSON line per task: the best CPU time of `runs` runs, one thread, and a checksum.
 *
 * {{{ PathFigures <directory> <runs> [task,…] }}}
 *
 * The directory is what `prep.py` of the reference makes: `g.bin` (two counts, then source, target and weight
 * of each edge) and the sources and pairs that are asked for. Tasks and checksums are the reference's.
 */
object PathFigures {

  final private val WarmUpNanos = 1500L * 1000 * 1000

  def main(args: Array[String]): Unit = {
    if (args.length < 2) {
      Console.err.println("usage: PathFigures <directory> <runs> [task,...]")
      sys.exit(2)
    }
    val directory = Path.of(args(0))
    val wanted = args.lift(2).map(_.split(',').toSet)
    val figures = new PathFigures(directory)
    figures.tasks.filter(t => wanted.forall(_.contains(t._1))).foreach { case (task, prepare) =>
      val (cpu, check) = best(args(1).toInt, prepare())
      Console.println(
        String.format(
          Locale.ROOT,
          """{"who":"wreath","g":"%s","task":"%s","cpu":%.6f,"check":"%s"}""",
          directory.getFileName.toString,
          task,
          Double.box(cpu),
          check))
    }
  }

  private def best(runs: Int, task: () => String): (Double, String) = {
    val threads = ManagementFactory.getThreadMXBean
    val begin = System.nanoTime()
    var check = task()
    while (System.nanoTime() - begin < WarmUpNanos) check = task()
    var cpu = Long.MaxValue
    (0 until runs).foreach { _ =>
      val start = threads.getCurrentThreadCpuTime
      check = task()
      cpu = Math.min(cpu, threads.getCurrentThreadCpuTime - start)
    }
    (cpu / 1e9, check)
  }
}

final private class PathFigures(directory: Path) {

  private[this] val (graph: CsrGraph, weights: Array[Double]) = {
    val ints = ByteBuffer
      .wrap(Files.readAllBytes(directory.resolve("g.bin")))
      .order(ByteOrder.LITTLE_ENDIAN)
      .asIntBuffer()
    val (n, m) = (ints.get(), ints.get())
    val edges = Array.fill(m)((ints.get(), ints.get(), ints.get())).sortBy(e => (e._1, e._2))
    (CsrBuilder.fromCodes(edges.map(_._1), edges.map(_._2), m, n), edges.map(_._3.toDouble))
  }
  private[this] val steps = Steps.of(graph)
  private[this] val n = graph.vertexCount

  private def numbers(name: String): Array[Int] =
    Files.readString(directory.resolve(name)).trim.split("\\s+").map(_.toInt)

  def tasks: Seq[(String, () => () => String)] = Seq(
    ("spsp100", () => pairs(withPath = false)),
    ("anyshortest100", () => pairs(withPath = true)),
    ("sssp10", () => breadth(numbers("src10.txt"), withPaths = false)),
    ("sssp10-paths", () => breadth(numbers("src10.txt"), withPaths = true)),
    ("wsssp10", () => cheapest(isLong = false)),
    ("wsssp10-longs", () => cheapest(isLong = true)),
    ("reach64", () => lanes(numbers("src64.txt"), Hops.any)),
    ("reach512", () => lanes(numbers("src512.txt"), Hops.any)),
    ("reach512-bfs", () => breadth(numbers("src512.txt"), withPaths = false)),
    ("khop2", () => within(2)),
    ("khop3", () => within(3)),
    ("khop4", () => within(4)),
    ("khop5", () => within(5)),
    ("wcc", () => () => components()),
    ("pagerank10", () => () => f"sum=${PageRank(steps, 0.85, 10).of.sum}%.9f"))

  private def pairs(withPath: Boolean): () => String = {
    val ends = numbers("pairs.txt")
    val search = new PairSearch(steps)
    val path = new VertexPath
    () => {
      var sum = 0L
      var found = 0
      var i = 0
      while (i < ends.length) {
        val d =
          if (withPath) search.path(ends(i), ends(i + 1), Hops.any, path)
          else search.distance(ends(i), ends(i + 1), Hops.any)
        if (d >= 0) {
          found += 1
          sum += (if (withPath) path.size - 1 else d)
        }
        i += 2
      }
      s"found=$found sum=$sum"
    }
  }

  private def breadth(sources: Array[Int], withPaths: Boolean): () => String = {
    val search = new BreadthSearch(steps, withPaths)
    () => {
      var pairs = 0L
      var sum = 0L
      sources.foreach { s =>
        search.open(s, Hops.any)
        while (search.advance()) {
          pairs += search.freshCount
          sum += search.freshCount.toLong * search.level
        }
      }
      s"pairs=$pairs sum=$sum"
    }
  }

  private def cheapest(isLong: Boolean): () => String = {
    val sources = numbers("src10.txt")
    val costs =
      if (isLong) EdgeCosts.longs(graph, weights.map(_.toLong))
      else EdgeCosts.doubles(graph, weights)
    val search = new CheapestSearch(costs)
    () => {
      var pairs = 0L
      var sum = 0.0
      sources.foreach { s =>
        search.open(s, Hops.any)
        while (search.advance()) {
          pairs += 1
          sum += (if (isLong) search.longCost(search.vertex).toDouble
                  else search.doubleCost(search.vertex))
        }
      }
      s"pairs=$pairs sum=${sum.toLong}"
    }
  }

  private def within(steps: Int): () => String = {
    val run = lanes(numbers("src100.txt"), Hops(0, steps))
    () => run()
  }

  private def lanes(sources: Array[Int], hops: Hops): () => String = {
    val search = new LaneSearch(steps)
    () => {
      var pairs = 0L
      var sum = 0L
      var from = 0
      while (from < sources.length) {
        search.open(sources, from, Math.min(LaneSearch.Lanes, sources.length - from), hops)
        while (search.advance()) {
          var bits = 0L
          var i = 0
          while (i < search.freshCount) {
            bits += java.lang.Long.bitCount(search.freshLanes(i))
            i += 1
          }
          pairs += bits
          sum += bits * search.level
        }
        from += LaneSearch.Lanes
      }
      s"pairs=$pairs sum=$sum"
    }
  }

  private def components(): String = {
    val labels = Components.of(steps)
    val sizes = new Array[Int](n)
    labels.foreach(c => sizes(c) += 1)
    s"components=${sizes.count(_ > 0)} largest=${sizes.max}"
  }
}
