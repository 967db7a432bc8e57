package io.wreath.bench

import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.Random

import io.wreath.kernel.count.{BelowMoments, Elimination, EliminationFactors, EliminationRun}
import io.wreath.kernel.csr.CsrGraph
import io.wreath.kernel.join.{Domain, GenericJoin, JoinProgram, Morsel}
import io.wreath.pattern._

/**
 * Counts by elimination and by enumeration, one thread, and prints one JSON line for each.
 *
 * {{{ CountFigures <directory with o.bin> <runs> <seconds> shapes [name,…] | search [name,…] | random [seed] [from] }}}
 *
 * `shapes` are those of `cpp/shapes.cpp`, over both directions of the edges, with the factors and the lists by degree
 * made in each run; `random` are fifty connected patterns of five and six vertices with comparisons and conditions.
 * `search` is what the driver takes to find the sums: the first time in a JVM, and best of all runs.
 * What takes longer than `seconds` of CPU ends with `"status":"late"`.
 */
object CountFigures {

  final private case class Query(
      name: String,
      pattern: GraphPattern,
      even: Set[Int],
      groups: Seq[Int])

  private object Late extends RuntimeException("late", null, false, false)

  final private val WarmUpNanos = 1000L * 1000 * 1000

  private val threads = ManagementFactory.getThreadMXBean

  def main(args: Array[String]): Unit = {
    if (args.length < 4) {
      Console.err.println("usage: CountFigures <directory> <runs> <seconds> shapes|random [...]")
      sys.exit(2)
    }
    val folder = Path.of(args(0))
    val runs = args(1).toInt
    val most = (args(2).toDouble * 1e9).toLong
    val graph = EdgeFiles.read(folder.resolve("o.bin")).symmetric.graph
    val graphName = folder.getFileName.toString
    def print(query: String, contender: String, result: Either[String, (Double, Long)]): Unit =
      Console.println(result match {
        case Right((cpu, count)) =>
          f"""{"graph":"$graphName","query":"$query","contender":"$contender","cpu":$cpu%.4f,"count":$count,"status":"ok"}"""
        case Left(status) =>
          s"""{"graph":"$graphName","query":"$query","contender":"$contender","status":"$status"}"""
      })
    if (args(3) == "search") {
      val wanted = args.lift(4).map(_.split(',').toSet)
      shapes.filter(q => wanted.forall(_(q.name))).foreach(q =>
        searched(graphName, graph, q, runs))
    } else if (args(3) == "shapes") {
      val wanted = args.lift(4).map(_.split(',').toSet)
      shapes.filter(q => wanted.forall(_(q.name))).foreach { q =>
        print(q.name, "elimination", best(runs, most, eliminated(graph, q, _, isKept = false)))
        print(q.name, "kept", best(runs, most, eliminated(graph, q, _, isKept = true)))
      }
    } else {
      val random = new Random(args.lift(4).fold(1L)(_.toLong))
      val all = Vector.tabulate(50)(i => randomQuery(i, random))
      all.drop(args.lift(5).fold(0)(_.toInt)).foreach { q =>
        print(q.name, "elimination", best(runs, most, eliminated(graph, q, _, isKept = true)))
        print(q.name, "enumeration", best(runs, most, enumerated(graph, q, _)))
      }
    }
  }

  private def edges(pairs: (Int, Int)*): GraphPattern =
    GraphPattern(
      pairs.flatMap(p => Seq(p._1, p._2)).max + 1,
      pairs.map(p => PatternEdge(p._1, p._2)).toVector)

  private def cycle(n: Int): GraphPattern = edges((0 until n).map(v => (v, (v + 1) % n)): _*)

  /** As in cpp/shapes.cpp, with a the variable 0. */
  private val shapes: Seq[Query] = {
    val house = edges((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4))
    val plain = Seq(
      ("bowtie", edges((0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)), Set.empty[Int]),
      ("cycle4", cycle(4), Set.empty[Int]),
      ("cycle5", cycle(5), Set.empty[Int]),
      ("cycle6", cycle(6), Set.empty[Int]),
      ("diamond", edges((0, 1), (0, 2), (2, 1), (0, 3), (3, 1)), Set.empty[Int]),
      ("tailtri", edges((0, 1), (1, 2), (2, 0), (2, 3)), Set.empty[Int]),
      (
        "tailk4",
        edges((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4)),
        Set.empty[Int]),
      ("theta", edges((0, 1), (1, 2), (0, 3), (3, 2), (0, 4), (4, 2)), Set.empty[Int]),
      ("house", house, Set.empty[Int]),
      ("roof", house, Set(4)))
    val cliques = (4 to 10).map { k =>
      val p = edges((for (a <- 0 until k; b <- a + 1 until k) yield (a, b)): _*)
      Query(
        s"k$k",
        p.copy(comparisons = (1 until k).map(v => Comparison(v - 1, ComparisonOp.Less, v))),
        Set.empty,
        Nil)
    }
    plain.flatMap { case (name, p, even) =>
      val apart = for (a <- 0 until p.variableCount; b <- a + 1 until p.variableCount)
        yield Comparison(a, ComparisonOp.NotEqual, b)
      for ((suffix, comparisons) <- Seq(("", Vector.empty), ("_diff", apart));
        grouped <- Seq(false, true))
        yield Query(
          name + suffix + (if (grouped) "_a" else ""),
          p.copy(comparisons = comparisons),
          even,
          if (grouped) Seq(0) else Nil)
    } ++ cliques
  }

  private def randomQuery(number: Int, random: Random): Query = {
    val n = 5 + random.nextInt(2)
    val tree = (1 until n).map(v => (random.nextInt(v), v))
    val more = Seq.fill(random.nextInt(4))((random.nextInt(n), random.nextInt(n)))
    val pairs = (tree ++ more.filter(p => p._1 != p._2).map(p =>
      (p._1.min(p._2), p._1.max(p._2)))).distinct
    val comparisons = for {
      a <- 0 until n
      b <- a + 1 until n
      chance = random.nextInt(10)
      if chance < 4
    } yield Comparison(a, if (chance == 0) ComparisonOp.Less else ComparisonOp.NotEqual, b)
    val even = (0 until n).filter(_ => random.nextInt(5) == 0).toSet
    def text(c: Comparison) = s"${c.left}${if (c.op == ComparisonOp.Less) "<" else "!"}${c.right}"
    val name = s"$number: ${pairs.map(p => s"${p._1}-${p._2}").mkString(" ")}" +
      s" ${comparisons.map(text).mkString(" ")} even ${even.toSeq.sorted.mkString(" ")}"
    Query(name, edges(pairs: _*).copy(comparisons = comparisons), even, Nil)
  }

  private def domains(q: Query, g: CsrGraph): Array[Domain] = {
    val n = g.vertexCount
    val even = new Domain(n, 0, n, Array.fill((n + 63) / 64)(0x5555555555555555L))
    Array.tabulate(q.pattern.variableCount)(v => if (q.even(v)) even else Domain.whole(n))
  }

  private def searched(name: String, g: CsrGraph, q: Query, runs: Int): Unit = {
    val below = BelowMoments.of(g.byDegree.forward)
    val took = Vector.fill(runs) {
      val start = threads.getCurrentThreadCpuTime
      Elimination.of(q.pattern, Array(g), domains(q, g), Some(below), q.groups)
      (threads.getCurrentThreadCpuTime - start) / 1e9
    }
    Console.println(
      f"""{"graph":"$name","query":"${q.name}","search":"first","cpu":${took.head}%.4f,"best":${took.min}%.5f}""")
  }

  private def eliminated(
      g: CsrGraph,
      q: Query,
      look: Runnable,
      isKept: Boolean): Either[String, Long] = {
    val graph = if (isKept) g else new CsrGraph(g.forward, g.reverse)
    val allowed = domains(q, g)
    val start = System.nanoTime()
    val below = BelowMoments.of(graph.byDegree.forward)
    Elimination.of(q.pattern, Array(graph), allowed, Some(below), q.groups).map { e =>
      if (q.name.contains(":") && System.nanoTime() - start > 50000000L) {
        Console.err.println(f"${q.name}: planned in ${(System.nanoTime() - start) / 1e9}%.3f s")
      }
      val (lists, codes) =
        if (e.byDegree) (graph.byDegree, allowed.map(_.renamed(graph.ranked.rankOf)))
        else (graph, allowed)
      val factors = new EliminationFactors(e, Array(lists), codes)
      val run = new EliminationRun(factors, look)
      if (q.groups.isEmpty) {
        EliminationRun.result(e, Seq(run.sum(0, factors.codeCount)))
      } else {
        var sum = 0L
        var x = 0
        while (x < factors.codeCount) {
          sum += run.ofGroup(x)
          x += 1
        }
        sum
      }
    }
  }

  private def enumerated(g: CsrGraph, q: Query, look: Runnable): Either[String, Long] = {
    // As Spark would: by degree where that changes nothing.
    val free = OrderFreedom.of(q.pattern)
    val graph = if (free) g.byDegree else g
    val allowed = domains(q, g).map(d => if (free) d.renamed(g.ranked.rankOf) else d)
    val order = VariableOrderPlanner.choose(
      q.pattern,
      PatternStatistics.of(Array(graph)),
      fractions = allowed.map(_.fraction).toIndexedSeq,
      counting = Some(Counting()))
    val program = JoinProgram.compile(q.pattern, order, _ => g.isSymmetric)
    val join = new GenericJoin(program, Array(graph), domains = allowed, interrupt = look)
    join.open(Morsel(0, graph.vertexCount))
    Right(join.count())
  }

  /** The least CPU time, in seconds, and the count; or why there is none. */
  private def best(
      runs: Int,
      most: Long,
      query: Runnable => Either[String, Long]): Either[String, (Double, Long)] = {
    var found: Either[String, (Double, Long)] = Left("late")
    var i = 0
    var spent = 0L
    // What takes long needs no warm-up.
    val begin = System.nanoTime()
    var warm = 0L
    while (warm < WarmUpNanos && System.nanoTime() - begin < 10 * WarmUpNanos) {
      val start = threads.getCurrentThreadCpuTime
      try query(() => if (threads.getCurrentThreadCpuTime - start > WarmUpNanos) throw Late)
      catch { case Late | (_: ArithmeticException) => () }
      warm += threads.getCurrentThreadCpuTime - start
    }
    while (i < runs && spent < most) {
      val start = threads.getCurrentThreadCpuTime
      val result =
        try query(() => if (threads.getCurrentThreadCpuTime - start > most) throw Late)
        catch {
          case Late => Left("late")
          case _: ArithmeticException => Left("overflow")
        }
      val took = threads.getCurrentThreadCpuTime - start
      spent += took
      found = (found, result) match {
        case (Right((before, _)), Right(count)) => Right((before.min(took / 1e9), count))
        case (_, Right(count)) => Right((took / 1e9, count))
        case (_, Left(why)) => Left(why.replace('"', '\''))
      }
      i = if (result.isLeft) runs else i + 1
    }
    found
  }
}
