package io.wreath.bench

import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.Locale

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.pattern._

/**
 * Prints one JSON line per query: the best wall and CPU time of `runs` runs, one thread, and the count.
 *
 * {{{ KernelFigures <directory with o.bin> <runs> [query,…] }}}
 *
 * `o.bin` holds ascending edges (source < target) as pairs of little-endian int32. The lines have
 * the fields that the reference programs in C++ print, so that both can be run by turns and
 * compared. Queries: tri_o, clique4, clique5 on the edges as given, tri_u, clique4_u, cycle4, diamond
 * and house on both directions of them with comparisons, enumerated (…_by_degree: with codes by degree;
 * [[CountFigures]] counts by elimination), build_csr (one call gives both directions),
 * build_csr_random (5 million random edges over 300,000 vertices), and build_csr_random_forward,
 * the same in one direction.
 */
object KernelFigures {

  final private val WarmUpNanos = 1500L * 1000 * 1000

  def main(args: Array[String]): Unit = {
    if (args.length < 2) {
      Console.err.println("usage: KernelFigures <directory with o.bin> <runs> [query,...]")
      sys.exit(2)
    }
    val directory = Path.of(args(0))
    val runs = args(1).toInt
    val wanted = args.lift(2).map(_.split(',').toSet)
    val name = directory.getFileName.toString

    lazy val edges = EdgeFiles.read(directory.resolve("o.bin"))
    lazy val ascending = edges.graph
    lazy val symmetric = edges.symmetric.graph
    lazy val random = EdgeFiles.random(5000000, 300000)

    val queries = Seq[(String, () => () => Long)](
      ("tri_o", () => counter(ascending, Patterns.triangle)),
      ("clique4", () => counter(ascending, Patterns.clique(4))),
      ("clique5", () => counter(ascending, Patterns.clique(5))),
      ("clique4_u", () => counter(symmetric, Patterns.orderedClique(4))),
      ("tri_u", () => counter(symmetric, Patterns.orderedClique(3))),
      ("cycle4", () => planned(symmetric, Patterns.cycle4)),
      ("diamond", () => planned(symmetric, Patterns.diamond)),
      ("house", () => planned(symmetric, Patterns.house)),
      ("cycle4_by_degree", () => planned(symmetric.byDegree, Patterns.cycle4)),
      ("diamond_by_degree", () => planned(symmetric.byDegree, Patterns.diamond)),
      ("house_by_degree", () => planned(symmetric.byDegree, Patterns.house)),
      ("build_csr", () => builder(edges)),
      ("build_csr_random", () => builder(random)),
      ("build_csr_random_forward", () => forwardBuilder(random)))
    queries.filter(q => wanted.forall(_.contains(q._1))).foreach { case (query, prepare) =>
      val (seconds, cpu, count) = best(runs, prepare())
      Console.println(
        String.format(
          Locale.ROOT,
          """{"contender":"wreath","threads":1,"graph":"%s","query":"%s","secs":%.6f,"cpu":%.6f,"count":%d,"status":"ok"}""",
          name,
          query,
          Double.box(seconds),
          Double.box(cpu),
          Long.box(count)))
    }
  }

  /** In the order of the variables. */
  private def counter(g: CsrGraph, p: GraphPattern): () => Long =
    counter(g, JoinProgram.compile(p, VariableOrder.natural(p.variableCount)))

  /** In the order that counting would choose. */
  private def planned(g: CsrGraph, p: GraphPattern): () => Long = {
    val order = VariableOrderPlanner.choose(
      p,
      PatternStatistics.of(Array(g)),
      counting = Some(Counting()))
    counter(g, JoinProgram.compile(p, order, _ => g.isSymmetric))
  }

  private def counter(g: CsrGraph, program: JoinProgram): () => Long = {
    // The join is made anew in each run, as each task of a query does.
    () =>
      {
        val join = new GenericJoin(program, Array(g))
        join.open(Morsel(0, g.vertexCount))
        join.count()
      }
  }

  private def builder(e: EdgeList): () => Long = {
    val n = e.vertexCount
    () => CsrBuilder.fromCodes(e.sources, e.targets, e.size, n).edgeCount.toLong
  }

  private def forwardBuilder(e: EdgeList): () => Long = {
    val n = e.vertexCount
    () => CsrBuilder.forwardOnly(e.sources, e.targets, e.size, n).edgeCount.toLong
  }

  /** The least wall time and the least CPU time, in seconds, and the count. */
  private def best(runs: Int, query: () => Long): (Double, Double, Long) = {
    val threads = ManagementFactory.getThreadMXBean
    val begin = System.nanoTime()
    var count = query()
    while (System.nanoTime() - begin < WarmUpNanos) count = query()
    var wall = Long.MaxValue
    var cpu = Long.MaxValue
    (0 until runs).foreach { _ =>
      val cpuStart = threads.getCurrentThreadCpuTime
      val start = System.nanoTime()
      count = query()
      wall = Math.min(wall, System.nanoTime() - start)
      cpu = Math.min(cpu, threads.getCurrentThreadCpuTime - cpuStart)
    }
    (wall / 1e9, cpu / 1e9, count)
  }
}
