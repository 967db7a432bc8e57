package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}
import org.apache.spark.sql.execution.SimpleMode
import org.apache.spark.sql.execution.wreath.{CsrBroadcastExchangeExec, WreathConf}
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.logical.{JoinGoal, WcoJoin, WcoJoinDeclined}

/**
 * A pattern with quantified edges is one join, whatever lengths they may have, and has the rows of
 * Spark's joins.
 */
class QuantifiedEdgeSuite extends WreathQueryTest {

  private def graph(pattern: String): String = s"GRAPH_TABLE (e MATCH $pattern)"

  override def beforeAll(): Unit = {
    super.beforeAll()
    val session = spark
    import session.implicits._
    Seq((1L, 2L, 10), (2L, 1L, 20), (2L, 3L, 30), (3L, 1L, 40), (3L, 4L, 50), (1L, 2L, 70))
      .toDF("src", "dst", "w")
      .createOrReplaceTempView("e")
  }

  private def optimized(query: String): LogicalPlan =
    spark.sql(query).queryExecution.optimizedPlan

  private def joins(plan: LogicalPlan): Seq[WcoJoin] = plan.collect { case j: WcoJoin => j }

  private def joinOf(query: String): WcoJoin = {
    val plan = optimized(query)
    assert(joins(plan).size == 1 && !plan.exists(_.isInstanceOf[Union]), plan)
    joins(plan).head
  }

  /** The same query by Spark's joins alone. */
  private def checkRows(query: String): Unit = {
    val expected =
      withSQLConf(WreathConf.ENABLED.key -> "false")(spark.sql(query).collect().toSeq)
    for (generated <- Seq("true", "false"); aqe <- Seq("true", "false")) {
      withSQLConf(
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated,
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
        withClue(s"$query\ngenerated $generated, AQE $aqe\n") {
          checkAnswer(spark.sql(query), expected)
        }
      }
    }
  }

  test("all combinations of lengths are patterns of one join") {
    val cases = Seq(
      "(a)->{1,3}(b)" -> 3,
      "(a)-[x WHERE x.w > 15]->{1,2}(b)-[]-{2,3}(c)" -> 4,
      "(a)->?(b)->(c)" -> 2,
      "(a)->{,2}(b)->(c)" -> 3,
      "(a)->{1,3}(b)->(a)" -> 3,
      "DIFFERENT EDGES (a)->{1,3}(b)" -> 3,
      "DIFFERENT VERTICES (a)-[]-{1,3}(b)<-(a)" -> 3,
      "UNIQUE SUBGRAPHS (a)->{1,2}(b)->{1,2}(a)" -> 4)
    for ((pattern, count) <- cases) {
      val j = joinOf(s"SELECT * FROM ${graph(pattern)}")
      assert(j.patterns.size == count && j.relations.size == 1, pattern)
      checkRows(s"SELECT * FROM ${graph(pattern)}")
    }
  }

  test("conditions on the whole reach every length") {
    val j = joinOf(s"SELECT * FROM ${graph("(a)->{1,3}(b)->(c)")} WHERE a < c AND b = 1")
    assert(j.patterns.forall(p => p.comparisons.nonEmpty && p.predicates.nonEmpty))
    for (where <-
        Seq("a < c AND b = 1", "a = c", "a + 1 = c", "a + b > 3 AND a < 3", "a IN (1, 4)"))
      checkRows(s"SELECT * FROM ${graph("(a)->{1,3}(b)->(c)")} WHERE $where")
  }

  test("rows are counted inside the join, all together and by group") {
    for (pattern <- Seq("(a)->{1,4}(b)", "(a)->?(b)->(c)", "DIFFERENT EDGES (a)->{1,3}(b)")) {
      val count = s"SELECT count(*) FROM ${graph(pattern)}"
      assert(joinOf(count).goal.isInstanceOf[JoinGoal.Count])
      checkRows(count)
      val grouped = s"SELECT a, count(*), 2 * count(b) FROM ${graph(pattern)} GROUP BY a"
      assert(joinOf(grouped).goal.isInstanceOf[JoinGoal.Count])
      checkRows(grouped)
      val distinct = s"SELECT DISTINCT b FROM ${graph(pattern)}"
      assert(joinOf(distinct).goal == JoinGoal.Exists)
      checkRows(distinct)
    }
    assert(
      spark.sql(
        s"SELECT count(*) FROM ${graph("(a)->{1,2}(b) WHERE a > 7")}").head().getLong(0) == 0)
  }

  test("rows leave in generated code, whichever variable of a length is bound last") {
    // Parallel edges have weights, and each binding is a run of its own.
    spark.sql("SELECT DISTINCT src, dst FROM e").createOrReplaceTempView("simple")
    for (table <- Seq("e", "simple"); order <- Seq("abc", "bca", "cab")) {
      val pattern = s"GRAPH_TABLE ($table MATCH (a)->?(b)->{1,2}(c))"
      val hint = s"/*+ WCO_JOIN(${order.mkString(", ")}) */"
      checkRows(
        s"SELECT $hint sum(a * 10 + b), sum(c * b), count(DISTINCT a, b, c) FROM $pattern")
      checkRows(s"SELECT $hint a, b, c FROM $pattern")
      assert(spark.sql(s"SELECT $hint a + b FROM $pattern LIMIT 5").collect().length == 5)
    }
  }

  test("one index, one stage") {
    withSQLConf(
      WreathConf.INDEX_CACHE_ENABLED.key -> "false",
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      val df = spark.sql(s"SELECT x, b FROM GRAPH_TABLE (e MATCH (a)->{1,3}(b)-[y]->(c) " +
        "COLUMNS (a AS x, b, y.w))")
      val plan = df.queryExecution.executedPlan
      assert(plan.collect { case x: CsrBroadcastExchangeExec => x }.size == 1, plan)
      assert(wcoJoins(df).size == 1)
    }
  }

  test("columns of edges and the modes that look at rows keep their rows") {
    val columns = "COLUMNS (a, b, f.w AS fw, g.w AS gw)"
    for (mode <- Seq("", "DIFFERENT EDGES", "DIFFERENT VERTICES")) {
      checkRows(
        s"SELECT * FROM GRAPH_TABLE (e MATCH $mode (a)-[f]->()-[x WHERE x.w < 60]->{0,2}(b)" +
          s"-[g]->(c) $columns)")
      checkRows(
        s"SELECT fw, count(*) FROM GRAPH_TABLE (e MATCH $mode (a)-[f]-()-{1,2}(b)-[g]->(c) " +
          s"WHERE f.w < g.w $columns) GROUP BY fw")
    }
  }

  test("a length without an edge is read beside the join") {
    val query = s"SELECT * FROM ${graph("(a)->{0,2}(b)")}"
    val plan = optimized(query)
    assert(joins(plan).map(_.patterns.size) == Seq(2), plan)
    checkRows(query)
    for (counted <- Seq(
        s"SELECT count(*) FROM ${graph("(a)->{0,2}(b)")}",
        s"SELECT a, count(*) FROM ${graph("(a)->{0,2}(b) WHERE b > 1")} GROUP BY a",
        s"SELECT a + 1, count(*) FROM ${graph("(a)->{0,2}(b)")} GROUP BY a + 1")) {
      val Seq(join) = joins(optimized(counted)): @unchecked
      assert(join.goal.isInstanceOf[JoinGoal.Count])
      checkRows(counted)
    }
    // One edge or none is nothing to join.
    assert(joins(optimized(s"SELECT * FROM ${graph("(a)->?(b)")}")).isEmpty)
    withSQLConf(WreathConf.JOIN_MODE.key -> "binary") {
      assert(!optimized(
        s"SELECT * FROM ${graph("(a)->?(b)")}").exists(_.isInstanceOf[WcoJoinDeclined]))
    }
    checkRows(s"SELECT * FROM ${graph("(a)->?(b)")}")
    checkRows(s"SELECT * FROM ${graph("(a)->?(b), (c)->(d)")}")
  }

  test("where a length is 0 both ends are one vertex, with all that is read of it") {
    edges("one", 1L -> 2L)
    spark.sql(
      "SELECT * FROM VALUES (1, 'A'), (2, 'B') AS t(id, name)").createOrReplaceTempView("v")
    spark.sql(
      "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH zero VERTEX TABLES (v KEY (id)) EDGE TABLES (" +
        "one SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v)")
    val both = Seq(Row(1, 1), Row(1, 2), Row(2, 2))
    val cases = Seq(
      "one MATCH (a)-[]->{0,1}(b) COLUMNS (a.id AS x, b.id AS y)" -> both,
      "one MATCH (a)->?(b) COLUMNS (a.id AS x, b.id AS y)" -> both,
      "one MATCH (a)->?(b) COLUMNS (b.id AS x, a.id AS x2)" -> both.map(r => Row(r(1), r(0))),
      "one MATCH (a)->?(b) WHERE a.id < b.id COLUMNS (a.id AS x)" -> Seq(Row(1)),
      "zero MATCH (a)->?(b) COLUMNS (a.name AS x, b.name AS y)" ->
        Seq(Row("A", "A"), Row("A", "B"), Row("B", "B")),
      "zero MATCH (a WHERE a.name = 'A')-[]->{0,1}(b) COLUMNS (b.name)" ->
        Seq(Row("A"), Row("B")),
      // What an earlier pattern knows of a is not what this one reads of b.
      "zero MATCH (a) OPTIONAL MATCH (a)->?(b)->(c) COLUMNS (a.name AS x, b.name AS y, c.name)" ->
        Seq(Row("A", "A", "B"), Row("B", null, null)),
      // A vertex without a name is one all the same.
      "one MATCH DIFFERENT VERTICES (a)->?() COLUMNS (a.id AS x)" -> Seq(Row(1)))
    for (off <- Seq("true", "false"); mode <- Seq("auto", "binary");
      (clause, expected) <- cases) {
      withSQLConf(WreathConf.ENABLED.key -> off, WreathConf.JOIN_MODE.key -> mode) {
        withClue(s"$clause, enabled $off, mode $mode\n") {
          checkAnswer(spark.sql(s"SELECT * FROM GRAPH_TABLE ($clause)"), expected)
          checkAnswer(
            spark.sql(s"SELECT count(*) FROM GRAPH_TABLE ($clause)"),
            Row(expected.size.toLong))
        }
      }
    }
    val walks = spark.sql(s"SELECT * FROM GRAPH_TABLE (${cases.head._1})")
    checkAnswer(
      walks.as("l").join(walks.as("r"), expr("l.y = r.x")).select("l.x", "r.y"),
      Seq(Row(1, 1), Row(1, 2), Row(1, 2), Row(2, 2)))
  }

  test("a vertex that is known keeps its own property id, over vertices of several tables too") {
    edges("one", 1L -> 2L)
    spark.sql(
      "SELECT * FROM VALUES (1, 'A'), (2, 'B') AS t(id, name)").createOrReplaceTempView("v")
    spark.sql(
      "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH several VERTEX TABLES (v AS p KEY (id), v AS q KEY (id)) " +
        "EDGE TABLES (one AS pp SOURCE KEY (src) REFERENCES p DESTINATION KEY (dst) REFERENCES p, " +
        "one AS pq SOURCE KEY (src) REFERENCES p DESTINATION KEY (dst) REFERENCES q)")
    val cases = Seq(
      "(a)-[]->(b) WHERE EXISTS { (b)->{0,1}(c) WHERE b.id = 2 }" -> Seq(Row(1, 2), Row(1, 2)),
      "(a)-[]->(b) WHERE EXISTS { (a)->?(c) WHERE c.id > a.id }" -> Seq(Row(1, 2), Row(1, 2)),
      "(a)-[]->(b) WHERE NOT EXISTS { (b)<-{,2}(c) WHERE c.id < b.id }" -> Nil,
      "(a IS p) OPTIONAL MATCH (a)->?(b IS q)" -> Seq(Row(1, 2), Row(2, null)))
    // The key has another name, and is not what id means.
    spark.sql("SELECT id AS k, id * 10 AS id, name FROM v").createOrReplaceTempView("keyed_v")
    spark.sql(
      "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH keyed VERTEX TABLES (keyed_v AS v KEY (k)) " +
        "EDGE TABLES (one SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v)")
    val inSteps = Seq(
      "several MATCH (a)-[]->(b) WHERE EXISTS { (a)-[x WHERE a.name = 'A']->{1,2}(c) }" ->
        Seq(Row(1, 2), Row(1, 2)),
      "several MATCH (a)-[]->(b) WHERE EXISTS { (a)-[x WHERE a.id = 2]->{1,2}(c) }" -> Nil,
      "keyed MATCH (a)-[]->(b) WHERE EXISTS { (a)-[x WHERE a.id = 10]->{1,2}(c) }" -> Seq(Row(
        10,
        20)),
      "keyed MATCH (a)-[]->(b) WHERE NOT EXISTS { (a)-[x WHERE a.id < 10]->{1,2}(c) }" ->
        Seq(Row(10, 20)),
      "keyed MATCH (a) OPTIONAL MATCH (a)-[x WHERE a.id = 10]->{1,2}(b)" ->
        Seq(Row(10, 20), Row(20, null)))
    for {
      off <- Seq("true", "false")
      (clauseOf, expected) <- cases.map { case (p, rows) =>
        s"several MATCH $p" -> rows
      } ++ inSteps
    } withSQLConf(WreathConf.ENABLED.key -> off) {
      val clause = s"GRAPH_TABLE ($clauseOf COLUMNS (a.id AS x, b.id AS y))"
      withClue(s"$clause, $off: ")(checkAnswer(spark.sql(s"SELECT * FROM $clause"), expected))
    }
  }

  test("an edge that is only asked for is looked up for every length") {
    for (test <- Seq("EXISTS { (b)->(a) }", "NOT EXISTS { (a)-(b) } AND EXISTS { (a)->(b) }")) {
      val query = s"SELECT count(*) FROM ${graph(s"(a)->{1,3}(b)->(c) WHERE $test")}"
      assert(joinOf(query).patterns.forall(_.atoms.exists(_.test.isDefined)))
      checkRows(query)
    }
    // Others are a join of their own.
    for (test <- Seq(
        "EXISTS { (b)->{1,2}(a) }",
        "NOT EXISTS { (b)->(x)->(c) }",
        "(a = 1 OR EXISTS { (a)->(a) })")) {
      val query = s"SELECT * FROM ${graph(s"(a)->{1,3}(b)->(c) WHERE $test")}"
      assert(joins(optimized(query)).count(_.patterns.size == 3) == 1)
      checkRows(query)
    }
  }

  test("a condition that may raise an error is asked inside the join, after all others") {
    val raising = "(a)-[x WHERE 100 / (x.w - 10) > 0]->{1,3}(b)"
    val safe = "(a)-[x WHERE x.w <> 10 AND 100 / (x.w - 10) > 1]->{1,3}(b)"
    for (select <- Seq("*", "count(*)", "a, count(*)")) {
      val group = if (select.startsWith("a")) " GROUP BY a" else ""
      val query = s"SELECT $select FROM ${graph(safe)}$group"
      assert(joinOf(query).patterns.forall(_.lastPredicates.nonEmpty))
      checkRows(query)
    }
    withSQLConf(SQLConf.ANSI_ENABLED.key -> "true") {
      intercept[ArithmeticException](
        spark.sql(s"SELECT * FROM ${graph(raising)}").collect())
    }
  }

  test("EXPLAIN says the lengths, and why a pattern stays Spark's") {
    def explained(query: String): String =
      spark.sql(query).queryExecution.explainString(SimpleMode)
    val text = explained(s"SELECT * FROM ${graph("(a)-[x]->{1,2}(b)<-{1,2}(c)")}")
    assert(text.contains("BroadcastWcoJoin x: 1 to 2 edges, (b)<-(c): 1 to 2 edges [(a)->(b), "))
    val declined = s"SELECT /*+ NO_WCO_JOIN */ * FROM ${graph("(a)->{1,3}(b)")}"
    assert(optimized(declined).collect { case d: WcoJoinDeclined => d }.size == 1)
    assert(explained(declined).contains("the query has the hint NO_WCO_JOIN"))
    checkRows(declined)
    spark
      .sql("SELECT CAST(src AS DOUBLE) AS src, CAST(dst AS DOUBLE) AS dst FROM e")
      .createOrReplaceTempView("floating")
    val floating = "SELECT * FROM GRAPH_TABLE (floating MATCH (a)->{1,2}(b))"
    assert(explained(floating).contains("WcoJoinDeclined vertices are named by DOUBLE"))
    checkRows(floating)
  }

  test("a motif with paths of several lengths is one join, of what is read") {
    def motif(select: String): String =
      s"SELECT $select FROM GRAPH_TABLE (e MOTIF '(a)-[x*1..3]->(b); !(b)-[]->(a)')"
    val j = joinOf(motif("a.id, _x2.w"))
    assert(j.patterns.size == 3 && j.relations.map(_.output.size) == Seq(3))
    assert(joinOf(motif("count(*)")).goal.isInstanceOf[JoinGoal.Count])
    val filtered = joinOf(motif("a, b") + " WHERE _x2 IS NULL AND a.id > 1")
    assert(filtered.patterns.size == 1 && filtered.patterns.head.predicates.nonEmpty)
    for (select <- Seq("*", "a.id, _x2.w", "count(*)", "_x3, count(*)")) {
      val group = if (select.startsWith("_")) " GROUP BY _x3" else ""
      checkRows(motif(select) + group)
      checkRows(motif(select) + " WHERE _x2.w > 10 OR _x2 IS NULL" + group)
      checkRows(motif(select) + " WHERE _x2 IS NULL AND a.id > 1" + group)
    }
  }

  test("joins that return different columns are not taken for one another") {
    val path = graph("(a)->(b)->(c)")
    val df = spark.sql(
      s"SELECT (SELECT sum(a) FROM $path), (SELECT sum(b) FROM $path), (SELECT sum(c) FROM $path)")
    val Seq(row) = df.collect().toSeq: @unchecked
    withSQLConf(WreathConf.ENABLED.key -> "false") {
      assert(Seq("a", "b", "c").map(v => spark.sql(s"SELECT sum($v) FROM $path").head().get(0)) ==
        row.toSeq)
    }
  }

  test("random patterns with quantified edges have the rows of Spark's joins") {
    val cases = if (sys.env.contains("WREATH_SOAK")) 500 else 25
    val session = spark
    import session.implicits._
    for (i <- 0 until cases) {
      val random = new Random(i.toLong)
      def pick[T](choices: T*): T = choices(random.nextInt(choices.size))
      Seq.fill(4 + random.nextInt(8))((random.nextInt(5), random.nextInt(5), random.nextInt(8)))
        .toDF("src", "dst", "w")
        .createOrReplaceTempView("random_walks")
      def edge(): String =
        pick("-[]->", "<-[]-", "-[]-", "-[x WHERE x.w > 2]->").replace(
          "x",
          s"x${random.nextInt(1000)}") +
          pick("", "?", "{1,2}", "{2,3}", "{,2}")
      val path = Seq.fill(1 + random.nextInt(2))(s"${edge()}(${pick("a", "b", "c")})").mkString(
        "(a)",
        "",
        "")
      val mode = pick("", "", "DIFFERENT EDGES ", "DIFFERENT VERTICES ", "UNIQUE SUBGRAPHS ")
      val where = pick(
        "",
        " WHERE a > 1",
        " WHERE EXISTS { (a)->(a) }",
        " WHERE NOT EXISTS { (a)->{1,2}(z) }")
      val select = pick("*", "count(*)", "a, count(*)", "DISTINCT a")
      val group = if (select == "a, count(*)") " GROUP BY a" else ""
      checkRows(s"SELECT $select FROM GRAPH_TABLE (random_walks MATCH $mode$path$where)$group")
    }
  }
}
