package io.wreath.spark.streaming

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StreamingQueryException
import org.apache.spark.sql.{AnalysisException, DataFrame, Row}

/**
 * Tables of vertices and edges beside a stream, held to Spark's joins over the same property graph
 * with the edges of the moment. The tables change after the first batch, and nobody notices.
 */
class StreamingTablesSuite extends StreamingQueryHarness {

  private val columns = Seq("src", "dst", "amount", "ts")

  /** Vertex 9 is in no table, and 2 knows 3 twice. */
  private def tables(): Unit = {
    spark.sql("SELECT id, concat('name', id) AS name, id % 3 AS age FROM range(9)")
      .createOrReplaceTempView("people")
    spark.sql(
      "SELECT id % 7 AS src, (id * 3 + 1) % 8 AS dst, id AS since FROM range(12) " +
        "UNION ALL SELECT 2, 3, 100 UNION ALL SELECT 2, 3, 100 UNION ALL SELECT 3, NULL, 1")
      .createOrReplaceTempView("knows")
  }

  private def otherTables(): Unit = {
    spark.sql("SELECT id, 'nobody' AS name, 7L AS age FROM range(2)")
      .createOrReplaceTempView("people")
    spark.sql("SELECT 1L AS src, 1L AS dst, 1L AS since").createOrReplaceTempView("knows")
  }

  private def graph(name: String, edges: String): Unit = spark.sql(s"""
    CREATE OR REPLACE TEMPORARY PROPERTY GRAPH $name
    VERTEX TABLES (people KEY (id))
    EDGE TABLES (
      $edges AS pays SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people,
      knows SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people)""")

  private val patterns = Seq(
    "MATCH (a)-[e IS pays]->(b)-[IS pays]->(a) WHERE a.age < b.age " +
      "COLUMNS (a.name AS a, b.id AS b, e.amount AS x)",
    "MATCH (a)-[IS pays]->(b)-[k IS knows]->(c), (a)-[IS pays]->(c) WHERE k.since > 2 " +
      "COLUMNS (a.id AS a, c.name AS c, k.since AS since)",
    "MATCH (a)-[IS pays]->(b)<-[IS knows]-(c) COLUMNS (a.id AS a, b.id AS b, c.id AS c)",
    "MATCH (a WHERE a.age = 1)-[IS pays]->(b) COLUMNS (a.id AS a, b.id AS b)",
    "MATCH (a WHERE a.age > 0 AND a.name <> 'name4')-[IS pays]->(b), (a)-[IS knows]->(b) " +
      "WHERE b.age + b.id > 2 COLUMNS (a.name AS a, b.id AS b)")

  private def batches(seed: Int): Seq[Seq[Change]] = {
    val r = new Random(seed)
    var there = Seq.empty[Change]
    Seq.fill(4) {
      val inserts = Seq.fill(16)(Change(r.nextInt(10), r.nextInt(10), r.nextInt(2), 0, 1))
      val deletes = r.shuffle(there).take(6)
      there = there.diff(deletes) ++ inserts
      inserts ++ deletes.map(_.copy(diff = -1))
    }
  }

  private def expected(edges: Map[Change, Int], clause: String): Map[Seq[Any], Long] = {
    val session = spark
    import session.implicits._
    edges.toSeq.flatMap { case (c, n) => Seq.fill(n)(c) }.toDF()
      .selectExpr(columns: _*)
      .createOrReplaceTempView("edges_now")
    tables()
    graph("now", "edges_now")
    spark.sql(s"SELECT /*+ NO_WCO_JOIN */ * FROM GRAPH_TABLE (now $clause)").collect()
      .groupMapReduce(_.toSeq)(_ => 1L)(_ + _)
  }

  private def streamed(clause: String): DataFrame =
    spark.sql(s"SELECT * FROM GRAPH_TABLE (payments $clause)")

  private def check(clause: String, seed: Int): Unit = withTempDir { dir =>
    val input = stream("changes", columns :+ "diff": _*)
    val data = batches(seed)
    val out = new Collected
    data.zipWithIndex.grouped(2).foreach { run =>
      if (run.head._2 == 0) tables() else otherTables()
      graph("payments", "changes")
      val query = start(streamed(clause), out, dir)
      try run.foreach { case (batch, i) =>
          input.addData(batch)
          query.processAllAvailable()
          assert(out.sums == expected(applied(data.take(i + 1)), clause), s"after batch $i")
        }
      finally query.stop()
    }
    checkSigns(out)
    assert(out.all.values.flatten.nonEmpty)
  }

  patterns.zipWithIndex.foreach { case (clause, i) =>
    test(s"a pattern over a stream and tables, pinned to what they first were: ${i + 1}") {
      check(clause, seed = i)
    }
  }

  test("and so with RocksDB") {
    withSQLConf(SQLConf.STATE_STORE_PROVIDER_CLASS.key -> KilledQuery.RocksDb) {
      check(patterns(1), seed = 9)
    }
  }

  test("many patterns share the tables, and a new one may bring another") {
    withTempDir { dir =>
      val input = stream("changes", columns :+ "diff": _*)
      tables()
      graph("payments", "changes")
      def named(name: String, clause: String): String =
        s"SELECT '$name' AS pattern, a, b, diff FROM GRAPH_TABLE (payments $clause)"
      val old =
        named("old", "MATCH (a WHERE a.age = 1)-[IS pays]->(b) COLUMNS (a.id AS a, b.id AS b)")
      val more = named(
        "more",
        "MATCH (a)-[IS pays]->(b)-[IS knows]->(c) COLUMNS (a.id AS a, b.id AS b)")
      val out = new Collected
      def run(sql: String, changes: Change*): Unit = {
        val query = start(spark.sql(sql), out, dir)
        try {
          input.addData(changes)
          query.processAllAvailable()
          assert(query.lastProgress.stateOperators.length == 1)
        } finally query.stop()
      }
      run(old, Change(1, 2, 0, 0, 1))
      assert(out.all(0) == Seq(Row("old", 1L, 2L, 1L)))
      run(s"$old UNION ALL $more", Change(4, 3, 0, 0, 1))
      val knows = spark.table("knows").where("dst IS NOT NULL").groupBy("src").count()
        .collect().map(r => r.getLong(0) -> r.getLong(1)).toMap
      val found = out.all(1).groupMapReduce(r => (r.getString(0), r.getLong(1), r.getLong(2)))(
        _.getLong(3))(_ + _)
      assert(found == Map(
        ("old", 4L, 3L) -> 1L,
        ("more", 1L, 2L) -> knows(2L),
        ("more", 4L, 3L) -> knows(3L)))
    }
  }

  test("a stream with tables starts from edges that are there") {
    val session = spark
    import session.implicits._
    Seq(false, true).foreach { isEmitted =>
      withTempDir { dir =>
        val r = new Random(5)
        val there = Seq.fill(20)(Change(r.nextInt(10), r.nextInt(10), r.nextInt(2), 0, 1))
        there.toDF().selectExpr(columns: _*).createOrReplaceTempView("existing")
        val input = stream("changes", columns :+ "diff": _*)
        tables()
        graph("payments", "changes")
        val clause = patterns(1)
        val emitted = if (isEmitted) "WITH MATCHES" else ""
        val df = streamed(s"STARTING FROM existing $emitted $clause")
        val out = new Collected
        // Each batch deletes some of what was there.
        val data = batches(6).zipWithIndex.map { case (batch, i) =>
          batch ++ there.slice(3 * i, 3 * i + 3).map(_.copy(diff = -1))
        }
        data.grouped(2).foreach { run =>
          val query = start(df, out, dir)
          try run.foreach { batch =>
              input.addData(batch)
              query.processAllAvailable()
            }
          finally query.stop()
          otherTables()
        }
        val first = expected(applied(Seq(there)), clause)
        val last = expected(applied(there +: data), clause)
        assert(first.nonEmpty && last.nonEmpty)
        val known = if (isEmitted) Map.empty[Seq[Any], Long] else first
        assert(sum(known, out.sums) == last)
        checkSigns(out)
      }
    }
  }

  test("an unknown graph that a stream would start from is called by its name") {
    tables()
    val error = intercept[AnalysisException](
      spark.sql("SELECT * FROM GRAPH_TABLE (nowhere STARTING FROM people MATCH (a)->(b))"))
    assert(error.getCondition == intercept[AnalysisException](
      spark.sql("SELECT * FROM GRAPH_TABLE (nowhere MATCH (a)->(b))")).getCondition)
  }

  test("a vertex that stands twice in its table is refused, and the table may be put right") {
    withTempDir { dir =>
      val input = stream("changes", columns :+ "diff": _*)
      def run(): Collected = {
        graph("payments", "changes")
        val out = new Collected
        val query = start(streamed(patterns(3)), out, dir)
        try {
          input.addData(Change(1, 2, 0, 0, 1))
          query.processAllAvailable()
        } finally query.stop()
        out
      }
      tables()
      spark.sql("SELECT * FROM people UNION ALL SELECT 4, 'again', 1").localCheckpoint()
        .createOrReplaceTempView("people")
      val error = intercept[StreamingQueryException](run())
      assert(error.getMessage.contains("WREATH_DUPLICATE_VERTEX_KEY"))
      assert(error.getMessage.contains("people"), error.getMessage)
      tables()
      assert(run().all.values.flatten.nonEmpty)
    }
  }

  test("tables beside a stream count against the limit of the index") {
    withTempDir { dir =>
      val input = stream("changes", columns :+ "diff": _*)
      spark.sql("SELECT id, 'x' AS name, 1L AS age FROM range(2000)")
        .createOrReplaceTempView("people")
      graph("payments", "changes")
      withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "64k") {
        val query = start(streamed(patterns(3)), new Collected, dir)
        try {
          input.addData(Change(1, 2, 0, 0, 1))
          val error = intercept[StreamingQueryException](query.processAllAvailable())
          assert(error.getMessage.contains("WREATH_STREAM_INDEX_TOO_LARGE"))
        } finally query.stop()
      }
    }
  }

  test("a table with other columns at a restart is refused") {
    withTempDir { dir =>
      val input = stream("changes", columns :+ "diff": _*)
      def run(): Unit = {
        graph("payments", "changes")
        val query = start(streamed(patterns.head), new Collected, dir)
        try {
          input.addData(Change(1, 2, 0, 0, 1))
          query.processAllAvailable()
        } finally query.stop()
      }
      tables()
      run()
      spark.sql("SELECT id, 'x' AS name, 'young' AS age FROM range(3)")
        .createOrReplaceTempView("people")
      val error = intercept[StreamingQueryException](run())
      assert(error.getMessage.contains("WREATH_STREAM_TABLE_CHANGED"))
    }
  }

  test("another table in the place of the first at a restart is refused") {
    withTempDir { dir =>
      val input = stream("changes", columns :+ "diff": _*)
      tables()
      spark.table("knows").createOrReplaceTempView("likes")
      spark.sql("""CREATE OR REPLACE TEMPORARY PROPERTY GRAPH payments
        VERTEX TABLES (people KEY (id))
        EDGE TABLES (
          changes AS pays SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people,
          knows SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people,
          likes SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people)""")
      def run(label: String): Unit = {
        val clause = s"MATCH (a)-[IS pays]->(b)-[IS $label]->(c) COLUMNS (a.id AS a, c.id AS c)"
        val query = start(streamed(clause), new Collected, dir)
        try {
          input.addData(Change(1, 2, 0, 0, 1))
          query.processAllAvailable()
        } finally query.stop()
      }
      run("knows")
      val error = intercept[StreamingQueryException](run("likes"))
      assert(error.getMessage.contains("WREATH_STREAM_PATTERN_CHANGED"))
    }
  }

  test("what cannot be is refused where it is written") {
    stream("changes", columns :+ "diff": _*)
    tables()
    graph("payments", "changes")
    def condition(sql: String): String =
      intercept[AnalysisException](spark.sql(sql)).getCondition
    // A stream of vertices; a stream whose column diff nobody sees.
    spark.sql("""CREATE OR REPLACE TEMPORARY PROPERTY GRAPH vertices
      VERTEX TABLES (changes KEY (src)) EDGE TABLES (
        knows SOURCE KEY (src) REFERENCES changes DESTINATION KEY (dst) REFERENCES changes)""")
    assert(condition("SELECT * FROM GRAPH_TABLE (vertices MATCH (a)->(b))") ==
      "WREATH_UNSUPPORTED_FEATURE")
    spark.sql("""CREATE OR REPLACE TEMPORARY PROPERTY GRAPH hidden
      VERTEX TABLES (people KEY (id)) EDGE TABLES (changes SOURCE KEY (src) REFERENCES people
        DESTINATION KEY (dst) REFERENCES people PROPERTIES (amount))""")
    assert(condition("SELECT * FROM GRAPH_TABLE (hidden MATCH (a)->(b))") ==
      "WREATH_UNSUPPORTED_FEATURE")
    assert(condition("SELECT * FROM GRAPH_TABLE (payments MATCH (a)-[e]->(b))") ==
      "WREATH_UNSUPPORTED_FEATURE")
  }
}
