package io.wreath.kernel.delta

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

class DeltaChainSuite extends PropertyChecks {

  private val batch: Gen[DeltaGen.Batch] = {
    val code = Gen.choose(0, 9)
    val change = Gen.zip(code, code, Gen.oneOf(1, -1))
    Gen.choose(0, 8).flatMap(Gen.containerOfN[Vector, (Int, Int, Int)](_, change))
  }

  private def delta(b: DeltaGen.Batch): EdgeDelta =
    EdgeDelta.consolidate(b.map(_._1).toArray, b.map(_._2).toArray, b.map(_._3).toArray, b.size)

  test("the runs of a chain lead from the base to the latest version") {
    forAll(Gen.choose(0, 40).flatMap(Gen.listOfN(_, batch)), 100) { batches =>
      val base = Rows(Vector((0, 1), (1, 2), (1, 2))).graph(10)
      val (chain, latest) = batches.foldLeft((DeltaChain.empty, base)) { case ((c, g), b) =>
        val change = g.change(delta(b))
        (c.appended(change.effective()), change.after)
      }
      val caughtUp = chain.runs.foldLeft(base) { (g, run) =>
        val change = g.change(run.delta)
        assert(change.ignoredDeletes == 0)
        change.after
      }
      assert(edges(caughtUp) == edges(latest))
      assert(chain.batchCount == batches.size)
      assert(chain.runs.map(_.from) ++ Seq(batches.size.toLong) ==
        0L +: chain.runs.map(_.until) || chain.runs.isEmpty)
    }
  }

  test("a thousand equal batches make few runs, each change merged a few times") {
    var chain = DeltaChain.empty
    (0 until 1000).foreach { i =>
      chain = chain.appended(delta(Vector.tabulate(10)(j => (i, j, 1))))
      assert(chain.runs.size <= 11)
    }
    assert(chain.size == 10000)
    assert(chain.merges < 1000)
    assert(chain.worthRebase(39000) && !chain.worthRebase(41000))
  }

  private def edges(g: VersionedGraph): Seq[(Int, Int, Int)] = {
    val csr = g.toCsrGraph.forward
    for {
      v <- 0 until csr.vertexCount
      i <- csr.from(v) until csr.until(v)
    } yield (
      v,
      csr.array(v)(i),
      if (csr.multiplicities(v) == null) 1 else csr.multiplicities(v)(i))
  }
}
