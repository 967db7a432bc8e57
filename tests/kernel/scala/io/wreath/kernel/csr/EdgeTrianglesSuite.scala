package io.wreath.kernel.csr

import java.util.concurrent.atomic.AtomicInteger

import scala.util.Random

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.lists.ElementCounter
import org.scalacheck.Gen

class EdgeTrianglesSuite extends PropertyChecks {

  private def random(seed: Long, n: Int): CsrGraph = {
    val random = new Random(seed)
    val edges = Seq
      .fill(6 * n)((random.nextInt(n), random.nextInt(n)))
      .filter { case (a, b) => a != b }
      .flatMap { case (a, b) => Seq(a -> b, b -> a) }
      .distinct
    CsrBuilder.fromCodes(edges.map(_._1).toArray, edges.map(_._2).toArray, edges.size, n)
  }

  private def naive(g: CsrGraph): Seq[Int] = {
    val lists = g.forward
    def neighbours(v: Int): Set[Int] =
      lists.array(v).slice(lists.from(v), lists.until(v)).toSet
    (0 until g.vertexCount).flatMap { v =>
      (lists.from(v) until lists.until(v)).map(i =>
        (neighbours(v) intersect neighbours(lists.neighbours(i))).size)
    }
  }

  test("each edge has the common neighbours of its ends, seen from either end") {
    forAll(Gen.long, 100) { seed =>
      val g = random(seed, 1 + new Random(seed).nextInt(200))
      assert(g.triangles.get(new ElementCounter(() => ())).toSeq == naive(g))
    }
  }

  test("threads share the work, and all see the whole of it") {
    (0 until 20).foreach { seed =>
      val g = random(seed.toLong, 2000)
      val expected = naive(g)
      val right = new AtomicInteger
      val threads = (0 until 4).map(_ =>
        new Thread(() =>
          if (g.triangles.get(new ElementCounter(() => ())).toSeq == expected)
            right.incrementAndGet()))
      threads.foreach(_.start())
      threads.foreach(_.join())
      assert(right.get == 4)
    }
  }

  test("what a thread gives up is counted by another") {
    val g = random(1L, 2000)
    val read = new ElementCounter(() => throw new IllegalStateException("enough"))
    val stopped = intercept[IllegalStateException](g.triangles.get(read))
    assert(stopped.getMessage == "enough" && read.elements > 0)
    assert(g.triangles.get(new ElementCounter(() => ())).toSeq == naive(g))
  }
}
