package io.wreath.spark.index

import scala.util.Random

import org.apache.spark.sql.classic.SparkSession

import io.wreath.spark.WreathQueryTest

/**
 * Sessions with different settings, and views with different conditions, over the same files: each gets its
 * own rows, though they share indexes. What a session reads is collected by it and joined here.
 * Only with WREATH_SOAK.
 */
class SessionsSoakSuite extends WreathQueryTest {

  private val settings = Seq(
    "spark.sql.session.timeZone" -> Seq("UTC", "Asia/Tokyo", "America/New_York"),
    "spark.sql.ansi.enabled" -> Seq("false"),
    "spark.sql.legacy.timeParserPolicy" -> Seq("CORRECTED", "LEGACY"),
    "spark.sql.mapKeyDedupPolicy" -> Seq("LAST_WIN"),
    "spark.sql.caseSensitive" -> Seq("true", "false"))

  private val views = Seq(
    "SELECT src, dst, hour(at) AS p FROM files WHERE hour(at) < 12",
    "SELECT src, dst, CAST(at AS DATE) AS p FROM files",
    "SELECT src, CAST(hour(at) AS BIGINT) % 6 AS dst, src AS p FROM files",
    "SELECT src, dst, to_timestamp(text, 'yyyy-MM-dd HH:mm') AS p FROM files",
    "SELECT src, dst, try_cast(text AS TIMESTAMP) AS p FROM files WHERE dst > 2",
    "SELECT src, dst, text AS p FROM files WHERE src <= 3",
    "SELECT src, dst, text AS p FROM files WHERE src > 3 OR dst = 0")

  private val pattern =
    "SELECT * FROM GRAPH_TABLE (v MATCH (a)-[e]->(b)-[f]->(a) COLUMNS (a, b, e.p AS p, f.p AS q))"

  private def check(session: SparkSession, what: String): Unit = {
    val edges = session.sql("SELECT src, dst, p FROM v").collect().toSeq.map(_.toSeq)
    val expected = for {
      e <- edges
      f <- edges if e(1) == f(0) && f(1) == e(0) && e(0) != null && e(1) != null
    } yield Seq(e(0), e(1), e(2), f(2))
    val found = session.sql(pattern).collect().toSeq.map(_.toSeq)
    def counted(rows: Seq[Seq[Any]]) = rows.groupMapReduce(identity)(_ => 1)(_ + _)
    assert(counted(found) == counted(expected), what)
  }

  if (sys.env.get("WREATH_SOAK").contains("1")) {
    test("each of many sessions gets the rows of its own settings and conditions") {
      withTempDir { dir =>
        spark.range(120).selectExpr(
          "id % 6 AS src",
          "(id * 7 + id DIV 6) % 6 AS dst",
          "timestamp_seconds(id * 4321) AS at",
          "date_format(timestamp_seconds(id * 4321), 'yyyy-MM-dd HH:mm') AS text")
          .write.parquet(s"$dir/files")
        val random = new Random(5)
        val sessions = Seq.fill(4)(spark.newSession())
        sessions.foreach(_.read.parquet(s"$dir/files").createOrReplaceTempView("files"))
        for (round <- 1 to 150) {
          val s = random.nextInt(sessions.size)
          val (key, values) = settings(random.nextInt(settings.size))
          if (random.nextInt(3) == 0) sessions(s).conf.unset(key)
          else sessions(s).conf.set(key, values(random.nextInt(values.size)))
          val view = views(random.nextInt(views.size))
          // The same view in two sessions, one after the other.
          for (n <- Seq(s, random.nextInt(sessions.size))) {
            sessions(n).sql(s"CREATE OR REPLACE TEMPORARY VIEW v AS $view")
            sessions(n).withActive(check(sessions(n), s"round $round, session $n: $view"))
          }
        }
      }
    }
  }
}
