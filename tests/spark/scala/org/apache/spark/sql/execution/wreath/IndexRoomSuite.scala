package org.apache.spark.sql.execution.wreath

import java.util.concurrent.{FutureTask, TimeUnit}

import org.apache.spark.internal.config.Tests.TEST_MEMORY
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.execution.LeafExecNode
import org.apache.spark.sql.types.LongType
import org.apache.spark.storage.BroadcastBlockId
import org.apache.spark.{SparkConf, SparkEnv}

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.index.{CsrBroadcastMode, CsrIndexCache, CsrRelation}
import org.scalatest.time.SpanSugar._

/** What indexes may take of small heaps. */
class IndexRoomSuite extends WreathQueryTest {

  // As small as no real heap is: of those, Spark keeps 300 MB for itself.
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(TEST_MEMORY, 2L << 20)
      .set("spark.testing.reservedMemory", "0")
      .set("spark.memory.fraction", "0.5")

  private def cache = CsrIndexCache.of(spark.sparkContext)

  private val query = "SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(a))"

  private def table(edges: Int): Unit =
    spark.range(edges).selectExpr(s"id AS src", s"(id * 7) % $edges AS dst")
      .createOrReplaceTempView("t")

  override def beforeEach(): Unit = {
    super.beforeEach()
    cache.clear()
  }

  test("the smallest heap decides, and its setting is named") {
    assert(IndexRoom.of(100, Nil, 0.5) == IndexRoom(100, 50, "spark.driver.memory"))
    assert(IndexRoom.of(100, Seq(70, 80), 0.5) == IndexRoom(70, 35, "spark.executor.memory"))
    assert(IndexRoom.of(60, Seq(70), 0.2) == IndexRoom(60, 12, "spark.driver.memory"))
    assert(IndexRoom.of(spark.sparkContext).ofOne == (1L << 20))
  }

  test("an index that leaves too little to the queries after it is not kept, unless pinned") {
    table(5000)
    spark.sql(query).collect()
    assert(cache.list.size == 1)
    table(40000)
    spark.sql(query).collect()
    assert(cache.list.map(_._1.rows) == Seq(5000))
    spark.sql("CACHE GRAPH INDEX t")
    assert(cache.list.map(_._1.rows) == Seq(40000))
  }

  test("an index that no executor could store is refused before it is broadcast") {
    table(200000)
    withSQLConf(WreathConf.JOIN_MODE.key -> "broadcast") {
      val error = intercept[io.wreath.spark.WreathRuntimeException](spark.sql(query).collect())
      assert(error.isTooLarge && !error.isShortOfHeap)
      assert(error.getMessageParameters.get("conf") == "spark.driver.memory")
    }
    checkAnswer(
      spark.sql(query),
      spark.sql("SELECT count(*) FROM t x JOIN t y ON x.dst = y.src AND x.src = y.dst"))
  }

  test("indexes that are kept give way to a heap that is too full, but not the pinned") {
    table(1000)
    spark.sql("CACHE GRAPH INDEX t")
    table(2000)
    spark.sql(query).collect()
    assert(cache.list.map(_._1.rows) == Seq(1000, 2000))
    // One that is too large for any heap of this size gains nothing by it.
    table(200000)
    spark.sql(query).collect()
    assert(cache.list.map(_._1.rows) == Seq(1000, 2000))
    assert(IndexRoom.clear(spark.sparkContext))
    assert(cache.list.map(_._1.rows) == Seq(1000))
    assert(!IndexRoom.clear(spark.sparkContext))
  }

  test("an index that nobody reads any more gives its memory back, kept or not") {
    table(40000)
    def run(): (DataFrame, BroadcastBlockId) = {
      val df = spark.sql(query)
      df.collect()
      val indexes = collect(df.queryExecution.executedPlan) { case e: CsrBroadcastExchangeExec =>
        BroadcastBlockId(e.executeBroadcast[Any]().id)
      }
      (df, indexes.head)
    }
    def isStored(index: BroadcastBlockId): Boolean =
      SparkEnv.get.blockManager.getStatus(index).isDefined
    val (running, read) = run()
    val left = run()._2
    assert(cache.list.isEmpty)
    eventually(timeout(60.seconds)) {
      IndexRoom.clear(spark.sparkContext)
      assert(!isStored(left))
    }
    assert(isStored(read), running)
  }

  test("a build that had no room beside others knows it when they are done") {
    IndexBuilds.beside { build =>
      assert(build.claim(3L) == 0 && !build.wasBesideOthers)
      IndexBuilds.beside { other =>
        other.claim(5L)
        assert(build.claim(3L) == 5)
      }
      assert(IndexBuilds.claimedBeside(build) == 0 && build.wasBesideOthers)
    }
  }

  test("an index over what another index makes has that built before it takes its turn") {
    val exchange = CsrBroadcastExchangeExec(
      CsrBroadcastMode(Seq(LongType, LongType), Nil),
      None,
      MadeByAnIndex(Seq("src", "dst").map(AttributeReference(_, LongType)())))
    assert(exchange.executeBroadcast[Any]().value.isInstanceOf[CsrRelation])
  }
}

/** Rows that cannot be had as long as another index is being built. */
private case class MadeByAnIndex(output: Seq[Attribute]) extends LeafExecNode {

  override protected def doExecute(): RDD[InternalRow] = {
    val other = new FutureTask(() => IndexBuilds.alone(_ => 1L))
    new Thread(other).start()
    val one = other.get(60, TimeUnit.SECONDS)
    sparkContext.parallelize(Seq(1L)).map(i => InternalRow(i, i + one))
  }
}
