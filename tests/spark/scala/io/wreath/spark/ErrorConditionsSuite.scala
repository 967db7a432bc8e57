package io.wreath.spark

import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.execution.wreath.WreathConf

/** Each mistake gets its condition, its SQLSTATE and its place in the user's text. */
class ErrorConditionsSuite extends WreathQueryTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    edges("e", 1L -> 2L, 2L -> 3L)
    spark.sql("SELECT 1L AS from_id, 2L AS to_id").createOrReplaceTempView("no_ends")
    spark.sql("SELECT map(1, 2) AS src, map(1, 2) AS dst").createOrReplaceTempView("maps")
    spark.sql("SELECT 1 AS src, DATE '2024-01-01' AS dst").createOrReplaceTempView("mixed")
  }

  private def check(
      query: String,
      condition: String,
      sqlState: String,
      parameters: Map[String, String] = Map.empty,
      at: Option[(Int, Int)] = None): Unit =
    withClue(s"$query: ") {
      val error = errorOf(query)
      assert(error.getCondition == condition, error.getMessage)
      assert(error.getSqlState == sqlState)
      for ((key, value) <- parameters) {
        assert(error.getMessageParameters.get(key) == value, error.getMessage)
      }
      for ((line, column) <- at) {
        assert(
          (error.line, error.startPosition) == ((Some(line), Some(column))),
          error.getMessage)
      }
      assert(error.getMessage.contains(condition))
      assert(!error.getMessage.contains("_w0"), "the placeholder is ours alone")
    }

  test("unknown variable, with the nearest name") {
    check(
      "SELECT *\nFROM GRAPH_TABLE (e MATCH (ann)->(bob)->(cat) WHERE an.id > 1)",
      "WREATH_UNKNOWN_VARIABLE",
      "42703",
      Map("variable" -> "`an`", "suggestion" -> " Did you mean `ann`?"),
      at = Some((2, 52)))
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) COLUMNS (x.id))",
      "WREATH_UNKNOWN_VARIABLE",
      "42703",
      at = Some((1, 53)))
    check(
      "SELECT /*+ WCO_JOIN(z) */ * FROM GRAPH_TABLE (e MATCH (a)->(b)->(a))",
      "WREATH_UNKNOWN_VARIABLE",
      "42703")
  }

  test("unknown label") {
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a IS Person)->(b))",
      "WREATH_UNKNOWN_LABEL",
      "42704",
      Map("label" -> "`Person`"),
      at = Some((1, 41)))
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)-[x:knows]->(b))",
      "WREATH_UNKNOWN_LABEL",
      "42704")
  }

  test("unknown property") {
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE a.name = 'x')",
      "WREATH_UNKNOWN_PROPERTY",
      "42703",
      Map("variable" -> "`a`", "property" -> "`name`", "properties" -> "`id`"))
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)-[x]->(b) WHERE x.scr = 1)",
      "WREATH_UNKNOWN_PROPERTY",
      "42703",
      Map("suggestion" -> " Did you mean `src`?"))
  }

  test("a table without src or dst") {
    check(
      "SELECT * FROM GRAPH_TABLE (no_ends MATCH (a)->(b))",
      "WREATH_MISSING_COLUMN",
      "42703",
      Map("graph" -> "no_ends", "column" -> "`src`", "columns" -> "`from_id`, `to_id`"))
  }

  test("a key type without an order, and ends that cannot be compared") {
    check(
      "SELECT * FROM GRAPH_TABLE (maps MATCH (a)->(b))",
      "WREATH_UNSUPPORTED_KEY_TYPE",
      "42822")
    check("SELECT * FROM GRAPH_TABLE (mixed MATCH (a)->(b))", "WREATH_KEY_TYPE_MISMATCH", "42804")
  }

  test("a table that does not exist is Spark's own error") {
    check(
      "SELECT * FROM GRAPH_TABLE (nowhere MATCH (a)->(b))",
      "TABLE_OR_VIEW_NOT_FOUND",
      "42P01")
  }

  test("one name for a vertex and an edge, or for two edges") {
    check("SELECT * FROM GRAPH_TABLE (e MATCH (a)-[a]->(b))", "WREATH_VARIABLE_KIND", "42712")
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)-[a]->(c))",
      "WREATH_VARIABLE_KIND",
      "42712")
    check(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)-[x]->(b)-[x]->(c))",
      "WREATH_VARIABLE_KIND",
      "42712")
  }

  test("syntax errors stand at the right line and column, also after an emoji") {
    val cases = Seq(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->)" -> (1, 40),
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) (c))" -> (1, 44),
      "SELECT * FROM GRAPH_TABLE (e (a)->(b))" -> (1, 29),
      "SELECT '\uD83D\uDE00' FROM GRAPH_TABLE (e MATCH (a)->)" -> (1, 42),
      "SELECT '\uD83D\uDE00',\n 1 FROM GRAPH_TABLE (e MATCH\n (a)->[b])" -> (3, 6),
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE)" -> (1, 49),
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) COLUMNS ())" -> (1, 53),
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) COLUMNS (a) x)" -> (1, 56),
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)-->(b))" -> (1, 14),
      "SELECT * FROM GRAPH_TABLE ()" -> (1, 27))
    for ((query, place) <- cases) {
      check(query, "WREATH_SYNTAX_ERROR", "42601", at = Some(place))
      intercept[ParseException](spark.sql(query))
    }
  }

  test("errors of Spark's parser stand where they are in the user's text") {
    val query = "SELECT '\uD83D\uDE00' FROM GRAPH_TABLE (e\n MATCH (a)->(b)) t WHERE > 1"
    val error = intercept[ParseException](spark.sql(query))
    assert(error.getCondition == "PARSE_SYNTAX_ERROR")
    assert((error.line, error.startPosition) == ((Some(2), Some(25))))
    assert(error.command.contains(query))
    val inside = intercept[ParseException](
      spark.sql("SELECT *\nFROM GRAPH_TABLE (e MATCH (a)->(b) WHERE a.id > > 1)"))
    assert((inside.line, inside.startPosition) == ((Some(2), Some(48))))
    val near = intercept[ParseException](spark.sql("SELECT * GRAPH_TABLE (e MATCH (a)->(b))"))
    assert(near.getMessage.contains("GRAPH_TABLE") && !near.getMessage.contains("_w0"))
  }

  test("what is not there yet is refused by its name") {
    val cases = Seq(
      "(a)<-[]->(b)" -> "<-[]->",
      "(a)-[]->{1,33}(b)" -> "a quantifier of more than 32 edges",
      "(a)-[]->{1,9}(b)->{1,8}(c)" -> "quantifiers that leave 72 combinations of lengths",
      "(a)-[x]->{1,2}(b) WHERE x.src = 1" ->
        "the group of edges x outside its quantified edge",
      "(a)->(b) MATCH (b)->(c)" -> "a second MATCH",
      "(a)->(b) COLUMNS (EXISTS { (a)->(a) } AS x)" -> "EXISTS { … } in COLUMNS",
      "p = (a)->(b)" -> "a path variable",
      "ANY SHORTEST (a)->(b)" -> "the path prefix ANY",
      "((a)->(b))" -> "a parenthesised sub-path",
      "(a)->(b) COLUMNS (*)" -> "* in COLUMNS",
      "(a)->(b) WHERE a.id IN (SELECT src FROM e)" -> "a subquery inside the clause",
      "(a)->(b) COLUMNS ((SELECT 1) AS one)" -> "a subquery inside the clause",
      "(a)-[x]->(b) WHERE x = 1" -> "an edge variable without a property")
    for ((pattern, feature) <- cases) {
      check(
        s"SELECT * FROM GRAPH_TABLE (e MATCH $pattern)",
        "WREATH_UNSUPPORTED_FEATURE",
        "0A000",
        Map("feature" -> feature))
    }
  }

  test("a quantifier without an upper bound says what would give it one") {
    for ((quantifier, column) <- Seq("*" -> 41, "+" -> 41, "{2,}" -> 41)) {
      check(
        s"SELECT * FROM GRAPH_TABLE (e MATCH (a)->$quantifier(b))",
        "WREATH_UNBOUNDED_QUANTIFIER",
        "42000",
        Map("quantifier" -> quantifier),
        at = Some((1, column - 1)))
    }
  }

  test("labels, modes and EXISTS that are written wrongly stand at their place") {
    val cases = Seq(
      "(a IS x|)->(b)" -> 43,
      "(a IS x&!)->(b)" -> 44,
      "DIFFERENT (a)->(b)" -> 45,
      "UNIQUE (a)->(b)" -> 42,
      "(a)->(b) WHERE EXISTS { (a)-> }" -> 65,
      "(a)->(b) WHERE EXISTS { (a)->(c) (d) }" -> 68,
      "(a)->{a}(b)" -> 41,
      "(a)->{2,1}(b)" -> 40,
      "(a)->(b) OPTIONAL (c)" -> 44)
    for ((pattern, column) <- cases) {
      check(
        s"SELECT * FROM GRAPH_TABLE (e MATCH $pattern)",
        "WREATH_SYNTAX_ERROR",
        "42601",
        at = Some((1, column)))
    }
  }

  test("a stream that cannot be matched is refused when it is named") {
    def check(
        columns: Seq[String],
        condition: String,
        sqlState: String,
        more: String = ""): Unit = {
      spark.readStream.format("rate").load()
        .selectExpr("value AS src" +: "value AS dst" +: columns: _*)
        .createOrReplaceTempView("stream")
      this.check(
        s"SELECT * FROM GRAPH_TABLE (stream MATCH (a)-[e]->(b)->(a) $more)",
        condition,
        sqlState)
    }
    check(
      Seq("1 AS diff", "'insert' AS _change_type"),
      "WREATH_STREAM_AMBIGUOUS_CHANGE",
      "42702")
    check(Seq("'insert' AS diff"), "WREATH_STREAM_CHANGE_TYPE", "42804")
    check(Seq("1 AS _change_type"), "WREATH_STREAM_CHANGE_TYPE", "42804")
    check(Seq("map(1, 2) AS m"), "WREATH_STREAM_PROPERTY_TYPE", "0A000")
    check(Seq("1 AS diff"), "WREATH_UNSUPPORTED_FEATURE", "0A000", "WHERE e.diff > 0")
    check(Nil, "WREATH_UNKNOWN_VARIABLE", "42703", "WHERE x > 0")
    spark.readStream.format("rate").load()
      .selectExpr("1.5D AS src", "2.5D AS dst").createOrReplaceTempView("stream")
    this.check(
      "SELECT * FROM GRAPH_TABLE (stream MATCH (a)->(b)->(a))",
      "WREATH_UNSUPPORTED_FEATURE",
      "0A000",
      Map("feature" -> "a stream whose vertices are named by DOUBLE"))
  }

  test("join modes: reserved, unknown, and one that cannot be had") {
    val triangle = "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))"
    for (mode <- Seq("partitioned", "nonsense")) withSQLConf(WreathConf.JOIN_MODE.key -> mode) {
      check(triangle, "WREATH_INVALID_JOIN_MODE", "22023", Map("value" -> s"'$mode'"))
    }
    spark.sql(
      "SELECT * FROM VALUES (1.5D, 2.5D), (2.5D, 1.5D) AS t(src, dst)").createOrReplaceTempView(
      "doubles")
    withSQLConf(WreathConf.JOIN_MODE.key -> "broadcast") {
      check(triangle.replace("(e ", "(doubles "), "WREATH_CANNOT_USE_WCO_JOIN", "0A000")
    }
  }

  test("an index larger than allowed names the setting, before it is built") {
    withSQLConf(
      WreathConf.INDEX_MAX_BYTES.key -> "10",
      WreathConf.JOIN_MODE.key -> "broadcast") {
      val error = intercept[Exception](
        spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))").collect())
      val ours =
        Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).collectFirst {
          case e: org.apache.spark.SparkThrowable if e.getCondition == "WREATH_INDEX_TOO_LARGE" =>
            e
        }
      assert(ours.exists(_.getSqlState == "54000"), error)
      assert(ours.get.getMessageParameters.get("conf") == WreathConf.INDEX_MAX_BYTES.key)
    }
  }
}
