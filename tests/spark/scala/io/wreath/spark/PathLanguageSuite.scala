package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.Row

import io.wreath.spark.PathOracle._

/** Paths in SQL text against all paths there are: every prefix, mode, quantifier, direction and way to bind ends. */
class PathLanguageSuite extends WreathQueryTest {

  private val isSoak = sys.env.contains("WREATH_SOAK")

  private def table(name: String, edges: Seq[Edge]): Unit = {
    val session = spark
    import session.implicits._
    edges.map(e => (e.source, e.target, e.w)).toDF(
      "src",
      "dst",
      "w").createOrReplaceTempView(name)
  }

  private def random(r: Random): Seq[Edge] = {
    val n = 2 + r.nextInt(3)
    val whole = Seq.fill(2 + r.nextInt(5)) {
      (Option(1L + r.nextInt(n)), Option(1L + r.nextInt(n)), 1 + r.nextInt(3))
    }
    val ends = whole.flatMap(e => e._1 ++ e._2)
    val broken = Seq.fill(r.nextInt(2))(
      if (r.nextBoolean()) (Option(ends.head), None, 3) else (None, Option(ends.last), 3))
    (whole ++ broken).zipWithIndex.map { case ((s, t, w), i) => Edge(i, s, t, w) }
  }

  private def pick[T](r: Random, all: T*): T = all(r.nextInt(all.size))

  private val quantifiers = Seq(
    ("*", 0, None),
    ("+", 1, None),
    ("{2,}", 2, None),
    ("?", 0, Some(1)),
    ("{0,2}", 0, Some(2)),
    ("{1,3}", 1, Some(3)),
    ("{,2}", 0, Some(2)),
    ("{2}", 2, Some(2)))

  private def edgeText(step: Step, name: String): String = {
    val inside = if (step.least > 1) s"$name WHERE $name.w >= ${step.least}" else name
    step.direction match {
      case 1 => s"-[$inside]->"
      case -1 => s"<-[$inside]-"
      case _ => s"-[$inside]-"
    }
  }

  private def step(r: Random): Step = Step(pick(r, 1, 1, -1, 0), pick(r, 1, 1, 2))

  /** A body as text and as blocks. */
  private def body(r: Random): (String, Seq[Block]) = {
    val (text, least, most) = quantifiers(r.nextInt(quantifiers.size))
    r.nextInt(5) match {
      case 0 | 1 | 2 =>
        val s = step(r)
        (s"${edgeText(s, "e")}$text", Seq(Block(Seq(s), least, most)))
      case 3 =>
        val (s, t) = (step(r), step(r))
        (s"(${edgeText(s, "e")} ${edgeText(t, "f")})$text", Seq(Block(Seq(s, t), least, most)))
      case _ =>
        val (s, t) = (step(r), step(r))
        (
          s"${edgeText(s, "f")}()${edgeText(t, "e")}$text",
          Seq(Block(Seq(s), 1, Some(1)), Block(Seq(t), least, most)))
    }
  }

  private def check(seed: Long): Boolean = {
    val r = new Random(seed)
    val edges = random(r)
    table("g", edges)
    val (text, blocks) = body(r)
    val isBounded = blocks.forall(_.most.isDefined)
    val mode = pick(r, "WALK", "TRAIL", "ACYCLIC", "SIMPLE")
    val prefix = {
      val chosen = pick(
        r,
        "",
        "ANY",
        "ANY 2",
        "ANY SHORTEST",
        "ALL SHORTEST",
        "SHORTEST 2",
        "SHORTEST 2 GROUPS")
      if (chosen.isEmpty && mode == "WALK" && !isBounded) "ANY SHORTEST" else chosen
    }
    val isLoop = r.nextInt(6) == 0
    val end = if (isLoop) "a" else "b"
    val (conditionA, conditionB) = (r.nextInt(3) == 0, !isLoop && r.nextInt(3) == 0)
    val joined = if (r.nextInt(4) == 0) pick(r, s", (a)-[]->(c)", s", (c)-[]->($end)") else ""
    val where = Seq(
      if (conditionA) Some("a.id = 1") else None,
      if (conditionB) Some("b.id = 2") else None).flatten
    val isWhole = !Seq("ANY", "ANY 2", "ANY SHORTEST", "SHORTEST 2").contains(prefix)
    val sum =
      if (isWhole && blocks.size == 1 && blocks.head.steps.size == 1) ", sum(e.w) AS s" else ""
    val query = s"SELECT * FROM GRAPH_TABLE (g MATCH p = $prefix $mode (a)$text($end)$joined" +
      (if (where.isEmpty) "" else where.mkString(" WHERE ", " AND ", "")) +
      s" COLUMNS (a.id AS a, $end.id AS b, PATH_LENGTH(p) AS n, VERTICES(p) AS v$sum))"
    val complete = edges.filter(e => e.source.isDefined && e.target.isDefined)
    val vertices = complete.flatMap(e => e.source ++ e.target).distinct
    val states = blocks.map(b => b.steps.size * (math.max(b.least, b.most.getOrElse(1)) + 1)).sum
    val most = if (isBounded) blocks.map(b => b.most.get * b.steps.size).sum
    else 2 * states * vertices.size + 2
    val all = vertices.map(PathOracle.paths(complete, blocks, mode, _, most))
    if (all.exists(_.isEmpty)) false
    else {
      val expected = for {
        found <- all.flatten
        (_, between) <- found.toSeq.groupBy(_.vertices.last)
        path <- selected(prefix, between)
        (a, b) = (path.vertices.head, path.vertices.last)
        if !isLoop || a == b
        if !conditionA || a == 1
        if !conditionB || b == 2
        beside =
          if (joined.isEmpty) 1
          else if (joined.startsWith(", (a)")) complete.count(_.source.contains(a))
          else complete.count(_.target.contains(b))
        _ <- 0 until beside
      } yield {
        val base = Seq[Any](a, b, path.length, path.vertices)
        val weights = path.edges.map(i => edges(i).w.toLong)
        val s = if (sum.isEmpty) Nil else Seq(if (weights.isEmpty) null else weights.sum)
        Row.fromSeq(base ++ s)
      }
      withClue(s"seed $seed, ${edges.mkString(" ")}\n$query\n") {
        checkAnswer(spark.sql(query), expected)
      }
      true
    }
  }

  test("random paths are those that there are") {
    val count = if (isSoak) 4000 else 60
    val start = if (isSoak) System.nanoTime() & 0xffffff else 11L
    val done = (0 until count).count(i => check(start + i))
    assert(done > count / 2)
  }

  private def rows(query: String): Seq[Row] = spark.sql(query).collect().toSeq

  private def lengths(path: String): Seq[Int] =
    rows(s"SELECT n FROM GRAPH_TABLE (g MATCH $path COLUMNS (PATH_LENGTH(p) AS n)) ORDER BY n")
      .map(_.getInt(0))

  test("SHORTEST within a lower bound of 0, 1, 2 and 3 is the shortest within the bounds") {
    edges("g", 1L -> 2L, 2L -> 1L, 2L -> 3L)
    val ends = "(a WHERE a.id = 1)-[]->Q(b WHERE b.id = 1)"
    for ((q, n) <- Seq("{0,}" -> Seq(0), "*" -> Seq(0), "+" -> Seq(2), "{3,}" -> Seq(4))) {
      assert(lengths(s"p = ANY SHORTEST ${ends.replace("Q", q)}") == n, q)
    }
    assert(lengths("p = ANY SHORTEST (a WHERE a.id = 1)-[]->{3,}(b WHERE b.id = 3)") == Seq(4))
  }

  test("ACYCLIC counts its ends, SIMPLE may come back, and a cycle is no acyclic path") {
    edges("g", 1L -> 2L, 2L -> 1L)
    assert(lengths("p = SHORTEST 1 ACYCLIC (a)-[]->+(a)").isEmpty)
    assert(lengths("p = SHORTEST 1 SIMPLE (a)-[]->+(a)") == Seq(2, 2))
    assert(lengths("p = ACYCLIC (a WHERE a.id = 1)-[]->*(b)") == Seq(0, 1))
    assert(lengths("p = SIMPLE (a WHERE a.id = 1)-[]->*(b)") == Seq(0, 1, 2))
    assert(lengths("p = TRAIL (a WHERE a.id = 1)-[]->*(b)") == Seq(0, 1, 2))
  }

  test("self-loops and parallel edges") {
    edges("g", 1L -> 1L, 1L -> 2L, 1L -> 2L)
    assert(lengths("p = TRAIL (a WHERE a.id = 1)-[]->+(b)") == Seq(1, 1, 1, 2, 2))
    assert(lengths("p = TRAIL (a WHERE a.id = 1)-[]-+(b WHERE b.id = 1)") == Seq(1, 2, 2, 3, 3, 3,
      3))
    assert(lengths("p = ALL SHORTEST (a WHERE a.id = 1)-[]->+(b WHERE b.id = 2)") == Seq(1, 1))
    assert(lengths("p = ANY (a WHERE a.id = 1)-[]->+(b)") == Seq(1, 1))
  }

  test("a chain of 100,000 vertices") {
    spark.range(100000).selectExpr("id AS src", "id + 1 AS dst").createOrReplaceTempView("g")
    assert(lengths("p = ANY SHORTEST (a WHERE a.id = 0)-[]->*(b WHERE b.id = 100000)") ==
      Seq(100000))
    val path = "p = ANY SHORTEST (a WHERE a.id = 0)-[]->*(b WHERE b.id = 1000)"
    assert(rows(
      s"SELECT size(v), v[1000] FROM GRAPH_TABLE (g MATCH $path COLUMNS (VERTICES(p) AS v))") ==
      Seq(Row(1001, 1000L)))
  }

  test("groups of edges are aggregated along their path") {
    table(
      "g",
      Seq((1L, 2L, 5), (2L, 3L, 7), (3L, 4L, 2)).zipWithIndex.map { case ((s, t, w), i) =>
        Edge(i, Some(s), Some(t), w)
      })
    val aggregates =
      "sum(e.w) AS s, count(e) AS n, min(e.w) AS l, max(e.w) AS m, avg(e.w) AS a, " +
        "array_agg(e.w) AS ws, listagg(e.w, '-') AS t, sum(e.w * 2) AS d"
    checkAnswer(
      spark.sql(
        "SELECT * FROM GRAPH_TABLE (g MATCH p = ANY SHORTEST (a WHERE a.id = 1)-[e]->*(b) " +
          s"COLUMNS (b.id AS b, $aggregates))"),
      Seq(
        Row(1L, null, 0L, null, null, null, Seq(), null, null),
        Row(2L, 5L, 1L, 5, 5, 5.0, Seq(5), "5", 10L),
        Row(3L, 12L, 2L, 5, 7, 6.0, Seq(5, 7), "5-7", 24L),
        Row(4L, 14L, 3L, 2, 7, 14.0 / 3, Seq(5, 7, 2), "5-7-2", 28L)))
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH TRAIL (a)-[e]->+(b) WHERE sum(e.w) > 8 " +
        "COLUMNS (a.id AS a, b.id AS b))"),
      Seq(Row(1L, 3L), Row(1L, 4L), Row(2L, 4L)))
  }

  test("what stands at one place of a path is read there") {
    table(
      "g",
      Seq((1L, 2L, 5), (2L, 3L, 7), (3L, 4L, 2)).zipWithIndex.map { case ((s, t, w), i) =>
        Edge(i, Some(s), Some(t), w)
      })
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH p = TRAIL (a)-[f]->(m)-[e]->*(x)-[h]->(b) " +
        "COLUMNS (a.id AS a, f.w AS f, m.id AS m, x.id AS x, h.w AS h, b.id AS b, count(e) AS n, EDGES(p) AS es))"),
      Seq(
        Row(1L, 5, 2L, 2L, 7, 3L, 0L, Seq(Row(1L, 2L), Row(2L, 3L))),
        Row(2L, 7, 3L, 3L, 2, 4L, 0L, Seq(Row(2L, 3L), Row(3L, 4L))),
        Row(1L, 5, 2L, 3L, 2, 4L, 1L, Seq(Row(1L, 2L), Row(2L, 3L), Row(3L, 4L)))))
  }

  test("the cheapest path costs the least") {
    table(
      "g",
      Seq((1L, 2L, 5), (2L, 3L, 7), (1L, 3L, 20)).zipWithIndex.map { case ((s, t, w), i) =>
        Edge(i, Some(s), Some(t), w)
      })
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH p = ANY CHEAPEST (a WHERE a.id = 1)-[e COST e.w]->+(b) " +
        "COLUMNS (b.id AS b, PATH_COST(p) AS c, VERTICES(p) AS v))"),
      Seq(Row(2L, 5L, Seq(1L, 2L)), Row(3L, 12L, Seq(1L, 2L, 3L))))
  }

  test("paths inside EXISTS, after OPTIONAL MATCH, and one after the other") {
    edges("g", 1L -> 2L, 2L -> 3L, 4L -> 1L)
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH (a)-[]->(b) WHERE EXISTS { ANY (b)-[]->+(c WHERE c.id = 3) })"),
      Seq(Row(1L, 2L), Row(4L, 1L)))
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH (a)-[]->(b) OPTIONAL MATCH p = ANY SHORTEST (b)-[]->{2,}(c) " +
        "COLUMNS (a.id AS a, b.id AS b, c.id AS c, PATH_LENGTH(p) AS n))"),
      Seq(Row(1L, 2L, null, null), Row(2L, 3L, null, null), Row(4L, 1L, 3L, 2)))
    checkAnswer(
      spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH p = ANY (a WHERE a.id = 4)-[]->+(b), q = ANY (b)-[]->+(c) " +
        "COLUMNS (a.id AS a, b.id AS b, c.id AS c, PATH_LENGTH(p) + PATH_LENGTH(q) AS n))"),
      Seq(Row(4L, 1L, 2L, 2), Row(4L, 1L, 3L, 3), Row(4L, 2L, 3L, 3)))
  }

  test("paths over a property graph: labels, vertex tables, properties of ends") {
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW person AS SELECT * FROM VALUES " +
      "(1, 'Ann'), (2, 'Bob'), (3, 'Cid') AS t(id, name)")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW city AS SELECT * FROM VALUES " +
      "(1, 'Oslo'), (2, 'Rome') AS t(id, name)")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW knows AS SELECT * FROM VALUES " +
      "(10, 1, 2, 2001), (11, 2, 3, 2002), (12, 3, 9, 2003) AS t(id, src, dst, since)")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW lives AS SELECT * FROM VALUES " +
      "(1, 1), (3, 2) AS t(person, city)")
    spark.sql(
      """CREATE OR REPLACE TEMPORARY PROPERTY GRAPH people
        |  VERTEX TABLES (person KEY (id), city KEY (id))
        |  EDGE TABLES (
        |    knows KEY (id) SOURCE KEY (src) REFERENCES person DESTINATION KEY (dst) REFERENCES person,
        |    lives SOURCE KEY (person) REFERENCES person DESTINATION KEY (city) REFERENCES city)
        |""".stripMargin)
    def answer(query: String, rows: Row*): Unit =
      withClue(query)(checkAnswer(
        spark.sql(s"SELECT * FROM GRAPH_TABLE (people MATCH $query)"),
        rows))
    try {
      answer(
        "p = ANY SHORTEST (a WHERE a.name = 'Ann')-[e IS knows]->*(b) " +
          "COLUMNS (b.name AS b, PATH_LENGTH(p) AS n, VERTICES(p) AS v, EDGES(p) AS e, max(e.since) AS s)",
        Row("Ann", 0, Seq(1), Seq(), null),
        Row("Bob", 1, Seq(1, 2), Seq(10), 2001),
        Row("Cid", 2, Seq(1, 2, 3), Seq(10, 11), 2002))
      answer(
        "ANY (a IS person)(-[IS knows]->)*(m)-[IS lives]->(c IS city) " +
          "COLUMNS (a.name AS a, m.name AS m, c.name AS c)",
        Row("Ann", "Cid", "Rome"),
        Row("Bob", "Cid", "Rome"),
        Row("Cid", "Cid", "Rome"),
        Row("Ann", "Ann", "Oslo"))
      answer(
        "p = TRAIL (a WHERE a.id = 1)-[IS knows | lives]->+(b IS city) COLUMNS (b.name AS b, PATH_LENGTH(p) AS n)",
        Row("Oslo", 1),
        Row("Rome", 3))
      answer(
        "p = TRAIL (a IS city)<-[IS lives]-(x)-[IS knows]->+(y)-[IS lives]->(b IS city) " +
          "COLUMNS (a.name AS a, x.name AS x, y.name AS y, b.name AS b)",
        Row("Oslo", "Ann", "Cid", "Rome"))
    } finally spark.sql("DROP PROPERTY GRAPH people")
  }
}
