package io.wreath.spark.streaming

import java.io.File

import scala.util.Random

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.{AnalysisException, DataFrame, Row}

import org.apache.commons.io.FileUtils

/** Streams that start from edges which are there: with and without the matches of those. */
class StreamingStartSuite extends StreamingQueryHarness {

  private val triangle = "MATCH (a)->(b)->(c), (a)->(c)"
  private val pair =
    "MATCH (a)-[e]->(b)-[f]->(a) WHERE e.ts < f.ts COLUMNS (a, b, e.amount AS x)"
  private val plain = Seq("src", "dst")
  private val withProperties = Seq("src", "dst", "amount", "ts")

  private def random(r: Random, n: Int, vertices: Int): Seq[Change] =
    Seq.fill(n)(Change(r.nextInt(vertices), r.nextInt(vertices), r.nextInt(2), r.nextInt(2), 1))

  /** Makes a table of the edges, in files. */
  private def save(edges: Seq[Change], columns: Seq[String], folder: File): Unit = {
    val session = spark
    import session.implicits._
    edges.toDF().selectExpr(columns: _*).write.parquet(folder.getAbsolutePath)
    spark.read.parquet(folder.getAbsolutePath).createOrReplaceTempView("existing")
  }

  private def query(start: String, clause: String): DataFrame =
    spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $start $clause)")

  private def run(
      df: DataFrame,
      input: MemoryStream[Change],
      batches: Seq[Seq[Change]],
      out: Collected,
      dir: File): Unit = {
    val q = start(df, out, dir)
    try batches.foreach { b =>
        input.addData(b)
        q.processAllAvailable()
      }
    finally q.stop()
  }

  /** Snapshot, then batches with a restart between, the snapshot's files gone by then. */
  private def check(clause: String, columns: Seq[String], isEmitted: Boolean): Unit =
    withTempDir { dir =>
      val r = new Random(columns.size)
      val files = new File(dir, "existing")
      val there = random(r, 30, 7)
      save(there, columns, files)
      val input = stream("changes", columns :+ "diff": _*)
      // The first batch already deletes some of what the snapshot has.
      val batches = Seq.tabulate(4)(i =>
        random(r, 8, 7) ++ there.slice(4 * i, 4 * i + 4).map(_.copy(diff = -1)))
      val emitted = if (isEmitted) "WITH MATCHES" else ""
      val df = query(s"STARTING FROM existing $emitted", clause)
      val out = new Collected
      val checkpoint = new File(dir, "checkpoint")
      run(df, input, batches.take(2), out, checkpoint)
      FileUtils.deleteDirectory(files)
      run(df, input, batches.drop(2), out, checkpoint)
      val first = recomputed(applied(Seq(there)), clause, columns)
      val last = recomputed(applied(there +: batches), clause, columns)
      assert(first.nonEmpty && last.nonEmpty)
      val known = if (isEmitted) Map.empty[Seq[Any], Long] else first
      assert(sum(known, out.sums) == last)
      checkSigns(out)
      val state = spark.read.format("statestore").load(checkpoint.getAbsolutePath)
        .selectExpr("sum(value.multiplicity)").head().getLong(0)
      assert(state == applied(there +: batches).values.sum)
    }

  for {
    (kind, clause, columns) <-
      Seq(("ends alone", triangle, plain), ("properties", pair, withProperties))
    isEmitted <- Seq(false, true)
  } test(s"a table as the start, $kind, ${if (isEmitted) "with" else "without"} its matches") {
    check(clause, columns, isEmitted)
  }

  test("and so with RocksDB") {
    withSQLConf(SQLConf.STATE_STORE_PROVIDER_CLASS.key -> KilledQuery.RocksDb) {
      check(pair, withProperties, isEmitted = false)
    }
  }

  test("what is there is silent until the stream completes a match of it") {
    withTempDir { dir =>
      edges("existing", 1L -> 2L, 2L -> 3L, 1L -> 3L, 3L -> 4L)
      val input = stream("changes", "src", "dst")
      val out = new Collected
      run(
        query("STARTING FROM existing", triangle),
        input,
        Seq(Seq(Change(9, 9, 0, 0, 1)), Seq(Change(2, 4, 0, 0, 1))),
        out,
        dir)
      assert(out.all(0) == Seq(Row(9L, 9L, 9L, 1L)))
      assert(out.all(1) == Seq(Row(2L, 3L, 4L, 1L)))
    }
  }

  test("many patterns share a start, and one that is new later counts what it had") {
    withTempDir { dir =>
      edges("existing", 1L -> 2L, 2L -> 1L, 2L -> 3L, 1L -> 3L)
      val input = stream("changes", "src", "dst")
      def named(name: String, clause: String): String =
        s"SELECT '$name' AS pattern, a, b, diff " +
          s"FROM GRAPH_TABLE (changes STARTING FROM existing $clause)"
      val out = new Collected
      val two = named("triangle", triangle)
      val three = s"$two UNION ALL ${named("back", "MATCH (a)->(b)->(a) WHERE a < b")}"
      run(spark.sql(two), input, Seq(Seq(Change(3, 4, 0, 0, 1))), out, dir)
      assert(out.all(0).isEmpty)
      run(spark.sql(three), input, Seq(Seq(Change(2, 4, 0, 0, 1))), out, dir)
      assert(out.all(1).toSet == Set(Row("triangle", 2L, 3L, 1L), Row("back", 1L, 2L, 1L)))
    }
  }

  test("columns are found by name and widened; others are not read") {
    withTempDir { dir =>
      spark.sql("SELECT 'x' AS note, 2 AS dst, 1 AS src UNION ALL SELECT 'y', 1, 2")
        .createOrReplaceTempView("existing")
      val input = stream("changes", "src", "dst")
      val out = new Collected
      val df = query("STARTING FROM\n existing WITH MATCHES", "MATCH (a)->(b)->(a) WHERE a < b")
      run(df, input, Seq(Seq(Change(5, 6, 0, 0, 1))), out, dir)
      assert(out.all(0) == Seq(Row(1L, 2L, 1L)))
    }
  }

  test("a start that cannot be is refused where it is written") {
    stream("changes", "src", "dst", "amount")
    edges("existing", 1L -> 2L)
    spark.sql("SELECT 'a' AS src, 2L AS dst, 3L AS amount").createOrReplaceTempView("texts")
    def condition(text: String): String =
      intercept[AnalysisException](spark.sql(s"SELECT * FROM GRAPH_TABLE ($text)")).getCondition
    assert(condition(s"changes STARTING FROM existing $triangle") == "WREATH_MISSING_COLUMN")
    assert(condition(s"changes STARTING FROM texts $triangle") == "WREATH_STREAM_SNAPSHOT_TYPE")
    assert(condition(s"changes STARTING FROM changes $triangle") == "WREATH_UNSUPPORTED_FEATURE")
    assert(condition(s"existing STARTING FROM existing $triangle") ==
      "WREATH_UNSUPPORTED_FEATURE")
    assert(condition(s"changes STARTING existing $triangle") == "WREATH_SYNTAX_ERROR")
    assert(condition(s"changes STARTING FROM nowhere $triangle") == "TABLE_OR_VIEW_NOT_FOUND")
  }
}
