package io.wreath.spark.parser

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkSqlParser

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.logical.{EdgeDirection, UnresolvedGraphMatch}

/** GRAPH_TABLE stands wherever a table may, and everything else is Spark's. */
class GraphSqlParserSuite extends WreathQueryTest {

  private val triangle = "GRAPH_TABLE (e MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c))"

  override def beforeAll(): Unit = {
    super.beforeAll()
    edges("e", 1L -> 2L, 2L -> 3L, 1L -> 3L, 3L -> 4L, 2L -> 4L)
  }

  /** The parser numbers columns, each time anew. */
  private def shape(plan: LogicalPlan): String = plan.treeString.replaceAll("#\\d+", "#")

  test("a statement without the clause goes to the delegate untouched") {
    val parser = new GraphSqlParser(CatalystSqlParser)
    for (text <- Seq("SELECT 1", "SELECT graph_table FROM t", "SELECT 'GRAPH_TABLE (x' -- (y")) {
      assert(parser.parsePlan(text) == CatalystSqlParser.parsePlan(text))
    }
  }

  test("tables, columns and functions may be called graph_table") {
    val sparks = new SparkSqlParser()
    val parser = new GraphSqlParser(sparks)
    for (text <- Seq(
        "CREATE TABLE graph_table (match INT)",
        "CREATE TABLE IF NOT EXISTS graph_table (x INT, match INT) USING parquet",
        "INSERT INTO graph_table (x) VALUES (1)",
        "INSERT INTO db.graph_table (x, match) SELECT 1, 2",
        "SELECT graph_table (x), graph_table(match) FROM t AS graph_table (x, match)",
        "WITH graph_table (match) AS (SELECT 1) SELECT match FROM graph_table",
        "DESCRIBE property graph",
        "DESC property graph.field;"))
      assert(shape(parser.parsePlan(text)) == shape(sparks.parsePlan(text)), text)
    withTable("graph_table") {
      spark.sql("CREATE TABLE graph_table (match INT, x INT) USING parquet")
      spark.sql("INSERT INTO graph_table (x, match) VALUES (1, 2)")
      checkAnswer(
        spark.sql(
          "SELECT match, x, a FROM graph_table, graph_table (e MATCH (a)->(b) WHERE b = 2)"),
        Row(2, 1, 1))
      checkAnswer(spark.sql(s"SELECT count(*) FROM (($triangle))"), Row(2))
    }
    withView("graph_table") {
      spark.sql("CREATE VIEW graph_table (match, x) AS SELECT 1, 2")
      checkAnswer(spark.sql("SELECT match FROM graph_table"), Row(1))
    }
    withTable("property") {
      spark.sql("CREATE TABLE property (graph INT) USING parquet")
      assert(spark.sql("DESCRIBE property graph").collect().contains(Row("col_name", "graph")))
    }
    assert(errorOf("SELECT * FROM graph_table (e)").getCondition == "WREATH_SYNTAX_ERROR")
  }

  test("a string may look like anything, and there may be many clauses") {
    val names =
      for (first <- 'a' to 'z'; second <- ('0' to '9') ++ ('a' to 'z')) yield s"_$first$second"
    for (text <- Seq("_w0 _v0 _u0 _z0 _y0", names.mkString(" "))) {
      checkAnswer(
        spark.sql(s"SELECT '$text', count(*) FROM $triangle"),
        Row(text, 2))
    }
    val many = Seq.fill(1100)("(SELECT count(*) FROM GRAPH_TABLE(e MATCH (a)->(b)))")
    val plan = new GraphSqlParser(CatalystSqlParser).parsePlan(many.mkString("SELECT ", ", ", ""))
    val found = plan.expressions.flatMap(_.collect { case s: ScalarSubquery => s.plan })
    assert(found.count(_.exists(_.isInstanceOf[UnresolvedGraphMatch])) == 1100)
  }

  test("what is too large or too deep is refused by its name, and what is just below is not") {
    def chain(edges: Int): String = (0 to edges).map(i => s"(v$i)").mkString("MATCH ", "->", "")
    def deep(levels: Int): String =
      (0 until levels).map(i => s"EXISTS { (v$i)->(v${i + 1}) WHERE ").mkString +
        "true" + "}" * levels
    def clause(text: String): String = s"SELECT 1 FROM GRAPH_TABLE (e $text)"
    val most = ClauseLimits.MostEdges
    for (text <- Seq(
        chain(most),
        s"MATCH (a IS ${(1 to ClauseLimits.MostLabels).map(i => s"l$i").mkString("|")})",
        s"MATCH (v0) WHERE ${deep(20)}")) {
      spark.sessionState.sqlParser.parsePlan(clause(text))
    }
    for (text <- Seq(
        chain(most + 1),
        chain(most) + s" COLUMNS (EXISTS { (v0)->(x) } AS y)",
        "MATCH (a)->(b)" + " OPTIONAL MATCH (b)->(c)" * 500,
        "MOTIF '" + (0 to 200).map(i => s"(v$i)-[]->(v${i + 1})").mkString("; ") + "'",
        s"MATCH (v0) WHERE ${deep(500)}",
        s"MATCH (a IS ${(1 to 3000).map(i => s"l$i").mkString("|")})",
        s"MATCH (a IS ${"!" * 3000}l)",
        s"MATCH (a IS ${"(" * 100000}l${")" * 100000})")) {
      assert(errorOf(clause(text)).getCondition == "WREATH_TOO_COMPLEX", text.take(60))
    }
  }

  test("the texts of TPC-DS are not even cut into tokens, and mean what they mean to Spark") {
    assert(ParserCost.tpcds.size > 80)
    val parser = new GraphSqlParser(CatalystSqlParser)
    for (text <- ParserCost.tpcds) {
      assert(!GraphTableIslands.mayHave(text, GraphStatements.Word))
      assert(shape(parser.parsePlan(text)) == shape(CatalystSqlParser.parsePlan(text)))
    }
  }

  test("positional parameters keep the order of the text, also inside EXISTS") {
    // Not more than four: Spark 4.1.3 mixes up five and more, in any statement.
    val query = "SELECT ? AS x, * FROM GRAPH_TABLE (e MATCH (a)->(b) WHERE a < ? AND " +
      "EXISTS { (b)->(c) WHERE c > ? } AND b < ?)"
    def found(parameters: Any*): Set[Row] = spark.sql(query, parameters.toArray).collect().toSet
    assert(found(7, 9, 3, 9) == Set(Row(7, 1L, 2L), Row(7, 1L, 3L), Row(7, 2L, 3L)))
    assert(found(7, 2, 3, 9) == Set(Row(7, 1L, 2L), Row(7, 1L, 3L)))
    assert(found(7, 9, 3, 3) == Set(Row(7, 1L, 2L)))
    assert(found(7, 9, 4, 9).isEmpty)
  }

  test("the clause keeps its words, names and place") {
    val parser = new GraphSqlParser(CatalystSqlParser)
    val plan = parser.parsePlan(
      "SELECT 1 FROM graph_table ( /* (c */ cat.`my db`.e MATCH (a) -[x]-> (`b c`) <-[]- (d)) t")
    val found = plan.collectFirst { case m: UnresolvedGraphMatch => m }.get
    assert(found.child.asInstanceOf[UnresolvedRelation].multipartIdentifier ==
      Seq("cat", "my db", "e"))
    val path = found.clause.parts.head.paths.head
    assert(path.vertices.map(_.name) == Seq(Some("a"), Some("b c"), Some("d")))
    assert(path.edges.map(_.direction) == Seq(EdgeDirection.Right, EdgeDirection.Left))
    assert(path.edges.head.name.contains("x"))
    assert(found.origin.startIndex.contains(14))
  }

  private val rows = Seq(Row(1L, 2L, 3L), Row(2L, 3L, 4L))

  private val places = Seq(
    "alias" -> s"SELECT t.* FROM $triangle AS t",
    "column aliases" -> s"SELECT x, y, z FROM $triangle AS t(x, y, z)",
    "subquery" -> s"SELECT * FROM (SELECT * FROM $triangle)",
    "CTE body" -> s"WITH t AS (SELECT * FROM $triangle) SELECT * FROM t",
    "CTE as graph" -> s"WITH g AS (SELECT * FROM e) SELECT * FROM ${triangle.replace("(e ", "(g ")}",
    "nested CTE" ->
      s"WITH o AS (WITH i AS (SELECT * FROM $triangle) SELECT * FROM i) SELECT * FROM o",
    "join" -> s"SELECT t.* FROM $triangle t JOIN (SELECT 1 AS one) ON one < 9",
    "EXISTS" -> s"SELECT * FROM VALUES (1L, 2L, 3L), (2L, 3L, 4L) v(a, b, c) WHERE EXISTS (SELECT * FROM $triangle t WHERE t.a = v.a)",
    "IN" -> s"SELECT * FROM VALUES (1L, 2L, 3L), (2L, 3L, 4L), (9L, 9L, 9L) v(a, b, c) WHERE a IN (SELECT a FROM $triangle)",
    "set operation" -> s"SELECT * FROM $triangle INTERSECT ALL SELECT * FROM $triangle",
    "lateral" -> s"SELECT t.* FROM (SELECT 1 AS one), LATERAL (SELECT * FROM $triangle) t",
    "comments and line breaks" ->
      "SELECT * -- GRAPH_TABLE (\nFROM /* x */ GRAPH_TABLE\n(e -- the edges\n MATCH (a)->(b)->(c), /* and */ (a)->(c)\n)\n",
    "REPEATABLE ELEMENTS" ->
      "SELECT * FROM GRAPH_TABLE (e MATCH REPEATABLE ELEMENTS (a)->(b)->(c), (a)->(c))",
    "keywords as names" ->
      "SELECT * FROM GRAPH_TABLE (e MATCH (x)->(table)->(select), (x)->(select))")

  for ((place, query) <- places) {
    test(s"GRAPH_TABLE in a place for tables: $place") {
      checkAnswer(spark.sql(query), rows)
    }
  }

  test("a scalar subquery, EXPLAIN and DESCRIBE") {
    checkAnswer(spark.sql(s"SELECT (SELECT count(*) FROM $triangle)"), Row(2L))
    val plan = spark.sql(s"EXPLAIN SELECT * FROM $triangle").head().getString(0)
    assert(plan.contains("BroadcastWcoJoin (a)->(b), (b)->(c), (a)->(c)"))
    assert(spark.sql(s"DESCRIBE QUERY SELECT * FROM $triangle").count() == 3)
  }

  test("views keep the user's own words") {
    val body = s"SELECT a,\n b + 0 AS b, c FROM $triangle"
    withTempView("temp") {
      spark.sql(s"CREATE TEMPORARY VIEW temp AS $body")
      checkAnswer(spark.table("temp"), rows)
    }
    withTable("stored") {
      spark.sql("CREATE TABLE stored USING parquet AS SELECT * FROM e")
      withView("kept") {
        val text = body.replace("(e ", "(stored ")
        spark.sql(s"CREATE VIEW kept AS $text")
        checkAnswer(spark.table("kept"), rows)
        assert(spark.sessionState.catalog.getTableMetadata(
          org.apache.spark.sql.catalyst.TableIdentifier("kept")).viewText.contains(text))
        val shown = spark.sql("SHOW CREATE TABLE kept").head().getString(0)
        assert(shown.contains("GRAPH_TABLE (stored MATCH"))
      }
    }
  }

  test("CREATE TABLE AS, INSERT and CACHE TABLE") {
    withTable("t") {
      spark.sql(s"CREATE TABLE t USING parquet AS SELECT * FROM $triangle")
      spark.sql(s"INSERT INTO t SELECT * FROM $triangle")
      checkAnswer(spark.table("t"), rows ++ rows)
    }
    spark.sql(s"CACHE TABLE cached AS SELECT * FROM $triangle")
    checkAnswer(spark.table("cached"), rows)
    spark.sql("UNCACHE TABLE cached")
  }

  test("functions, scripts and EXECUTE IMMEDIATE") {
    withTable("stored") {
      spark.sql("CREATE TABLE stored USING parquet AS SELECT * FROM e")
      val text = triangle.replace("(e ", "(stored ")
      withUserDefinedFunction("triangles" -> false) {
        spark.sql(
          s"CREATE FUNCTION triangles() RETURNS BIGINT RETURN (SELECT count(*) FROM $text)")
        checkAnswer(spark.sql("SELECT triangles()"), Row(2L))
      }
    }
    checkAnswer(spark.sql(s"EXECUTE IMMEDIATE 'SELECT * FROM $triangle'"), rows)
    checkAnswer(spark.sql(s"BEGIN SELECT * FROM $triangle; END"), rows)
  }

  test("parameters inside and outside the clause") {
    val named =
      s"SELECT a, :one FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a.id = :p AND c.id<:q COLUMNS (a.id + :r AS a))"
    checkAnswer(
      spark.sql(named, Map[String, Any]("p" -> 1L, "q" -> 9L, "r" -> 5L, "one" -> "x")),
      Row(6L, "x"))
    val positional =
      s"SELECT a, ? FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c) WHERE a.id = ?) WHERE b = ?"
    checkAnswer(spark.sql(positional, Array[Any]("x", 2L, 3L)), Row(2L, "x"))
  }

  test("variables of the session are expanded inside the clause") {
    withSQLConf("my.bound" -> "1") {
      checkAnswer(
        spark.sql(s"SELECT a FROM ${triangle.dropRight(1)} WHERE a = $${my.bound})"),
        Row(1L))
    }
  }

  test("several clauses in one statement, an emoji between them") {
    checkAnswer(
      spark.sql(
        s"SELECT x.a, y.c, '\uD83D\uDE00' FROM $triangle x, $triangle y WHERE x.a = 1 AND y.a = 2"),
      Row(1L, 4L, "\uD83D\uDE00"))
  }

  test("a function of that name in quotes is not ours") {
    val error = errorOf("SELECT * FROM `graph_table`(1)")
    assert(error.getCondition == "UNRESOLVABLE_TABLE_VALUED_FUNCTION")
  }
}
