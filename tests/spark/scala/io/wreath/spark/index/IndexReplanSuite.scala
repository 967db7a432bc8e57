package io.wreath.spark.index

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.wreath.{CsrBroadcastExchangeExec, SparkInternals}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.WreathQueryTest
import org.scalatest.concurrent.{Signaler, ThreadSignaler, TimeLimits}
import org.scalatest.time.SpanSugar._

/**
 * Planning the same query again gives the same plan, over every kind of leaf and whatever the cache
 * of indexes holds. AQE plans again whenever a stage below is done: where the new plan does not know
 * the stage again, it runs the stage again, and so on for ever.
 */
trait IndexReplanTest extends WreathQueryTest with TimeLimits {

  implicit private val signaler: Signaler = ThreadSignaler

  /** Which columns are asked for: each step finds another state of the cache. */
  protected val steps = Seq("0", "x.p", "x.q", "x.p + x.q", "x.p", "0")

  protected def matching(columns: String): String =
    s"SELECT s, e, w FROM GRAPH_TABLE (t MATCH (a)-[x]->(b)-[]->(c) " +
      s"COLUMNS (a.id AS s, c.id AS e, $columns AS w))"

  protected def plainly(columns: String): Seq[Row] =
    spark.sql(
      s"SELECT x.src, y.dst, $columns FROM t x JOIN t y ON x.dst = y.src").collect().toSeq

  /** Over `t` with columns src, dst, p and q. */
  protected def checkReplanned(): Unit =
    for (columns <- steps) {
      val df = spark.sql(matching(columns))
      val optimized = df.queryExecution.optimizedPlan
      val plans = Seq.fill(2)(planned(optimized))
      assert(plans.map(_.canonicalized).distinct.size == 1)
      for (plan <- plans;
        exchange <- plan.collect { case e: CsrBroadcastExchangeExec => e }) {
        exchange.child.foreach { p =>
          val link = p.logicalLink.get
          assert(optimized.exists(_ eq link), s"$p stands for a node of no plan: $link")
        }
      }
      failAfter(60.seconds)(checkAnswer(df, plainly(columns)))
    }

  private def planned(optimized: LogicalPlan): SparkPlan =
    SparkInternals.classic(spark).sessionState.planner.plan(ReturnAnswer(optimized)).next()
}

class IndexReplanSuite extends IndexReplanTest {

  private val numbers = "SELECT id AS src, id % 7 AS dst, id * 2 AS p, id * 3 AS q FROM range(60)"

  /** By name, what makes `t` with columns src, dst, p and q. */
  private val leaves: Seq[(String, () => Unit)] = Seq(
    "a range" -> (() => view("SELECT id AS src, id AS dst, id AS p, id AS q FROM range(60)")),
    "a cached table" -> (() => spark.sql(s"CACHE TABLE t AS $numbers")),
    "a cached view under expressions" -> { () =>
      spark.sql("CACHE TABLE c AS SELECT id, id % 7 AS m FROM range(60)")
      view("SELECT id AS src, m AS dst, id * 2 AS p, m * 3 AS q FROM c WHERE id > 3")
    },
    "a cached table with an exchange below" ->
      (() => spark.sql(s"CACHE TABLE t AS SELECT DISTINCT * FROM ($numbers)")),
    "two cached tables" -> { () =>
      spark.sql(s"CACHE TABLE c AS $numbers")
      spark.sql(s"CACHE TABLE d AS SELECT src, dst + 1 AS dst, p, q FROM ($numbers)")
      view("SELECT * FROM c UNION ALL SELECT * FROM d")
    },
    "local rows" -> (() =>
      view("SELECT * FROM VALUES (1, 2, 3, 4), (2, 1, 5, 6), (2, 1, 7, 8) " +
        "AS v(src, dst, p, q)")),
    "expressions over a range" -> (() => view(numbers)),
    "files" -> (() => files("parquet")),
    "files read as text" -> (() => files("csv")),
    "a union" -> { () =>
      files("parquet")
      view(s"SELECT * FROM f UNION ALL $numbers")
    },
    "an aggregate" ->
      (() =>
        view(s"SELECT src, dst, max(p) AS p, min(q) AS q FROM ($numbers) GROUP BY src, dst")),
    "an aggregate over cached rows" -> { () =>
      spark.sql(s"CACHE TABLE c AS $numbers")
      view("SELECT src, dst, max(p) AS p, min(q) AS q FROM c GROUP BY src, dst")
    },
    "a join of cached tables" -> { () =>
      spark.sql(s"CACHE TABLE c AS $numbers")
      spark.sql(s"CACHE TABLE d AS $numbers")
      view("SELECT c.src, d.dst, c.p, d.q FROM c JOIN d ON c.dst = d.src")
    },
    "an RDD" -> { () =>
      val session = spark
      import session.implicits._
      spark.sparkContext
        .parallelize((0L until 60L).map(i => (i, i % 7, i * 2, i * 3)))
        .toDF("src", "dst", "p", "q")
        .createOrReplaceTempView("t")
    })

  private def files(format: String): Unit = {
    spark.sql(numbers).write.format(format).saveAsTable("f")
    view("SELECT * FROM f")
  }

  private def view(query: String): Unit =
    spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW t AS $query")

  private def withLeaf(make: () => Unit)(body: => Unit): Unit = {
    CsrIndexCache.of(spark.sparkContext).clear()
    withTable("f")(withTempView("t", "c", "d") {
      try {
        make()
        body
      } finally spark.catalog.clearCache()
    })
  }

  for ((name, make) <- leaves) {
    test(s"every stage below a join is known again when AQE plans again: $name") {
      withLeaf(make)(checkReplanned())
    }
  }

  test("without AQE the same rows come out") {
    withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      for ((_, make) <- leaves) withLeaf(make) {
        for (columns <- steps) checkAnswer(spark.sql(matching(columns)), plainly(columns))
      }
    }
  }
}
