package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.execution.GraphComputationExec

/** Functions over a whole graph have the values of their definitions, whatever the edges are read from. */
class GraphFunctionSuite extends WreathQueryTest {

  private type Edges = Seq[(Option[Int], Option[Int])]

  /** Few vertices: loops, parallel edges, and now and then an end that is NULL. */
  private def randomEdges(random: Random): Edges = {
    def end: Option[Int] = if (random.nextInt(20) == 0) None else Some(random.nextInt(14))
    Seq.fill(random.nextInt(22))((end, end))
  }

  /** The edges that are there, and the vertices. */
  private def graph(edges: Edges, people: Option[Set[Int]]): (Seq[(Int, Int)], Seq[Int]) = {
    val whole = edges.collect { case (Some(s), Some(d)) => (s, d) }
    people match {
      case Some(ids) => (whole.filter(e => ids(e._1) && ids(e._2)), ids.toSeq.sorted)
      case None => (whole, whole.flatMap(e => Seq(e._1, e._2)).distinct.sorted)
    }
  }

  /** Labels that spread until nothing changes. */
  private def components(edges: Seq[(Int, Int)], vertices: Seq[Int]): Map[Int, Int] = {
    val next = edges.flatMap(e => Seq(e, e.swap))
    Iterator
      .iterate(vertices.map(v => v -> v).toMap) { labels =>
        labels.map { case (v, l) =>
          v -> (l +: next.collect { case (`v`, w) => labels(w) }).min
        }
      }
      .sliding(2).collectFirst { case Seq(a, b) if a == b => a }.get
  }

  private def ranks(
      edges: Seq[(Int, Int)],
      vertices: Seq[Int],
      damping: Double,
      rounds: Int): Map[Int, Double] = {
    val n = vertices.size
    val out = edges.groupMapReduce(_._1)(_ => 1)(_ + _)
    Iterator
      .iterate(vertices.map(_ -> 1.0 / n).toMap) { ranks =>
        val stuck = vertices.filterNot(out.contains).map(ranks).sum
        vertices.map { v =>
          val gained = edges.collect { case (s, `v`) => ranks(s) / out(s) }.sum
          v -> ((1 - damping) / n + damping * (stuck / n + gained))
        }.toMap
      }
      .drop(rounds).next()
  }

  /** How a small number is written as an id. */
  private val idTypes = Seq(
    "INT" -> "CAST(x AS INT)",
    "BIGINT" -> "x * 1000000007L",
    "STRING" -> "concat('v', lpad(x, 2, '0'))",
    "DATE" -> "date_add(DATE '1969-12-30', CAST(x AS INT))",
    "DECIMAL(30,2)" -> "CAST(x AS DECIMAL(30, 2))",
    "STRUCT" -> "IF(x IS NULL, NULL, named_struct('p', x % 3, 'q', CAST(x AS STRING)))")

  private def over(id: String, column: String): String = id.replaceAll("\\bx\\b", column)

  private def asked(df: DataFrame): Map[Any, Any] = {
    val rows = df.collect()
    assert(rows.map(_.get(0)).distinct.length == rows.length, "a vertex stands twice")
    rows.map(r => r.get(0) -> r.get(1)).toMap
  }

  private def check(id: String, edges: Edges, people: Option[Set[Int]]): Unit = {
    val session = spark
    import session.implicits._
    val names = session.range(14).selectExpr("id", over(id, "id")).collect()
      .map(r => r.getLong(0).toInt -> r.get(1)).toMap
    edges.toDF("s", "d")
      .selectExpr(s"${over(id, "s")} AS src", "d AS other", s"${over(id, "d")} AS dst")
      .createOrReplaceTempView("e")
    people.foreach(_.toSeq.toDF("p").selectExpr("'x' AS name", s"${over(id, "p")} AS id")
      .createOrReplaceTempView("v"))
    val and = people.fold("")(_ => ", vertices => TABLE v")
    val (whole, vertices) = graph(edges, people)
    val found = asked(spark.sql(s"SELECT * FROM GRAPH_COMPONENTS(TABLE e$and)"))
    // Structs and strings are in the order of the numbers they are made of only for some types.
    val ordered = spark.range(14).selectExpr("id", s"${over(id, "id")} AS k").orderBy("k")
      .collect().map(_.getLong(0).toInt).zipWithIndex.toMap
    val expected =
      components(whole.map(e => (ordered(e._1), ordered(e._2))), vertices.map(ordered))
    val byPlace = ordered.map(_.swap)
    assert(found == expected.map { case (v, c) => names(byPlace(v)) -> names(byPlace(c)) })
    for ((damping, rounds) <- Seq((0.85, 20), (0.5, 3), (0.0, 1), (0.85, 0))) {
      val found = asked(spark.sql(
        s"SELECT * FROM GRAPH_PAGERANK(TABLE e$and, damping => $damping, iterations => $rounds)"))
      val expected = ranks(whole, vertices, damping, rounds).map { case (v, r) => names(v) -> r }
      assert(found.keySet == expected.keySet)
      found.foreach { case (v, r) =>
        assert(math.abs(r.asInstanceOf[Double] - expected(v)) < 1e-12)
      }
    }
  }

  for ((tpe, id) <- idTypes; hasPeople <- Seq(false, true))
    test(s"components and ranks, ids of type $tpe" + (if (hasPeople) ", with vertices" else "")) {
      val random = new Random(tpe.hashCode)
      for (_ <- 1 to 3) {
        val people = Some((0 until 14).filter(_ => random.nextInt(3) > 0).toSet)
        check(id, randomEdges(random), people.filter(_ => hasPeople))
      }
      check(id, Nil, Some(Set(3, 5)).filter(_ => hasPeople))
    }

  private def computations(df: DataFrame): Seq[GraphComputationExec] =
    collect(df.queryExecution.executedPlan: SparkPlan) { case c: GraphComputationExec => c }

  test("every kind of table gives the same, with AQE and without") {
    val rows = Seq((1L, 2L), (2L, 3L), (7L, 8L), (8L, 7L), (9L, 9L))
    val expected = Map[Any, Any](1L -> 1L, 2L -> 1L, 3L -> 1L, 7L -> 7L, 8L -> 7L, 9L -> 9L)
    val session = spark
    import session.implicits._
    withTempDir { dir =>
      rows.toDF("src", "dst").write.mode("overwrite").parquet(s"$dir/e")
      val files = spark.read.parquet(s"$dir/e")
      val frames = Seq(
        "local" -> rows.toDF("src", "dst"),
        "files" -> files,
        "cached" -> files.where("true").cache(),
        "rdd" -> spark.createDataFrame(spark.sparkContext.parallelize(rows)).toDF("src", "dst"),
        "aggregate" -> files.groupBy("dst", "src").count(),
        "union" -> files.limit(2).union(files).distinct())
      for ((kind, frame) <- frames; adaptive <- Seq("true", "false"))
        withClue(s"$kind, $adaptive: ") {
          withSQLConf("spark.sql.adaptive.enabled" -> adaptive) {
            frame.createOrReplaceTempView("e")
            val df = spark.sql("SELECT * FROM GRAPH_COMPONENTS(TABLE e)")
            assert(asked(df) == expected)
            assert(asked(df) == expected, "again")
            assert(computations(df).size == 1)
          }
        }
      frames(2)._2.unpersist()
    }
  }

  test("a call stands wherever a table may") {
    edges("e", (1, 2), (2, 3), (5, 6))
    def one(sql: String): Any = spark.sql(sql).head().get(0)
    val sizes =
      "SELECT component, count(*) AS n FROM GRAPH_COMPONENTS(TABLE e) GROUP BY component"
    assert(one(s"SELECT max(n) FROM ($sizes)") == 3L)
    assert(one(s"WITH c AS ($sizes) SELECT count(*) FROM c AS x JOIN c AS y ON x.n > y.n") == 1L)
    assert(
      one("SELECT count(*) FROM GRAPH_COMPONENTS(TABLE e) AS x(v, c) " +
        "JOIN graph_components(TABLE(e)) AS y ON x.v = y.id AND x.c = y.component") == 5L)
    assert(one(
      "SELECT count(*) FROM e WHERE src IN (SELECT component FROM GRAPH_COMPONENTS(TABLE e))") == 2L)
    assert(
      one("SELECT count(*) FROM GRAPH_COMPONENTS(TABLE (SELECT dst AS src, src AS dst FROM e WHERE src > 1))") == 4L)
    assert(
      one("SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)-[]->(b)) " +
        "JOIN GRAPH_COMPONENTS(TABLE e) ON a = id WHERE component = 1") == 2L)
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW c AS SELECT * FROM GRAPH_COMPONENTS(TABLE e)")
    assert(one("SELECT count(DISTINCT component) FROM c") == 2L)
    assert(one("EXPLAIN SELECT * FROM GRAPH_PAGERANK(TABLE e)").toString.contains(
      "GraphComputation PageRank, damping 0.85, 20 iterations"))
    val sum = "SELECT round(sum(rank), 9) FROM GRAPH_PAGERANK(TABLE e, iterations => :n)"
    assert(spark.sql(sum, Map("n" -> 7)).head().getDouble(0) == 1.0)
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW `ä 𝄞` AS SELECT * FROM e")
    assert(one("SELECT /* 𝄞 */ count(*) FROM GRAPH_COMPONENTS(TABLE `ä 𝄞`)") == 5L)
    withTable("t") {
      spark.sql("CREATE TABLE t USING parquet AS SELECT src, dst FROM e")
      withView("w") {
        val text = "SELECT id, component FROM GRAPH_COMPONENTS(TABLE default.t)"
        spark.sql(s"CREATE VIEW w AS $text")
        assert(one("SHOW CREATE TABLE w").toString.contains(text))
        assert(one("SELECT count(DISTINCT component) FROM w") == 2L)
      }
    }
    // Positional, and folded.
    assert(one("SELECT count(*) FROM GRAPH_PAGERANK(TABLE e, 1 - 0.15, 2 + 3)") == 5L)
  }

  test("patterns and functions over one table share its index") {
    withTempDir { dir =>
      spark.range(100).selectExpr("id AS src", "(id * 7) % 100 AS dst", "id AS w")
        .write.mode("overwrite").parquet(s"$dir/e")
      spark.read.parquet(s"$dir/e").createOrReplaceTempView("e")
      def hits: Seq[Long] = spark.sql("SHOW GRAPH INDEXES").collect()
        .filter(_.getAs[String]("relation").contains(dir.getName))
        .map(_.getAs[Long]("hits")).toSeq
      assert(
        wcoJoins(spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)-[]->(b)-[]->(a))")).size == 1)
      assert(hits == Seq(0L))
      spark.sql("SELECT * FROM GRAPH_COMPONENTS(TABLE e)").collect()
      spark.sql("SELECT * FROM GRAPH_PAGERANK(TABLE e)").collect()
      assert(hits == Seq(2L))
    }
  }

  test("what cannot be called says why, and how it can") {
    edges("e", (1, 2))
    spark.range(3).createOrReplaceTempView("v")
    def refused(call: String): String = errorOf(s"SELECT * FROM $call").getMessage
    val wrong = Seq(
      "GRAPH_COMPONENTS()" -> "GRAPH_COMPONENTS(TABLE edges)",
      "GRAPH_COMPONENTS(1)" -> "GRAPH_COMPONENTS(TABLE edges)",
      "GRAPH_COMPONENTS(TABLE e, TABLE(v))" -> "vertices => TABLE people",
      "GRAPH_COMPONENTS(TABLE e, people => TABLE(v))" -> "takes no table people",
      "GRAPH_COMPONENTS(TABLE v)" -> "`src`",
      "GRAPH_COMPONENTS(TABLE e, 3)" -> "more values than it takes",
      "GRAPH_PAGERANK(TABLE e, dampin => 0.5)" -> "Did you mean `damping`?",
      "GRAPH_PAGERANK(TABLE e, damping => 1.0)" -> "must be at least 0 and below 1",
      "GRAPH_PAGERANK(TABLE e, damping => 'x')" -> "must be a number",
      "GRAPH_PAGERANK(TABLE e, damping => NULL)" -> "damping",
      "GRAPH_PAGERANK(TABLE e, iterations => 1.5)" -> "whole number",
      "GRAPH_PAGERANK(TABLE e, iterations => -1)" -> "at least 0",
      "GRAPH_PAGERANK(TABLE e, 0.5, damping => 0.6)" -> "twice",
      "GRAPH_COMPONENTS(TABLE(e) PARTITION BY src)" -> "PARTITION BY",
      "GRAPH_COMPONENTS(TABLE (SELECT 1.5D AS src, 2.5D AS dst))" -> "DOUBLE",
      "GRAPH_COMPONENTS(TABLE nowhere)" -> "nowhere")
    for ((call, hint) <- wrong) withClue(s"$call: ") {
      assert(refused(call).contains(hint), refused(call))
    }
    withSQLConf(WreathConf.ENABLED.key -> "false") {
      assert(refused("GRAPH_COMPONENTS(TABLE e)").contains(WreathConf.ENABLED.key))
    }
    val twice = intercept[Exception](spark.sql(
      "SELECT * FROM GRAPH_COMPONENTS(TABLE e, vertices => TABLE (SELECT 1L AS id FROM range(2)))")
      .collect())
    assert(twice.getMessage.contains("WREATH_DUPLICATE_VERTEX_KEY"))
    withSQLConf(
      WreathConf.INDEX_MAX_BYTES.key -> "1",
      WreathConf.INDEX_CACHE_ENABLED.key -> "false") {
      val large =
        intercept[Exception](spark.sql("SELECT * FROM GRAPH_COMPONENTS(TABLE e)").collect())
      assert(large.getMessage.contains("WREATH_NEEDS_INDEX"), large.getMessage)
    }
  }
}
