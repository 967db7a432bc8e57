package io.wreath.spark.index

import org.apache.spark.SparkConf
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.wreath.{CachedCsrIndexExec, CsrBroadcastExchangeExec}

import io.wreath.spark.WreathExtensions

/**
 * Indexes over Delta tables: found as long as the table's version is the same. The real Delta, with
 * its extension before and after ours.
 */
abstract class DeltaIndexSuite(extensions: String*) extends IndexReplanTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.sql.extensions", extensions.mkString(","))
      .set("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
      .set("spark.databricks.delta.snapshotPartitions", "2")

  private def cache: CsrIndexCache = CsrIndexCache.of(spark.sparkContext)

  override def beforeEach(): Unit = {
    super.beforeEach()
    cache.clear()
  }

  protected def pairs(table: String): DataFrame =
    spark.sql(s"SELECT a, b FROM GRAPH_TABLE ($table MATCH (a)->(b)->(a))")

  /** Checks the rows against Spark's own join, and says whether the index was there already. */
  protected def isHit(table: String): Boolean = {
    val found = pairs(table)
    checkAnswer(
      found,
      spark.sql(s"SELECT x.src, x.dst FROM $table x JOIN $table y " +
        "ON x.dst = y.src AND y.dst = x.src"))
    val plan = found.queryExecution.executedPlan
    val hits = collect(plan) { case c: CachedCsrIndexExec => c }
    val builds = collect(plan) { case e: CsrBroadcastExchangeExec => e }
    assert(hits.size + builds.size == 1, plan)
    hits.nonEmpty
  }

  protected def withEdges(body: => Unit): Unit = withTable("t") {
    spark.sql("CREATE TABLE t (src BIGINT, dst BIGINT) USING delta " +
      "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")
    spark.sql("INSERT INTO t VALUES (1, 2), (2, 1), (2, 3), (3, 2)")
    body
  }

  test("an unchanged table is indexed once, and every change is seen") {
    withEdges {
      assert(!isHit("t"))
      assert(isHit("t"))
      val changes = Seq(
        "INSERT INTO t VALUES (3, 4), (4, 3)",
        "DELETE FROM t WHERE src = 2 AND dst = 1",
        "UPDATE t SET dst = 9 WHERE src = 3 AND dst = 4",
        "MERGE INTO t USING (SELECT 9L AS src, 3L AS dst) s ON t.src = s.src " +
          "WHEN NOT MATCHED THEN INSERT *",
        "INSERT OVERWRITE t VALUES (7, 8), (8, 7)")
      for (change <- changes) {
        spark.sql(change)
        assert(!isHit("t"), change)
        assert(isHit("t"), change)
      }
      assert(pairs("t").count() == 2)
    }
  }

  test("a query that is planned again is the same plan") {
    withTable("t") {
      spark.sql("CREATE TABLE t USING delta AS " +
        "SELECT id AS src, id % 7 AS dst, id * 2 AS p, id * 3 AS q FROM range(60)")
      checkReplanned()
    }
  }

  test("each version has an index of its own") {
    withEdges {
      spark.sql("INSERT INTO t VALUES (5, 5)")
      spark.sql("CREATE OR REPLACE TEMPORARY VIEW old AS SELECT * FROM t VERSION AS OF 1")
      assert(!isHit("old") && isHit("old"))
      assert(!isHit("t") && isHit("t"))
      assert(isHit("old"))
      assert(pairs("old").count() == 4 && pairs("t").count() == 5)
    }
  }
}

class DeltaAfterWreathSuite
    extends DeltaIndexSuite(
      classOf[WreathExtensions].getName,
      "io.delta.sql.DeltaSparkSessionExtension")

class DeltaBeforeWreathSuite
    extends DeltaIndexSuite(
      "io.delta.sql.DeltaSparkSessionExtension",
      classOf[WreathExtensions].getName) {

  test("a deleted row is gone though its file is not") {
    withEdges {
      assert(pairs("t").count() == 4)
      spark.sql("DELETE FROM t WHERE src = 1")
      val vectors = spark.sql("DESCRIBE HISTORY t").head()
        .getAs[Map[String, String]]("operationMetrics")("numDeletionVectorsAdded")
      assert(vectors.toLong > 0)
      assert(!isHit("t") && isHit("t"))
      assert(pairs("t").count() == 2)
    }
  }

  test("a table that is dropped and made anew is another") {
    withTempDir { dir =>
      val path = dir.getCanonicalPath + "/edges"
      def write(rows: String): Unit = {
        spark.sql(s"SELECT * FROM VALUES $rows AS t(src, dst)").write.format("delta").save(path)
        spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW edges AS SELECT * FROM delta.`$path`")
      }
      write("(1, 2), (2, 1)")
      assert(!isHit("edges") && isHit("edges"))
      org.apache.spark.network.util.JavaUtils.deleteRecursively(new java.io.File(path))
      org.apache.spark.sql.delta.DeltaLog.clearCache()
      write("(1, 1), (2, 2)")
      assert(!isHit("edges") && isHit("edges"))
    }
  }

  test("a view with a condition that skips files has the rows of its condition") {
    withEdges {
      spark.sql("INSERT INTO t VALUES (100, 101), (101, 100)")
      for (limit <- Seq(50, 500)) {
        spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW v AS SELECT * FROM t WHERE src < $limit")
        assert(!isHit("v") && isHit("v"))
      }
      assert(pairs("v").count() == 6)
    }
  }
}
