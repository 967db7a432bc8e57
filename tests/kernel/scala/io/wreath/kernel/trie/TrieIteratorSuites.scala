package io.wreath.kernel.trie

import io.wreath.kernel.GraphGen
import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import org.scalacheck.Gen

class CsrForwardTrieIteratorSuite extends TrieIteratorContract {
  override protected def tuples: Gen[Tuples] = pairsOfCodes

  override protected def trie(t: Tuples): TrieIterator =
    new CsrTrieIterator(CsrForwardTrieIteratorSuite.graph(t).forward)
}

object CsrForwardTrieIteratorSuite {

  /** With some codes at the end that have no edges. */
  def graph(t: Set[Vector[Long]]): CsrGraph =
    CsrBuilder.fromCodes(
      t.toArray.map(_(0).toInt),
      t.toArray.map(_(1).toInt),
      t.size,
      vertexCount = 15)
}

class CsrReverseTrieIteratorSuite extends TrieIteratorContract {
  override protected def tuples: Gen[Tuples] = pairsOfCodes

  override protected def trie(t: Tuples): TrieIterator =
    new CsrTrieIterator(CsrForwardTrieIteratorSuite.graph(t.map(_.reverse)).reverse)
}

class SortedTrieIteratorSuite extends TrieIteratorContract {
  override protected def tuples: Gen[Tuples] = for {
    arity <- Gen.choose(1, 4)
    id <- GraphGen.ids
    value = Gen.choose(0, 9).map(id)
    t <- Gen.listOf(Gen.listOfN(arity, value).map(_.toVector))
  } yield t.toSet

  override protected def trie(t: Tuples): TrieIterator =
    SortedTrieIterator.of(t, t.headOption.fold(2)(_.size))

  test("tuples of another arity are refused") {
    assertThrows[IllegalArgumentException](SortedTrieIterator.of(Seq(Vector(1L)), 2))
  }
}
