package io.wreath.spark.index

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SimpleMode
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.execution.{BroadcastWcoJoinExec, WcoJoinDeclinedExec}
import io.wreath.spark.{WreathQueryTest, WreathRuntimeException}
import org.apache.logging.log4j.Level

/** An index that would not fit: an error for who asked for it by name, Spark's joins for all else. */
class IndexTooLargeSuite extends WreathQueryTest {

  private val queries = Seq(
    "SELECT * FROM GRAPH_TABLE (t MATCH (a)->(b)->(c), (a)->(c) WHERE a < b)",
    "SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(a))",
    "SELECT b, count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(c) WHERE a = 3) GROUP BY b",
    "SELECT w FROM GRAPH_TABLE (t MATCH (a)-[x]->(b)->(c) WHERE x.w > 2 COLUMNS (x.w AS w))",
    "SELECT a + c, b FROM GRAPH_TABLE (t MATCH (a)->{1,2}(b)->(c) WHERE a = 3 AND c < 3)",
    "SELECT b, count(*) FROM GRAPH_TABLE (t MATCH (a)->{1,2}(b) WHERE a = 3) GROUP BY b")

  private def explained(df: DataFrame): String = df.queryExecution.explainString(SimpleMode)

  private def rowsWithout(query: String): Seq[org.apache.spark.sql.Row] =
    withSQLConf(WreathConf.ENABLED.key -> "false")(spark.sql(query).collect().toSeq)

  for (aqe <- Seq("true", "false")) {
    test(s"where Spark's statistics tell, the joins are planned as Spark's, AQE $aqe") {
      spark.range(400).selectExpr("id % 10 AS src", "id % 7 AS dst", "id AS w")
        .createOrReplaceTempView("t")
      withSQLConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
        WreathConf.INDEX_MAX_BYTES.key -> "300") {
        for (query <- queries) {
          val df = spark.sql(query)
          assert(explained(df).contains("WcoJoinDeclined by Spark's statistics its index"))
          checkAnswer(df, rowsWithout(query))
        }
      }
    }

    test(s"Spark's statistics tell of columns too, AQE $aqe") {
      val bare = "SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(a))"
      val withColumns = "SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)-[x]->(b)->(a) " +
        "WHERE x.v > x.w)"
      def isDeclined(query: String, by: String): Boolean =
        explained(
          spark.sql(query)).contains(s"WcoJoinDeclined by Spark's statistics its index") &&
          explained(spark.sql(query)).contains(by)
      def table(rows: Long): Unit =
        spark.range(rows).selectExpr("id AS src", "id + 1 AS dst", "id * 2 AS v", "id * 3 AS w")
          .createOrReplaceTempView("t")
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
        // Keys take 8 bytes a row at least, two columns 24 more. Spark guesses the rows of a projection by
        // its size as half of what they are, and half of a guess counts.
        table(400)
        withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "2000") {
          assert(!isDeclined(bare, WreathConf.INDEX_MAX_BYTES.key))
          assert(
            isDeclined(withColumns, WreathConf.INDEX_MAX_BYTES.key),
            explained(spark.sql(withColumns)))
        }
        // While they are built, 24 and 48; the table is never read here.
        table(Runtime.getRuntime.maxMemory / 10)
        withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "1024g") {
          assert(!isDeclined(bare, "spark.driver.memory"))
          assert(isDeclined(withColumns, "spark.driver.memory"))
        }
      }
    }

    test(s"Spark's statistics tell of vertices and of text, AQE $aqe") {
      spark.range(400).selectExpr("id AS src", "(id + 1) % 400 AS dst")
        .createOrReplaceTempView("t")
      spark.range(400).selectExpr("id", "id AS age", "repeat('x', 50) AS name")
        .createOrReplaceTempView("v")
      spark.sql(
        "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (v KEY (id)) EDGE TABLES " +
          "(t SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v)")
      def isDeclined(condition: String): Boolean =
        explained(spark.sql(s"SELECT count(*) FROM GRAPH_TABLE (g MATCH (a)-[]->(b) $condition)"))
          .contains("WcoJoinDeclined by Spark's statistics its index")
      // By half of a guess there are 100 rows: 1,600 bytes of one column, more where it is text.
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
        withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "3300") {
          assert(!isDeclined(""))
          assert(!isDeclined("WHERE a.age < b.age"))
          assert(isDeclined("WHERE a.name < b.name"))
        }
        withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "1500") {
          assert(!isDeclined(""))
          assert(isDeclined("WHERE a.age < b.age"))
        }
      }
    }

    test(s"where only the build tells, Spark's joins run in its place, AQE $aqe") {
      // Spark takes a filter for selective, and knows nothing of what explode makes.
      spark.range(20)
        .selectExpr("explode(sequence(1, 20)) AS dst", "id % 10 AS src", "id AS w")
        .selectExpr("src", "CAST(dst % 7 AS BIGINT) AS dst", "w")
        .createOrReplaceTempView("t")
      withSQLConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
        WreathConf.INDEX_MAX_BYTES.key -> "600") {
        for (query <- queries) {
          val df = spark.sql(query)
          assert(explained(df).contains("BroadcastWcoJoin"), query)
          checkAnswer(df, rowsWithout(query))
          assert(explained(df).contains("Spark's joins ran in its place"), explained(df))
          assert(explained(df).contains(WreathConf.INDEX_MAX_BYTES.key))
        }
      }
    }

    test(s"Spark's joins in place of the index are told of once a query, on the log and in the UI, AQE $aqe") {
      def warnings(query: String): (DataFrame, Int) = {
        val df = spark.sql(query)
        val log = new LogAppender
        withLogAppender(log, level = Some(Level.WARN))(df.collect())
        val told = log.loggingEvents.map(_.getMessage.getFormattedMessage)
          .filter(_.contains("runs on Spark's joins"))
        assert(told.forall(_.contains(WreathConf.JOIN_MODE.key)), told)
        (df, told.size)
      }
      val query = "SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(c), (a)->(c))"
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
        spark.range(400).selectExpr(
          "id % 10 AS src",
          "id % 7 AS dst").createOrReplaceTempView("t")
        assert(warnings(query)._2 == 0)
        withSQLConf(WreathConf.JOIN_MODE.key -> "binary")(assert(warnings(query)._2 == 0))
        assert(warnings(query.replace("SELECT", "SELECT /*+ NO_WCO_JOIN */"))._2 == 0)
        withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "300") {
          val (df, told) = warnings(query)
          assert(told == 1)
          val declined = collect(df.queryExecution.executedPlan) { case j: WcoJoinDeclinedExec =>
            j
          }
          val shown = declined.map(_.metrics("fallback"))
          assert(shown.map(_.value) == Seq(1))
          assert(shown.head.name.exists(_.contains(WreathConf.INDEX_MAX_BYTES.key)))
        }
        spark.range(20)
          .selectExpr("explode(sequence(1, 20)) AS dst", "id % 10 AS src")
          .selectExpr("src", "CAST(dst % 7 AS BIGINT) AS dst")
          .createOrReplaceTempView("t")
        withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "400") {
          val (df, told) = warnings(query)
          assert(told == 1)
          val join = collect(df.queryExecution.executedPlan) { case j: BroadcastWcoJoinExec => j }
          assert(join.map(_.metrics("fallback").value) == Seq(1))
        }
      }
    }

    test(s"who asks for the join by name is told what to do, AQE $aqe") {
      spark.range(200).selectExpr("id % 10 AS src", "id % 7 AS dst").createOrReplaceTempView("t")
      withSQLConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
        WreathConf.JOIN_MODE.key -> "broadcast",
        WreathConf.INDEX_MAX_BYTES.key -> "100") {
        val error = intercept[Exception](
          spark.sql("SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(a))").collect())
        val ours =
          Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).collectFirst {
            case e: WreathRuntimeException => e
          }
        assert(ours.exists(_.getCondition == "WREATH_INDEX_TOO_LARGE"), error)
        assert(ours.get.getMessageParameters.get("conf") == WreathConf.INDEX_MAX_BYTES.key)
      }
    }
  }
}
