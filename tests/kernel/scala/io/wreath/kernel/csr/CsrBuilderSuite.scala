package io.wreath.kernel.csr

import io.wreath.kernel.dictionary.{DenseDictionary, IdMerge, SortedDictionary}
import io.wreath.kernel.lists.Adjacency
import io.wreath.kernel.{GraphGen, NaiveJoin, PropertyChecks}
import org.scalacheck.Gen

class CsrBuilderSuite extends PropertyChecks {

  private def build(edges: NaiveJoin.Edges): IndexedGraph =
    CsrBuilder.fromIds(edges.map(_._1).toArray, edges.map(_._2).toArray, edges.size)

  /** (v, neighbour, multiplicity) in the order of the lists. */
  private def lists(a: Adjacency): Vector[(Int, Int, Int)] =
    (0 until a.vertexCount).toVector.flatMap { v =>
      (a.from(v) until a.until(v)).map { i =>
        val m = a.multiplicities(v)
        (v, a.array(v)(i), if (m == null) 1 else m(i))
      }
    }

  /** The same by sorting and grouping. */
  private def naive(pairs: Vector[(Int, Int)]): Vector[(Int, Int, Int)] =
    pairs.groupMapReduce(identity)(_ => 1)(_ + _).toVector.map { case ((a, b), m) =>
      (a, b, m)
    }.sorted

  test("both directions hold the sorted distinct edges with their multiplicities") {
    forAll(GraphGen.edges, 1500) { edges =>
      val IndexedGraph(d, g) = build(edges)
      val coded = edges.map { case (s, t) => (d.encode(s), d.encode(t)) }
      assert(lists(g.forward) == naive(coded))
      assert(lists(g.reverse) == naive(coded.map(_.swap)))
      assert(g.rowCount == edges.size)
      assert(g.edgeCount == edges.distinct.size)
      assert(g.hasDuplicates == (edges.distinct.size < edges.size))
      assert(g.hasSelfLoops == edges.exists(e => e._1 == e._2))
      val degrees = coded.distinct.groupBy(_._1).values.map(_.size)
      assert(g.forward.maxDegree == degrees.maxOption.getOrElse(0))
    }
  }

  test("large random edge lists come out sorted too") {
    val code = Gen.choose(0, 299)
    forAll(Gen.containerOfN[Vector, (Int, Int)](20000, Gen.zip(code, code)), 5) { pairs =>
      val g = CsrBuilder.fromCodes(
        pairs.map(_._1).toArray,
        pairs.map(_._2).toArray,
        pairs.size,
        300)
      assert(lists(g.forward) == naive(pairs))
      assert(lists(g.reverse) == naive(pairs.map(_.swap)))
    }
  }

  test("rows keep their order within an edge, and ends may be numbered each by themselves") {
    val pair = Gen.zip(Gen.choose(0, 4), Gen.choose(0, 7))
    forAll(Gen.choose(0, 40).flatMap(Gen.containerOfN[Vector, (Int, Int)](_, pair)), 500) {
      pairs =>
        val (sources, targets) = (pairs.map(_._1).toArray, pairs.map(_._2).toArray)
        val (g, order) = CsrBuilder.withOrder(sources, targets, pairs.size, 5, 8)
        assert(order.toVector == pairs.indices.toVector.sortBy(i => (pairs(i), i)))
        val plain = CsrBuilder.fromCodes(sources, targets, pairs.size, 5, 8)
        for (graph <- Seq(g, plain)) {
          assert(lists(graph.forward) == naive(pairs))
          assert(lists(graph.reverse) == naive(pairs.map(_.swap)))
          assert(graph.forward.vertexCount == 5 && graph.reverse.vertexCount == 8)
        }
    }
  }

  test("ids collected in parts are one dictionary, and every part finds its codes") {
    val id = Gen.oneOf(Gen.choose(-20L, 20L), Gen.long)
    val part = Gen.listOf(id).map(_.distinct.sorted.toArray)
    forAll(Gen.zip(Gen.nonEmptyListOf(part), part), 500) { case (parts, others) =>
      val all = IdMerge.distinct(parts.toArray)
      assert(all.toSeq == parts.flatten.distinct.sorted)
      val dictionaries = Seq(new SortedDictionary(all), DenseDictionary(-20L, 41))
      for (d <- dictionaries; ids <- others :: parts) {
        assert(IdMerge.positions(ids, d).toSeq == ids.toSeq.map(d.encode))
        ids.foreach(i => assert(d.lowerBound(i) == (0 until d.size).count(d.decode(_) < i)))
      }
    }
  }

  test("the inputs are only read, and only up to count") {
    val src = Array(3, 1, 2, 99)
    val dst = Array(0, 2, 1, 99)
    val g = CsrBuilder.fromCodes(src, dst, 3, 4)
    assert(src.sameElements(Array(3, 1, 2, 99)) && dst.sameElements(Array(0, 2, 1, 99)))
    assert(lists(g.forward) == Vector((1, 2, 1), (2, 1, 1), (3, 0, 1)))
  }

  test("codes out of range, wrong counts and wrong sizes are refused with a sentence") {
    def message(f: => Any): String = intercept[IllegalArgumentException](f).getMessage
    assert(message(CsrBuilder.fromCodes(Array(0, 5), Array(0, 1), 2, 5)).contains("from 5 to 1"))
    assert(message(CsrBuilder.fromCodes(Array(0), Array(-1), 1, 5)).contains("from 0 to -1"))
    assert(message(CsrBuilder.fromCodes(Array(0), Array(0), 2, 1)).contains("2 edges"))
    assert(message(CsrBuilder.fromCodes(Array.empty, Array.empty, 0, -1)).contains("-1"))
    assert(message(CsrBuilder.fromIds(Array(1L), Array.empty, 1)).contains("0 targets"))
  }

  test("ids in a short range become codes by subtraction, others by a dictionary") {
    def dictionary(ids: Long*) = build(ids.toVector.map(i => (i, i))).dictionary
    assert(dictionary(7, 9, 8) == DenseDictionary(7, 3))
    assert(dictionary(Long.MaxValue, Long.MaxValue - 2) == DenseDictionary(Long.MaxValue - 2, 3))
    assert(dictionary(Long.MinValue, Long.MinValue + 1) == DenseDictionary(Long.MinValue, 2))
    assert(dictionary(0, 1L << 40).isInstanceOf[SortedDictionary])
    assert(dictionary(Long.MinValue, Long.MaxValue).isInstanceOf[SortedDictionary])
    assert(dictionary(Long.MinValue, 0).isInstanceOf[SortedDictionary])
    assert(dictionary() == DenseDictionary(0, 0))
  }
}
