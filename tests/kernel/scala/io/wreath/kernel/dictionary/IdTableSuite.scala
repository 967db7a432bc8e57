package io.wreath.kernel.dictionary

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.delta.DeltaIds
import org.scalacheck.Gen

class IdTableSuite extends PropertyChecks {

  private val ids = Gen.choose(0, 3000).flatMap(Gen.containerOfN[Vector, Long](
    _,
    Gen.frequency(4 -> Gen.choose(-50L, 2000L), 1 -> Gen.long, 1 -> Gen.const(Long.MinValue))))

  test("codes count up as ids first appear, and stay") {
    forAll(ids, 100) { all =>
      val d = new IdTable
      val codes = all.map(d.ordinal)
      val firsts = all.distinct
      assert(codes == all.map(firsts.zipWithIndex.toMap))
      assert(d.size == firsts.size)
      assert(d.idsFrom(0).toVector == firsts)
      assert(all.map(d.ordinal) == codes && d.size == firsts.size)
    }
  }

  test("ids of a stream compare as ids, and are extended by what they lack") {
    forAll(Gen.zip(ids, ids), 50) { case (a, b) =>
      val d = new IdTable
      a.foreach(d.ordinal)
      val early = DeltaIds.of(d.idsFrom(0))
      b.foreach(d.ordinal)
      val late = early.extended(d.idsFrom(early.size))
      val copied = DeltaIds.of(d.idsFrom(0))
      assert(late.size == d.size)
      val sample = (0 until late.size by 37).toVector
      for (x <- sample; y <- sample) {
        assert(
          Integer.signum(late.compare(x, y)) == late.decode(x).compare(copied.decode(y)))
      }
      assert((0 until early.size).forall(c => early.decode(c) == late.decode(c)))
      assert((0 until d.size).forall(c => copied.decode(c) == late.decode(c)))
    }
  }
}
