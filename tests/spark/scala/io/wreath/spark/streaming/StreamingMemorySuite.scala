package io.wreath.spark.streaming

import org.apache.spark.SparkEnv
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.streaming.StreamingQueryException
import org.apache.spark.storage.BroadcastBlockId

import org.scalatest.time.SpanSugar._

/** What a stream keeps in memory: its edges and not its past. */
class StreamingMemorySuite extends StreamingQueryHarness {

  private val triangle = "MATCH (a)->(b)->(c), (a)->(c)"

  private def broadcasts(): Set[Long] = SparkEnv.get.blockManager
    .getMatchingBlockIds(_.isBroadcast)
    .collect { case BroadcastBlockId(id, _) => id }
    .toSet

  /** Of a vertex without edges: its id, and its place in the lists of both directions. */
  private val bytesOfCode = 17L

  private def edge(src: Long, dst: Long, diff: Int): Change = Change(src, dst, 0, 0, diff)

  test("broadcasts of past versions are released, and all of them when the query ends") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "diff")
      val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $triangle)")
      val query = start(df, new Collected, dir)
      def run(batches: Int): Unit = (0 until batches).foreach { i =>
        input.addData((0 until 20).map(edge(0, _, if (i % 2 == 0) 1 else -1)))
        query.processAllAvailable()
      }
      val sizes = scala.collection.mutable.ArrayBuffer.empty[Int]
      try {
        run(6)
        sizes += StreamGraphs.liveBroadcasts
        run(30)
        sizes += StreamGraphs.liveBroadcasts
        // A base, a few runs, the batch and its slices; Spark's own come and go.
        assert(sizes.last <= sizes.head + 3 && sizes.last < 12, sizes)
      } finally query.stop()
      eventually(timeout(60.seconds))(assert(StreamGraphs.liveBroadcasts == 0))
      eventually(timeout(60.seconds), interval(200.millis)) {
        System.gc()
        // Spark holds on to what its last jobs were sent.
        assert(broadcasts().size <= 2)
      }
    }
  }

  test("hundreds of batches leave state, memory and broadcasts as they were") {
    val isSoak = sys.env.get("WREATH_SOAK").contains("1")
    val batches = if (isSoak) 300 else 30
    // In a soak, so many vertices that the codes of those that are gone are given again.
    val cliques = if (isSoak) 25 else 1
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "amount", "ts", "diff")
      val df = spark.sql("SELECT * FROM GRAPH_TABLE (changes " +
        "MATCH (a)-[e]->(b)->(c), (a)->(c) COLUMNS (a, b, c, e.ts))")
      val query = df.writeStream
        .option("checkpointLocation", dir.getAbsolutePath)
        .foreachBatch((batch: DataFrame, _: Long) =>
          batch.write.format("noop").mode("overwrite").save())
        .start()
      // Vertices and properties are new in each batch, and gone two batches later.
      def edgesOf(i: Int): Seq[Change] =
        for (c <- 0 until cliques; first = 100L * (i * cliques + c); a <- 0 until 12;
          b <- a + 1 until 12)
          yield Change(first + a, first + b, i.toLong, i.toLong, 1)
      def run(range: Range): Unit = range.foreach { i =>
        val gone = if (i < 2) Nil else edgesOf(i - 2).map(_.copy(diff = -1))
        input.addData(edgesOf(i) ++ gone)
        query.processAllAvailable()
      }
      def used(): Long = {
        (0 until 5).foreach { _ => System.gc(); Thread.sleep(50) }
        val r = Runtime.getRuntime
        r.totalMemory - r.freeMemory
      }
      def figures(): (Long, Long, Int) = (
        query.lastProgress.stateOperators.head.numRowsTotal,
        metric(query.lastProgress, "indexBytes"),
        StreamGraphs.liveBroadcasts)
      try {
        run(0 until 20)
        val (rows, index, sent) = figures()
        val before = used()
        run(20 until 20 + batches)
        val (rowsAfter, indexAfter, sentAfter) = figures()
        info(
          s"rows $rows, $rowsAfter; index $index, $indexAfter; broadcasts $sent, $sentAfter; " +
            s"heap $before, ${used()}")
        assert(rowsAfter == rows)
        val codes = math.min(12 * cliques * batches, 2 * DriverVersion.LeastCodes)
        assert(indexAfter <= index + codes * bytesOfCode, "the index")
        assert(sentAfter <= sent + 3, "broadcasts")
        // Spark's own notes of batches grow by some kilobytes each; the graphs of all batches would by more.
        assert(used() - before < (16L << 20) + batches * (64L << 10), "the driver's heap")
      } finally query.stop()
    }
  }

  test("an index that grows beyond its limit ends the query, and a restart with more goes on") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "diff")
      val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $triangle)")
      val out = new Collected
      def run(): Unit = {
        val query = start(df, out, dir)
        try query.processAllAvailable()
        finally query.stop()
      }
      input.addData(edge(1, 2, 1), edge(2, 3, 1))
      run()
      input.addData(edge(1, 3, 1) +: (100 until 2100).map(i => edge(i, i + 1, 1)))
      withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "10k") {
        val error = intercept[StreamingQueryException](run())
        assert(error.getMessage.contains("WREATH_STREAM_INDEX_TOO_LARGE"))
      }
      assert(!out.all.contains(1L))
      run()
      assert(out.all(1).map(_.toSeq) == Seq(Seq(1L, 2L, 3L, 1L)))
    }
  }
}
