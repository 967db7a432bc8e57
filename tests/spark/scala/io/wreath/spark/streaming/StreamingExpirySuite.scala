package io.wreath.spark.streaming

import scala.util.Random

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StreamingQueryException
import org.apache.spark.sql.{AnalysisException, DataFrame, Row}

/**
 * Edges that go by themselves, held to Spark's joins over the edges of the last ten seconds. The
 * column ts of a [[Change]] is its time in seconds.
 */
class StreamingExpirySuite extends StreamingQueryHarness {

  private val lives = 10
  private val columns = Seq("src", "dst", "amount", "timestamp_seconds(ts) AS ts")
  private val pair =
    "MATCH (a)-[e]->(b)-[f]->(a) WHERE e.ts <= f.ts COLUMNS (a, b, e.amount AS x)"
  private val triangle = "MATCH (a)->(b)->(c), (a)->(c)"

  private def query(clause: String): DataFrame =
    spark.sql(
      s"SELECT * FROM GRAPH_TABLE (changes EXPIRING ts AFTER '$lives seconds' $clause)")

  /** What is left: of the edges that were not deleted, those of the last seconds. */
  private def left(batches: Seq[Seq[Change]]): Map[Change, Int] = {
    val latest = batches.flatten.filter(_.diff > 0).map(_.ts).maxOption.getOrElse(0L)
    // A delete of what has expired, or was late, does nothing; so the order does not matter.
    val net = batches.flatten.groupMapReduce(_.copy(diff = 0))(_.diff)(_ + _)
    net.filter { case (c, n) => n > 0 && c.ts > latest - lives }
  }

  /** Time goes on, with some edges that are late, and deletes of edges, the latest among them. */
  private def random(seed: Int, n: Int): Seq[Seq[Change]] = {
    val r = new Random(seed)
    var there = Seq.empty[Change]
    Seq.tabulate(n) { i =>
      val inserts = Seq.fill(14)(
        Change(r.nextInt(5), r.nextInt(5), r.nextInt(2), 4 * i + r.nextInt(8) - r.nextInt(12), 1))
      val deletes = (r.shuffle(there).take(4) ++ there.sortBy(-_.ts).take(1)).distinct
      there = there.diff(deletes) ++ inserts
      inserts ++ deletes.map(_.copy(diff = -1))
    }
  }

  private def check(clause: String, seed: Int, restartEvery: Int): Unit = withTempDir { dir =>
    val input = stream("changes", columns :+ "diff": _*)
    val out = new Collected
    var (expired, late) = (0L, 0L)
    val batches = random(seed, 8)
    batches.zipWithIndex.grouped(restartEvery).foreach { run =>
      val q = start(query(clause), out, dir)
      try run.foreach { case (batch, i) =>
          input.addData(batch)
          q.processAllAvailable()
          val now = left(batches.take(i + 1))
          assert(out.sums == recomputed(now, clause, columns), s"after batch $i")
          assert(q.lastProgress.stateOperators.head.numRowsTotal == now.size)
          expired += metric(q.lastProgress, "expiredEdges")
          late += metric(q.lastProgress, "lateChanges")
        }
      finally q.stop()
    }
    checkSigns(out)
    assert(expired > 0 && late > 0)
  }

  test("edges of the last seconds are there, whatever is late or deleted") {
    check(pair, seed = 1, restartEvery = 8)
  }

  test("restarts change nothing: the time of a stream does not go back") {
    check(triangle, seed = 2, restartEvery = 1)
  }

  test("the latest edge sets the time for good, though it was deleted and the query restarted") {
    withTempDir { dir =>
      val input = stream("changes", columns :+ "diff": _*)
      val out = new Collected
      val latest = Change(1, 2, 0, 100, 1)
      val batches = Seq(
        Seq(latest),
        Seq(latest.copy(diff = -1)),
        // By itself this one would be the latest.
        Seq(Change(3, 4, 0, 50, 1)),
        Seq(Change(5, 6, 0, 95, 1)))
      batches.foreach { b =>
        val q = start(query("MATCH (a)->(b)"), out, dir)
        try {
          input.addData(b)
          q.processAllAvailable()
        } finally q.stop()
      }
      assert(out.all(2).isEmpty)
      assert(out.all(3) == Seq(Row(5L, 6L, 1L)))
    }
  }

  test("and so with RocksDB") {
    withSQLConf(SQLConf.STATE_STORE_PROVIDER_CLASS.key -> KilledQuery.RocksDb) {
      check(pair, seed = 3, restartEvery = 3)
    }
  }

  private def runAll(batches: Seq[Seq[Change]]): Unit = withTempDir { dir =>
    val input = stream("changes", columns :+ "diff": _*)
    val q = start(query(pair), new Collected, dir)
    try batches.foreach { b =>
        input.addData(b)
        q.processAllAvailable()
      }
    finally q.stop()
  }

  test("a delete of an edge that has expired does nothing, one of an edge that never was does") {
    val old = Change(1, 2, 0, 1, 1)
    val batches = Seq(Seq(old), Seq(Change(3, 4, 0, 50, 1)))
    runAll(batches :+ Seq(old.copy(diff = -1)))
    val error = intercept[StreamingQueryException](
      runAll(batches :+ Seq(Change(7, 8, 0, 49, -1))))
    assert(error.getMessage.contains("WREATH_STREAM_MISSING_DELETE"))
  }

  test("with a key and a start: both expire, and a key that has expired may be deleted") {
    withTempDir { dir =>
      spark.sql(
        "SELECT 1L AS src, 2L AS dst, 5L AS amount, timestamp_seconds(1) AS ts " +
          "UNION ALL SELECT 2L, 1L, 6L, timestamp_seconds(8)")
        .createOrReplaceTempView("existing")
      val input = stream("changes", columns :+ "diff": _*)
      val df = spark.sql(
        "SELECT * FROM GRAPH_TABLE (changes KEY (amount) EXPIRING ts AFTER '10 seconds' " +
          "STARTING FROM existing MATCH (a)-[e]->(b) COLUMNS (a, b, e.amount))")
      val out = new Collected
      val q = start(df, out, dir)
      try {
        input.addData(Change(3, 4, 7, 9, 1))
        q.processAllAvailable()
        input.addData(Change(4, 5, 8, 12, 1))
        q.processAllAvailable()
        // The first has expired. The second expires now, and is deleted at the same time.
        input.addData(Change(0, 0, 5, 0, -1), Change(0, 0, 6, 0, -1), Change(5, 6, 9, 20, 1))
        q.processAllAvailable()
        assert(metric(q.lastProgress, "missingDeletes") == 1)
      } finally q.stop()
      assert(out.all(0) == Seq(Row(3L, 4L, 7L, 1L)))
      assert(out.all(1).toSet == Set(Row(1L, 2L, 5L, -1L), Row(4L, 5L, 8L, 1L)))
      assert(out.all(2).toSet ==
        Set(Row(2L, 1L, 6L, -1L), Row(3L, 4L, 7L, -1L), Row(5L, 6L, 9L, 1L)))
    }
  }

  test("an expiry that cannot be is refused where it is written") {
    stream("changes", "src", "dst", "ts", "timestamp_seconds(ts) AS at")
    def condition(text: String): String =
      intercept[AnalysisException](
        spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $text MATCH (a)->(b))")).getCondition
    assert(condition("EXPIRING ts AFTER '1 day'") == "WREATH_STREAM_EXPIRY_TYPE")
    assert(condition("EXPIRING when AFTER '1 day'") == "WREATH_MISSING_COLUMN")
    for (after <- Seq("'1 month'", "'-1 day'", "'soon'", "5", "")) {
      assert(condition(s"EXPIRING at AFTER $after") == "WREATH_SYNTAX_ERROR", after)
    }
  }
}
