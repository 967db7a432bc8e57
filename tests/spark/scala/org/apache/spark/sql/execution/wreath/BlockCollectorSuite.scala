package org.apache.spark.sql.execution.wreath

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.{SparkConf, SparkException}

import io.wreath.spark.index._
import io.wreath.spark.{WreathQueryTest, WreathRuntimeException}

/** How blocks come to the driver where its limits are narrow. */
class BlockCollectorSuite extends WreathQueryTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.driver.maxResultSize", "200k")

  private val mode = CsrBroadcastMode(Seq(LongType, LongType), Nil)

  private val noLimit = new BlockCollector.Heap {
    override def free: Long = Long.MaxValue
  }

  private def blocks(rows: Int, partitions: Int) = {
    val encoding = mode
    spark.sparkContext
      .range(0, rows.toLong, 1, partitions)
      .mapPartitions(ids =>
        BlockEncoder.blocks(ids.map(i => InternalRow(i % 30000, i % 9999)), encoding))
  }

  private def collector(
      maxBytes: Long = Long.MaxValue,
      heap: BlockCollector.Heap = noLimit,
      turn: IndexBuild = new IndexBuild): BlockCollector =
    new BlockCollector(
      spark.sparkContext,
      "t",
      mode,
      "wreath-test",
      IndexLimit(maxBytes, WreathConf.INDEX_MAX_BYTES.key),
      heap,
      turn)

  private def collect(
      rows: Int,
      partitions: Int,
      collector: BlockCollector): Array[Array[Byte]] = {
    spark.sparkContext.addJobTag("wreath-test")
    try collector.collect(blocks(rows, partitions))
    finally spark.sparkContext.removeJobTag("wreath-test")
  }

  private def problem(body: => Any): WreathRuntimeException = {
    val error = intercept[WreathRuntimeException](body)
    assert(error.isTooLarge)
    error
  }

  test("the sum of all results may exceed spark.driver.maxResultSize") {
    intercept[SparkException](blocks(400000, 40).collect())
    val all = collect(400000, 40, collector())
    assert(all.iterator.map(_.length).sum > (1 << 20))
    val relation = new CsrRelationBuilder("t", mode).build(all)
    assert(relation.rowCount == 400000)
    // In the order of the partitions, though they came in several jobs.
    val expected = blocks(10000, 40).mapPartitions(b => b.map(_.toSeq)).collect().toSeq
    assert(collect(10000, 40, collector()).toSeq.map(_.toSeq) == expected)
  }

  test("a first group that is too large is read again in parts") {
    // 16 partitions of 50 KB each.
    assert(new CsrRelationBuilder("t", mode).build(
      collect(200000, 16, collector())).rowCount == 200000)
  }

  test("a single partition that is too large names the setting") {
    val error = problem(collect(200000, 2, collector()))
    assert(error.getMessageParameters.get("conf") == "spark.driver.maxResultSize")
  }

  test("an index that gets too large is known before all is read") {
    val tasks = new AtomicInteger
    val listener = new SparkListener {
      override def onTaskEnd(end: SparkListenerTaskEnd): Unit = tasks.incrementAndGet()
    }
    spark.sparkContext.addSparkListener(listener)
    try {
      val error = problem(collect(400000, 40, collector(maxBytes = 100000L)))
      assert(error.getMessageParameters.get("conf") == WreathConf.INDEX_MAX_BYTES.key)
      spark.sparkContext.listenerBus.waitUntilEmpty()
      assert(tasks.get < 40)
    } finally spark.sparkContext.removeSparkListener(listener)
  }

  test("an index that would not fit the driver's heap is known before it is exhausted") {
    val narrow = new BlockCollector.Heap {
      override def free: Long = 1000000L
    }
    assert(collect(10000, 4, collector(heap = narrow)).nonEmpty)
    val error = problem(collect(100000, 40, collector(heap = narrow)))
    assert(error.getMessageParameters.get("conf") == "spark.driver.memory")
  }

  test("what builds beside it have claimed is not free for an index") {
    val enough = new BlockCollector.Heap {
      override def free: Long = 10000000L
    }
    def build(turn: IndexBuild) = collect(100000, 40, collector(heap = enough, turn = turn))
    assert(IndexBuilds.beside(build).nonEmpty)
    IndexBuilds.beside { other =>
      other.claim(9000000L)
      val error = problem(IndexBuilds.beside(build))
      assert(error.isShortOfHeap)
      assert(error.getMessageParameters.get("conf") == "spark.driver.memory")
    }
    // What has been built claims nothing.
    assert(IndexBuilds.beside(build).nonEmpty)
  }

  test(
    "a task whose blocks would not fit its heap or the driver's says so, and reads no further") {
    def heapOf(bytes: Long): BlockCollector.Heap = new BlockCollector.Heap {
      override def free: Long = bytes
      override def reserve: Long = 100L
    }
    val narrow = heapOf(1100L)
    for ((most, heap, setting) <- Seq(
        (250L, noLimit, "spark.driver.memory"),
        (Long.MaxValue, narrow, "spark.driver.memory"))) {
      val part = Iterator.fill(100)(new Array[Byte](100))
      val taken = TaskBlocks.take(part, most, heap)
      assert(taken.blocks.isEmpty && taken.refusal.exists(_.setting == setting))
      assert(part.hasNext)
    }
    def few = Iterator.fill(9)(new Array[Byte](9))
    assert(TaskBlocks.take(few, 81L, narrow).blocks.length == 9)
    // Blocks of 81 bytes are held three times, and what others need is left free.
    assert(TaskBlocks.take(few, 81L, heapOf(343L)).refusal.isEmpty)
    assert(TaskBlocks.take(few, 81L, heapOf(342L)).refusal.isDefined)
    val little = new BlockCollector.Heap {
      override def free: Long = Long.MaxValue
      override def most: Long = 1000L
    }
    val error = problem(collect(100000, 2, collector(heap = little)))
    assert(error.getMessageParameters.get("conf") == "spark.driver.memory")
  }

  test("columns and keys of bytes count for what building takes") {
    val wide = CsrBroadcastMode(
      Seq(StringType, StringType),
      Seq(IndexedColumn("p", StringType)))
    def size(mode: CsrBroadcastMode, row: InternalRow): Long =
      BlockEncoder.blocks(
        Iterator.fill(1000)(row),
        mode).map(BlockSize.of(_, mode).bytesToBuild).sum
    val text = UTF8String.fromString("x" * 100)
    assert(size(mode, InternalRow(1L, 2L)) >= 24000)
    assert(size(wide, InternalRow(text, text, text)) >= 24000 + 2 * 116 * 1000)
  }

  test("a scan of columns is read in batches, in whatever order its columns are") {
    withTable("t") {
      spark.sql("CREATE TABLE t (dst INT, w STRING, src INT) USING parquet")
      spark.sql("INSERT INTO t VALUES (1, 'a', 2), (2, 'b', 1), (NULL, 'c', 1), (3, 'd', 1)")
      for (cached <- Seq(false, true)) {
        if (cached) spark.sql("CACHE TABLE t")
        for (columns <- Seq("src, dst", "src, dst, w", "dst, src")) {
          val df = spark.sql(s"SELECT $columns FROM t")
          val plan = df.queryExecution.executedPlan
          val isColumnar = ColumnarSource.unapply(plan).isDefined
          // A cached table is columnar where all its columns are of fixed length.
          assert(isColumnar == !cached, plan)
        }
        assert(spark.sql("SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(a))").head()
          .getLong(0) == 2)
        checkAnswer(
          spark.sql("SELECT w FROM GRAPH_TABLE (t MATCH (a)-[x]->(b)->(a) COLUMNS (x.w AS w))"),
          spark.sql("SELECT x.w FROM t x JOIN t y ON x.src = y.dst AND x.dst = y.src"))
      }
    }
  }

  for (aqe <- Seq("true", "false")) {
    test(s"a cached table of numbers is read in batches, AQE $aqe") {
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe)(withTempView("t") {
        // Without and with a shuffle below: the latter is cached by a plan that AQE has run.
        val edges = spark.range(1000).selectExpr("CAST(id % 90 AS INT) AS src", "id % 7 AS dst")
        for (df <- Seq(edges, edges.distinct())) {
          val cached = df.cache()
          try {
            cached.createOrReplaceTempView("t")
            val plan = spark.sql("SELECT dst, src FROM t").queryExecution.executedPlan
            assert(ColumnarSource.unapply(plan).exists(_._2.toSet == Set(0, 1)), plan)
            checkAnswer(
              spark.sql("SELECT a, c FROM GRAPH_TABLE (t MATCH (a)->(b)->(c))"),
              spark.sql("SELECT x.src, y.dst FROM t x JOIN t y ON x.dst = y.src"))
          } finally cached.unpersist()
        }
      })
    }
  }
}
