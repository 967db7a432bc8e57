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
import org.apache.hadoop.fs.{EtagSource, FileStatus, Path}
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

  private def checkSame(table: String, column: String = "a"): Unit =
    checkSameRows(s"SELECT $column FROM GRAPH_TABLE ($table MATCH (a)->(b)->(c))")

  private def checkSameRows(query: String): Unit = {
    val expected =
      withSQLConf(WreathConf.ENABLED.key -> "false")(spark.sql(query).collect().toSeq)
    checkAnswer(spark.sql(query), expected)
  }

  /** A setting, two values of it, and an expression over `n` and `s` that gives other rows. */
  private val answerSettings = Seq(
    (SQLConf.LEGACY_TIME_PARSER_POLICY.key, "CORRECTED", "LEGACY") ->
      "coalesce(unix_micros(try_to_timestamp('2024-01-' || s, 'yyyy-MM-dd')), n)",
    (SQLConf.LEGACY_COMPLEX_TYPES_TO_STRING.key, "false", "true") ->
      "CAST(array(n, NULL) AS STRING)",
    (SQLConf.MAP_KEY_DEDUP_POLICY.key, "LAST_WIN", "EXCEPTION") ->
      "coalesce(try_element_at(map_from_arrays(array(n, n), array(s, s || 'x')), n), '')",
    (SQLConf.SESSION_LOCAL_TIMEZONE.key, "UTC", "Asia/Tokyo") ->
      "date_format(timestamp_seconds(n), 'HH')")

  private def answer(query: String): Either[String, Seq[Row]] =
    try Right(spark.sql(query).collect().toSeq.sortBy(_.toString))
    catch { case e: Exception => Left(e.getClass.getName) }

  for (kind <- Seq("range", "local", "cached", "parquet")) {
    test(s"settings that change an answer change it, whatever was indexed before: $kind") {
      withTable("f")(withTempView("base", "t") {
        val rows = "SELECT id AS n, CAST(id % 9 + 1 AS STRING) AS s FROM range(12)"
        kind match {
          case "range" => spark.sql(rows).createOrReplaceTempView("base")
          case "local" =>
            val session = spark
            import session.implicits._
            (0L until 12L).map(i => (i, (i % 9 + 1).toString)).toDF("n", "s")
              .createOrReplaceTempView("base")
          case "cached" => spark.sql(s"CACHE TABLE base AS $rows")
          case format =>
            spark.sql(rows).write.format(format).saveAsTable("f")
            spark.table("f").createOrReplaceTempView("base")
        }
        for {
          ((setting, one, other), expression) <- answerSettings
          // As a key, and as a column beside bare keys.
          (view, column) <- Seq(
            s"SELECT $expression AS src, $expression AS dst FROM base" -> "a.id",
            s"SELECT n AS src, n AS dst, $expression AS p FROM base" -> "x.p")
        } {
          spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW t AS $view")
          val query =
            s"SELECT p FROM GRAPH_TABLE (t MATCH (a)-[x]->(b)->(c) COLUMNS ($column AS p))"
          val plain =
            s"SELECT ${column.replace("a.id", "x.src")} FROM t x JOIN t y ON x.dst = y.src"
          val answers = for (value <- Seq(one, other)) yield {
            withSQLConf(setting -> value) {
              // A view's rows follow the settings of the session that made it, unless made anew.
              spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW t AS $view")
              val (found, expected) = (answer(query), answer(plain))
              assert(found.isRight == expected.isRight, s"$setting=$value")
              assert(found.isLeft || found == expected, s"$setting=$value")
              found
            }
          }
          // Else the setting shows nothing here.
          assert(answers(0) != answers(1), setting)
        }
      })
    }
  }

  test(
    "settings that only say how a query is run keep the index, and bare columns keep it always") {
    withTempView("bare", "computed") {
      spark.sql("CACHE TABLE bare AS SELECT id AS src, id + 1 AS dst FROM range(9)")
      spark.sql("SELECT src, src + 1 AS dst FROM bare").createOrReplaceTempView("computed")
      def hits(table: String): Boolean =
        isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE ($table $pairs)"))
      try {
        assert(!hits("bare") && !hits("computed"))
        withSQLConf(SQLConf.SHUFFLE_PARTITIONS.key -> "7") {
          assert(hits("bare") && hits("computed"))
        }
        withSQLConf(SQLConf.MAP_KEY_DEDUP_POLICY.key -> "LAST_WIN") {
          assert(hits("bare") && !hits("computed"))
        }
        assert(hits("computed"))
      } finally spark.catalog.clearCache()
    }
  }

  /** A folder of one text file with the given edges. */
  private def write(dir: java.io.File, text: String): java.io.File = {
    dir.mkdirs()
    val file = new java.io.File(dir, "edges.csv")
    java.nio.file.Files.writeString(file.toPath, text)
    file
  }

  private def readText(path: String): Unit =
    spark.read.schema("src LONG, dst LONG").csv(path).createOrReplaceTempView("text")

  test("a file written over in place is seen, though its length and time are the same") {
    withTempDir { dir =>
      val file = write(dir, "1,2\n2,1\n")
      assert(file.setLastModified(1000000000000L))
      readText(dir.toString)
      assert(count("text") == 2)
      write(dir, "1,2\n2,3\n")
      assert(file.setLastModified(1000000000000L))
      assert(count("text") == 0)
    }
  }

  test(
    "a folder put in another's place is seen, though its files have the same lengths and times") {
    withTempDir { dir =>
      val here = new java.io.File(dir, "edges")
      val there = new java.io.File(dir, "other")
      for ((folder, text) <- Seq(here -> "1,2\n2,1\n", there -> "1,2\n2,3\n")) {
        assert(write(folder, text).setLastModified(1000000000000L))
      }
      readText(here.toString)
      assert(count("text") == 2)
      val aside = new java.io.File(dir, "aside")
      assert(here.renameTo(aside) && there.renameTo(here) && aside.renameTo(there))
      assert(count("text") == 0)
    }
  }

  private def withStore(tagged: Boolean)(body: String => Unit): Unit = withTempDir { dir =>
    withSQLConf(
      "fs.coarse.impl" -> classOf[CoarseFileSystem].getName,
      "fs.coarse.impl.disable.cache" -> "true",
      CoarseFileSystem.Tagged -> tagged.toString) {
      body(dir.getCanonicalPath)
    }
  }

  test("where files have tags, another tag is another file and the same is the same") {
    withStore(tagged = true) { dir =>
      def hits: Boolean = isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE (text $pairs)"))
      def put(text: String): Unit =
        assert(write(new java.io.File(dir), text).setLastModified(1000000000000L))
      put("1,2\n2,1\n")
      readText(s"coarse:$dir")
      assert(!hits && hits)
      put("1,2\n2,3\n")
      assert(count("text") == 0)
    }
  }

  test("without tags a file is trusted once its time is old enough to tell a later write") {
    withStore(tagged = false) { dir =>
      val file = write(new java.io.File(dir), "1,2\n2,1\n")
      readText(s"coarse:$dir")
      assert(count("text") == 2)
      write(new java.io.File(dir), "1,2\n2,3\n")
      assert(count("text") == 0)
      assert(cache.list.isEmpty)
      // Who asks for the index by name waits for it.
      spark.sql("CACHE GRAPH INDEX text")
      assert(isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE (text $pairs)")))
      assert(file.setLastModified(System.currentTimeMillis() - 60000))
      readText(s"coarse:$dir")
      count("text")
      assert(isHit(spark.sql(s"SELECT * FROM GRAPH_TABLE (text $pairs)")))
    }
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

/** A store whose times are whole seconds, with or without tags of its files' contents. */
class CoarseFileSystem extends org.apache.hadoop.fs.RawLocalFileSystem {
  override def getUri: java.net.URI = java.net.URI.create("coarse:///")

  override def getScheme: String = "coarse"

  override def getFileStatus(path: Path): FileStatus = coarse(super.getFileStatus(path))

  override def listStatus(path: Path): Array[FileStatus] = super.listStatus(path).map(coarse)

  private def coarse(s: FileStatus): FileStatus = {
    val seconds = s.getModificationTime / 1000 * 1000
    if (s.isDirectory || !getConf.getBoolean(CoarseFileSystem.Tagged, false)) {
      new FileStatus(s.getLen, s.isDirectory, 1, s.getBlockSize, seconds, s.getPath)
    } else new CoarseFileSystem.TaggedStatus(s, seconds)
  }
}

object CoarseFileSystem {
  val Tagged = "fs.coarse.tagged"

  class TaggedStatus(s: FileStatus, time: Long)
      extends FileStatus(s.getLen, false, 1, s.getBlockSize, time, s.getPath)
      with EtagSource {
    override def getEtag: String =
      java.nio.file.Files.readString(java.nio.file.Path.of(s.getPath.toUri.getPath))
  }
}
