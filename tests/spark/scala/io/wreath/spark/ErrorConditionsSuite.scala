package io.wreath.spark

import org.apache.spark.QueryContext
import org.apache.spark.sql.AnalysisException
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

  test("a graph that does not exist, with the nearest name of a graph, table or view") {
    withTempView("transfers") {
      edges("transfers", 1L -> 2L)
      check(
        "SELECT *\nFROM GRAPH_TABLE (transfer MATCH (a)->(b))",
        "WREATH_UNKNOWN_GRAPH",
        "42P01",
        Map("graph" -> "`transfer`", "suggestion" -> " Did you mean `transfers`?"),
        at = Some((2, 18)))
    }
    spark.sql("CREATE TEMPORARY PROPERTY GRAPH social VERTEX TABLES (e KEY (src)) EDGE TABLES " +
      "(e AS f SOURCE KEY (src) REFERENCES e DESTINATION KEY (dst) REFERENCES e)")
    try {
      check(
        "SELECT 1 WHERE EXISTS (SELECT * FROM GRAPH_TABLE (socail MATCH (a)->(b)))",
        "WREATH_UNKNOWN_GRAPH",
        "42P01",
        Map("suggestion" -> " Did you mean `social`?"),
        at = Some((1, 50)))
    } finally spark.sql("DROP PROPERTY GRAPH social")
    check(
      "SELECT * FROM GRAPH_TABLE (no.where MATCH (a)->(b))",
      "WREATH_UNKNOWN_GRAPH",
      "42P01",
      Map("graph" -> "`no`.`where`", "suggestion" -> ""))
  }

  private def contextOf(error: AnalysisException): QueryContext = {
    assert(error.getQueryContext.length == 1, error.getMessage)
    error.getQueryContext.head
  }

  /** The words at the place that an error shows. */
  private def fragmentOf(query: String, arguments: Map[String, Any] = Map.empty): String = {
    val error = intercept[AnalysisException](spark.sql(query, arguments).collect())
    val context = contextOf(error)
    assert(context.fragment == query.substring(context.startIndex, context.stopIndex + 1))
    assert(!error.getCondition.startsWith("WREATH") || error.getMessage.contains("== SQL ==\n"))
    assert(!context.summary.contains("_w0"))
    context.fragment
  }

  test("an error has the place in the user's text as its context, parsed or analyzed") {
    def table(inside: String): String = s"SELECT '\uD83D\uDE00', *\nFROM GRAPH_TABLE (e $inside)"
    val cases = Seq(
      "MATCH (a)->(b) WHERE a.id > 1 AND x.id < 2" -> "x.id",
      "MATCH (a)-[f WHERE f.weight > 1]->(b)" -> "f.weight",
      "MATCH (a)->(b) COLUMNS (a.id, b.nam AS n)" -> "b.nam",
      "MATCH (a IS Person)->(b)" -> "Person",
      "MATCH (a)->(b) (c)" -> "(",
      "MATCH (a)->*(b)" -> "*",
      "MATCH (a)->(b) WHERE EXISTS { (b)->(c) WHERE d > 1 }" -> "d",
      // Spark's own error, in what Spark parsed for us.
      "MATCH (a)->(b) WHERE b > 1 AND a.id > array(1)" -> "a.id > array(1)")
    for ((inside, fragment) <- cases) withClue(s"$inside: ") {
      assert(fragmentOf(table(inside)) == fragment)
    }
    assert(
      fragmentOf(table("MATCH (a)->(b) WHERE a.id > :p AND bb > 1"), Map("p" -> 7)) == "bb")
  }

  test("an error of Spark outside the clause shows the user's words, not what stands for them") {
    val query = "SELECT a, nothing FROM GRAPH_TABLE (e MATCH (a)->(b))"
    val error = errorOf(query)
    assert(error.getCondition == "UNRESOLVED_COLUMN.WITH_SUGGESTION")
    val context = contextOf(error)
    assert(context.fragment == "nothing")
    assert(context.summary.contains("GRAPH_TABLE (e MATCH") && !context.summary.contains("_w0"))
  }

  test("an error inside a view shows the text of the view") {
    withTempView("v", "gone") {
      edges("gone", 1L -> 2L)
      spark.sql(
        "CREATE TEMPORARY VIEW v AS\nSELECT * FROM GRAPH_TABLE (gone MATCH (a)-[f]->(b) " +
          "COLUMNS (a.id AS a, f.dst AS d))")
      spark.sql("SELECT 1L AS src, 2L AS dest").createOrReplaceTempView("gone")
      val error = errorOf("SELECT count(*) FROM v")
      assert(error.getCondition == "WREATH_MISSING_COLUMN")
      assert(error.getMessageParameters.get("suggestion") == " Did you mean `dest`?")
      val context = contextOf(error)
      assert((context.objectType, context.objectName) == (("VIEW", "v")))
      assert(context.fragment.startsWith("GRAPH_TABLE (gone MATCH"))
      assert(error.getMessage.contains("== SQL of VIEW v ==\n"))
    }
  }

  test("every condition of ours is known to Spark, which PySpark asks for the text") {
    val error = errorOf("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE c > 1)")
    val text = new AnalysisException(error.getCondition, error.messageParameters).getMessage
    assert(text.startsWith("[WREATH_UNKNOWN_VARIABLE] `c` is not a variable"))
    assert(text.endsWith("SQLSTATE: 42703"))
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
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)-->(b))" -> (1, 38),
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
    assert(inside.getMessage.contains("FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE a.id > > 1)\n"))
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
      "p = (a)" -> "a path of one vertex with a name, a prefix or a mode",
      "p = (a)->(b) COLUMNS (p)" -> "the path p outside a function of paths",
      "ANY (a)-[x]->*(b) WHERE x.src = 1" -> "the group of edges x outside an aggregate",
      "ANY (a)->*(b WHERE b.id = 1)->*(c)" ->
        "a condition on a vertex between two quantified parts",
      "ANY (a)-[x WHERE x.src > a]->*(b)" ->
        "a condition inside a path of any length that speaks of a",
      "(a)((b)-[x]->(c)-[y]->(d) WHERE x.src < y.src){1,2}(f)" ->
        "a condition on several edges of a path of any length",
      "DIFFERENT EDGES (a)->(b), ANY (b)->*(c)" ->
        "a match mode beside a path that is searched for",
      "ANY CHEAPEST (a)->*(b)" -> "an edge without COST in a CHEAPEST path",
      "p = TRAIL (a)->*(b) COLUMNS (PATH_COST(p))" ->
        "PATH_COST of p, whose edges have no COST",
      "((a)->(b))" -> "a parenthesised sub-path without a quantifier",
      "(a)->(b) COLUMNS (*)" -> "* in COLUMNS",
      "(a)->(b) WHERE a.id IN (SELECT src FROM e)" -> "a subquery inside the clause",
      "(a)->(b) COLUMNS ((SELECT 1) AS one)" -> "a subquery inside the clause",
      "(a)->(b) WHERE NOT (b)->(a)" -> "a path as a condition",
      "(a)->(b) WHERE a > 1 AND exists(array(a), x -> (x)->(b))" -> "a path as a condition",
      "(a)-[x]->(b) WHERE x = 1" -> "an edge variable without a property")
    for ((pattern, feature) <- cases) {
      check(
        s"SELECT * FROM GRAPH_TABLE (e MATCH $pattern)",
        "WREATH_UNSUPPORTED_FEATURE",
        "0A000",
        Map("feature" -> feature))
    }
  }

  test("all that is refused in one clause is refused at once") {
    val all = Seq(
      "(a {id: 1})" -> "properties in braces",
      "-[*1..3]->" -> "a length inside an edge",
      "(b)-[e {w: 1}]->{2,}(c)" -> "the quantifier {2,}",
      "((d)-[]->(f) WHERE f.id > 1)" -> "a parenthesised sub-path without a quantifier",
      "<-[]->(g)" -> "<-[]->",
      "-[]->+(h), (h)-[]->{1,40}(i)" -> "a quantifier of more than 32 edges",
      " WHERE EXISTS { ((a)->(b)) } AND EXISTS { ALL CHEAPEST (a)->(b) }" -> "ALL CHEAPEST")
    val pattern = all.map(_._1).mkString
    val error =
      intercept[ParseException](spark.sql(s"SELECT * FROM GRAPH_TABLE (e MATCH $pattern)"))
    assert(error.getCondition == "WREATH_UNSUPPORTED_FEATURE")
    for (feature <- all.map(_._2) :+ "the quantifier +") {
      assert(error.getMessage.contains(feature), feature)
    }
    // Also where what is refused is all there is.
    for ((alone, feature) <- Seq(
        "((a)->(b))" -> "a parenthesised sub-path without a quantifier",
        "(a)((b)->(c))" -> "a parenthesised sub-path without a quantifier",
        "(a)->(b) WHERE EXISTS { (a)((b)->(c))(d) }" ->
          "a parenthesised sub-path without a quantifier",
        "((a))" -> "a parenthesised sub-path of one vertex")) {
      check(
        s"SELECT * FROM GRAPH_TABLE (e MATCH $alone)",
        "WREATH_UNSUPPORTED_FEATURE",
        "0A000",
        Map("feature" -> feature))
    }
  }

  test("what is refused in the arguments of a call is refused there, too") {
    val inside = Seq(
      "(b {id: 7})-[]->(a)",
      "(b)-[]->+(a)",
      "(b)-[*1..3]->(a)",
      "SHORTEST (b)->(a)",
      "(a)((b)->(c))(d)")
    val graph = io.wreath.spark.api.Graph(spark.table("e"))
    for (pattern <- inside) withClue(pattern) {
      val condition = s"EXISTS { $pattern }"
      intercept[ParseException](graph.`match`("(a)-[]->(b)", where = condition))
      intercept[ParseException](
        graph.`match`("(a)-[]->(b)", columns = Seq("a", s"$condition AS x")))
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
    for (path <- Seq("WALK (a)->*(b)", "p = (a)->*(b)", "ALL (a)->*(b)", "(a)(()->())*(b)")) {
      val error = errorOf(s"SELECT * FROM GRAPH_TABLE (e MATCH $path)")
      assert(error.getCondition == "WREATH_UNBOUNDED_QUANTIFIER", path)
      for (way <- Seq("{1,5}", "ANY SHORTEST", "TRAIL", "ACYCLIC", "SIMPLE")) {
        assert(error.getMessage.contains(way))
      }
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

  test("functions over a graph that are called wrongly") {
    check(
      "SELECT *\n FROM GRAPH_PAGERANK(TABLE e, rounds => 3)",
      "WREATH_FUNCTION_ARGUMENT",
      "42K08",
      Map("function" -> "GRAPH_PAGERANK"),
      at = Some((2, 6)))
    check("SELECT * FROM GRAPH_COMPONENTS(TABLE no_ends)", "WREATH_MISSING_COLUMN", "42703")
    check("SELECT * FROM GRAPH_COMPONENTS(TABLE maps)", "WREATH_UNSUPPORTED_KEY_TYPE", "42822")
    check("SELECT * FROM GRAPH_COMPONENTS(TABLE mixed)", "WREATH_KEY_TYPE_MISMATCH", "42804")
    check(
      "SELECT * FROM GRAPH_COMPONENTS(TABLE e, vertices => TABLE(SELECT DATE '2024-01-01' AS id))",
      "WREATH_REFERENCE_TYPE_MISMATCH",
      "42804")
  }

  test("join modes: reserved, unknown, and one that cannot be had") {
    val triangle = "SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))"
    for (mode <- Seq("partitioned", "nonsense")) {
      val refused =
        intercept[IllegalArgumentException](spark.conf.set(WreathConf.JOIN_MODE.key, mode))
      assert(refused.getMessage.contains("INVALID_CONF_VALUE.REQUIREMENT"), refused.getMessage)
      assert(refused.getMessage.contains("not there yet"), refused.getMessage)
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
