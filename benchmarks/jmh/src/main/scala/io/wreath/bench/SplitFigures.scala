package io.wreath.bench

import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.Locale

import io.wreath.kernel.csr.CsrGraph
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.kernel.partition.{MeasuredWork, WorkSplitter}
import io.wreath.pattern._

/**
 * Prints how evenly the tasks of a join are loaded: the largest over the mean, of counted work and
 * of CPU time, and how long it takes to cut them. The same once more, cut by what the first run took. Then how much longer than their share of all CPU time two
 * threads would take: if each takes the next task when it is free, as Spark's do, and if it takes
 * the next morsel of any task, as threads do that steal from each other.
 *
 * {{{ SplitFigures <directory with o.bin> <tasks> <query,…> [cores least] }}}
 */
object SplitFigures {

  def main(args: Array[String]): Unit = {
    val edges = EdgeFiles.read(Path.of(args(0)).resolve("o.bin"))
    val cores = args.lift(3).fold(1)(_.toInt)
    val least = args.lift(4).fold(0.0)(_.toDouble)
    args(2).split(',').foreach {
      case "tri_o" => print(edges.graph, Patterns.clique(3), "tri_o")
      case "clique4" => print(edges.graph, Patterns.clique(4), "clique4")
      case "clique5" => print(edges.graph, Patterns.clique(5), "clique5")
      case "house" => print(edges.symmetric.graph.byDegree, Patterns.house, "house")
      case "cycle4" => print(edges.symmetric.graph.byDegree, Patterns.cycle4, "cycle4")
      case "diamond" => print(edges.symmetric.graph.byDegree, Patterns.diamond, "diamond")
    }

    def print(g: CsrGraph, p: GraphPattern, name: String): Unit = {
      val order = VariableOrderPlanner.choose(
        p,
        PatternStatistics.of(Array(g)),
        counting = Some(Counting()))
      val program = JoinProgram.compile(p, order, _ => g.isSymmetric)
      def split(measured: MeasuredWork = MeasuredWork.none): Array[Array[Morsel]] =
        WorkSplitter.split(
          program,
          Array(g),
          args(1).toInt,
          null,
          cores,
          least,
          measured = measured)
      (0 until 10).foreach(_ => split())
      val start = System.nanoTime()
      val tasks = split()
      val cutting = System.nanoTime() - start
      val measured = show(program, g, tasks, s"$name, ${(cutting / 1e6).round} ms to cut")
      show(program, g, split(measured), s"$name, cut by what that took")
    }
  }

  /** @return what each morsel took */
  private def show(
      program: JoinProgram,
      g: CsrGraph,
      tasks: Array[Array[Morsel]],
      name: String): MeasuredWork = {
    val whole = run(program, g, tasks)
    val best = (0 until 2).foldLeft(whole) { (least, _) =>
      least.zip(run(program, g, tasks)).map { case (a, b) =>
        a.copy(nanos = Math.min(a.nanos, b.nanos))
      }
    }
    def skew(values: Seq[Long]): Double = values.max.toDouble * values.size / values.sum
    val morsels = tasks.map(_.map(Array(_))).flatMap(run(program, g, _).map(_.nanos))
    Console.println(
      String.format(
        Locale.ROOT,
        "%s: %d tasks (%d with a cut), %d morsels; work %,d, max/mean %.2f; CPU %.0f ms, max/mean %.2f, at %d; " +
          "two threads by tasks %.3f, by morsels %.3f",
        name,
        Int.box(tasks.length),
        Int.box(tasks.count(_.exists(_.isCut))),
        Int.box(tasks.map(_.length).sum),
        Long.box(best.map(_.work).sum),
        Double.box(skew(best.map(_.work))),
        Double.box(best.map(_.nanos).sum / 1e6),
        Double.box(skew(best.map(_.nanos))),
        Int.box(best.map(_.nanos).zipWithIndex.maxBy(_._1)._2),
        Double.box(lateness(best.map(_.nanos))),
        Double.box(lateness(morsels.toSeq))))
    MeasuredWork.of(whole.flatMap(_.morsels))
  }

  /** When the later of two threads ends that take pieces of work in turn, over half of the work. */
  private def lateness(work: Seq[Long]): Double = {
    val ends = work.foldLeft((0L, 0L)) { case ((a, b), w) =>
      if (a <= b) (a + w, b) else (a, b + w)
    }
    2.0 * Math.max(ends._1, ends._2) / work.sum
  }

  /** What a task took: elements and words of bit rows, of each of its morsels too, and CPU time. */
  final private case class Taken(morsels: Seq[(Morsel, Long)], nanos: Long) {
    def work: Long = morsels.map(_._2).sum
  }

  private def run(
      program: JoinProgram,
      g: CsrGraph,
      tasks: Array[Array[Morsel]]): Seq[Taken] = {
    val threads = ManagementFactory.getThreadMXBean
    tasks.toSeq.map { task =>
      val start = threads.getCurrentThreadCpuTime
      val join = new GenericJoin(program, Array(g))
      task.foreach { m =>
        join.open(m)
        join.count()
      }
      Taken(join.morselWork, threads.getCurrentThreadCpuTime - start)
    }
  }
}
