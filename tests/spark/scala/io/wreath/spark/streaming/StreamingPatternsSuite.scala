package io.wreath.spark.streaming

import java.io.File

import scala.util.Random

import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryException}
import org.apache.spark.sql.{DataFrame, Row}

/** Several patterns over one stream share one state; what may change of them at a restart. */
class StreamingPatternsSuite extends StreamingQueryHarness {

  private val triangle = "MATCH (a)->(b)->(c), (a)->(c)"
  private val pair = "MATCH (a)-[e]->(b)-[f]->(a) WHERE a <= b AND e.ts < f.ts"
  private val path = "MATCH (a)->(b)->(c) WHERE a <> c AND 12 / (a + 1) > 2 " +
    "AND (b + c) BETWEEN 1 AND nvl(2 * a, 3) + 4"

  private def branch(name: String, clause: String): String = {
    val variables = if (clause == pair) Seq("a", "b") else Seq("a", "b", "c")
    val binding = variables.map(v => s"'$v', $v").mkString("map(", ", ", ")")
    s"SELECT '$name' AS pattern, $binding AS binding, diff FROM GRAPH_TABLE (changes $clause)"
  }

  private def all(patterns: (String, String)*): DataFrame =
    spark.sql(patterns.map { case (n, c) => branch(n, c) }.mkString(" UNION ALL "))

  private def input() = stream("changes", "src", "dst", "amount", "ts", "diff")

  private def batches(seed: Int, n: Int): Seq[Seq[Change]] = {
    val r = new Random(seed)
    Seq.fill(n)(Seq.fill(15)(Change(r.nextInt(6), r.nextInt(6), 0, r.nextInt(3), 1)))
  }

  private def expected(edges: Seq[Seq[Change]], clauses: (String, String)*): Map[Seq[Any], Long] =
    clauses.flatMap { case (name, clause) =>
      recomputed(applied(edges), clause, Seq("src", "dst", "amount", "ts")).map {
        case (ids, n) => Seq[Any](name, Seq("a", "b", "c").zip(ids).toMap) -> n
      }
    }.toMap

  private def operators(query: StreamingQuery): Int =
    "\\bStreamingWcoJoin ".r.findAllIn(executedPlan(query)).size

  test("a UNION ALL over one stream is one operator with one state") {
    withTempDir { dir =>
      val changes = input()
      val out = new Collected
      val patterns = Seq("triangle" -> triangle, "pair" -> pair, "path" -> path)
      val query = start(all(patterns: _*), out, dir)
      try {
        val data = batches(1, 3)
        data.indices.foreach { i =>
          changes.addData(data(i))
          query.processAllAvailable()
          assert(out.sums == expected(data.take(i + 1), patterns: _*))
        }
        checkSigns(out)
        assert(operators(query) == 1)
        assert(query.lastProgress.stateOperators.length == 1)
      } finally query.stop()
    }
  }

  test("a pattern that is new after a restart starts with all its matches") {
    withTempDir { dir =>
      val changes = input()
      val out = new Collected
      val data = batches(2, 3)
      runBatch(all("triangle" -> triangle), out, dir)(changes.addData(data(0)))
      val both = Seq("triangle" -> triangle, "pair" -> pair)
      runBatch(all(both: _*), out, dir)(changes.addData(data(1)))
      assert(out.sums == expected(data.take(2), both: _*))
      runBatch(all(both.reverse: _*), out, dir)(changes.addData(data(2)))
      assert(out.sums == expected(data, both: _*))
    }
  }

  test("another pattern under an old name is refused, and so is a name that was dropped") {
    withTempDir { dir =>
      val changes = input()
      val out = new Collected
      def refused(df: DataFrame): Boolean = {
        val error = intercept[StreamingQueryException](
          runBatch(df, out, dir)(changes.addData(Change(1, 2, 0, 0, 1))))
        error.getMessage.contains("WREATH_STREAM_PATTERN_CHANGED")
      }
      runBatch(
        all("x" -> triangle, "y" -> pair),
        out,
        dir)(changes.addData(Change(1, 2, 0, 0, 1)))
      assert(refused(all("x" -> s"$triangle WHERE a < b", "y" -> pair)))
      assert(refused(all("x" -> path, "y" -> pair)))
      runBatch(all("y" -> pair), out, dir)(changes.addData(Change(2, 1, 0, 0, 1)))
      assert(refused(all("x" -> triangle, "y" -> pair)))
    }
  }

  private def runBatch(df: DataFrame, out: Collected, dir: File)(add: => Any): Unit = {
    val query = start(df, out, dir)
    try {
      add
      query.processAllAvailable()
    } finally query.stop()
  }

  test("a pattern without a name may read other columns after a restart, but not other edges") {
    withTempDir { dir =>
      val changes = input()
      def query(clause: String): DataFrame =
        spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $clause)")
      val out = new Collected
      runBatch(query(s"MATCH (a)-[e]->(b)->(a)"), out, dir)(
        changes.addData(Change(1, 2, 0, 7, 1), Change(2, 1, 0, 8, 1)))
      runBatch(query(s"MATCH (a)-[e]->(b)->(a) COLUMNS (a, e.ts)"), out, dir)(
        changes.addData(Change(1, 2, 0, 9, 1)))
      assert(out.all(1).toSet == Set(Row(1L, 9L, 1L), Row(2L, 8L, 1L)))
      val error = intercept[StreamingQueryException](
        runBatch(query(triangle), out, dir)(changes.addData(Change(1, 2, 0, 0, 1))))
      assert(error.getMessage.contains("WREATH_STREAM_PATTERN_CHANGED"))
    }
  }
}
