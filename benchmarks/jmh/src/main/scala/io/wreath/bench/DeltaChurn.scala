package io.wreath.bench

import java.nio.file.Path
import java.util.{Locale, Random}

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.delta.{EdgeDelta, VersionedGraph}

/**
 * Prints one JSON line: the bytes of an index after many batches of as many inserts as deletes, and
 * those of an index that is built of the same edges.
 *
 * {{{ DeltaChurn <directory> <batches> <changes in a batch> }}}
 */
object DeltaChurn {

  def main(args: Array[String]): Unit = {
    if (args.length < 3) {
      Console.err.println("usage: DeltaChurn <directory> <batches> <changes in a batch>")
      sys.exit(2)
    }
    val directory = Path.of(args(0))
    val base = EdgeFiles.read(directory.resolve("base_o.bin"))
    val n = base.vertexCount
    var graph = VersionedGraph.of(CsrBuilder.fromCodes(base.sources, base.targets, base.size, n))
    val start = System.nanoTime()
    val edges = new Edges(base)
    (0 until args(1).toInt).foreach(_ => graph = graph.change(edges.batch(args(2).toInt)).after)
    val fresh = VersionedGraph.of(graph.toCsrGraph)
    Console.println(
      String.format(
        Locale.ROOT,
        """{"graph":"%s","edges":%d,"secs":%.3f,"index_bytes":%d,"fresh_bytes":%d}""",
        directory.getFileName,
        Long.box(graph.rowCount),
        Double.box((System.nanoTime() - start) / 1e9),
        Long.box(graph.sizeInBytes),
        Long.box(fresh.sizeInBytes)))
  }

  /** The edges that are there, so that deletes find one and inserts bring one that is new. */
  final private class Edges(base: EdgeList) {
    private val random = new Random(1)
    private val sources = base.sources.clone()
    private val targets = base.targets.clone()
    private val known = scala.collection.mutable.HashSet.empty[Long]

    sources.indices.foreach(i => known += key(sources(i), targets(i)))

    private def key(s: Int, t: Int): Long = s.toLong << 32 | t

    /** Half of it replaces edges chosen at random by others, whose ends are those of edges. */
    def batch(size: Int): EdgeDelta = {
      val half = size / 2
      val (s, t, d) = (new Array[Int](size), new Array[Int](size), new Array[Int](size))
      (0 until half).foreach { i =>
        val at = random.nextInt(sources.length)
        s(i) = sources(at)
        t(i) = targets(at)
        d(i) = -1
        known -= key(s(i), t(i))
        var (x, y) = (0, 0)
        do {
          x = sources(random.nextInt(sources.length))
          y = targets(random.nextInt(targets.length))
        } while (x >= y || known.contains(key(x, y)))
        known += key(x, y)
        sources(at) = x
        targets(at) = y
        s(half + i) = x
        t(half + i) = y
        d(half + i) = 1
      }
      EdgeDelta.consolidate(s, t, d, 2 * half)
    }
  }
}
