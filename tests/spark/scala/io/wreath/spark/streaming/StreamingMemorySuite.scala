package io.wreath.spark.streaming

import org.apache.spark.SparkEnv
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
