package io.wreath.spark.streaming

import java.io.File
import java.nio.file.Files

import scala.util.Random

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryException}

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

  private def input() =
    stream("changes", "src", "dst", "amount", "ts", "timestamp_seconds(ts) AS t", "diff")

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

  private def query(clause: String): DataFrame =
    spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $clause)")

  /** The condition by which the second query is refused the checkpoint of the first. */
  private def refusal(first: => DataFrame, second: => DataFrame): Option[String] = {
    var condition: Option[String] = None
    withTempDir { dir =>
      val changes = input()
      runBatch(first, new Collected, dir)(changes.addData(Change(1, 2, 3, 4, 1)))
      val df = second
      try runBatch(df, new Collected, dir)(changes.addData(Change(2, 1, 5, 6, 1)))
      catch {
        case e: StreamingQueryException => condition = Some(e.getCause match {
            case t: SparkThrowable => t.getCondition
            case other => other.toString
          })
      }
    }
    condition
  }

  private val there = "MATCH (a)-[x]->(b)-[y]->(c)"

  Seq(
    "a condition that comes" -> (there, s"$there WHERE a > 10"),
    "one that goes" -> (s"$there WHERE a > 10", there),
    "a comparison the other way round" ->
      (s"$there WHERE x.ts < y.ts", s"$there WHERE x.ts > y.ts"),
    "another constant" -> (s"$there WHERE x.ts < 1", s"$there WHERE x.ts < 2"),
    "a condition in a vertex" -> (there, "MATCH (a WHERE a.id > 1)-[x]->(b)-[y]->(c)"),
    "a mode that goes" ->
      (s"MATCH DIFFERENT VERTICES ${there.drop(6)}", there),
    "a mode that comes" -> (there, s"MATCH DIFFERENT VERTICES ${there.drop(6)}"),
    "other columns" -> (there, s"$there COLUMNS (a, x.ts)"),
    "the same column under another name" ->
      (s"$there COLUMNS (a AS p)", s"$there COLUMNS (a AS q)"),
    "other edges" -> (there, triangle),
    "another key of the same type" -> (s"KEY (src, amount) $there", s"KEY (src, ts) $there"),
    "a key that comes" -> (there, s"KEY (src, dst) $there"),
    "a key that goes" -> (s"KEY (src, dst) $there", there),
    "another time of expiry" ->
      (s"EXPIRING t AFTER '1 day' $there", s"EXPIRING t AFTER '2 days' $there"),
    "an expiry that comes" -> (there, s"EXPIRING t AFTER '1 day' $there"),
    "an expiry that goes" -> (s"EXPIRING t AFTER '1 day' $there", there)).foreach {
    case (what, (first, second)) =>
      test(s"a pattern without a name is refused its checkpoint: $what") {
        assert(
          refusal(query(first), query(second)).contains("WREATH_STREAM_PATTERN_CHANGED"))
      }
  }

  test("columns of one type that change places in a stream are refused") {
    withTempDir { dir =>
      val changes = input()
      runBatch(query(there), new Collected, dir)(changes.addData(Change(1, 2, 3, 4, 1)))
      changes.toDF().selectExpr(
        "src",
        "dst",
        "amount AS ts",
        "ts AS amount",
        "timestamp_seconds(ts) AS t",
        "diff")
        .createOrReplaceTempView("changes")
      val error = intercept[StreamingQueryException](
        runBatch(query(there), new Collected, dir)(changes.addData(Change(2, 1, 3, 4, 1))))
      assert(error.getMessage.contains("WREATH_STREAM_PATTERN_CHANGED"))
    }
  }

  test("what says the same in other words may take up a checkpoint") {
    Seq(
      s"$there WHERE a > 1 AND x.ts < y.ts" -> s"$there WHERE x.ts < y.ts AND a > 1",
      "MATCH DIFFERENT VERTICES (a)->(b)" -> "MATCH (a)->(b) WHERE a <> b",
      s"$there COLUMNS (a AS p)" -> "MATCH (u)-[]->(v)-[]->(w) COLUMNS (u AS p)",
      s"$there WHERE a > 1 AND rand() < 2 AND abs(b) > 1" ->
        s"$there WHERE a > 1 AND rand() < 2 AND abs(b) > 1").foreach {
      case (first, second) =>
        withClue(first)(assert(refusal(query(first), query(second)).isEmpty))
    }
  }

  test("an instant is the same in every time zone") {
    def at(zone: String, instant: String): DataFrame = {
      spark.conf.set("spark.sql.session.timeZone", zone)
      query(s"$there WHERE timestamp_seconds(x.ts) > TIMESTAMP '$instant'")
    }
    try {
      assert(refusal(
        at("UTC", "2020-01-01 12:00:00"),
        at("+01:00", "2020-01-01 13:00:00")).isEmpty)
      assert(refusal(at("UTC", "2020-01-01 12:00:00"), at("UTC", "2020-01-01 13:00:00")).nonEmpty)
    } finally spark.conf.unset("spark.sql.session.timeZone")
  }

  test("a checkpoint from before conditions were kept opens, and keeps them from then on") {
    withTempDir { dir =>
      val changes = input()
      val out = new Collected
      def run(clause: String): Unit =
        runBatch(query(clause), out, dir)(changes.addData(Change(1, 2, 0, 0, 1)))
      def refused(clause: String): Unit = assert(
        intercept[StreamingQueryException](run(clause)).getMessage
          .contains("WREATH_STREAM_PATTERN_CHANGED"))
      run(s"$there WHERE a > 10")
      val note = new File(dir, "state/0/_patterns/0").toPath
      Files.delete(note.resolveSibling(".0.crc"))
      Files.writeString(note, """{"#0":"0->1 1->2"}""")
      refused(triangle)
      refused(s"EXPIRING t AFTER '1 day' $there WHERE a > 10")
      run(s"$there WHERE a > 10")
      refused(there)
    }
  }
}
