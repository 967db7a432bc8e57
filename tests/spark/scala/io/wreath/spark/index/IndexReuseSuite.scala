package io.wreath.spark.index

import java.util.concurrent.Executors

import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext, Future}

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.sql.execution.wreath.{
  CachedCsrIndexExec,
  CsrBroadcastExchangeExec,
  WreathConf
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.{DataFrame, Row}

import io.wreath.spark.WreathQueryTest
import org.scalatest.concurrent.Eventually

/** One index for every query, and never a stale one. */
class IndexReuseSuite extends WreathQueryTest with Eventually {

  private def cache: CsrIndexCache = CsrIndexCache.of(spark.sparkContext)

  override def beforeEach(): Unit = {
    super.beforeEach()
    cache.clear()
  }

  private val pairs = "MATCH (a)->(b)->(a)"

  private def count(table: String, pattern: String = pairs): Long =
    spark.sql(s"SELECT count(*) FROM GRAPH_TABLE ($table $pattern)").head().getLong(0)

  private def isHit(df: DataFrame): Boolean = {
    df.collect()
    val plan = df.queryExecution.executedPlan
    val hits = collect(plan) { case c: CachedCsrIndexExec => c }
    val builds = collect(plan) { case e: CsrBroadcastExchangeExec => e }
    assert(hits.size + builds.size == 1, plan)
    hits.nonEmpty
  }

  private def withEdges(body: String => Unit): Unit = withTable("t") {
    spark.sql("CREATE TABLE t (src BIGINT, dst BIGINT) USING parquet")
    spark.sql("INSERT INTO t VALUES (1, 2), (2, 1), (2, 3)")
    body("t")
  }

  for (aqe <- Seq("true", "false")) {
    test(s"queries that differ in pattern, constants and columns build one index, AQE $aqe") {
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe)(withEdges { t =>
        val queries = Seq(
          s"SELECT * FROM GRAPH_TABLE ($t $pairs)",
          s"SELECT count(*) FROM GRAPH_TABLE ($t MATCH (a)->(b)->(c), (a)->(c))",
          s"SELECT b FROM GRAPH_TABLE ($t MATCH (a)->(b)->(c) WHERE a = 1 AND b <> c)",
          s"SELECT b FROM GRAPH_TABLE ($t MATCH (a)->(b)->(c) WHERE a = 2 OR c > 7)",
          s"WITH g AS (SELECT * FROM $t) SELECT a FROM GRAPH_TABLE (g $pairs)",
          s"SELECT * FROM GRAPH_TABLE ($t $pairs) x JOIN GRAPH_TABLE ($t $pairs) y ON x.a = y.b")
        assert(queries.init.map(q => isHit(spark.sql(q))) == Seq(false, true, true, true, true))
        spark.sql(queries.last).collect()
        assert(cache.list.size == 1)
        assert(cache.list.head._1.hits >= 5)
      })
    }
  }

  test("a hit reads no source: it runs no job of its own, even after the files are gone") {
    withTempPath { path =>
      spark.range(10).selectExpr("id AS src", "(id + 1) % 10 AS dst").write.parquet(path.toString)
      val df = spark.read.parquet(path.toString)
      df.createOrReplaceTempView("files")
      count("files")
      val jobs = new java.util.concurrent.atomic.AtomicInteger
      val listener = new SparkListener {
        override def onJobStart(j: SparkListenerJobStart): Unit = jobs.incrementAndGet()
      }
      val hit = spark.sql(s"SELECT * FROM GRAPH_TABLE (files $pairs)")
      hit.queryExecution.executedPlan
      JavaUtils.deleteRecursively(path)
      spark.sparkContext.addSparkListener(listener)
      try {
        assert(hit.collect().isEmpty)
        // Events arrive in order: once this job's start is seen, all before it were.
        val seen = jobs.get
        spark.sparkContext.parallelize(Seq(1)).count()
        eventually(timeout(20.seconds))(assert(jobs.get > seen))
        assert(jobs.get == 2)
      } finally spark.sparkContext.removeSparkListener(listener)
    }
  }

  test("INSERT, INSERT OVERWRITE and REFRESH are seen at once") {
    withEdges { t =>
      assert(count(t) == 2)
      spark.sql(s"INSERT INTO $t VALUES (3, 2)")
      assert(count(t) == 4)
      spark.sql(s"INSERT OVERWRITE $t VALUES (7, 7)")
      assert(count(t) == 1)
      spark.sql(s"REFRESH TABLE $t")
      assert(count(t) == 1)
      assert(isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE ($t $pairs)")))
    }
  }

  test("files replaced behind Spark's back are seen, by a new and by an old DataFrame") {
    withTempPath { path =>
      def write(rows: String): Unit =
        spark.sql(s"SELECT * FROM VALUES $rows AS t(src, dst)").coalesce(
          1).write.mode("overwrite").parquet(path.toString)
      write("(1L, 2L), (2L, 1L)")
      spark.read.parquet(path.toString).createOrReplaceTempView("files")
      assert(count("files") == 2)
      val file = path.listFiles().find(_.getName.endsWith(".parquet")).get
      val other = new java.io.File(path.getParentFile, "other")
      spark.sql(
        "SELECT 5L AS src, 5L AS dst").coalesce(1).write.mode("overwrite").parquet(other.toString)
      val replacement = other.listFiles().find(_.getName.endsWith(".parquet")).get
      java.nio.file.Files.copy(
        replacement.toPath,
        file.toPath,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING)
      assert(file.setLastModified(System.currentTimeMillis() + 5000))
      val crc = new java.io.File(path, s".${file.getName}.crc")
      crc.delete()
      assert(count("files") == 1)
      spark.read.parquet(path.toString).createOrReplaceTempView("again")
      assert(count("again") == 1)
      JavaUtils.deleteRecursively(other)
    }
  }

  test("a cached table has an index of its own, which goes when the table is uncached") {
    withEdges { t =>
      spark.sql(s"CACHE TABLE $t")
      assert(!isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE ($t $pairs)")))
      assert(isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE ($t $pairs)")))
      spark.sql(s"UNCACHE TABLE $t")
      spark.sql(s"INSERT INTO $t VALUES (3, 2)")
      assert(count(t) == 4)
    }
  }

  test("a view that is defined anew is another relation") {
    withEdges { t =>
      spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW v AS SELECT src, dst FROM $t")
      assert(count("v") == 2)
      spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW v AS SELECT src, dst FROM $t WHERE dst > 1")
      assert(count("v") == 0)
      spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW v AS SELECT dst AS src, src AS dst FROM $t")
      checkAnswer(
        spark.sql("SELECT a, c FROM GRAPH_TABLE (v MATCH (a)->(b)->(c))"),
        spark.sql(s"SELECT x.dst, y.src FROM $t x JOIN $t y ON x.src = y.dst"))
    }
  }

  test("the same files under other column names are another relation") {
    withTempPath { path =>
      spark.sql("SELECT 1L AS src, 2L AS dst, 9L AS other").write.parquet(path.toString)
      spark.read.schema("src LONG, dst LONG").parquet(path.toString).createOrReplaceTempView("x")
      spark.read.schema("src LONG, other LONG").parquet(path.toString)
        .withColumnRenamed("other", "dst").createOrReplaceTempView("y")
      checkAnswer(spark.sql("SELECT b FROM GRAPH_TABLE (x MATCH (a)->(b), (a)->(b))"), Row(2L))
      checkAnswer(spark.sql("SELECT b FROM GRAPH_TABLE (y MATCH (a)->(b), (a)->(b))"), Row(9L))
    }
  }

  test("a file that grew is read as it was listed, and its index is not another listing's") {
    withTempDir { dir =>
      val file = new java.io.File(dir, "edges.csv")
      def append(text: String): Unit =
        java.nio.file.Files.writeString(
          file.toPath,
          text,
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND)
      def read(name: String): Unit =
        spark.read.schema("src LONG, dst LONG").csv(dir.toString).createOrReplaceTempView(name)
      append("1,2\n2,3\n")
      read("before")
      append("3,4\n")
      read("after")
      for (name <- Seq("before", "after")) checkSame(name)
    }
  }

  test("values of partitions are part of the data's state") {
    withTempDir { dir =>
      withTable("parts") {
        spark.range(3, 4).selectExpr("id AS dst").write.mode("overwrite").parquet(dir.toString)
        spark.sql(
          "CREATE TABLE parts (dst BIGINT, src BIGINT) USING parquet PARTITIONED BY (src)")
        for (src <- Seq(2, 3)) {
          spark.sql(s"ALTER TABLE parts ADD PARTITION (src = $src) LOCATION '${dir.toURI}'")
          checkSame("parts")
        }
      }
    }
  }

  test("settings that readers look at are part of the data's state") {
    withTempDir { dir =>
      java.nio.file.Files.writeString(
        new java.io.File(dir, "t.csv").toPath,
        "2024-01-01 00:00:00,2024-01-02 00:00:00\n2024-01-02 00:00:00,2024-01-03 00:00:00\n")
      for (zone <- Seq("UTC", "America/Los_Angeles")) {
        withSQLConf(SQLConf.SESSION_LOCAL_TIMEZONE.key -> zone) {
          spark.read.schema(
            "src TIMESTAMP, dst TIMESTAMP").csv(dir.toString).createOrReplaceTempView("z")
          checkSame("z", "cast(a AS BIGINT)")
        }
      }
    }
  }

  private def checkSame(table: String, column: String = "a"): Unit = {
    val query = s"SELECT $column FROM GRAPH_TABLE ($table MATCH (a)->(b)->(c))"
    val expected =
      withSQLConf(WreathConf.ENABLED.key -> "false")(spark.sql(query).collect().toSeq)
    checkAnswer(spark.sql(query), expected)
  }

  test("a sample, a limit and a function of the user's are indexed for one query only") {
    spark.range(0, 20, 1, 2).createOrReplaceTempView("numbers")
    spark.udf.register("mine", (x: Long) => x + 1)
    val sources = Seq(
      "SELECT id AS src, id AS dst FROM numbers TABLESAMPLE (50 PERCENT) REPEATABLE (3)",
      "SELECT id AS src, id AS dst FROM numbers LIMIT 5",
      "SELECT id AS src, mine(id) AS dst FROM numbers")
    for (source <- sources) {
      spark.sql(source).createOrReplaceTempView("impure")
      count("impure")
      assert(cache.list.isEmpty, source)
    }
  }

  test("data whose state nobody knows is indexed for one query only") {
    val session = spark
    import session.implicits._
    spark.sparkContext.parallelize(Seq(1L -> 2L, 2L -> 1L)).toDF(
      "src",
      "dst").createOrReplaceTempView("rdd")
    assert(count("rdd") == 2)
    assert(cache.list.isEmpty)
    spark.sql("SELECT * FROM rdd WHERE rand() >= 0").createOrReplaceTempView("random")
    count("random")
    assert(cache.list.isEmpty)
    val error = errorOf("CACHE GRAPH INDEX rdd")
    assert(error.getCondition == "WREATH_CANNOT_INDEX")
  }

  test("ten threads that ask at once build it once, across sessions") {
    withEdges { t =>
      val pool = Executors.newFixedThreadPool(10)
      implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
      try {
        val counts = Future.traverse((1 to 10).toList) { _ =>
          Future {
            val session = spark.newSession()
            session.sql(s"SELECT count(*) FROM GRAPH_TABLE ($t $pairs)").head().getLong(0)
          }
        }
        assert(Await.result(counts, 2.minutes).toSet == Set(2L))
        assert(cache.list.size == 1 && cache.list.head._1.hits == 9)
      } finally pool.shutdown()
    }
  }

  test("a query that is cancelled stops building its index, and the next one builds it") {
    // Slow while it is told to be: hours in all, if nobody stops it.
    IndexReuseSuite.isSlow = true
    spark.udf.register(
      "slowly",
      (x: Long) => { if (IndexReuseSuite.isSlow) Thread.sleep(100); x })
    spark.range(0, 200000, 1, 2).selectExpr("slowly(id) AS src", "id + 1 AS dst")
      .createOrReplaceTempView("slow")
    val group = "cancelled build"
    val running = Future {
      spark.sparkContext.setJobGroup(group, group, interruptOnCancel = true)
      intercept[Exception](count("slow"))
    }(ExecutionContext.global)
    val tracker = spark.sparkContext.statusTracker
    def tasks: Int = tracker
      .getJobIdsForGroup(group)
      .flatMap(tracker.getJobInfo)
      .flatMap(_.stageIds)
      .flatMap(tracker.getStageInfo)
      .map(_.numActiveTasks)
      .sum
    eventually(timeout(60.seconds))(assert(tasks > 0))
    spark.sparkContext.cancelJobGroup(group)
    Await.result(running, 60.seconds)
    eventually(timeout(60.seconds))(assert(tasks == 0))
    assert(cache.list.isEmpty)
    IndexReuseSuite.isSlow = false
    assert(count("slow", "MATCH (a)->(b)->(c)") == 199999)
  }

  test("CACHE, SHOW and UNCACHE GRAPH INDEX") {
    withEdges { t =>
      val built = spark.sql(s"CACHE GRAPH INDEX $t").head()
      assert(built.getAs[Long]("edges") == 3 && built.getAs[Boolean]("pinned"))
      assert(isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE ($t $pairs)")))
      val shown = spark.sql("SHOW GRAPH INDEXES;").collect()
      assert(shown.length == 1)
      assert(shown.head.getAs[String]("relation").contains("t"))
      assert(shown.head.getAs[Long]("hits") >= 1)
      assert(shown.head.getAs[Long]("bytes") > 0)
      assert(spark.sql(s"UNCACHE GRAPH INDEX default.$t").count() == 1)
      assert(spark.sql("SHOW GRAPH INDEXES").isEmpty)
      assert(spark.sql(s"UNCACHE GRAPH INDEX $t").isEmpty)
      assert(errorOf("CACHE GRAPH INDEX").getCondition == "WREATH_SYNTAX_ERROR")
      assert(errorOf("CACHE GRAPH INDEX a b").getCondition == "WREATH_SYNTAX_ERROR")
      assert(errorOf("CACHE GRAPH INDEX nowhere").getCondition == "WREATH_UNKNOWN_GRAPH")
    }
  }

  test("switched off, nothing is kept") {
    withSQLConf(WreathConf.INDEX_CACHE_ENABLED.key -> "false")(withEdges { t =>
      count(t)
      assert(cache.list.isEmpty)
    })
  }
}

private object IndexReuseSuite {
  @volatile var isSlow = false
}
