package io.wreath.spark

import org.apache.spark.sql.execution.FormattedMode
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

/** Plans over tables. */
class PlanStabilitySuite extends GoldenPlans {

  private val queries = Seq(
    "triangle" -> "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))",
    "triangle-count" ->
      "SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a < b)",
    "anchored-hinted" ->
      ("SELECT /*+ WCO_JOIN(b) */ b, c FROM " +
        "GRAPH_TABLE (e MATCH (a)->(b)->(c)->(a) WHERE a = 42 AND b % 2 = c % 2)"),
    "joined-to-a-table" ->
      ("SELECT name, count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c)) " +
        "JOIN names ON id = a GROUP BY name"),
    "edge-property" ->
      "SELECT a, w FROM GRAPH_TABLE (e MATCH (a)-[x]->(b)->(c) WHERE x.weight > 3 COLUMNS (a.id AS a, x.weight AS w))",
    "lengths" ->
      "SELECT a, b + 1 FROM GRAPH_TABLE (e MATCH (a)-[x WHERE x.weight > 3]->{1,2}(b)->(a))",
    "lengths-count" -> "SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)->{,2}(b) WHERE a < 10)",
    "declined" ->
      "SELECT /*+ NO_WCO_JOIN */ a FROM GRAPH_TABLE (e MATCH (a)-[x]->(b)->(c) WHERE x.weight > 3)")

  for ((name, query) <- queries) test(s"plan of $name") {
    withTable("e", "names") {
      spark.sql("CREATE TABLE e (src BIGINT, dst BIGINT, weight INT) USING parquet")
      spark.sql("CREATE TABLE names (id BIGINT, name STRING) USING parquet")
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
        check(name, normalize(spark.sql(query).queryExecution.explainString(FormattedMode)))
      }
    }
  }

  private val matched = Seq(
    "path" -> "(a)->(b)->(c)->(d)",
    "triangle" -> "(a)->(b)->(c), (a)->(c)",
    "cycle" -> "(a)->(b)->(c)->(d)->(a)",
    "diamond" -> "(a)->(b), (a)->(c), (b)->(c), (a)->(d), (b)->(d)",
    "clique" -> "(a)->(b)->(c)->(d), (a)->(c), (b)->(d), (a)->(d)")

  private val asked = Seq(
    "rows" -> "SELECT *",
    "count" -> "SELECT count(*)",
    "groups" -> "SELECT a, count(*)",
    "distinct" -> "SELECT DISTINCT a, b")

  private val techniques = Seq("auto", "lists", "marks", "bits")

  test("order and technique of each variable, after execution") {
    // Each vertex has edges to some of the next ones: no two orders cost the same.
    val ends = for (a <- 0 until 40; k <- 1 to 7 if (a * k) % 5 != 1) yield (a, (a + k * k) % 40)
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false",
      WreathConf.INDEX_CACHE_ENABLED.key -> "false",
      WreathConf.JOIN_COUNTING.key -> "enumerate") {
      val session = spark
      import session.implicits._
      ends.toDF("src", "dst").createOrReplaceTempView("fixed_edges")
      val lines = for {
        (name, pattern) <- matched
        (goal, select) <- asked
        technique <- if (goal == "rows") techniques else Seq("auto")
      } yield withSQLConf(WreathConf.JOIN_TECHNIQUE.key -> technique) {
        val group = if (goal == "groups") " GROUP BY a" else ""
        val df = spark.sql(s"$select FROM GRAPH_TABLE (fixed_edges MATCH $pattern)$group")
        df.collect()
        val join = df.queryExecution.executedPlan.toString.linesIterator
          .find(_.contains("BroadcastWcoJoin "))
        s"$name, $goal, $technique: ${join.map(_.replaceFirst(".*, bound ", "")).getOrElse("no join")}"
      }
      check("techniques", lines.mkString("", "\n", "\n"))
    }
  }

  test("how matches are counted by elimination, or why not, after execution") {
    val ends = for (a <- 0 until 40; k <- 1 to 7 if (a * k) % 5 != 1) yield (a, (a + k * k) % 40)
    val both = (ends ++ ends.map(_.swap)).distinct.filter { case (a, b) => a != b }
    val patterns = Seq(
      "(a)->(b)->(c)->(d)->(a)",
      "(a)->(b)->(c)->(a), (a)->(d)->(f)->(a)",
      "(a)->(b)->(c)->(d)->(a), (a)->(c), (b)->(d), (d)->(f)",
      "(a)->(b)->(c)->(d) WHERE a <> c AND b <> d AND a <> d",
      "(a)->(b)->(c), (a)->(d) WHERE b < d AND d < c AND a < c",
      "(a)->(b)->(c)->(d)->(a) WHERE a & c = 2 AND b % 2 = 0",
      "DIFFERENT EDGES (a)->(b)->(c)->(d), (a)->(c)",
      "(a)->(b)->(c)->(d) WHERE NOT EXISTS { (a)->(d) }")
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false",
      WreathConf.INDEX_CACHE_ENABLED.key -> "false") {
      val session = spark
      import session.implicits._
      both.toDF("src", "dst").createOrReplaceTempView("fixed_edges")
      def counted(hint: String, pattern: String, group: String): String = {
        val select = if (group.isEmpty) "" else s"$group, "
        val by = if (group.isEmpty) "" else s" GROUP BY $group"
        val df = spark.sql(
          s"SELECT $hint ${select}count(*) FROM GRAPH_TABLE (fixed_edges MATCH $pattern)$by")
        df.collect()
        val join = df.queryExecution.executedPlan.toString.linesIterator
          .find(_.contains("BroadcastWcoJoin "))
        join.map(_.replaceFirst(
          ".*, (not by|by) elimination",
          "$1 elimination")).getOrElse("no join")
      }
      val forced = withSQLConf(WreathConf.JOIN_COUNTING.key -> "eliminate") {
        for (p <- patterns; g <- Seq("", "a", "a, b"); by = if (g.isEmpty) "" else s", by $g")
          yield s"$p$by: ${counted("", p, g)}"
      }
      val hinted = withSQLConf(WreathConf.JOIN_COUNTING.key -> "eliminate")(
        s"hinted ${patterns.head}: ${counted("/*+ WCO_JOIN(b, a) */", patterns.head, "")}")
      val free = patterns.map(p => s"auto $p: ${counted("", p, "")}")
      check("elimination", ((forced :+ hinted) ++ free).mkString("", "\n", "\n"))
    }
  }
}
