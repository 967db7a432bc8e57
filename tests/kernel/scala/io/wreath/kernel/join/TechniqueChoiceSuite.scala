package io.wreath.kernel.join

import java.io.{
  ByteArrayInputStream,
  ByteArrayOutputStream,
  ObjectInputStream,
  ObjectOutputStream
}

import io.wreath.kernel.csr.CsrBuilder
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
      .rows

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
    assert(TechniqueChoice.of(program, JoinTuning()).rows ==
      Seq("seed", "seed", "intersection", "marks"))
  }

  test("a technique can be forced, where the pattern allows it") {
    assert(texts(clique(4), "lists") == Seq("seed", "list", "intersection", "intersection"))
    assert(texts(clique(4), "marks") == Seq("seed", "list", "marks", "marks"))
    assert(texts(clique(3), "bits") == Seq("seed", "bits", "bits"))
    assert(texts(edges((0, 1), (1, 2)), "bits") == Seq("seed", "list", "list"))
  }

  /** Over a graph that has each edge both ways. */
  private def counts(
      p: GraphPattern,
      groupLevels: Int = 0,
      technique: String = "auto",
      predicates: IndexedSeq[IndexedSeq[Int]] = Vector.empty): Seq[String] = {
    val ends = for (a <- 0 until 6; b <- 0 until 6 if a != b) yield (a, b)
    val graph =
      CsrBuilder.fromCodes(ends.map(_._1).toArray, ends.map(_._2).toArray, ends.size, 6)
    TechniqueChoice
      .of(
        JoinProgram.compile(p, VariableOrder.natural(p.variableCount)),
        JoinTuning.named(technique))
      .counting(Array(graph), predicates, null, groupLevels)
      .counts
  }

  test("a decision travels, and is taken as it is, of whole seeds and of parts of them") {
    // Paths of two edges: the second level is a factor of whole seeds, but cut with its likes.
    val path = edges((0, 1), (0, 2))
    val ends = for (a <- 0 until 6; b <- 0 until 6 if a != b) yield (a, b)
    val graph =
      CsrBuilder.fromCodes(ends.map(_._1).toArray, ends.map(_._2).toArray, ends.size, 6)
    val program = JoinProgram.compile(path, VariableOrder.natural(3))
    def choice(predicates: IndexedSeq[IndexedSeq[Int]]): TechniqueChoice =
      travelled(
        TechniqueChoice.of(program, JoinTuning()).counting(Array(graph), predicates, null, 0))
    def bound(choice: TechniqueChoice, morsel: Morsel): (Long, Long) = {
      val join = new GenericJoin(program, Array(graph), Vector.empty, null, choice, () => ())
      join.open(morsel)
      (join.count(), join.bindingsAt(1))
    }
    val whole = Morsel(0, 1)
    val part = Morsel(0, 1, 0, 3)
    assert(bound(choice(Vector.empty), whole) == ((25L, 0L)))
    assert(bound(choice(Vector.empty), part) == ((10L, 2L)))
    // Decided for a condition that reads two variables: who runs it does not ask again.
    assert(bound(choice(Vector(Vector(1, 2))), whole) == ((25L, 5L)))
    assert(bound(choice(Vector(Vector(1, 2))), part) == ((10L, 2L)))
  }

  private def travelled(choice: TechniqueChoice): TechniqueChoice = {
    val bytes = new ByteArrayOutputStream
    val out = new ObjectOutputStream(bytes)
    out.writeObject(choice)
    out.close()
    val in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray))
    in.readObject().asInstanceOf[TechniqueChoice]
  }

  test("what hangs off bound variables is a factor of the count") {
    assert(counts(edges((0, 1), (0, 2))) == Seq("seed", "factor", "factor"))
    assert(counts(clique(3)) == Seq("seed", "list", "factor"))
    assert(counts(edges((0, 1), (1, 2), (2, 3))) == Seq("seed", "list", "list", "factor"))
  }

  test("a variable of which something is asked is bound, and so are those of a group") {
    val star = edges((0, 1), (0, 2))
    assert(counts(star, predicates = Vector(Vector(1, 2))) == Seq("seed", "list", "factor"))
    assert(counts(star, groupLevels = 2) == Seq("seed", "list", "factor"))
    assert(counts(star, groupLevels = 3) == Seq("seed", "list", "list"))
  }

  test("cliques are counted on bits, unless by group") {
    assert(counts(clique(5)) == Seq("seed", "bits", "bits", "bits", "bits"))
    assert(counts(
      clique(4),
      technique = "lists") == Seq("seed", "list", "intersection", "factor"))
    assert(counts(clique(5), groupLevels = 2) ==
      Seq("seed", "list", "marks", "marks", "factor"))
  }

  test("rows whose last variable stays while the one before loops are read from a list") {
    val diamond = edges((0, 1), (0, 2), (1, 2), (0, 3), (1, 3))
    assert(texts(diamond) == Seq("seed", "list", "marks", "marks"))
    assert(texts(diamond, "bits") == Seq("seed", "bits", "bits", "bits"))
  }
}
