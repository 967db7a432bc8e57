package io.wreath.kernel.delta

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

class EdgeDeltaSuite extends PropertyChecks {

  private val changes: Gen[Vector[(Int, Int, Int)]] = {
    val code = Gen.oneOf(Gen.choose(0, 4), Gen.const(Int.MaxValue))
    Gen.choose(0, 20).flatMap(
      Gen.containerOfN[Vector, (Int, Int, Int)](_, Gen.zip(code, code, Gen.choose(-2, 2))))
  }

  private val none: Runnable = () => ()

  private def consolidate(c: Vector[(Int, Int, Int)], keeps: Boolean = false): EdgeDelta =
    EdgeDelta.consolidate(
      c.map(_._1).toArray,
      c.map(_._2).toArray,
      c.map(_._3).toArray,
      c.size,
      keeps)

  private def entries(d: EdgeDelta): Vector[((Int, Int), Int)] =
    Vector.tabulate(d.size)(i => ((d.source(i), d.target(i)), d.diff(i)))

  private def sums(c: Vector[(Int, Int, Int)]): Vector[((Int, Int), Int)] =
    c.groupMapReduce(x => (x._1, x._2))(_._3)(_ + _).toVector.sorted

  test("each edge is there once with the sum of its diffs, ascending, zeros gone or kept") {
    forAll(changes, 500) { c =>
      assert(entries(consolidate(c)) == sums(c).filter(_._2 != 0))
      assert(entries(consolidate(c, keeps = true)) == sums(c))
    }
  }

  test("transposing sorts by target; twice is where one began") {
    forAll(changes, 300) { c =>
      val d = consolidate(c)
      assert(entries(d.transposed(none)) == entries(d).map { case ((s, t), n) =>
        ((t, s), n)
      }.sorted)
      assert(entries(d.transposed(none).transposed(none)) == entries(d))
    }
  }

  test("two batches after each other are one batch of all their changes") {
    forAll(Gen.zip(changes, changes), 300) { case (a, b) =>
      assert(entries(consolidate(a).followedBy(consolidate(b))) == entries(consolidate(a ++ b)))
    }
  }

  test("contains finds the changed edges and no others") {
    forAll(changes, 200) { c =>
      val d = consolidate(c)
      val edges = entries(d).map(_._1).toSet
      for (s <- 0 to 5; t <- 0 to 5) assert(d.contains(s, t) == edges((s, t)))
    }
  }

  test("sums beyond Int, negative codes and wrong counts are refused") {
    assertThrows[ArithmeticException](
      consolidate(Vector((0, 1, Int.MaxValue), (1, 1, 1), (0, 1, 1))))
    assertThrows[IllegalArgumentException](consolidate(Vector((0, -1, 1))))
    assertThrows[IllegalArgumentException](
      EdgeDelta.consolidate(Array(0), Array(0), Array(1), 2))
  }
}
