package io.wreath.spark

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.internal.SQLConf

/** Statements on property graphs: what they accept, refuse and show, and what their names mean. */
class PropertyGraphSuite extends WreathQueryTest {

  private val likes =
    """EDGE TABLES (likes SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst)
      |  REFERENCES people)""".stripMargin

  private def create(name: String, rest: String = likes): String =
    s"CREATE TEMPORARY PROPERTY GRAPH $name VERTEX TABLES (people KEY (id)) $rest"

  private val pairs = "GRAPH_TABLE (g MATCH (a)-[]->(b) COLUMNS (a.name AS a, b.name AS b))"

  override def beforeAll(): Unit = {
    super.beforeAll()
    edges("likes", 1L -> 2L, 2L -> 3L, 3L -> 7L)
    spark.sql("SELECT * FROM VALUES (1L, 'Ann'), (2L, 'Bob'), (3L, 'Cid') AS t(id, name)")
      .createOrReplaceTempView("people")
  }

  private def withGraph(name: String)(body: => Unit): Unit =
    try body
    finally spark.sql(s"DROP PROPERTY GRAPH IF EXISTS $name").collect()

  private val rows = Seq(Row("Ann", "Bob"), Row("Bob", "Cid"))

  test("create, show, describe, replace, drop") {
    withGraph("g") {
      assert(spark.sql("SHOW PROPERTY GRAPHS").collect().isEmpty)
      spark.sql(create("g"))
      spark.sql(create("IF NOT EXISTS g", ""))
      checkAnswer(spark.sql("SHOW PROPERTY GRAPHS;"), Row("g", true))
      checkAnswer(spark.sql(s"SELECT * FROM $pairs"), rows)
      spark.sql(
        """CREATE OR REPLACE TEMP PROPERTY GRAPH G
          |VERTEX TABLES (people AS p KEY (id) LABEL x PROPERTIES (name, id + 1 AS next)
          |  DEFAULT LABEL NO PROPERTIES)
          |EDGE TABLES (likes KEY (src, dst) SOURCE KEY (src) REFERENCES p
          |  DESTINATION KEY (dst) REFERENCES p (id) PROPERTIES ALL COLUMNS EXCEPT (src))
          |""".stripMargin)
      checkAnswer(spark.sql("SHOW PROPERTY GRAPHS"), Row("G", true))
      checkAnswer(
        spark.sql("DESCRIBE PROPERTY GRAPH g"),
        Seq(
          Row("vertex", "p", "people", "id", null, null, "x", "name, id + 1 AS next"),
          Row("vertex", "p", "people", "id", null, null, "p", "NO PROPERTIES"),
          Row(
            "edge",
            "likes",
            "likes",
            "src, dst",
            "(src) REFERENCES p",
            "(dst) REFERENCES p",
            "likes",
            "ALL COLUMNS EXCEPT (src)")))
      checkAnswer(
        spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH (a)->(b) COLUMNS (b.next))"),
        Seq(Row(3L), Row(4L)))
      spark.sql("DROP PROPERTY GRAPH g")
      assert(errorOf(s"SELECT * FROM $pairs").getCondition == "WREATH_UNKNOWN_GRAPH")
      spark.sql("DROP PROPERTY GRAPH IF EXISTS g")
    }
  }

  test("words like graph and property stay Spark's where the statement is not ours") {
    withTempView("graph") {
      spark.sql("CREATE TEMPORARY VIEW graph AS SELECT 1 AS property")
      checkAnswer(spark.sql("SELECT property FROM graph"), Row(1))
    }
    intercept[ParseException](spark.sql("CREATE PROPERTY TAX"))
  }

  test("mistakes in a definition stand at their place") {
    def check(sql: String, condition: String, column: Int): Unit = withClue(s"$sql: ") {
      val error = errorOf(sql)
      assert(error.getCondition == condition, error.getMessage)
      // Spark's own errors have their place in the query context alone.
      val at = error.startPosition.orElse(
        error.getQueryContext.headOption.map(c => c.startIndex() - sql.lastIndexOf('\n') - 1))
      assert(at.contains(column), error.getMessage)
    }
    val start = create("g", "EDGE TABLES (\n")
    val to = "DESTINATION KEY (dst) REFERENCES people)"
    val cases = Seq(
      s"likes KEY (no) SOURCE KEY (src) REFERENCES people $to" ->
        ("UNRESOLVED_COLUMN.WITH_SUGGESTION" -> 11),
      s"likes SOURCE KEY (scr) REFERENCES people $to" ->
        ("UNRESOLVED_COLUMN.WITH_SUGGESTION" -> 18),
      s"like SOURCE KEY (src) REFERENCES people $to" -> ("TABLE_OR_VIEW_NOT_FOUND" -> 0),
      s"likes SOURCE KEY (src) REFERENCES peple $to" -> ("WREATH_UNKNOWN_VERTEX_TABLE" -> 34),
      s"likes SOURCE KEY (src, dst) REFERENCES people $to" ->
        ("WREATH_REFERENCE_MISMATCH" -> 39),
      s"likes SOURCE KEY (src) REFERENCES people (name) $to" ->
        ("WREATH_REFERENCE_MISMATCH" -> 34),
      s"likes AS people SOURCE KEY (src) REFERENCES people $to" ->
        ("WREATH_DUPLICATE_NAME" -> 9),
      s"likes SOURCE KEY (src) REFERENCES people $to".dropRight(1) + " LABEL x LABEL x)" ->
        ("WREATH_DUPLICATE_NAME" -> 95),
      s"likes SOURCE KEY (src) REFERENCES people $to".dropRight(1) + " PROPERTIES (nope))" ->
        ("UNRESOLVED_COLUMN.WITH_SUGGESTION" -> 93),
      s"likes SOURCE KEY (src) REFERENCES people $to".dropRight(1) + " PROPERTIES (src + 1))" ->
        ("WREATH_SYNTAX_ERROR" -> 93),
      s"likes SOURCE KEY (src) REFERENCES people $to".dropRight(
        1) + " PROPERTIES (sum(src) AS s))" -> ("WREATH_UNSUPPORTED_FEATURE" -> 0),
      s"likes SOURCE KEY (src) REFERENCES people $to".dropRight(
        1) + " PROPERTIES (rand() AS s))" -> ("WREATH_UNSUPPORTED_FEATURE" -> 0),
      s"likes SOURCE (src) REFERENCES people $to" -> ("WREATH_SYNTAX_ERROR" -> 13),
      "likes SOURCE KEY (src) REFERENCES people)" -> ("WREATH_SYNTAX_ERROR" -> 40),
      "likes SOURCE KEY (src) REFERENCES people" -> ("WREATH_SYNTAX_ERROR" -> 40))
    for ((definition, (condition, column)) <- cases) check(start + definition, condition, column)
    spark.sql("SELECT '1' AS src, DATE '2024-01-01' AS dst").createOrReplaceTempView("typed")
    check(
      start + s"typed SOURCE KEY (dst) REFERENCES people $to",
      "WREATH_REFERENCE_TYPE_MISMATCH",
      18)
    spark.sql("SELECT map(1, 2) AS id").createOrReplaceTempView("maps")
    check(
      "CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (\nmaps KEY (id))",
      "WREATH_UNSUPPORTED_KEY_TYPE",
      10)
    assert(spark.sql("SHOW PROPERTY GRAPHS").collect().isEmpty)
  }

  test("a suggestion names the nearest graph, label or vertex table") {
    withGraph("g") {
      spark.sql(create("g"))
      val cases = Seq(
        "DROP PROPERTY GRAPH h" -> "",
        "DESCRIBE PROPERTY GRAPH gg" -> " Did you mean `g`?",
        create("h", likes.replace("REFERENCES people)", "REFERENCES peple)")) ->
          " Did you mean `people`?")
      for ((sql, suggestion) <- cases) {
        assert(errorOf(sql).getMessageParameters.get("suggestion") == suggestion)
      }
      val label = errorOf("SELECT * FROM GRAPH_TABLE (g MATCH (a IS peple)->(b))")
      assert(label.getMessageParameters.get("wayOut") ==
        "Known labels: `people`. Did you mean `people`?")
    }
  }

  test("a table of the graph's name is refused, whichever came first") {
    withGraph("g") {
      withTable("g") {
        spark.sql("CREATE TABLE g (src BIGINT, dst BIGINT) USING parquet")
        assert(errorOf(create("g")).getCondition == "WREATH_GRAPH_NAME_IS_TABLE")
      }
      spark.sql(create("g"))
      withTempView("g") {
        edges("g", 1L -> 2L)
        assert(errorOf(s"SELECT * FROM $pairs").getCondition == "WREATH_GRAPH_NAME_IS_TABLE")
      }
      checkAnswer(spark.sql(s"SELECT * FROM $pairs"), rows)
    }
  }

  test("tables are found where they were when the graph was created") {
    withGraph("g")(withTable("people_stored", "likes_stored") {
      spark.table("people").write.saveAsTable("people_stored")
      spark.table("likes").write.saveAsTable("likes_stored")
      spark.sql(create("g").replace("people KEY", "people_stored AS people KEY")
        .replace("likes SOURCE", "likes_stored SOURCE"))
      assert(spark.sql("DESCRIBE PROPERTY GRAPH g").select("table").head().getString(0) ==
        "spark_catalog.default.people_stored")
      withTempDatabase { db =>
        spark.sql(s"USE $db")
        try checkAnswer(spark.sql(s"SELECT * FROM $pairs"), rows)
        finally spark.sql("USE default")
      }
    })
  }

  test("names of graphs follow spark.sql.caseSensitive, and a session has its own") {
    withGraph("g") {
      spark.sql(create("g"))
      withSQLConf(SQLConf.CASE_SENSITIVE.key -> "true") {
        val other = s"SELECT * FROM ${pairs.replace("(g ", "(G ")}"
        assert(errorOf(other).getCondition == "WREATH_UNKNOWN_GRAPH")
      }
      assert(spark.newSession().sql("SHOW PROPERTY GRAPHS").collect().isEmpty)
    }
  }

  test("a temporary view may read a graph, a stored one may not") {
    withGraph("g") {
      spark.sql(create("g"))
      withTempView("v", "w") {
        spark.sql(s"CREATE TEMPORARY VIEW v AS SELECT * FROM $pairs")
        checkAnswer(spark.table("v"), rows)
        spark.sql(s"CREATE TEMPORARY VIEW w AS SELECT a FROM v WHERE b IN (SELECT b FROM $pairs)")
        checkAnswer(spark.table("w"), rows.map(r => Row(r.get(0))))
      }
      for (query <-
          Seq(s"SELECT * FROM $pairs", s"SELECT 1 AS x WHERE EXISTS (SELECT * FROM $pairs)")) {
        val error = errorOf(s"CREATE VIEW v AS $query")
        assert(error.getCondition == "WREATH_TEMPORARY_GRAPH_IN_VIEW")
      }
    }
  }

  test("inside a stored view a table's name means the table") {
    withTable("h")(withView("v")(withGraph("h") {
      withTempDatabase { db =>
        spark.sql("CREATE TABLE h USING parquet AS SELECT 5L AS src, 6L AS dst")
        spark.sql("CREATE VIEW v AS SELECT * FROM GRAPH_TABLE (h MATCH (a)->(b))")
        spark.sql(s"USE $db")
        try {
          spark.sql(create("h"))
          checkAnswer(spark.sql("SELECT * FROM default.v"), Row(5L, 6L))
          checkAnswer(spark.sql(s"SELECT * FROM ${pairs.replace("(g ", "(h ")}"), rows)
        } finally spark.sql("USE default")
      }
    }))
  }

  test("a graph stands wherever a table of edges may: subqueries, joins, parameters, hints") {
    withGraph("g") {
      spark.sql(create("g"))
      val queries = Seq(
        s"SELECT * FROM (SELECT * FROM $pairs)",
        s"WITH t AS (SELECT * FROM $pairs) SELECT * FROM t",
        s"SELECT t.* FROM $pairs t JOIN people ON name = a",
        s"SELECT /*+ WCO_JOIN(b) */ * FROM $pairs",
        s"SELECT * FROM VALUES ('Ann', 'Bob'), ('Bob', 'Cid'), ('Cid', 'Dee') v(a, b) " +
          s"WHERE EXISTS (SELECT * FROM $pairs t WHERE t.a = v.a)")
      queries.foreach(q => checkAnswer(spark.sql(q), rows))
      checkAnswer(
        spark.sql(
          "SELECT * FROM GRAPH_TABLE (g MATCH (a WHERE a.name = :n)->(b) COLUMNS (b.name AS b))",
          Map[String, Any]("n" -> "Ann")),
        Row("Bob"))
      checkAnswer(spark.sql(s"SELECT (SELECT count(*) FROM $pairs)"), Row(2L))
    }
  }

  test("a view that is replaced is read as it is now") {
    withGraph("g")(withTempView("later") {
      edges("later", 1L -> 2L)
      spark.sql(create("g", likes.replace("likes", "later")))
      edges("later", 3L -> 1L)
      checkAnswer(spark.sql(s"SELECT * FROM $pairs"), Row("Cid", "Ann"))
    })
  }

  private val inline =
    s"""WITH g AS PROPERTY\nGRAPH (VERTEX TABLES (people KEY (id))
       |$likes)""".stripMargin

  test("a graph of one statement: views, parameters and errors keep the user's words and lines") {
    withTempView("v") {
      spark.sql(s"CREATE TEMPORARY VIEW v AS $inline SELECT * FROM $pairs")
      checkAnswer(spark.table("v"), rows)
    }
    withTable("people_stored", "likes_stored")(withView("v") {
      spark.table("people").write.saveAsTable("people_stored")
      spark.table("likes").write.saveAsTable("likes_stored")
      val body = inline.replace("people KEY", "people_stored AS people KEY")
        .replace("(likes", "(likes_stored") + s" SELECT * FROM $pairs"
      spark.sql(s"CREATE VIEW v AS $body")
      checkAnswer(spark.newSession().table("v"), rows)
      assert(spark.sql("SHOW CREATE TABLE v").head().getString(0).contains(body))
      spark.sql(s"CREATE TABLE made USING parquet AS $body")
      withTable("made")(checkAnswer(spark.table("made"), rows))
    })
    checkAnswer(
      spark.sql(
        s"$inline SELECT :x, a FROM GRAPH_TABLE (g MATCH (a WHERE a.id = :y)->(b))",
        Map[String, Any]("x" -> 9, "y" -> 2L)),
      Row(9, 2L))
    val error = intercept[ParseException](spark.sql(s"$inline SELECT * FROM $pairs WHERE > 1"))
    assert((error.line, error.startPosition) ==
      ((Some(4), Some(s"  REFERENCES people)) SELECT * FROM $pairs WHERE ".length))))
    assert(error.command.exists(_.contains("PROPERTY")))
  }

  test("a graph of one statement hides one of the session, as any name of a WITH does") {
    withGraph("g") {
      spark.sql(create("g", ""))
      checkAnswer(spark.sql(s"$inline SELECT * FROM $pairs"), rows)
      checkAnswer(spark.sql(s"SELECT * FROM $pairs"), Nil)
    }
  }

  test("a stream may be an edge table of a graph, whose matches then have a diff") {
    withGraph("g")(withTempView("stream") {
      spark.readStream.format("rate").load()
        .selectExpr("value AS src", "value AS dst")
        .createOrReplaceTempView("stream")
      spark.sql(create("g", likes.replace("likes", "stream")))
      val matches = spark.sql(s"SELECT * FROM $pairs")
      assert(matches.isStreaming)
      assert(matches.columns.toSeq == Seq("a", "b", "diff"))
    })
  }

  test("a stored graph is there in another session, and is no table") {
    withTable("stored_v", "stored_e") {
      spark.range(3).write.saveAsTable("stored_v")
      spark.range(2).selectExpr("id AS src", "id + 1 AS dst").write.saveAsTable("stored_e")
      // Longer than a property of a metastore may be.
      val many = (1 to 300).map(i => s"id + $i AS property_$i").mkString(", ")
      spark.sql(
        s"CREATE PROPERTY GRAPH stored_g VERTEX TABLES (stored_v KEY (id) PROPERTIES (id, $many)) " +
          "EDGE TABLES (stored_e SOURCE KEY (src) REFERENCES stored_v " +
          "DESTINATION KEY (dst) REFERENCES stored_v)")
      try {
        val other = spark.newSession()
        checkAnswer(
          other.sql(
            "SELECT * FROM GRAPH_TABLE (stored_g MATCH (a)->(b) COLUMNS (a, b.property_300))"),
          Seq(Row(0L, 301L), Row(1L, 302L)))
        assert(other.sql("SHOW PROPERTY GRAPHS").collect().contains(Row("stored_g", false)))
        val error = intercept[Exception](other.sql("SELECT * FROM stored_g").collect())
        assert(error.getMessage.contains("match over it with GRAPH_TABLE"))
      } finally spark.sql("DROP PROPERTY GRAPH stored_g")
      assert(!spark.catalog.tableExists("stored_g"))
    }
  }
}
