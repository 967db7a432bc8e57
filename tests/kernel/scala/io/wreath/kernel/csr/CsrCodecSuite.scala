package io.wreath.kernel.csr

import java.io.IOException
import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}
import java.util.Arrays

import io.wreath.kernel.{GraphGen, PropertyChecks}

class CsrCodecSuite extends PropertyChecks {

  private def bytes(g: IndexedGraph): Array[Byte] = {
    val out = new ByteArrayOutputStream
    CsrCodec.write(g, new DataOutputStream(out))
    out.toByteArray
  }

  private def read(b: Array[Byte]): IndexedGraph =
    CsrCodec.read(new DataInputStream(new ByteArrayInputStream(b)))

  private def graph(edges: (Long, Long)*): IndexedGraph =
    CsrBuilder.fromIds(edges.map(_._1).toArray, edges.map(_._2).toArray, edges.size)

  private def assertSame(a: Csr, b: Csr): Unit = {
    assert(Arrays.equals(a.offsets, b.offsets))
    assert(Arrays.equals(a.neighbours, b.neighbours))
    assert(Arrays.equals(a.mult, b.mult))
  }

  private def assertRoundTrip(g: IndexedGraph): Unit = {
    val back = read(bytes(g))
    assertSame(g.graph.forward, back.graph.forward)
    assertSame(g.graph.reverse, back.graph.reverse)
    assert(g.dictionary.size == back.dictionary.size)
    (0 until g.dictionary.size).foreach { c =>
      assert(g.dictionary.decode(c) == back.dictionary.decode(c))
    }
    assert(g.dictionary.getClass == back.dictionary.getClass)
  }

  test("a graph that is written and read is the same, in both directions") {
    forAll(GraphGen.edges, 500)(e => assertRoundTrip(graph(e: _*)))
  }

  test("arrays longer than one chunk survive") {
    assertRoundTrip(graph((0 until 50000).map(i => (i * 7919L % 20011, i * 104729L % 20011)): _*))
    assertRoundTrip(graph((0 until 30000).map(i => (i * 1000003L, i * 999983L)): _*))
  }

  test("another version, other bytes and a damaged header are refused with a sentence") {
    val good = bytes(graph(1L -> 2L, 2L -> 3L))
    def refusal(change: Array[Byte] => Unit): String = {
      val b = good.clone()
      change(b)
      intercept[IOException](read(b)).getMessage
    }
    assert(refusal(b => b(0) = 0).contains("not a graph index"))
    assert(refusal(b => b(7) = 9).contains("version 9"))
    // Every byte of the header and of its checksum, among them the lengths.
    (8 until 36).foreach(i =>
      assert(refusal(b => b(i) = (b(i) ^ 0x40).toByte).contains("corrupt")))
    // The first offset, and a neighbour.
    assert(refusal(b => b(39) = 1).contains("corrupt"))
    assert(refusal(b => b(b.length - 1) = 77).contains("corrupt"))
    assertThrows[IOException](read(good.dropRight(1)))
  }
}
