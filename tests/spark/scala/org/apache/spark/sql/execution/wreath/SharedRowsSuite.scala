package org.apache.spark.sql.execution.wreath

import scala.collection.immutable.AbstractSeq

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.functions.rand
import org.apache.spark.sql.types.LongType
import org.apache.spark.sql.{DataFrame, Row, classic}

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.api.Graph
import io.wreath.spark.index.CsrIndexCache

/** A DataFrame of rows that the driver holds is a graph like any other. */
class SharedRowsSuite extends WreathQueryTest {

  private val clique = "(a)->(b), (a)->(c), (a)->(d), (b)->(c), (b)->(d), (c)->(d)"

  /** Knows how many rows were read of it. */
  final private class CountedRows(rows: IndexedSeq[InternalRow])
      extends AbstractSeq[InternalRow]
      with IndexedSeq[InternalRow] {
    var read = 0L

    override def apply(i: Int): InternalRow = {
      read += 1
      rows(i)
    }

    override def length: Int = rows.size

    override def iterator: Iterator[InternalRow] = rows.iterator.map { r =>
      read += 1
      r
    }
  }

  private def frameOf(rows: Seq[InternalRow]): DataFrame = {
    val columns = Seq("src", "dst").map(AttributeReference(_, LongType)())
    classic.Dataset.ofRows(spark, LocalRelation(columns, rows))
  }

  private def ring(size: Int): IndexedSeq[InternalRow] =
    (0 until size).map(i => InternalRow(i.toLong, ((i + 1) % size).toLong))

  test("planning a pattern over local rows copies none of them") {
    val rows = new CountedRows(ring(1000))
    val graph = Graph(frameOf(rows))
    rows.read = 0
    graph.`match`(clique).queryExecution.executedPlan
    val once = rows.read
    assert(once < rows.length)

    withTempView("e") {
      frameOf(rows).createOrReplaceTempView("e")
      rows.read = 0
      spark.sql(s"SELECT count(*) FROM GRAPH_TABLE (e MATCH $clique)").queryExecution.executedPlan
      assert(rows.read < rows.length)
    }
  }

  test("local rows give the same matches by index, by Spark's joins and with Wreath off") {
    val expected = (0 until 50).map(i => Row(i.toLong, (i + 2L) % 50))
    val graph = Graph(frameOf(ring(50)))
    for {
      setting <- Seq(
        WreathConf.JOIN_MODE.key -> "broadcast",
        WreathConf.JOIN_MODE.key -> "binary",
        WreathConf.ENABLED.key -> "false")
      aqe <- Seq("true", "false")
    } withSQLConf(setting, "spark.sql.adaptive.enabled" -> aqe) {
      checkAnswer(graph.`match`("(a)->(b)->(c)", columns = Seq("a", "c")), expected)
      checkAnswer(
        graph.`match`("(a)->(b)"),
        expected.map(r => Row(r(0), (r.getLong(0) + 1) % 50)))
    }
  }

  test("local rows made once more from the same data find the index, and other rows do not") {
    val cache = CsrIndexCache.of(spark.sparkContext)
    cache.clear()
    def count(rows: Seq[InternalRow]): Long =
      Graph(frameOf(rows)).`match`("(a)->(b)->(a)").count()
    assert(count(ring(500)) == 0)
    assert(count(ring(500).toList) == 0)
    assert(cache.list.map(_._1.hits) == Seq(1))
    // The same but for one row that the hash may not look at.
    for (i <- Seq(1, 250, 498)) {
      val other = ring(500).updated(i, InternalRow(i.toLong, i - 1L))
      assert(count(other) == 2, i)
    }
  }

  test("a pattern over a cached DataFrame of local rows reads what was cached") {
    val drawn = frameOf(ring(200)).withColumn("draw", rand())
    drawn.cache()
    try {
      val cached = drawn.select("draw").collect().toSeq
      checkAnswer(Graph(drawn).`match`("(a)-[e]->(b)", columns = Seq("e.draw")), cached)
      checkAnswer(
        Graph(drawn).`match`("(a)-[e]->(b)-[]->(c)", columns = Seq("e.draw")),
        cached)
    } finally drawn.unpersist()
  }

  test("a call leaves the DataFrame cached") {
    val edges = frameOf(ring(20))
    edges.cache()
    try {
      Graph(edges).`match`("(a)->(b)").collect()
      assert(edges.storageLevel.useMemory)
    } finally edges.unpersist()
  }
}
