package io.wreath.kernel.csr

import java.io.IOException
import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}
import java.util.Arrays

import io.wreath.kernel.dictionary.DictionaryCodec
import io.wreath.kernel.{GraphGen, PropertyChecks}

class CsrCodecSuite extends PropertyChecks {

  private def bytes(g: IndexedGraph): Array[Byte] = {
    val out = new ByteArrayOutputStream
    DictionaryCodec.write(g.dictionary, new DataOutputStream(out))
    CsrCodec.write(g.graph, new DataOutputStream(out))
    out.toByteArray
  }

  private def read(b: Array[Byte]): IndexedGraph = {
    val in = new DataInputStream(new ByteArrayInputStream(b))
    val dictionary = DictionaryCodec.read(in)
    IndexedGraph(dictionary, CsrCodec.read(in))
  }

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

  test("ends that are numbered each by themselves survive") {
    val g = CsrBuilder.fromCodes(Array(0, 1, 1, 1), Array(6, 0, 3, 3), 4, 2, 7)
    val out = new ByteArrayOutputStream
    CsrCodec.write(g, new DataOutputStream(out))
    val back = CsrCodec.read(new DataInputStream(new ByteArrayInputStream(out.toByteArray)))
    assertSame(g.forward, back.forward)
    assertSame(g.reverse, back.reverse)
    assert(back.reverse.vertexCount == 7 && back.forward.vertexCount == 2)
  }

  test("another version, other bytes and a damaged header are refused with a sentence") {
    val good = bytes(graph(1L -> 2L, 2L -> 3L))
    def refusal(change: Array[Byte] => Unit): String = {
      val b = good.clone()
      change(b)
      intercept[IOException](read(b)).getMessage
    }
    // The dictionary comes first: magic, version, three numbers and a checksum.
    val graphAt = 8 + 24 + 4
    assert(refusal(b => b(0) = 0).contains("not a dictionary of ids"))
    assert(refusal(b => b(7) = 9).contains("version 9"))
    assert(refusal(b => b(graphAt) = 0).contains("not a graph index"))
    assert(refusal(b => b(graphAt + 7) = 9).contains("version 9"))
    // Every byte of the headers and of their checksums, among them the lengths.
    val headers = (8 until graphAt) ++ (graphAt + 8 until graphAt + 8 + 32 + 4)
    headers.foreach(i => assert(refusal(b => b(i) = (b(i) ^ 0x40).toByte).contains("corrupt")))
    // The first offset, and a neighbour.
    assert(refusal(b => b(graphAt + 44 + 3) = 1).contains("corrupt"))
    assert(refusal(b => b(b.length - 1) = 77).contains("corrupt"))
    assertThrows[IOException](read(good.dropRight(1)))
    val gaps = bytes(graph(1L -> (1L << 40), (1L << 41) -> 3L))
    gaps(graphAt + 1) = 0x70
    assert(intercept[IOException](read(gaps)).getMessage.contains("corrupt"))
  }
}
