package io.wreath.spark.optimizer

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, Union}
import org.apache.spark.sql.execution.SimpleMode
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.pattern.{Comparison, ComparisonOp}
import io.wreath.spark.WreathQueryTest
import io.wreath.spark.logical._

/** What the one rule takes out of a join tree, what it leaves, and what it says. */
class ExtractWcoJoinSuite extends WreathQueryTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    edges("e", 1L -> 2L, 2L -> 3L, 1L -> 3L)
    spark.sql("SELECT * FROM VALUES (0L, 1L, 0), (1L, 2L, 2), (2L, 3L, 4) AS t(src, dst, weight)")
      .createOrReplaceTempView("w")
  }

  private def optimized(query: String): LogicalPlan =
    spark.sql(query).queryExecution.optimizedPlan

  private def joinOf(query: String): WcoJoin =
    optimized(query).collect { case j: WcoJoin => j } match {
      case Seq(one) => one
      case other => fail(s"expected one WcoJoin, not $other")
    }

  private def patternOf(query: String): JoinPattern = joinOf(query).patterns match {
    case Seq(one) => one
    case other => fail(s"expected one pattern, not $other")
  }

  private def reasonOf(query: String): String =
    optimized(
      query).collectFirst { case d: WcoJoinDeclined => d.reason }.getOrElse("not declined")

  test("a triangle is three edges over three variables and one relation") {
    val j = joinOf("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))")
    val p = j.patterns.head
    assert(p.atoms == Seq(Seq(0, 1), Seq(1, 2), Seq(0, 2)).map(JoinAtom(0, _)))
    assert(p.variables.map(_.name) == Seq("a", "b", "c"))
    assert(j.relations.size == 1 && p.comparisons.isEmpty && p.predicates.isEmpty)
  }

  test("comparisons are decided on codes, whichever way they are written") {
    val j = patternOf(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c) WHERE b > a AND c >= b AND a <> c)")
    val written = Set(
      Comparison(0, ComparisonOp.Less, 1),
      Comparison(1, ComparisonOp.LessOrEqual, 2),
      Comparison(0, ComparisonOp.NotEqual, 2))
    // Spark may infer more from them, but nothing may get lost.
    assert(written.subsetOf(j.comparisons.toSet), j.comparisons)
    assert(j.predicates.isEmpty)
  }

  test("queries that differ in constants index the same bare relation") {
    val relations = Seq("", "WHERE a = 1", "WHERE a = 2 AND b > 1", "WHERE a < b AND c <> 3").map {
      w =>
        joinOf(s"SELECT a FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) $w)").relations.head
    }
    assert(relations.map(_.canonicalized).distinct.size == 1)
    val anchored = "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c) WHERE a = 1)"
    assert(patternOf(anchored).predicates.nonEmpty)
  }

  test(
    "columns of edges that are read are part of the relation, and leave the join if asked for") {
    val j = joinOf(
      "SELECT weight FROM GRAPH_TABLE (w MATCH (a)-[x]->(b)-[y]->(c) " +
        "WHERE y.weight > a COLUMNS (x.weight))")
    assert(j.relations.size == 1 && j.relations.head.output.map(_.name) == Seq(
      "src",
      "dst",
      "weight"))
    val p = j.patterns.head
    assert(p.columns.map(c => (c.atom, c.ordinal)) == Seq((0, 0), (1, 0)))
    assert(j.output.map(_.name) == Seq("weight"))
    assert(p.predicates.nonEmpty && p.predicates.forall(_.references.exists(_.name == "weight")))
  }

  test("only variables that are read leave the join") {
    val j = joinOf("SELECT c FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))")
    assert(j.output.map(_.name) == Seq("c"))
  }

  test("rows that are only counted are counted inside the join") {
    val triangle = "GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))"
    def isCounted(query: String): Boolean = joinOf(query).goal != JoinGoal.Rows
    assert(isCounted(s"SELECT count(*) FROM $triangle"))
    assert(isCounted(s"SELECT count(a) + 1 AS n, count(*), count(1) FROM $triangle"))
    assert(isCounted(s"SELECT count(DISTINCT a) FROM $triangle"))
    assert(isCounted(s"SELECT count(*) FILTER (WHERE a = 1) FROM $triangle"))
    assert(isCounted(s"SELECT count(*), max(a) FROM $triangle"))
    assert(isCounted(s"SELECT count(nullif(a, 1)) FROM $triangle"))
    // What reads all variables leaves nothing to count, and sums of doubles depend on the order of rows.
    assert(!isCounted(s"SELECT count(DISTINCT a, b, c) FROM $triangle"))
    assert(!isCounted(s"SELECT count(*), max(a + b + c) FROM $triangle"))
    assert(!isCounted(s"SELECT count(*), sum(CAST(a AS DOUBLE)) FROM $triangle"))
  }

  test("rows that are counted by group, or only asked for, leave the join by group") {
    val triangle = "GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))"
    def goal(query: String): (String, Seq[String]) = {
      val j = joinOf(query)
      (j.goal.getClass.getSimpleName.stripSuffix("$"), j.output.map(_.name))
    }
    assert(goal(s"SELECT a, count(*) FROM $triangle GROUP BY a") == ("Count", Seq("a", "rows")))
    assert(goal(s"SELECT count(*) + a FROM $triangle GROUP BY a HAVING count(b) > 1")
      == ("Count", Seq("a", "rows")))
    assert(goal(s"SELECT a % 2, count(*) FROM $triangle GROUP BY a % 2") == (
      "Count",
      Seq("a", "rows")))
    assert(goal(s"SELECT DISTINCT b, a FROM $triangle")._1 == "Exists")
    assert(goal(s"SELECT a, b, c, count(*) FROM $triangle GROUP BY a, b, c")._1 == "Rows")
    assert(goal(s"SELECT DISTINCT a, b, c FROM $triangle")._1 == "Rows")
    assert(goal(s"SELECT a, sum(b), count(*) FROM $triangle GROUP BY a") == (
      "Count",
      Seq("a", "b", "rows")))
    assert(goal(s"SELECT a, sum(b + c) FROM $triangle GROUP BY a")._1 == "Rows")
    assert(goal(s"SELECT a, count(DISTINCT b) FROM $triangle GROUP BY a")._1 != "Count")
    val weighed =
      "GRAPH_TABLE (w MATCH (a)-[x]->(b)->(c) COLUMNS (a.id AS a, x.weight AS weight))"
    assert(goal(s"SELECT weight, count(*) FROM $weighed GROUP BY weight")._1 == "Count")
    assert(goal(s"SELECT weight, stddev(a) FROM $weighed GROUP BY weight")._1 == "Rows")
  }

  test("a table beside the pattern is joined to it") {
    val plan = optimized(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c)) JOIN w ON w.src = a")
    assert(plan.collect { case j: WcoJoin => j }.size == 1)
    assert(plan.collect { case j: Join => j }.size == 1)
  }

  test("joins written by hand are left alone") {
    val plan = optimized(
      "SELECT * FROM e x JOIN e y ON x.dst = y.src JOIN e z ON z.src = x.src AND z.dst = y.dst")
    assert(plan.collect { case j: WcoJoin => j }.isEmpty)
  }

  test("our own leaves never leave the optimizer, on or off") {
    for (on <- Seq("true", "false")) withSQLConf(WreathConf.ENABLED.key -> on) {
      val plan = optimized("SELECT a FROM GRAPH_TABLE (e MATCH (a)->(b), (a)->())")
      assert(!plan.exists(_.isInstanceOf[MatchElement]))
      assert(!plan.exists(_.isInstanceOf[WcoJoinDeclined]))
    }
  }

  test("a predicate on a view's own columns reaches its scan when the joins stay") {
    withSQLConf(WreathConf.ENABLED.key -> "false") {
      spark.sql(
        "SELECT * FROM e UNION ALL SELECT dst, src FROM e").createOrReplaceTempView("both")
      val plan = optimized("SELECT a FROM GRAPH_TABLE (both MATCH (a)->(b)->(c) WHERE a = 1)")
      val union = plan.collectFirst { case u: Union => u }.get
      assert(union.exists(_.isInstanceOf[Filter]))
    }
  }

  test("one query in two texts is the same query to Spark's cache") {
    def analyzed(p: String): LogicalPlan =
      spark.sql(s"SELECT a FROM GRAPH_TABLE (e MATCH $p)").queryExecution.analyzed
    assert(analyzed("(a)->(b)->(a)").sameResult(analyzed("(a)->(x)  -[]-> (a)")))
    assert(!analyzed("(a)->(b)->(a)").sameResult(analyzed("(a)->(b)->(c)")))
  }

  test("each reason is said in EXPLAIN and the rows are right") {
    spark
      .sql("SELECT CAST(src AS DOUBLE) AS src, CAST(dst AS DOUBLE) AS dst FROM e")
      .createOrReplaceTempView("floating")
    val cases = Seq(
      "SELECT a FROM GRAPH_TABLE (floating MATCH (a)->(b)->(c))" ->
        "vertices are named by DOUBLE",
      "SELECT /*+ NO_WCO_JOIN */ a FROM GRAPH_TABLE (w MATCH (a)->(b)->(c))" ->
        "the query has the hint NO_WCO_JOIN")
    for ((query, reason) <- cases) {
      val df: DataFrame = spark.sql(query)
      assert(reasonOf(query).contains(reason))
      assert(df.queryExecution.explainString(SimpleMode).contains("WcoJoinDeclined"))
      val rows = df.collect().toSeq
      withSQLConf(WreathConf.ENABLED.key -> "false")(checkAnswer(spark.sql(query), rows))
    }
    withSQLConf(WreathConf.JOIN_MODE.key -> "binary") {
      assert(reasonOf("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c))").contains("'binary'"))
    }
  }

  test("the hinted order reaches the operator") {
    val j = patternOf(
      "SELECT /*+ WCO_JOIN(c, a) */ * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))")
    assert(j.order == Seq(2, 0))
  }
}
