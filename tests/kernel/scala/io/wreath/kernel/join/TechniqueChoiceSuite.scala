package io.wreath.kernel.join

import io.wreath.pattern._
import org.scalatest.funsuite.AnyFunSuite

/** The decision list of [[TechniqueChoice]], a case for each of its lines. */
class TechniqueChoiceSuite extends AnyFunSuite {

  private def edges(ends: (Int, Int)*): GraphPattern =
    GraphPattern(
      ends.flatMap(e => Seq(e._1, e._2)).max + 1,
      ends.map { case (s, t) => PatternEdge(s, t, 0) }.toIndexedSeq)

  private def clique(n: Int): GraphPattern =
    edges((for (a <- 0 until n; b <- a + 1 until n) yield (a, b)): _*)

  private def texts(p: GraphPattern, technique: String = "auto"): Seq[String] =
    TechniqueChoice
      .of(
        JoinProgram.compile(p, VariableOrder.natural(p.variableCount)),
        JoinTuning.named(technique))
      .texts

  test("cliques of four run on bits, triangles on marks") {
    assert(texts(clique(4)) == Seq("seed", "bits", "bits", "bits"))
    assert(texts(clique(3)) == Seq("seed", "list", "marks"))
  }

  test("a level with one list reads it, one without any takes all codes") {
    assert(texts(edges((0, 1), (1, 2))) == Seq("seed", "list", "list"))
    assert(texts(edges((0, 1), (2, 3))) == Seq("seed", "list", "all", "list"))
  }

  test("lists that change at once are intersected") {
    val p = edges((0, 1), (1, 2), (2, 1))
    assert(texts(p) == Seq("seed", "list", "intersection"))
  }

  test("all of the levels that a seed binds come from outside") {
    val p = clique(4)
    val program = JoinProgram.ofPrefixes(p, VariableOrder.natural(4), 2)
    assert(TechniqueChoice.of(program, JoinTuning()).texts ==
      Seq("seed", "seed", "intersection", "marks"))
  }

  test("a technique can be forced, where the pattern allows it") {
    assert(texts(clique(4), "lists") == Seq("seed", "list", "intersection", "intersection"))
    assert(texts(clique(4), "marks") == Seq("seed", "list", "marks", "marks"))
    assert(texts(clique(3), "bits") == Seq("seed", "bits", "bits"))
    assert(texts(edges((0, 1), (1, 2)), "bits") == Seq("seed", "list", "list"))
  }

  test("rows whose last variable stays while the one before loops are read from a list") {
    val diamond = edges((0, 1), (0, 2), (1, 2), (0, 3), (1, 3))
    assert(texts(diamond) == Seq("seed", "list", "marks", "marks"))
    assert(texts(diamond, "bits") == Seq("seed", "bits", "bits", "bits"))
  }
}
