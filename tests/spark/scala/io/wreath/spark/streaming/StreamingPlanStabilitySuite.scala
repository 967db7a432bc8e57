package io.wreath.spark.streaming

import org.apache.spark.sql.execution.ExplainMode
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.GoldenPlans

/** Plans over streams: what each change of an edge starts, in which order, and by which technique. */
class StreamingPlanStabilitySuite extends StreamingQueryHarness with GoldenPlans {

  private val matched = Seq(
    "edge" -> "(a)->(b)",
    "path" -> "(a)->(b)->(c)->(d)",
    "triangle" -> "(a)->(b)->(c), (a)->(c)",
    "cycle" -> "(a)->(b)->(c)->(d)->(a)",
    "diamond" -> "(a)->(b), (a)->(c), (b)->(c), (a)->(d), (b)->(d)",
    "clique" -> "(a)->(b)->(c)->(d), (a)->(c), (b)->(d), (a)->(d)",
    "apart" -> "(a)->(b), (c)->(d)",
    "twice" -> "(a)->(b), (a)->(b)->(c)",
    "ordered" -> "(a)->(b)->(c)->(a) WHERE a < b AND b < c")

  private def explained(pattern: String): String = {
    // Spark explains no SQL text over a stream, but a DataFrame made of it.
    val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (fixed_changes MATCH $pattern)").select("*")
    df.queryExecution.explainString(ExplainMode.fromString("simple"))
  }

  test("order and technique of each term of a stream") {
    stream("fixed_changes", "src", "dst", "diff")
    val lines = for {
      (name, pattern) <- matched
      technique <- Seq("auto", "lists", "marks", "bits")
    } yield withSQLConf(WreathConf.JOIN_TECHNIQUE.key -> technique) {
      val terms = "from \\(.*?(?=, from|$|, state)".r
        .findAllIn(explained(pattern).linesIterator.find(_.contains("StreamingWcoJoin ")).get)
      s"$name, $technique\n${terms.mkString("  ", "\n  ", "")}"
    }
    check("stream-techniques", lines.mkString("", "\n", "\n"))
  }

  test("plan of a stream") {
    stream("fixed_changes", "src", "dst", "amount", "diff")
    val pattern = "(a)-[x]->(b)->(c), (a)->(c) WHERE x.amount > 3 AND a < c AND b <> 7"
    check("stream", normalize(explained(pattern)))
  }
}
