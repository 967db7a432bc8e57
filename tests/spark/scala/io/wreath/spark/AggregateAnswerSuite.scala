package io.wreath.spark

import scala.util.Random

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

/**
 * Aggregates over the matches of a pattern: held to rows that are put together one by one in plain Scala,
 * and to Spark's own joins and aggregation.
 */
class AggregateAnswerSuite extends WreathQueryTest {

  private type Value = Option[Long]
  private case class Vertex(id: Long, n: Value)
  private case class Edge(src: Long, dst: Long, w: Value)

  /** An edge of a pattern between two variables. */
  private case class Step(from: Int, to: Int, isDirected: Boolean)

  private case class Pattern(steps: Seq[Step], differ: Seq[(Int, Int)], less: Seq[(Int, Int)]) {
    def size: Int = steps.flatMap(s => Seq(s.from, s.to)).max + 1

    def text: String = {
      val edges = steps.zipWithIndex.map { case (s, i) =>
        if (s.isDirected) s"(v${s.from})-[x$i]->(v${s.to})" else s"(v${s.from})-[x$i]-(v${s.to})"
      }
      val where = differ.map { case (a, b) => s"v$a.id <> v$b.id" } ++
        less.map { case (a, b) => s"v$a.id < v$b.id" }
      edges.mkString(", ") + (if (where.isEmpty) "" else where.mkString(" WHERE ", " AND ", ""))
    }
  }

  /** Vertices by variable and edges by step, of every match. */
  private def matches(
      vertices: Map[Long, Vertex],
      edges: Seq[Edge],
      p: Pattern): Seq[(Map[Int, Vertex], Seq[Edge])] = {
    def go(left: Seq[Step], bound: Map[Int, Long], taken: Seq[Edge])
        : Seq[(Map[Int, Long], Seq[Edge])] =
      if (left.isEmpty) Seq(bound -> taken)
      else
        for {
          e <- edges
          s = left.head
          (from, to) <-
            if (s.isDirected || e.src == e.dst) Seq((e.src, e.dst))
            else Seq((e.src, e.dst), (e.dst, e.src))
          if bound.getOrElse(s.from, from) == from
          half = bound + (s.from -> from)
          if half.getOrElse(s.to, to) == to
          found <- go(left.tail, half + (s.to -> to), taken :+ e)
        } yield found
    for {
      (bound, taken) <- go(p.steps, Map.empty, Nil)
      if p.differ.forall { case (a, b) => bound(a) != bound(b) }
      if p.less.forall { case (a, b) => bound(a) < bound(b) }
    } yield bound.map { case (v, id) => v -> vertices(id) } -> taken
  }

  private def register(vertices: Seq[Vertex], edges: Seq[Edge]): Unit = {
    val session = spark
    import session.implicits._
    vertices.map(v => (v.id, v.n)).toDF("id", "n").selectExpr(
      "id",
      "n",
      "CAST(n AS INT) AS i",
      "CAST(n * 1.25 AS DECIMAL(9, 2)) AS d",
      "CAST(n AS DECIMAL(30, 2)) AS big",
      "CAST(n % 3 AS STRING) AS s",
      "n / 7 AS f").createOrReplaceTempView("agg_v")
    edges.map(e => (e.src, e.dst, e.w)).toDF(
      "src",
      "dst",
      "w").selectExpr("src", "dst", "w", "CAST(w * 0.5 AS DECIMAL(12, 3)) AS q")
      .createOrReplaceTempView("agg_e")
    spark.sql(
      "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH agg VERTEX TABLES (agg_v AS v KEY (id) " +
        "PROPERTIES (id, n, i, d, big, s, f)) EDGE TABLES (agg_e AS e SOURCE KEY (src) REFERENCES v " +
        "DESTINATION KEY (dst) REFERENCES v PROPERTIES (w, q))")
    ()
  }

  private def drawGraph(r: Random): (Seq[Vertex], Seq[Edge]) = {
    val n = 3 + r.nextInt(3)
    def value(): Value = Option.when(r.nextInt(5) > 0)(r.nextInt(20) - 8L)
    val edges = Seq.fill(4 + r.nextInt(8))(
      Edge(r.nextInt(n).toLong, r.nextInt(n).toLong, value()))
    (
      Seq.tabulate(n)(i => Vertex(i.toLong, value())),
      if (r.nextBoolean()) edges.distinctBy(e => (e.src, e.dst)) else edges ++ edges.take(2))
  }

  private def drawPattern(r: Random): Pattern = {
    val chain = Seq.tabulate(1 + r.nextInt(3)) { i =>
      Step(math.max(0, i - r.nextInt(2)), i + 1, r.nextInt(4) > 0)
    }
    val size = chain.size + 1
    val more =
      Seq.fill(r.nextInt(2))(Step(r.nextInt(size), r.nextInt(size), r.nextInt(4) > 0))
    def pair(): (Int, Int) = (r.nextInt(size), r.nextInt(size))
    Pattern(
      chain ++ more,
      Seq.fill(r.nextInt(3))(pair()).filter { case (a, b) => a != b },
      Seq.fill(r.nextInt(5) / 4)(pair()).filter { case (a, b) => a != b })
  }

  private val settings = for {
    counting <- Seq("eliminate", "enumerate", "auto")
    (aqe, generated) <- Seq((true, true), (false, true), (false, false))
    ansi <- Seq(true, false)
  } yield Seq(
    WreathConf.JOIN_COUNTING.key -> counting,
    SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe.toString,
    SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated.toString,
    SQLConf.ANSI_ENABLED.key -> ansi.toString)

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")

  test("random patterns, groups and NULLs: what nested loops add up to") {
    val r = new Random(16)
    var counted = 0
    (0 until (if (isSoak) 1000 else 18)).foreach { round =>
      val (vertices, edges) = drawGraph(r)
      val pattern = drawPattern(r)
      val all = matches(vertices.map(v => v.id -> v).toMap, edges, pattern)
      register(vertices, edges)
      val (of, step, group) =
        (r.nextInt(pattern.size), r.nextInt(pattern.steps.size), r.nextInt(pattern.size))
      type Match = (Map[Int, Vertex], Seq[Edge])
      val (read, value) =
        if (r.nextBoolean()) (s"v$of.n", (m: Match) => m._1(of).n)
        else (s"x$step.w", (m: Match) => m._2(step).w)
      val from =
        s"FROM GRAPH_TABLE (agg MATCH ${pattern.text} COLUMNS ($read AS x, v$group.id AS g))"
      def expected(of: Seq[Match]): Seq[Any] = {
        val values = of.flatMap(value(_))
        val sum = if (values.isEmpty) null else values.sum
        val average = if (values.isEmpty) null else values.sum.toDouble / values.size
        Seq(
          of.size.toLong,
          values.size.toLong,
          sum,
          average,
          values.minOption.getOrElse(null),
          values.maxOption.getOrElse(null),
          values.distinct.size.toLong)
      }
      val list = "count(*), count(x), sum(x), avg(x), min(x), max(x), count(DISTINCT x)"
      val some = "count(x), sum(x), avg(x), min(x)"
      val setting = settings(round % settings.size)
      withSQLConf(setting: _*) {
        withClue(s"$setting, $vertices, $edges, $from: ") {
          val whole = spark.sql(s"SELECT $list $from")
          checkAnswer(whole, Row.fromSeq(expected(all)))
          if (whole.queryExecution.executedPlan.toString.contains(", counted by ")) counted += 1
          val groups = all.groupBy(_._1(group).id).map { case (g, of) =>
            Row.fromSeq(g +: expected(of))
          }
          checkAnswer(spark.sql(s"SELECT g, $list $from GROUP BY g"), groups.toSeq)
          val even = all.filter(_._1(group).id % 2 == 0)
          checkAnswer(
            spark.sql(
              s"SELECT ${some.split(", ").map(_ + " FILTER (WHERE g % 2 = 0)").mkString(", ")} $from"),
            Row.fromSeq(Seq(1, 2, 3, 4).map(expected(even))))
        }
      }
    }
    assert(counted > 5)
  }

  test("types, expressions and groups of several kinds: the rows of Spark's aggregation") {
    val r = new Random(25)
    val aggregates = Seq(
      "sum(a.i)",
      "sum(a.n)",
      "sum(a.d)",
      "sum(a.big)",
      "avg(a.i)",
      "avg(a.d)",
      "avg(a.big)",
      "min(a.s)",
      "max(a.s)",
      "min(a.f)",
      "max(a.d)",
      "sum(x.w)",
      "sum(x.q)",
      "avg(x.q)",
      "avg(x.w)",
      "max(x.w)",
      "count(a.s)",
      "count(a.s, a.n)",
      "count(*)",
      "sum(a.n + 1)",
      "sum(a.n * x.w)",
      "sum(CASE WHEN a.n > 3 THEN 1 ELSE 0 END)",
      "sum(c.n - a.n)",
      "sum(2)",
      "sum(DISTINCT a.n)",
      "count(DISTINCT a.s)",
      "count(DISTINCT a.s, c.s)",
      "bit_or(a.n)",
      "bool_and(a.n > 2)",
      "count_if(a.n > c.n)",
      "sum(CAST(a.n AS SMALLINT))",
      "max(a.n) - min(c.n)",
      "sum(a.n) + count(*)",
      "try_sum(a.n)",
      "try_avg(a.d)")
    val groups = Seq("", "a.id", "a.s", "c.id", "a.id, c.id", "x.w", "a.n % 2", "a.s, x.w")
    val patterns = Seq(
      "(a)-[x]->(b)-[y]->(c)",
      "(a)-[x]->(b)-[y]->(c), (a)-[z]->(c)",
      "(a)-[x]->(b)-[y]->(c)-[z]->(d)-[u]->(a) WHERE a.id <> c.id AND b.id <> d.id",
      "(a)-[x]->(b), (b)-[y]-(c) WHERE b.n > 0",
      "(a)-[x]-(b)-[y]-(c) WHERE x.w > 0",
      "(a)-[x]->(c), (a)-[y]->(c), (c)-[z]->(b)",
      "DIFFERENT EDGES (a)-[x]-(b)-[y]-(c)",
      "(a)-[x]->(b)-[y]->(c) WHERE x.w < y.w",
      "(a)-[x]->(a)-[y]->(c)",
      "(a)-[x]->(c) WHERE NOT EXISTS { (c)-[y]->(a) }")
    (0 until (if (isSoak) 1000 else 20)).foreach { round =>
      val (vertices, edges) = drawGraph(r)
      register(vertices, edges)
      val pattern = patterns(round % patterns.size)
      val asked = Seq.fill(1 + r.nextInt(3))(aggregates(r.nextInt(aggregates.size)))
      val group = groups(r.nextInt(groups.size))
      val columns = """\b([acx])\.(\w+)""".r
        .findAllMatchIn((asked :+ group).mkString(" "))
        .map(_.matched)
        .toSeq
        .distinct
      val list = if (columns.isEmpty) Seq("1 AS one")
      else columns.map(c => s"$c AS ${c.replace(".", "_")}")
      def named(text: String): String =
        columns.sortBy(-_.length).foldLeft(text)((t, c) => t.replace(c, c.replace(".", "_")))
      val keys = if (group.isEmpty) Nil else Seq(named(group))
      val query = s"SELECT ${(keys ++ asked.map(named)).mkString(", ")} FROM GRAPH_TABLE (agg " +
        s"MATCH $pattern COLUMNS (${list.mkString(", ")}))" +
        keys.headOption.fold("")(k => s" GROUP BY $k")
      val setting = settings(round % settings.size)
      withClue(s"$setting, $vertices, $edges, $query: ") {
        withSQLConf(setting: _*) {
          val expected = withSQLConf(WreathConf.ENABLED.key -> "false") {
            spark.sql(query).collect().toSeq
          }
          for (algorithm <- Seq("generic", "leapfrog"))
            withSQLConf(
              WreathConf.JOIN_MODE.key -> "broadcast",
              WreathConf.JOIN_ALGORITHM.key -> algorithm) {
              checkAnswer(spark.sql(query), expected)
            }
        }
      }
    }
  }

  test("of no rows there is no group and no value, also of constants") {
    register(Seq(Vertex(1L, Some(1L)), Vertex(2L, None)), Seq(Edge(1L, 2L, Some(3L))))
    def from(end: String): String =
      s"FROM GRAPH_TABLE (agg MATCH (a)-[x]->(b), (b)-[y]-($end) COLUMNS (a.n AS n, 7 AS k))"
    val (none, some) = (from("b"), from("a"))
    val (isNone, isSome) = (Row(null), Row(2L))
    for (setting <- settings.grouped(5).map(_.head)) withSQLConf(setting: _*) {
      def check(query: String, rows: Row*): Unit =
        withClue(s"$setting, $query: ")(checkAnswer(spark.sql(query), rows))
      for ((rows, sum) <- Seq(none -> isNone, some -> isSome)) {
        check(s"SELECT sum(2) $rows", sum)
        check(s"SELECT sum(2) $rows HAVING min(k) = 7", Seq(sum).filterNot(_ == isNone): _*)
      }
      val all =
        "count(*), count(k), sum(k), avg(k), min(k), max('a'), count(DISTINCT k), bool_and(true)"
      check(s"SELECT $all $none", Row(0L, 0L, null, null, null, null, 0L, null))
      check(s"SELECT $all $some", Row(1L, 1L, 7L, 7.0, 7, "a", 1L, true))
      for (key <- Seq("'x'", "k", "current_date() IS NULL")) {
        check(s"SELECT count(*) $none GROUP BY $key")
        check(s"SELECT count(*), sum(n) $some GROUP BY $key", Row(1L, 1L))
      }
      val both = s"(SELECT 'none' AS tag $none UNION ALL SELECT 'some' AS tag $some)"
      check(s"SELECT tag, count(*), sum(2) FROM $both GROUP BY tag", Row("some", 1L, 2L))
      check(
        s"SELECT count(*), min(t) FROM (SELECT 1 AS t $none UNION ALL SELECT 1 AS t $none)",
        Row(0L, null))
    }
  }

  /** A star: the leaves are joined with each other through the middle. */
  private def star(leaves: Int, n: Value): Unit =
    register(
      Vertex(0L, n) +: Seq.tabulate(leaves)(i => Vertex(i + 1L, n)),
      Seq.tabulate(leaves)(i => Edge(i + 1L, 0L, n)))

  private def sums(columns: String, aggregates: String): Row =
    spark.sql(s"SELECT $aggregates FROM GRAPH_TABLE (agg MATCH " +
      s"(a)-[x]->(b)<-[y]-(c) COLUMNS ($columns))").head()

  private def failure(of: => Any): String =
    intercept[Exception](of) match {
      case e: SparkThrowable => e.getCondition
      case e => e.getCause.asInstanceOf[SparkThrowable].getCondition
    }

  test("a sum that does not fit is an error under ANSI and wraps around otherwise, as Spark's") {
    val fifth = BigInt(Long.MaxValue / 5)
    star(3, Some(fifth.toLong))
    // Nine rows of a fifth.
    for (ansi <- Seq(true, false); aqe <- Seq(true, false))
      withSQLConf(
        SQLConf.ANSI_ENABLED.key -> ansi.toString,
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe.toString) {
        val fits = sums("a.n AS n, a.id AS a", "avg(n), sum(n) FILTER (WHERE a = 1), min(n)")
        assert(fits == Row(
          (fifth * 9).toDouble / 9,
          (fifth * 3).toLong,
          fifth.toLong))
        if (ansi) assert(failure(sums("a.n AS n", "sum(n)")) == "ARITHMETIC_OVERFLOW")
        else assert(sums("a.n AS n", "sum(n)") == Row((fifth * 9).toLong))
      }
    // Parts of it do not fit, and the sum does.
    register(
      Seq(Vertex(0L, None), Vertex(1L, Some(Long.MaxValue)), Vertex(2L, Some(-Long.MaxValue))),
      Seq(Edge(1L, 0L, None), Edge(2L, 0L, None)))
    assert(sums("a.n AS n", "sum(n), count(n)") == Row(0L, 4L))
  }

  test("a sum of decimals that does not fit: an error under ANSI, NULL otherwise, as Spark's") {
    star(2, None)
    spark.sql(
      "SELECT id, CAST(9e17 AS DECIMAL(18, 0)) AS d FROM agg_v").createOrReplaceTempView("big_v")
    spark.sql(
      "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH agg VERTEX TABLES (big_v AS v KEY (id) " +
        "PROPERTIES (d)) EDGE TABLES (agg_e AS e SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v)")
    val d = BigDecimal("9e17")
    assert(
      sums("a.d AS d", "sum(d), avg(d)").toSeq.map(d => BigDecimal(d.toString)) == Seq(d * 4, d))
  }

  test("what is not exact is left to rows, and EXPLAIN tells what is counted") {
    star(3, Some(2L))
    def plan(columns: String, aggregates: String, where: String = ""): String = {
      val df = spark.sql(s"SELECT $aggregates FROM GRAPH_TABLE (agg MATCH " +
        s"(a)-[x]->(b)<-[y]-(c) $where COLUMNS ($columns))")
      df.collect()
      df.queryExecution.executedPlan.toString
    }
    assert(plan("a.n AS n", "sum(n)").contains(", counted by n"))
    assert(plan("a.n AS n", "avg(n), min(n), count(n), count(*)").contains(", counted by n"))
    assert(plan("x.w AS w", "sum(w)").contains(", counted by w"))
    assert(plan("a.n AS n", "max(n), count(DISTINCT n)").contains(", any row by n"))
    assert(plan("a.n AS n, x.w AS w", "sum(n * w)").contains(", counted by "))
    for (left <- Seq("sum(f)", "avg(f)", "try_sum(n)", "sum(big)", "first(n)", "collect_list(n)"))
      assert(!plan("a.n AS n, a.f AS f, a.big AS big", left).contains("counted by"), left)
    // Two that no edge joins: going through the rows takes no longer.
    assert(!plan("a.n AS n, c.n AS m", "sum(n - m)").contains("counted by"))
    assert(!plan("x.w AS w", "sum(w)", "WHERE x.w <= y.w").contains("counted by"))
    withSQLConf(WreathConf.JOIN_COUNTING.key -> "eliminate") {
      assert(plan("a.n AS n", "sum(n)").contains("counted by n, by elimination: "))
      assert(plan("x.w AS w", "sum(w)").contains("counted by w, by elimination: "))
    }
  }
}
