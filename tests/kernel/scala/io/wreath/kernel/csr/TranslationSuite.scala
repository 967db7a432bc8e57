package io.wreath.kernel.csr

import io.wreath.kernel.dictionary.{
  DenseDictionary,
  DictionaryUnion,
  SortedDictionary,
  VertexDictionary
}
import io.wreath.kernel.{GraphGen, PropertyChecks}
import org.scalacheck.Gen

/** Graphs that were coded apart are the same graphs over one dictionary. */
class TranslationSuite extends PropertyChecks {

  private def edges(dictionary: VertexDictionary, csr: Csr): Vector[(Long, Long, Int)] = for {
    v <- (0 until csr.vertexCount).toVector
    i <- csr.from(v) until csr.until(v)
  } yield (
    dictionary.decode(v),
    dictionary.decode(csr.neighbours(i)),
    if (csr.mult == null) 1 else csr.mult(i))

  test("a union has every id, keeps the order, and translates every edge in its place") {
    forAll(Gen.listOfN(3, GraphGen.edges), 500) { relations =>
      val coded = relations.map { r =>
        CsrBuilder.fromIds(r.map(_._1).toArray, r.map(_._2).toArray, r.size)
      }
      val (union, translations) = DictionaryUnion.of(coded.map(_.dictionary))
      assert((1 until union.size).forall(c => union.decode(c - 1) < union.decode(c)))
      for ((g, t) <- coded.zip(translations)) {
        assert(t.size == union.size && t.sourceSize == g.dictionary.size)
        (0 until g.dictionary.size).foreach { c =>
          assert(union.decode(t(c)) == g.dictionary.decode(c))
        }
        val translated = TranslatedLists.of(g.graph, t, t)
        for (forward <- Seq(true, false)) {
          assert(
            edges(union, translated.direction(forward)) ==
              edges(g.dictionary, g.graph.direction(forward)))
          assert(translated.direction(forward).vertexCount == union.size)
        }
      }
    }
  }

  test("dictionaries that are alike stay as they are") {
    val d = DenseDictionary(5, 10)
    val (same, translations) = DictionaryUnion.of(Seq(d, DenseDictionary(5, 10)))
    assert(same == d && translations.forall(_.isIdentity))
    val s = new SortedDictionary(Array(1L, 1L << 40, 1L << 50))
    val (sorted, kept) = DictionaryUnion.of(Seq(s, new SortedDictionary(Array(1L << 40))))
    assert(kept.head.isIdentity && !kept(1).isIdentity && kept(1)(0) == 1 && sorted.size == 3)
  }

  test("dense dictionaries far apart are not stretched over the gap") {
    val (union, translations) =
      DictionaryUnion.of(Seq(DenseDictionary(0, 3), DenseDictionary(1L << 40, 3)))
    assert(union.size == 6 && translations(1)(0) == 3)
  }
}
