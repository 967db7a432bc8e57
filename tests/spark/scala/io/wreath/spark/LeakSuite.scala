package io.wreath.spark

import java.lang.management.ManagementFactory

import scala.concurrent.duration._

import org.apache.spark.SparkEnv

import org.scalatest.concurrent.Eventually

/**
 * Many queries of many kinds leave nothing behind: no broadcast but those of indexes that are kept,
 * no block, no heap. 60 queries; 1,000 with WREATH_SOAK.
 */
class LeakSuite extends WreathQueryTest with Eventually {

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(60.seconds, 1.second)

  private val queries = Seq(
    "SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))",
    "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c)->(a) WHERE a < b)",
    "SELECT a, count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c)) GROUP BY a",
    "SELECT DISTINCT b FROM GRAPH_TABLE (e MATCH (a)->(b)->(c) WHERE a % 3 = 1)",
    "SELECT sum(w) FROM GRAPH_TABLE (e MATCH (a)-[x]->(b)->(c) WHERE x.w > 3 COLUMNS (x.w AS w))",
    "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c)) LIMIT 5",
    // No index of an RDD outlives its query.
    "SELECT count(*) FROM GRAPH_TABLE (r MATCH (a)->(b)->(c), (a)->(c))")

  private def run(times: Int): Unit = (0 until times).foreach { i =>
    spark.sql(queries(i % queries.size)).collect()
  }

  private def blocks(): Int = {
    System.gc()
    SparkEnv.get.blockManager.getMatchingBlockIds(_ => true).size
  }

  private def heap(): Long = {
    (1 to 3).foreach(_ => System.gc())
    ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
  }

  test("many queries of many kinds leave neither broadcasts nor blocks nor heap behind") {
    spark.sql("SELECT id % 40 AS src, (id * 7) % 41 AS dst, id % 5 AS w FROM range(200)")
      .createOrReplaceTempView("e")
    spark
      .createDataFrame(
        spark.sparkContext.parallelize((0L until 100L).map(i => (i % 20, (i * 3) % 21))))
      .toDF("src", "dst")
      .createOrReplaceTempView("r")
    run(2 * queries.size)
    val (blocksBefore, heapBefore) = (blocks(), heap())
    run(if (sys.env.contains("WREATH_SOAK")) 1000 else 60)
    // Spark cleans up behind a garbage collection, when it gets to it.
    eventually(assert(blocks() <= blocksBefore + 2))
    assert(heap() < heapBefore + (64L << 20))
  }
}
