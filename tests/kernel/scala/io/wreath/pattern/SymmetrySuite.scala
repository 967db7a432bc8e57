package io.wreath.pattern

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** Of each match and its rearrangements exactly one fulfils the comparisons. */
class SymmetrySuite extends PropertyChecks {

  private case class Shape(colours: Vector[Int], edges: Vector[SymmetricEdge]) {

    /** All of them, by trying all permutations. */
    lazy val symmetries: Vector[Vector[Int]] = colours.indices.toVector.permutations
      .filter { places =>
        colours.indices.forall(v => colours(places(v)) == colours(v)) &&
        edges.map(moved(_, places)).sortBy(_.toString) == edges.map(normal).sortBy(_.toString)
      }
      .toVector

    private def moved(e: SymmetricEdge, places: Vector[Int]): SymmetricEdge =
      normal(e.copy(source = places(e.source), target = places(e.target)))

    private def normal(e: SymmetricEdge): SymmetricEdge =
      if (e.isUndirected && e.source > e.target) e.copy(source = e.target, target = e.source)
      else e
  }

  private val shapes: Gen[Shape] = for {
    n <- Gen.choose(1, 5)
    colours <- Gen.containerOfN[Vector, Int](n, Gen.frequency(4 -> 0, 1 -> 1))
    v = Gen.choose(0, n - 1)
    undirected <- Gen.oneOf(true, false)
    edge = for (s <- v; t <- v; c <- Gen.frequency(5 -> 0, 1 -> 1))
      yield SymmetricEdge(s, t, c, undirected)
    count <- Gen.choose(0, 7)
    edges <- Gen.containerOfN[Vector, SymmetricEdge](count, edge)
  } yield Shape(colours, edges)

  test("one of the rearrangements of a match is left") {
    forAll(Gen.zip(shapes, Gen.long), 400) { case (shape, seed) =>
      val pairs = Symmetry.breaking(shape.colours, shape.edges, _ => true)
      val ids = new scala.util.Random(seed).shuffle(shape.colours.indices.toVector)
      val left = shape.symmetries.count { places =>
        val moved = places.map(ids)
        pairs.forall { case (l, r) => moved(l) < moved(r) }
      }
      assert(left == 1, s"$pairs for ${shape.symmetries}")
    }
  }

  test("what else has to stay as it is leaves fewer symmetries") {
    val star = (1 to 3).map(SymmetricEdge(0, _, 0, isUndirected = false))
    val colours = Vector(0, 0, 0, 0)
    assert(Symmetry.breaking(colours, star, _ => true) == Seq((1, 2), (1, 3), (2, 3)))
    assert(Symmetry.breaking(colours, star, _(1) == 1) == Seq((2, 3)))
  }

  test("a star of many leaves is no burden") {
    val star = (1 to 12).map(SymmetricEdge(0, _, 0, isUndirected = false))
    assert(Symmetry.breaking(Vector.fill(13)(0), star, _ => true).size == 66)
  }
}
