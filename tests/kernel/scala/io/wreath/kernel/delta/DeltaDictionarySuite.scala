package io.wreath.kernel.delta

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

class DeltaDictionarySuite extends PropertyChecks {

  private val ids = Gen.choose(0, 3000).flatMap(Gen.containerOfN[Vector, Long](
    _,
    Gen.frequency(4 -> Gen.choose(-50L, 2000L), 1 -> Gen.long, 1 -> Gen.const(Long.MinValue))))

  test("codes count up as ids first appear, and stay") {
    forAll(ids, 100) { all =>
      val d = new DeltaDictionary
      val codes = all.map(d.encodeOrAdd)
      val firsts = all.distinct
      assert(codes == all.map(firsts.zipWithIndex.toMap))
      assert(d.size == firsts.size)
      assert(firsts.indices.forall(c => d.snapshot.decode(c) == firsts(c)))
      assert(all.forall(id => d.encode(id) == d.encodeOrAdd(id)))
      assert(d.encode(2001L) == firsts.indexOf(2001L))
    }
  }

  test("snapshots compare codes as ids, and are extended by what they lack") {
    forAll(Gen.zip(ids, ids), 50) { case (a, b) =>
      val d = new DeltaDictionary
      a.foreach(d.encodeOrAdd)
      val early = d.snapshot
      b.foreach(d.encodeOrAdd)
      val late = early.extended(d.idsFrom(early.size))
      assert(late.size == d.size)
      val sample = (0 until late.size by 37).toVector
      for (x <- sample; y <- sample) {
        assert(
          Integer.signum(late.compare(x, y)) == late.decode(x).compare(d.snapshot.decode(y)))
      }
      assert((0 until early.size).forall(c => early.decode(c) == late.decode(c)))
      val copied = DeltaIds.of(d.idsFrom(0))
      assert((0 until d.size).forall(c => copied.decode(c) == late.decode(c)))
    }
  }
}
