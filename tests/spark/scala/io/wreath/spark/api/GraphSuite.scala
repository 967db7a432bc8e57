package io.wreath.spark.api

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}

import io.wreath.spark.WreathQueryTest

/** The Scala API has the names of the Python one, and gives the rows of the SQL it stands for. */
class GraphSuite extends WreathQueryTest {

  private def frame(rows: (Long, Long, String)*): DataFrame =
    spark.createDataFrame(rows).toDF("src", "dst", "kind")

  private lazy val ring = frame((1, 2, "x"), (2, 3, "y"), (3, 1, "z"), (1, 3, "w"))

  private lazy val people =
    spark.createDataFrame(Seq((1L, "Ann"), (2L, "Bob"), (3L, "Cid"))).toDF("id", "name")

  test("match: where, columns, mode, unique, order") {
    val graph = Graph(ring)
    val triangle = "(a)-[]->(b)-[]->(c)-[]->(a)"
    assert(graph.`match`(triangle).count() == 3)
    checkAnswer(graph.`match`(triangle, unique = true), Row(1L, 2L, 3L))
    checkAnswer(
      graph.`match`(triangle, where = "a < b AND a < c", order = Seq("b", "a")),
      Row(1L, 2L, 3L))
    checkAnswer(
      graph.`match`("(a)-[e]->(b)", columns = Seq("e.kind AS k", "b"), where = "a = 2"),
      Row("y", 3L))
    checkAnswer(
      graph.`match`("(a)-[]->(b)-[]->(c)", mode = "different vertices", where = "a = 1"),
      Row(1L, 2L, 3L))
    intercept[IllegalArgumentException](graph.`match`(triangle, mode = "different things"))
    intercept[IllegalArgumentException](
      graph.`match`(triangle, mode = "different edges", unique = true))
  }

  test("vertices, other names of columns, motifs") {
    val graph = Graph(
      ring.withColumnsRenamed(Map("src" -> "from", "dst" -> "to")),
      people.withColumnRenamed("id", "key"),
      src = "from",
      dst = "to",
      id = "key")
    checkAnswer(
      graph.`match`("(a)-[]->(b)", columns = Seq("a.name AS a", "b.name AS b"), where = "a < b"),
      Seq(Row("Ann", "Bob"), Row("Bob", "Cid"), Row("Ann", "Cid")))
    checkAnswer(
      graph.find("(a)-[e]->(b); !(b)-[]->(a)"),
      Seq(
        Row(Row(1L, "Ann"), Row(1L, 2L, "x"), Row(2L, "Bob")),
        Row(Row(2L, "Bob"), Row(2L, 3L, "y"), Row(3L, "Cid"))))
    intercept[IllegalArgumentException](Graph(ring, id = "key"))
  }

  test("components and ranks, with vertices and without") {
    val two = frame((1, 2, "x"), (2, 1, "y"), (8, 9, "z"))
    val (without, people) = (Graph(two), Graph(two, this.people))
    checkAnswer(
      without.components(),
      Seq(Row(1L, 1L), Row(2L, 1L), Row(8L, 8L), Row(9L, 8L)))
    checkAnswer(people.components(), Seq(Row(1L, 1L), Row(2L, 1L), Row(3L, 3L)))
    assert(people.pagerank(0.5, 0).collect().forall(r =>
      math.abs(r.getDouble(1) * 3 - 1) < 1e-12))
    assert(without.pagerank().columns.toSeq == Seq("id", "rank"))
    val refused = intercept[AnalysisException](people.pagerank(Double.NaN))
    assert(refused.getCondition == "WREATH_FUNCTION_ARGUMENT")
    assert(!refused.getMessage.contains("wreath_call"))
    intercept[IllegalArgumentException](Graph(two, key = Seq("src")).components())
    val changes =
      spark.readStream.format("rate").load().selectExpr("value AS src", "value AS dst")
    assert(
      intercept[AnalysisException](Graph(changes).components()).getMessage.contains("stream"))
  }

  test("a stream with a key, an expiry and a start") {
    val changes = spark.readStream
      .format("rate")
      .load()
      .selectExpr("value AS from", "value + 1 AS to", "'x' AS kind", "timestamp AS ts")
    val matches = Graph(
      changes,
      src = "from",
      dst = "to",
      key = Seq("from", "to"),
      expire_after = "1 day",
      snapshot = ring
        .withColumnsRenamed(Map("src" -> "from", "dst" -> "to"))
        .selectExpr("*", "current_timestamp() AS ts"),
      emit_snapshot = true).`match`("(a)-[e]->(b)-[]->(a)", columns = Seq("a", "e.kind"))
    assert(matches.isStreaming)
    assert(matches.columns.toSeq == Seq("a", "kind", "diff"))
    intercept[IllegalArgumentException](Graph(changes, emit_snapshot = true))
    val beside = Graph(
      changes.selectExpr("`from` AS src", "`to` AS dst", "kind"),
      people,
      snapshot = ring,
      emit_snapshot = true).`match`("(a)-[e]->(b)", columns = Seq("a.name", "e.kind"))
    assert(beside.isStreaming && beside.columns.toSeq == Seq("name", "kind", "diff"))
    val noStream = Graph(ring, people, snapshot = ring)
    assert(intercept[AnalysisException](noStream.`match`("(a)-[]->(b)")).getCondition ==
      "WREATH_UNSUPPORTED_FEATURE")
  }

  test("match_all and index") {
    val cached = ring.cache()
    try {
      val graph = Graph(cached)
      val all = graph.match_all(
        Seq("it's" -> "(a)-[]->(b) WHERE a = 2", "ring" -> "(a)-[]->(b)-[]->(a) WHERE a = 1"))
      checkAnswer(
        all,
        Seq(
          Row("it's", Map("a" -> 2L, "b" -> 3L)),
          Row("ring", Map("a" -> 1L, "b" -> 3L))))
      val index = graph.index()
      assert(index.edges == 4 && index.size_bytes > 0 && index.build_ms >= 0)
      val before = index.hits
      graph.`match`("(a)-[]->(b)-[]->(c)").count()
      assert(index.hits == before + 1)
      index.unpersist()
      assert(index.hits == 0)
      assert(spark.catalog.listTables().where("name LIKE 'wreath_%'").isEmpty)
    } finally cached.unpersist()
  }

  test("no argument can end its clause") {
    spark.range(666, 667).toDF("s").createOrReplaceTempView("secrets")
    val secrets = "SELECT s AS a, s AS b FROM secrets"
    val pair = "(a)-[]->(b)"
    val endings = Seq(
      s") UNION ALL (SELECT * FROM ($secrets)",
      s") UNION ALL $secrets --",
      s")) UNION ALL $secrets --",
      s"') UNION ALL $secrets --",
      s"\\') UNION ALL $secrets --",
      s"*/) UNION ALL $secrets --")
    try Seq(Graph(ring), Graph(ring, people)).foreach { graph =>
        val calls = Seq[(String, String => DataFrame)](
          (pair, text => graph.`match`(text)),
          ("true", text => graph.`match`(pair, where = text)),
          ("a", text => graph.`match`(pair, columns = Seq("b", text))),
          ("a", text => graph.`match`(pair, order = Seq(text))),
          (pair, text => graph.find(text)),
          (pair, text => graph.match_all(Seq("one" -> pair, "two" -> text))))
        calls.foreach { case (harmless, call) =>
          assert(call(harmless).count() > 0)
          endings.foreach { ending =>
            val refused = intercept[Exception](call(harmless + ending).collect())
            assert(
              refused.isInstanceOf[AnalysisException] ||
                refused.isInstanceOf[IllegalArgumentException],
              refused)
          }
        }
      }
    finally spark.catalog.dropTempView("secrets")
  }

  test("match_all reads the vertices") {
    val graph = Graph(ring, people.where("id < 3"))
    checkAnswer(
      graph.match_all(Seq("named" -> "(a)-[]->(b) WHERE b.name = 'Bob'", "any" -> "(a)-[]->(b)")),
      Seq(
        Row("named", Map("a" -> 1L, "b" -> 2L)),
        Row("any", Map("a" -> 1L, "b" -> 2L))))
  }

  test("what is said of a stream is dropped by no method") {
    Seq[Graph => Any](
      _.`match`("(a)-[]->(b)"),
      _.find("(a)-[]->(b)"),
      _.match_all(Seq("one" -> "(a)-[]->(b)")),
      _.index()).foreach { call =>
      val refused = intercept[AnalysisException](call(Graph(ring, key = Seq("kind"))))
      assert(refused.getCondition == "WREATH_UNSUPPORTED_FEATURE")
    }
    intercept[IllegalArgumentException](Graph(ring, event_time = "kind"))
  }
}
