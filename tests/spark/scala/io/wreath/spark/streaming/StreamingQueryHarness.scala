package io.wreath.spark.streaming

import java.io.File

import scala.collection.mutable

import org.apache.spark.sql.execution.streaming.runtime.{MemoryStream, StreamingQueryWrapper}
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryProgress}
import org.apache.spark.sql.{DataFrame, Row}

import io.wreath.spark.WreathQueryTest

/** One row of a stream of changes: an edge, its properties, and how many rows of it come or go. */
final case class Change(src: Long, dst: Long, amount: Long, ts: Long, diff: Int)

/**
 * Runs a pattern over a stream batch by batch and holds what comes out to Spark's own joins over
 * the edges that are there after each batch.
 */
trait StreamingQueryHarness extends WreathQueryTest {

  /** Rows that a query has put out, by batch. */
  final class Collected {
    private val rows = mutable.Map.empty[Long, Seq[Row]]

    /** Idempotent by batch id, as foreachBatch may be called again for a batch. */
    def put(batchId: Long, batch: Seq[Row]): Unit = synchronized(rows(batchId) = batch)

    def all: Map[Long, Seq[Row]] = synchronized(rows.toMap)

    /** The sum of diffs of each binding. */
    def sums: Map[Seq[Any], Long] = {
      val sums = mutable.Map.empty[Seq[Any], Long]
      all.values.flatten.foreach { r =>
        val binding = r.toSeq.init
        sums(binding) = sums.getOrElse(binding, 0L) + r.getLong(r.length - 1)
      }
      sums.filter(_._2 != 0).toMap
    }
  }

  /** The stream and the view over it, in terms of the columns that a test wants. */
  def stream(view: String, columns: String*): MemoryStream[Change] = {
    val session = spark
    import session.implicits._
    val input = MemoryStream[Change](spark)
    input.toDF().selectExpr(columns: _*).createOrReplaceTempView(view)
    input
  }

  def start(df: DataFrame, out: Collected, checkpoint: File): StreamingQuery =
    df.writeStream
      .option("checkpointLocation", checkpoint.getAbsolutePath)
      .foreachBatch((batch: DataFrame, id: Long) => out.put(id, batch.collect().toSeq))
      .start()

  /** The multiset of edges after some batches; deletes of what is not there do nothing. */
  def applied(batches: Seq[Seq[Change]]): Map[Change, Int] =
    batches.foldLeft(Map.empty[Change, Int]) { (edges, batch) =>
      val net = batch.groupMapReduce(_.copy(diff = 0))(_.diff)(_ + _)
      net.foldLeft(edges) { case (e, (c, d)) =>
        val n = math.max(0, e.getOrElse(c, 0) + d)
        if (n == 0) e - c else e.updated(c, n)
      }
    }

  /** What Spark's own joins find, by binding. */
  def recomputed(
      edges: Map[Change, Int],
      clause: String,
      columns: Seq[String]): Map[Seq[Any], Long] = {
    val session = spark
    import session.implicits._
    edges.toSeq.flatMap { case (c, n) => Seq.fill(n)(c) }.toDF()
      .selectExpr(columns: _*)
      .createOrReplaceTempView("recomputed_edges")
    val rows =
      spark.sql(
        s"SELECT /*+ NO_WCO_JOIN */ * FROM GRAPH_TABLE (recomputed_edges $clause)").collect()
    rows.groupMapReduce(_.toSeq)(_ => 1L)(_ + _)
  }

  /** What there is of each binding in both together. */
  def sum(a: Map[Seq[Any], Long], b: Map[Seq[Any], Long]): Map[Seq[Any], Long] =
    (a.keySet ++ b.keySet).iterator
      .map(k => k -> (a.getOrElse(k, 0L) + b.getOrElse(k, 0L)))
      .filter(_._2 != 0)
      .toMap

  /** No binding is mentioned twice in one batch, and none without effect. */
  def checkSigns(out: Collected): Unit = out.all.foreach { case (id, rows) =>
    val bindings = rows.map(_.toSeq.init)
    assert(bindings.diff(bindings.distinct).isEmpty, s"twice in batch $id")
    assert(rows.filter(r => r.getLong(r.length - 1) == 0).isEmpty, s"in batch $id")
  }

  /**
   * Feeds the batches one by one, and compares after each.
   *
   * @param clause what follows the view's name in GRAPH_TABLE
   * @param edgeColumns the columns of an edge without the one that says what happens to it
   * @param change that one, as an expression over [[Change]]
   * @param restartEvery stops the query and starts another from its checkpoint after so many
   *   batches
   */
  def checkStream(
      batches: Seq[Seq[Change]],
      clause: String,
      edgeColumns: Seq[String] = Seq("src", "dst"),
      change: Option[String] = Some("diff"),
      restartEvery: Int = Int.MaxValue): StreamingQueryProgress = {
    var progress: StreamingQueryProgress = null
    withTempDir { dir =>
      val input = stream("changes", edgeColumns ++ change: _*)
      val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $clause)")
      val out = new Collected
      var query = start(df, out, dir)
      try {
        batches.indices.foreach { i =>
          if (i > 0 && i % restartEvery == 0) {
            query.stop()
            query = start(df, out, dir)
          }
          input.addData(batches(i))
          query.processAllAvailable()
          val expected = recomputed(applied(batches.take(i + 1)), clause, edgeColumns)
          assert(out.sums == expected, s"after batch $i")
        }
        checkSigns(out)
        progress = query.lastProgress
      } finally query.stop()
    }
    progress
  }

  /** The operator's own numbers of one batch. */
  def metric(progress: StreamingQueryProgress, name: String): Long =
    progress.stateOperators.find(_.operatorName.startsWith("streamingWcoJoin")).get.customMetrics
      .get(name)

  def executedPlan(query: StreamingQuery): String =
    query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan.toString
}
