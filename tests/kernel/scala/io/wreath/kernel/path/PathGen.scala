package io.wreath.kernel.path

import io.wreath.kernel.GraphGen
import io.wreath.kernel.csr.{CsrBuilder, CsrGraph, Undirected}
import org.scalacheck.Gen

/** A small graph for paths: edges as rows, in the order of the forward lists, and isolated vertices. */
final case class PathCase(edges: Vector[(Int, Int)], n: Int) {
  lazy val graph: CsrGraph =
    CsrBuilder.fromCodes(edges.map(_._1).toArray, edges.map(_._2).toArray, edges.size, n)
  lazy val steps: Steps = Steps.of(graph)
}

object PathGen {

  /** The shapes of joins, and sparse graphs that have long paths; some vertices may have no edge. */
  val graph: Gen[PathCase] = for {
    shape <- Gen.frequency(
      3 -> GraphGen.shape,
      3 -> GraphGen.random(12, 24),
      2 -> GraphGen.random(40, 80),
      1 -> Gen.choose(1, 30).map(n => (0 until n).map(v => (v, (v + 1) % n)).toVector))
    isolated <- Gen.choose(0, 3)
  } yield {
    val last = shape.flatMap(e => Seq(e._1, e._2)).maxOption.getOrElse(-1)
    PathCase(shape.sorted, Math.max(1, last + 1 + isolated))
  }

  /** The same, and the view of it that the search reads: forward, backward or both ways. */
  val view: Gen[(PathCase, Steps)] = for {
    g <- graph
    way <- Gen.choose(0, 2)
  } yield way match {
    case 0 => (g, g.steps)
    case 1 =>
      (PathCase(g.edges.map(_.swap).sorted, g.n), Steps.of(g.graph, isForward = false))
    case _ =>
      val back = g.edges.collect { case (s, t) if s != t => (t, s) }
      (PathCase((g.edges ++ back).sorted, g.n), Steps.of(Undirected.of(g.graph)))
  }

  /** A chain 0 -> 1 -> … longer than any level that fits a byte or a short. */
  val longChain: PathCase = {
    val n = 100000
    PathCase((0 until n - 1).map(v => (v, v + 1)).toVector, n)
  }
}
