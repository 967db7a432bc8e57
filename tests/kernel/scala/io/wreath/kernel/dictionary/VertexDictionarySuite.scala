package io.wreath.kernel.dictionary

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.{GraphGen, PropertyChecks}
import org.scalacheck.Gen

class VertexDictionarySuite extends PropertyChecks {

  private val manyIds = Gen.listOfN(3000, Gen.oneOf(Gen.long, Gen.choose(-5000L, 5000L)))

  private def check(ids: Seq[Long]): Unit = {
    val d = CsrBuilder.fromIds(ids.toArray, ids.toArray, ids.size).dictionary
    val codes = ids.map(d.encode)
    assert(codes.forall(c => c >= 0 && c < d.size))
    assert(codes.map(d.decode) == ids)
    val all = (0 until d.size).map(d.decode)
    assert(all.zip(all.drop(1)).forall { case (a, b) => a < b }, "codes must keep the ids' order")
    assert((0 until d.size).forall(c => d.encode(d.decode(c)) == c))
    val known = all.toSet
    ids.flatMap(i => Seq(i - 1, i + 1, i ^ Long.MinValue, ~i)).filterNot(known).foreach { absent =>
      assert(d.encode(absent) == -1)
    }
  }

  test("encode and decode are inverse, keep the order, and know what is absent") {
    forAll(GraphGen.edges, 1500)(e => check(e.flatMap { case (a, b) => Seq(a, b) }))
  }

  test("the same with thousands of ids, beyond the first size of the table") {
    forAll(manyIds, 10)(check)
  }

  test("a dense dictionary at the ends of Long neither wraps nor overflows") {
    val top = DenseDictionary(Long.MaxValue - 9, 10)
    assert(top.encode(Long.MaxValue) == 9 && top.encode(Long.MinValue) == -1)
    val bottom = DenseDictionary(Long.MinValue, 10)
    assert(bottom.encode(Long.MinValue) == 0 && bottom.encode(Long.MaxValue) == -1)
    assert(bottom.encode(0L) == -1)
    assertThrows[IllegalArgumentException](DenseDictionary(Long.MaxValue - 9, 11))
  }
}
