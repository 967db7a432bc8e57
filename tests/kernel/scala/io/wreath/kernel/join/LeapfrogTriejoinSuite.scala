package io.wreath.kernel.join

import io.wreath.kernel.trie.{CsrTrieIterator, SortedTrieIterator, TrieIterator}
import io.wreath.kernel.{GraphGen, JoinCase, NaiveJoin, PropertyChecks}
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import org.scalacheck.Gen

/**
 * Holds the baseline to the oracle. The grid: every generated case x tries over CSR or over sorted
 * tuples of ids. The join has set semantics and no comparisons, so the suite weighs and filters.
 */
class LeapfrogTriejoinSuite extends PropertyChecks {

  /** A trie for `e` with its columns in the order of the variables. */
  private type TrieMaker = (JoinCase, PatternEdge, Boolean) => TrieIterator

  private val overCsr: TrieMaker = (c, e, forward) =>
    new CsrTrieIterator(c.graphs(e.relation).direction(forward))

  private val overTuples: TrieMaker = (c, e, forward) =>
    SortedTrieIterator.of(
      c.relations(e.relation).map { case (s, t) =>
        Vector(s, t).map(c.dictionary.encode(_).toLong)
      }.map(pair => if (forward) pair else pair.reverse),
      2)

  private def rows(c: JoinCase, make: TrieMaker): Map[Vector[Long], Long] = {
    val levelOf = c.order.variables.zipWithIndex.toMap
    val atoms = c.pattern.edges.map { e =>
      if (e.source == e.target) {
        val loops = c.relations(e.relation).collect { case (s, t) if s == t => Vector(s) }
        val coded = loops.map(_.map(c.dictionary.encode(_).toLong))
        TrieAtom(SortedTrieIterator.of(coded, 1), Vector(e.source))
      } else {
        val forward = levelOf(e.source) < levelOf(e.target)
        val variables = Vector(e.source, e.target)
        TrieAtom(make(c, e, forward), if (forward) variables else variables.reverse)
      }
    }
    val multiplicity =
      c.relations.map(_.groupMapReduce(identity)(_ => 1L)(_ + _))
    val join = new LeapfrogTriejoin(atoms, c.order)
    val found = Vector.newBuilder[(Vector[Long], Long)]
    while (join.next()) {
      val row = join.binding.toVector.map(code => c.dictionary.decode(code.toInt))
      if (c.pattern.comparisons.forall(NaiveJoin.holds(row, _))) {
        val weights =
          c.pattern.edges.map(e => multiplicity(e.relation)((row(e.source), row(e.target))))
        found += row -> weights.product
      }
    }
    assert(!join.next(), "an exhausted join must stay exhausted")
    val all = found.result()
    assert(all.map(_._1).distinct.size == all.size, "a binding was given twice")
    all.toMap
  }

  Seq("CSR" -> overCsr, "sorted tuples" -> overTuples).foreach { case (name, make) =>
    test(s"Leapfrog Triejoin over $name equals the oracle") {
      forAll(GraphGen.joinCase, 800)(c => assert(rows(c, make) == c.expected))
    }
  }

  test("relations of arity three join on Long keys, extremes included") {
    val value = Gen.oneOf(Long.MinValue, -1L, 0L, 1L, Long.MaxValue)
    val triples = Gen.listOf(Gen.listOfN(3, value).map(_.toVector))
    forAll(Gen.zip(triples, triples), 500) { case (r, s) =>
      // R(a, b, c) and S(b, c, d)
      val join = new LeapfrogTriejoin(
        Vector(
          TrieAtom(SortedTrieIterator.of(r, 3), Vector(0, 1, 2)),
          TrieAtom(SortedTrieIterator.of(s, 3), Vector(1, 2, 3))),
        VariableOrder.natural(4))
      val found =
        Iterator.continually(join.next()).takeWhile(identity).map(_ => join.binding.toVector)
      val expected =
        for (x <- r.toSet[Vector[Long]]; y <- s if x.tail == y.init) yield x :+ y.last
      assert(found.toSet == expected)
    }
  }

  test("atoms that contradict the order, or leave a variable out, are refused") {
    def trie = SortedTrieIterator.of(Seq(Vector(1L, 2L)), 2)
    val natural = VariableOrder.natural(2)
    def refused(atoms: TrieAtom*): Unit = {
      assertThrows[IllegalArgumentException](new LeapfrogTriejoin(atoms.toVector, natural))
      ()
    }
    refused(TrieAtom(trie, Vector(1, 0)))
    refused(TrieAtom(trie, Vector(0, 0)))
    refused(TrieAtom(trie, Vector(0)))
    refused(TrieAtom(SortedTrieIterator.of(Seq(Vector(1L)), 1), Vector(0)))
  }

  test("a pattern of one loop is a unary join") {
    val c = JoinCase(
      Vector(Vector((1L, 1L), (1L, 2L), (3L, 3L))),
      GraphPattern(1, Vector(PatternEdge(0, 0))),
      VariableOrder.natural(1),
      Vector.empty)
    assert(rows(c, overCsr) == Map(Vector(1L) -> 1L, Vector(3L) -> 1L))
  }
}
