package io.wreath.kernel.join

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.delta._
import io.wreath.kernel.lists.Pieces
import io.wreath.pattern._
import org.scalatest.funsuite.AnyFunSuite

/**
 * Whatever a join does, it can be ended in the middle of it: under one binding of the first
 * variable, it looks at the interrupt again and again.
 */
class InterruptSuite extends AnyFunSuite {

  final private class Stop extends RuntimeException

  /** Lets the first call pass, which may come when all is done. */
  private def second(): Runnable = {
    var calls = 0
    () => {
      calls += 1
      if (calls == 2) throw new Stop
    }
  }

  private def graph(edges: Seq[(Int, Int)], n: Int): CsrGraph =
    graph(edges.map(_._1).toArray, edges.map(_._2).toArray, n)

  private def graph(src: Array[Int], dst: Array[Int], n: Int): CsrGraph =
    CsrBuilder.fromCodes(src, dst, src.length, n)

  private val n = 700
  private val pairs = for (a <- 0 until n; b <- 0 until n if a != b) yield (a, b)
  private lazy val ascending = graph(pairs.filter { case (a, b) => a < b }, n)
  private lazy val symmetric = graph(pairs, n)

  private def pattern(variables: Int, less: Seq[(Int, Int)], edges: (Int, Int)*): GraphPattern =
    GraphPattern(
      variables,
      edges.map { case (a, b) => PatternEdge(a, b) }.toVector,
      less.map { case (a, b) => Comparison(a, ComparisonOp.Less, b) }.toVector)

  private def clique(k: Int): GraphPattern =
    pattern(k, Nil, (for (b <- 1 until k; a <- 0 until b) yield (a, b)): _*)

  private val triangle = clique(3)
  private val cycle4 =
    pattern(4, Seq(0 -> 1, 0 -> 2, 0 -> 3, 1 -> 3), 0 -> 1, 1 -> 2, 2 -> 3, 3 -> 0)
  private val path = pattern(3, Nil, 0 -> 1, 1 -> 2)

  private val lists = JoinTuning(bitMatrix = Use.Never)
  private val bits = JoinTuning(bitMatrix = Use.Always)
  private val merges = JoinTuning(marks = Use.Never, bitMatrix = Use.Never)

  private def stops(
      p: GraphPattern,
      g: CsrGraph,
      tuning: JoinTuning,
      predicates: IndexedSeq[BindingPredicate] = Vector.empty,
      order: Option[VariableOrder] = None)(run: GenericJoin => Any): Unit = {
    val program = JoinProgram.compile(
      p,
      order.getOrElse(VariableOrder.natural(p.variableCount)),
      _ => g.isSymmetric)
    val join = new GenericJoin(program, Array(g), predicates, null, tuning, second())
    join.open(Morsel(0, 1))
    assertThrows[Stop](run(join))
  }

  private def all(next: => Boolean): Unit = while (next) ()

  private val never = new BindingPredicate {
    override def variables: IndexedSeq[Int] = Vector(0, 1, 2)
    override def accepts(binding: Array[Int]): Boolean = false
  }

  Seq("lists" -> lists, "bits" -> bits, "merges" -> merges).foreach { case (name, tuning) =>
    test(s"bindings one by one, by $name")(stops(triangle, ascending, tuning)(j => all(j.next())))

    test(s"bindings in runs, by $name")(stops(clique(4), ascending, tuning)(j =>
      all(j.nextRun())))

    test(s"a count, by $name")(stops(triangle, ascending, tuning)(_.count()))

    test(s"a count of 5-cliques, by $name")(stops(clique(5), ascending, tuning)(_.count()))

    test(s"candidates that are all refused, by $name") {
      stops(triangle, ascending, tuning, Vector(never))(_.next())
    }

    test(s"groups, by $name") {
      stops(clique(4), ascending, tuning)(j => all(j.nextGroup(2) > 0))
    }
  }

  test("a count of pairs on bits under several levels") {
    val wheel = pattern(
      4,
      Nil,
      Seq(0 -> 1, 0 -> 2, 0 -> 3, 1 -> 2, 2 -> 3): _*)
    stops(wheel, ascending, bits)(_.count())
  }

  test("a count by paths of two edges") {
    val order = VariableOrder(Vector(0, 2, 1, 3))
    stops(cycle4, symmetric, JoinTuning(), order = Some(order))(_.count())
  }

  /** Two vertices with an edge to all others, one of them to the other. */
  private lazy val hubs = {
    val length = 12 * Pieces.Length
    graph(
      Array.fill(length)(0) ++ Array.fill(length - 1)(1),
      Array.range(1, length + 1) ++ Array.range(2, length + 1),
      length + 1)
  }

  Seq("lists" -> lists, "merges" -> merges).foreach { case (name, tuning) =>
    // Of the third variable, all codes or those with a bit.
    for (isSieved <- Seq(false, true); counts <- Seq(true, false)) {
      val how = (if (counts) "counted" else "in runs") + (if (isSieved) ", sieved" else "")
      test(s"one pass over a list that is very long, $how, by $name") {
        val n = hubs.forward.vertexCount
        val bits = if (isSieved) Array.fill((n + 63) / 64)(-1L) else null
        val domains =
          Array(Domain.whole(n), new Domain(n, 1, 2, null), new Domain(n, 0, n, bits))
        var looks = 0
        val join = new GenericJoin(
          JoinProgram.compile(triangle, VariableOrder.natural(3)),
          Array(hubs),
          Vector.empty,
          domains,
          tuning,
          () => looks += 1)
        join.open(Morsel(0, 1))
        if (counts) assert(join.count() == n - 2)
        else {
          var rows = 0
          while (join.nextRun()) rows += join.run.until - join.run.from
          assert(rows == n - 2)
        }
        // Both lists in pieces, together or one after the other.
        assert(looks >= 12)
      }
    }
  }

  test("vertices that are passed over before the first is bound") {
    val big = 1 << 17
    val none = graph(Seq(big - 2 -> (big - 1)), big)
    val join = new GenericJoin(
      JoinProgram.compile(path, VariableOrder.natural(3)),
      Array(none),
      Vector.empty,
      null,
      lists,
      second())
    join.open(Morsel(0, big))
    assertThrows[Stop](join.next())
  }

  test("the changes of a batch, one by one and counted") {
    // Of one new edge, as a seed: what its ends have in common.
    val before = VersionedGraph.of(graph(pairs.filterNot(_ == (0 -> 1)), n))
    Seq(clique(4), clique(5)).foreach { p =>
      val change = before.change(EdgeDelta.consolidate(Array(0), Array(1), Array(1), 1))
      val program = DeltaProgram.compile(p)
      Seq[DeltaGenericJoin => Any](j => all(j.next()), _.count()).foreach { run =>
        val scratch = new JoinScratch(second())
        val join = new DeltaGenericJoin(program, Array(change), scratch = scratch)
        assertThrows[Stop](DeltaMorsel.all(program, Array(change)).foreach { m =>
          join.open(m)
          run(join)
        })
      }
    }
  }
}
