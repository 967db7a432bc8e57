package io.wreath.spark

import scala.concurrent.duration._
import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.WholeStageCodegenExec
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.execution.BroadcastWcoJoinExec
import org.scalatest.concurrent.Eventually

/**
 * Every query gives the rows of Spark's own joins.
 *
 * The grid: {fixed queries, random patterns} x {graphs: simple, duplicates, self-loops, NULLs, gaps,
 * Long extremes, empty, narrow key types} x {direct, generated, interpreted,
 * binary} x AQE {on, off}.
 */
class WcoJoinAnswerSuite extends AnswerGrid with Eventually {

  private val queries = Seq(
    "triangle" -> "MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c)",
    "cycle of three" -> "MATCH (a)->(b)->(c)->(a)",
    "reversed edges" -> "MATCH (a)<-(b)<-[]-(c), (a)->(c)",
    "2-path" -> "MATCH (a)->(b)->(c)",
    "pair both ways" -> "MATCH (a)->(b)->(a)",
    "self-loop in the pattern" -> "MATCH (a)->(a)->(b)",
    "the same edge twice" -> "MATCH (a)->(b), (a)->(b)",
    "diamond, ends ordered" -> "MATCH (a)->(b)->(d), (a)->(c)->(d) WHERE b < c",
    "4-clique" -> "MATCH (a)->(b), (a)->(c), (a)->(d), (b)->(c), (b)->(d), (c)->(d)",
    "unconnected parts" -> "MATCH (a)->(b)->(a), (c)->(c) WHERE a <= c",
    "comparisons" -> "MATCH (a)->(b)->(c) WHERE a.id < c.id AND a <> b AND b >= c",
    "equality of variables" -> "MATCH (a)->(b)->(c), (c)->(d) WHERE a.id = d.id",
    "constants" -> "MATCH (a)->(b)->(c), (a)->(c) WHERE a = 2 AND c IN (3, 4)",
    "arithmetic" -> "MATCH (a)->(b)->(c), (a)->(c) WHERE a + c > 2 * b OR b % 2 = 0",
    "columns" -> "MATCH (a)->(b)->(c), (a)->(c) COLUMNS (c.id AS z, a.id + b.id AS s, a)",
    "one column of three" -> "MATCH (a)->(b)->(c), (a)->(c) COLUMNS (b.id)",
    "an end that nothing reads" -> "MATCH (a)->(b)->(c), (a)->() COLUMNS (b.id AS b)",
    "anonymous vertices" -> "MATCH ()->(b)->(), (b)->(b)")

  private val extremes =
    Seq(Long.MinValue -> 0L, 0L -> Long.MaxValue, Long.MinValue -> Long.MaxValue, 0L -> 0L)

  for ((name, query) <- queries) {
    test(s"$name: the rows of Spark's joins") {
      for (graph <- Seq(simple, duplicates, extremes, Nil)) {
        edges("e", graph: _*)
        checkSameRows(s"SELECT * FROM GRAPH_TABLE (e $query)")
        val from = s"FROM GRAPH_TABLE (e $query)"
        checkSameRows(s"SELECT count(*), count(1) + 1 $from", aqe = Seq(true))
        val columns = spark.sql(s"SELECT * $from").columns
        if (graph eq duplicates) {
          val (one, two) = (columns.head, columns.takeRight(2).mkString(", "))
          checkSameRows(s"SELECT $one, count(*) $from GROUP BY $one", aqe = Seq(true))
          checkSameRows(s"SELECT $two, count(*) $from GROUP BY $two", aqe = Seq(true))
          checkSameRows(s"SELECT DISTINCT $one $from", aqe = Seq(true))
        }
      }
    }
  }

  test("random patterns over random graphs: the rows of Spark's joins") {
    val seed = sys.env.get("WREATH_SEED").map(_.toLong).getOrElse(42L)
    val rounds = if (sys.env.contains("WREATH_SOAK")) 400 else 12
    val random = new Random(seed)
    for (round <- 1 to rounds) {
      val vertices = 2 + random.nextInt(6)
      val graph = Seq.fill(random.nextInt(25))(
        random.nextInt(vertices).toLong -> random.nextInt(vertices).toLong)
      edges("e", graph: _*)
      val query = randomPattern(random)
      withClue(s"seed $seed, round $round, $query over $graph: ") {
        checkSameRows(s"SELECT * FROM GRAPH_TABLE (e $query)", aqe = Seq(random.nextBoolean()))
      }
    }
  }

  private def randomPattern(random: Random): String = {
    val names = Seq("a", "b", "c", "d").take(2 + random.nextInt(3))
    def name(): String = names(random.nextInt(names.size))
    val used = Seq.fill(2 + random.nextInt(3))((name(), name()))
    val mentioned = used.flatMap(e => Seq(e._1, e._2)).distinct
    def mention(): String = mentioned(random.nextInt(mentioned.size))
    val operators = Seq("<", "<=", "<>", "=", ">", ">=")
    val filters = Seq.fill(random.nextInt(3)) {
      s"${mention()} ${operators(random.nextInt(operators.size))} ${mention()}"
    }
    used.map { case (s, t) => s"($s)->($t)" }.mkString("MATCH ", ", ", "") +
      (if (filters.isEmpty) "" else filters.mkString(" WHERE ", " AND ", ""))
  }

  test("a NULL end matches nothing, even at an end that nothing reads") {
    spark
      .sql("SELECT * FROM VALUES (1L, 2L), (2L, CAST(NULL AS BIGINT)), (NULL, 1L), (2L, 3L) AS t(src, dst)")
      .createOrReplaceTempView("e")
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->() COLUMNS (a.id AS a))"),
      Row(1L))
    checkAnswer(
      spark.sql("SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)->(b))"),
      Row(2L))
    checkSameRows("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b), (b)->(c))")
  }

  private val keyTypes = Seq(
    "TINYINT",
    "SMALLINT",
    "INT",
    "BIGINT",
    "DATE",
    "TIMESTAMP",
    "TIMESTAMP_NTZ",
    "STRING",
    "BINARY",
    "DECIMAL(9, 2)",
    "DECIMAL(18, 0)",
    "DECIMAL(38, 3)")

  for (t <- keyTypes) test(s"keys of type $t") {
    val isTime = t == "DATE" || t.startsWith("TIMESTAMP")
    def key(n: Int): String =
      if (isTime) s"CAST('2024-01-0$n' AS $t)" else s"CAST(CAST($n AS STRING) AS $t)"
    val rows = Seq(1 -> 2, 2 -> 3, 1 -> 3, 3 -> 1, 1 -> 2).map { case (s, d) =>
      s"(${key(s)}, ${key(d)})"
    }
    spark
      .sql(s"SELECT * FROM VALUES ${rows.mkString(", ")} AS t(src, dst)")
      .createOrReplaceTempView("e")
    checkSameRows("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a < c)")
    checkSameRows(s"SELECT b FROM GRAPH_TABLE (e MATCH (a)->(b)->(a) WHERE a = ${key(1)})")
  }

  test("keys of several columns") {
    spark
      .sql("SELECT struct(src % 2 AS p, CAST(src AS STRING) AS q) AS src, " +
        "struct(dst % 2 AS p, CAST(dst AS STRING) AS q) AS dst " +
        "FROM VALUES (1, 2), (2, 3), (1, 3), (3, 1), (1, 2), (NULL, 1), (1, NULL) AS t(src, dst)")
      .createOrReplaceTempView("e")
    checkSameRows("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a < c)")
  }

  test("strings of any length and alphabet keep Spark's order") {
    val names = Seq("", "a", "aa", "A", "é", "\uD83D\uDE00", "zzzzzzzzzzzzzzzzzzzzzz", "b\u0000c")
    val session = spark
    import session.implicits._
    (for (s <- names; d <- names if s.length + d.length < 9) yield (s, d))
      .toDF("src", "dst")
      .createOrReplaceTempView("e")
    checkSameRows(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a < b AND length(c) < 3)")
  }

  test("keys that are not indexed run as Spark's joins, and EXPLAIN says so") {
    for (t <- Seq("DOUBLE", "STRING COLLATE UTF8_LCASE")) {
      spark
        .sql(
          s"SELECT CAST(src AS $t) src, CAST(dst AS $t) dst " +
            "FROM VALUES ('1', '0'), ('0', '1') t(src, dst)")
        .createOrReplaceTempView("e")
      val df = spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(a))")
      assert(df.count() == 2)
      assert(wcoJoins(df).isEmpty)
      assert(
        df.queryExecution
          .explainString(org.apache.spark.sql.execution.SimpleMode)
          .contains("WcoJoinDeclined vertices are named by"))
    }
  }

  test("src and dst of different widths meet at the wider type") {
    spark
      .sql("SELECT CAST(1 AS INT) AS src, CAST(2 AS BIGINT) AS dst UNION ALL SELECT 2, 1L")
      .createOrReplaceTempView("e")
    checkSameRows("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(a) WHERE a < b)")
  }

  test("an edge table may be a view with computed columns and a filter of its own") {
    edges("base", duplicates: _*)
    spark
      .sql("SELECT CAST(src * 10 AS INT) AS src, dst * 10 AS dst FROM base WHERE src + dst > 3")
      .createOrReplaceTempView("e")
    checkSameRows("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a < b)")
  }

  test("the order of binding changes no row") {
    edges("e", duplicates: _*)
    val expected =
      spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))").collect().toSeq
    for (order <- Seq("a", "b", "c").permutations) {
      val df = spark.sql(
        s"SELECT /*+ WCO_JOIN(${order.mkString(", ")}) */ * FROM " +
          "GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))")
      checkAnswer(df, expected)
      assert(wcoJoins(df).head.patterns.head.order.size == 3)
    }
  }

  test("rows of a pattern join, group and sort as any other") {
    edges("e", duplicates: _*)
    spark.sql(
      "SELECT * FROM VALUES (1L, 'one'), (2L, 'two') AS t(id, name)").createOrReplaceTempView(
      "names")
    val triangle = "GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))"
    checkSameRows(
      s"SELECT n.name, count(*) FROM $triangle JOIN names n ON n.id = a GROUP BY n.name")
    checkSameRows(s"SELECT n.name, t.b FROM names n LEFT JOIN $triangle t ON n.id = t.c")
    checkSameRows(s"SELECT * FROM $triangle WHERE a IN (SELECT id FROM names) AND b = 2")
    checkSameRows(s"SELECT id, (SELECT count(*) FROM $triangle WHERE a = id) FROM names")
    checkSameRows(s"SELECT x.a, y.c FROM $triangle x JOIN $triangle y ON x.c = y.a")
    checkSameRows(
      s"SELECT * FROM (SELECT a, b FROM $triangle UNION ALL SELECT b, c FROM $triangle)")
  }

  test("a condition that may fail is asked only of rows that fulfil the others") {
    edges("e", 0L -> -1L, 1L -> 2L, 2L -> 3L, -1L -> 5L)
    withSQLConf(SQLConf.ANSI_ENABLED.key -> "true") {
      checkSameRows(
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c) WHERE b.id > 0 AND 10 / a.id > 1)")
    }
  }

  test("a long path over a table of unknown size joins other tables") {
    val session = spark
    import session.implicits._
    spark.sparkContext.parallelize(Seq(1L -> 1L)).toDF("src", "dst").createOrReplaceTempView("r")
    val path = (0 to 39).map(i => s"(v$i)").mkString("->")
    checkSameRows(
      s"SELECT v1 FROM GRAPH_TABLE (r MATCH $path) JOIN VALUES (1L) AS t(x) ON v1 = x",
      aqe = Seq(true))
  }

  test("a cancelled query gives its cores back, though it finds nothing") {
    val all = for (a <- 0L until 300L; b <- 0L until 300L) yield a -> b
    edges("e", all: _*)
    // So that the one job that can be cancelled is the join's.
    spark.sql("CACHE GRAPH INDEX e")
    for (columns <- Seq("a", "count(*)")) {
      val group = s"cancel $columns"
      val running = scala.concurrent.Future {
        spark.sparkContext.setJobGroup(group, group, interruptOnCancel = false)
        intercept[Exception](
          spark
            .sql(
              s"SELECT $columns FROM GRAPH_TABLE (e MATCH (a)->(b)->(c)->(d) " +
                "WHERE CASE WHEN a < 0 THEN b WHEN b < 0 THEN c ELSE d END = -5)")
            .collect())
      }(scala.concurrent.ExecutionContext.global)
      eventually(timeout(60.seconds))(assert(activeTasks(group) > 0))
      spark.sparkContext.cancelJobGroup(group)
      scala.concurrent.Await.result(running, 60.seconds)
      eventually(timeout(60.seconds))(assert(activeTasks(group) == 0))
    }
  }

  test("a LIMIT ends a join that would give billions of rows, generated or not") {
    val all = for (a <- 0L until 200L; b <- 0L until 200L) yield a -> b
    edges("e", all: _*)
    for (generated <- Seq("true", "false"); distinct <- Seq("", "DISTINCT ")) {
      withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated) {
        val path = "GRAPH_TABLE (e MATCH (a)->(b)->(c)->(d)->(f))"
        assert(spark.sql(s"SELECT * FROM $path LIMIT 7").collect().length == 7)
        assert(spark.sql(s"SELECT a + f FROM $path WHERE a <> f LIMIT 7").collect().length == 7)
        assert(
          spark.sql(s"SELECT sum(x) FROM (SELECT ${distinct}1 AS x FROM " +
            s"(SELECT a FROM $path LIMIT 9))").head().getLong(0) == (if (distinct == "") 9
                                                                     else 1))
      }
    }
  }

  test("rows that go nowhere in Spark's generated code are written without it") {
    edges("e", simple: _*)
    val path = "GRAPH_TABLE (e MATCH (a)->(b)->(c))"
    def isDirect(query: String): Seq[Boolean] = {
      val df = spark.sql(query)
      df.collect()
      val generated = collectWithSubqueries(df.queryExecution.executedPlan) {
        case g: WholeStageCodegenExec => g.child.collect { case j: BroadcastWcoJoinExec => j }
      }.flatten
      val joins = wcoJoins(df).collect { case j: BroadcastWcoJoinExec => j }
      joins.foreach(j => assert(j.isDirect == !generated.contains(j)))
      joins.map(_.isDirect)
    }
    for (aqe <- Seq("true", "false")) withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
      assert(isDirect(s"SELECT * FROM $path") == Seq(true))
      assert(isDirect(s"SELECT * FROM $path DISTRIBUTE BY a") == Seq(true))
      assert(isDirect(s"SELECT a + c FROM $path") == Seq(false))
      assert(isDirect(s"SELECT sum(a) FROM $path") == Seq(false))
    }
    // Strings have no fixed width.
    edges("s", simple: _*)
    spark.sql("SELECT concat(src, 'x') AS src, concat(dst, 'x') AS dst FROM s")
      .createOrReplaceTempView("s")
    assert(isDirect("SELECT * FROM GRAPH_TABLE (s MATCH (a)->(b)->(c))") == Seq(false))
  }

  test("two patterns of one query share one exchange") {
    edges("e", simple: _*)
    for (aqe <- Seq("true", "false")) withSQLConf(
      WreathConf.INDEX_CACHE_ENABLED.key -> "false",
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
      val df = spark.sql(
        "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c)) x " +
          "JOIN GRAPH_TABLE (e MATCH (a)->(b)->(a)) y ON x.a = y.a")
      df.collect()
      assert(wcoJoins(df).size == 2)
      val exchanges = collectWithSubqueries(df.queryExecution.executedPlan) {
        case e: org.apache.spark.sql.execution.wreath.CsrBroadcastExchangeExec => e
      }
      assert(exchanges.size == 1, s"AQE $aqe")
    }
  }

  test("after it has run, the plan says by which technique each variable was bound") {
    edges("three_edges", 1L -> 2L, 2L -> 3L, 1L -> 3L)
    def explained(technique: String): String =
      withSQLConf(WreathConf.JOIN_TECHNIQUE.key -> technique) {
        val df =
          spark.sql("SELECT * FROM GRAPH_TABLE (three_edges MATCH (a)->(b)->(c), (a)->(c))")
        assert(df.collect().toSeq.map(_.toString) == Seq("[1,2,3]"))
        df.queryExecution.executedPlan.toString
      }
    assert(explained("auto").contains(" by list, "))
    assert(explained("auto").contains(" by marks"))
    assert(explained("lists").contains(" by intersection"))
    assert(explained("bits").contains(" by bits, "))
  }

  test("and how it was counted or grouped, too") {
    edges("three_edges", 1L -> 2L, 2L -> 3L, 1L -> 3L)
    val triangle = "GRAPH_TABLE (three_edges MATCH (a)->(b)->(c), (a)->(c))"
    def explained(query: String): String = {
      val df = spark.sql(query)
      df.collect()
      df.queryExecution.executedPlan.toString
    }
    val counted = explained(s"SELECT count(*) FROM $triangle")
    assert(counted.contains(" by list, ") && counted.contains(" by factor"), counted)
    val grouped = explained(s"SELECT b, count(*) FROM $triangle GROUP BY b")
    assert(grouped.contains(" by factor"), grouped)
    val asked = explained(s"SELECT DISTINCT a, b FROM $triangle")
    assert(asked.contains(" by marks") && !asked.contains(" by factor"), asked)
  }

  test("the plan names Leapfrog Triejoin, and nothing is kept for it beside the index") {
    edges("both_ways", Seq(1L -> 2L, 2L -> 3L, 1L -> 3L).flatMap(e => Seq(e, e.swap)): _*)
    val cycles = "SELECT count(*) FROM GRAPH_TABLE (both_ways MATCH (a)->(b)->(c)->(d)->(a))"
    def plan(algorithm: String): (Long, String) =
      withSQLConf(WreathConf.JOIN_ALGORITHM.key -> algorithm) {
        val df = spark.sql(cycles)
        (df.head().getLong(0), df.queryExecution.executedPlan.toString)
      }
    val (expected, generic) = plan("generic")
    val (count, leapfrog) = plan("leapfrog")
    assert(count == expected)
    assert(leapfrog.contains(", by Leapfrog Triejoin") && !leapfrog.contains("by degree"))
    assert(!generic.contains("Leapfrog"))
  }
}
