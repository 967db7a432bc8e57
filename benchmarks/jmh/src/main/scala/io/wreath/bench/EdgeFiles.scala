package io.wreath.bench

import java.nio.file.{Files, Path}
import java.nio.{ByteBuffer, ByteOrder}
import java.util.Random

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}

/** Edges as parallel arrays of codes. */
final case class EdgeList(sources: Array[Int], targets: Array[Int]) {

  def size: Int = sources.length

  def vertexCount: Int =
    Math.max(sources.maxOption.getOrElse(-1), targets.maxOption.getOrElse(-1)) + 1

  /** Each edge in both directions. */
  def symmetric: EdgeList = EdgeList(sources ++ targets, targets ++ sources)

  def graph: CsrGraph = CsrBuilder.fromCodes(sources, targets, size, vertexCount)
}

/** Where the graphs of benchmarks come from. */
object EdgeFiles {

  /** Reads pairs of little-endian int32: source, target, source, target, … */
  def read(path: Path): EdgeList = {
    val ints =
      ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer()
    val count = ints.remaining() / 2
    EdgeList(
      Array.tabulate(count)(i => ints.get(2 * i)),
      Array.tabulate(count)(i => ints.get(2 * i + 1)))
  }

  /** Uniformly random edges, the same ones every time. */
  def random(edges: Int, vertices: Int): EdgeList = {
    val random = new Random(1L)
    EdgeList(
      Array.fill(edges)(random.nextInt(vertices)),
      Array.fill(edges)(random.nextInt(vertices)))
  }

  /**
   * Ascending distinct edges with a power-law degree distribution (recursive quadrants with
   * probabilities .57, .19, .19, .05), codes shuffled so that they say nothing of the degree.
   */
  def powerLaw(scale: Int, edgesPerVertex: Int): EdgeList = {
    val random = new Random(1L)
    val n = 1 << scale
    val codes = Array.range(0, n)
    (n - 1 to 1 by -1).foreach { i =>
      val j = random.nextInt(i + 1)
      val c = codes(i)
      codes(i) = codes(j)
      codes(j) = c
    }
    val packed = Array.fill(n * edgesPerVertex) {
      var a = 0
      var b = 0
      (0 until scale).foreach { _ =>
        val quadrant = random.nextDouble()
        a = a * 2 + (if (quadrant < 0.76) 0 else 1)
        b = b * 2 + (if (quadrant < 0.57 || (quadrant >= 0.76 && quadrant < 0.95)) 0 else 1)
      }
      Math.min(codes(a), codes(b)).toLong << 32 | Math.max(codes(a), codes(b))
    }.distinct.filter(e => (e >>> 32) != (e & 0xffffffffL))
    EdgeList(packed.map(e => (e >>> 32).toInt), packed.map(_.toInt))
  }
}
