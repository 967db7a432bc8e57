package io.wreath.spark

import java.nio.file.Files

import scala.concurrent.{Await, ExecutionContext, Future}

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.streaming.{Change, StreamingQueryHarness}
import org.scalatest.time.SpanSugar._

/**
 * A cancelled query gives its cores back, whatever its tasks are at: each of these would go on for
 * minutes or years. Tasks are not interrupted as threads, so they have to look.
 */
class CancelSuite extends StreamingQueryHarness {

  private val parallel = 1 << 16
  private val patience = timeout(60.seconds)

  override def beforeAll(): Unit = {
    super.beforeAll()
    save("loops", spark.range(parallel).selectExpr("1L AS src", "1L AS dst", "id AS w"))
    save("star", spark.range(1 << 18).selectExpr("0L AS src", "id AS dst"))
    spark.udf.register(
      "slowly",
      (x: Long) => {
        Thread.sleep(1)
        x
      })
  }

  /** In files, so that the index lasts. */
  private def save(name: String, rows: DataFrame): Unit = {
    val folder = Files.createTempDirectory(name)
    rows.write.mode("overwrite").parquet(folder.toString)
    spark.read.parquet(folder.toString).createOrReplaceTempView(name)
  }

  private def isCancelled(query: => DataFrame)(run: DataFrame => Any): Unit = {
    // So that the one job that can be cancelled is the join's.
    Seq("loops", "star").foreach(t => spark.sql(s"CACHE GRAPH INDEX $t"))
    val group = s"cancel ${System.nanoTime}"
    val running = Future {
      spark.sparkContext.setJobGroup(group, group, interruptOnCancel = false)
      try intercept[Exception](run(query))
      finally spark.sparkContext.clearJobGroup()
    }(ExecutionContext.global)
    eventually(patience)(assert(activeTasks(group) > 0))
    Thread.sleep(300) // Past what a task does before it joins.
    // Again and again, as the first job may be that of the index.
    eventually(patience) {
      spark.sparkContext.cancelJobGroup(group)
      assert(running.isCompleted)
    }
    Await.result(running, 60.seconds)
    eventually(patience)(assert(activeTasks(group) == 0))
  }

  private val path = "(a)-[x]->(b)-[y]->(c)-[z]->(d)"

  Seq(
    "rows of parallel edges that are read" ->
      s"SELECT sum(w) FROM GRAPH_TABLE (loops MATCH $path COLUMNS (x.w + z.w AS w))",
    "parallel edges that must differ, and are read" ->
      s"SELECT sum(w) FROM GRAPH_TABLE (loops MATCH DIFFERENT EDGES $path COLUMNS (x.w AS w))",
    "parallel edges that are all refused" ->
      s"SELECT count(*) FROM GRAPH_TABLE (loops MATCH $path WHERE x.w + y.w + z.w < -1)",
    "parallel edges that are refused as soon as they are bound" ->
      ("SELECT count(*) FROM GRAPH_TABLE (loops " +
        s"MATCH $path WHERE greatest(x.w, y.w, z.w) < -1)"),
    "groups by columns of parallel edges" ->
      ("SELECT w, count(*) FROM GRAPH_TABLE (loops MATCH DIFFERENT EDGES " +
        s"$path COLUMNS (x.w % 2 AS w)) GROUP BY w"),
    "a binding that is many rows" ->
      s"SELECT max(a + d) FROM GRAPH_TABLE (loops MATCH $path)",
    "a run of rows that take their time" ->
      "SELECT max(slowly(b)) FROM GRAPH_TABLE (star MATCH (a)->(b))",
    "many rounds of ranks" ->
      "SELECT sum(rank) FROM GRAPH_PAGERANK(TABLE star, iterations => 2000000000)").foreach {
    case (what, query) =>
      Seq(true, false).foreach { generated =>
        val how = if (generated) "generated" else "by iterators"
        test(s"$what, $how") {
          withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated.toString) {
            isCancelled(spark.sql(query))(_.collect())
          }
        }
      }
  }

  test("rows that are written as they come") {
    isCancelled(spark.sql(s"SELECT * FROM GRAPH_TABLE (loops MATCH $path)"))(
      _.write.format("noop").mode("overwrite").save())
  }

  test("a batch of a stream, in the rows of one match") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "ts", "diff")
      val query = start(
        spark.sql("SELECT * FROM GRAPH_TABLE (changes " +
          "MATCH (a)-[x]->(b)-[y]->(c)-[z]->(d) WHERE x.ts + y.ts + z.ts < -1)"),
        new Collected,
        dir)
      try {
        input.addData((0 until 4096).map(i => Change(1, 1, 0, i, 1)))
        val group = query.runId.toString
        eventually(patience)(assert(activeTasks(group) > 0))
        Thread.sleep(2000)
        query.stop()
        eventually(patience)(assert(activeTasks(group) == 0))
      } finally query.stop()
    }
  }
}
