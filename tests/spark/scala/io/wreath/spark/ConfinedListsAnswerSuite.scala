package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf

/** Lists of those vertices only that conditions leave give the rows of Spark's joins. */
class ConfinedListsAnswerSuite extends AnswerGrid {

  private val technique = WreathConf.JOIN_TECHNIQUE.key

  /** Edges with repeats, loops and a weight, over few vertices. */
  private def tables(seed: Int, vertices: Int, edges: Int): Unit = {
    val session = spark
    import session.implicits._
    val random = new Random(seed.toLong)
    Seq.fill(edges)((random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))
      .map { case (s, t) => (s, t, random.nextInt(5)) }
      .toDF("src", "dst", "w").createOrReplaceTempView("ce")
    (0 until vertices by 2).map(v => (v.toLong, v % 3)).toDF("id", "kind")
      .createOrReplaceTempView("cv")
  }

  private val graph =
    "WITH g AS PROPERTY GRAPH (VERTEX TABLES (cv KEY (id) LABEL v PROPERTIES (id, kind)) " +
      "EDGE TABLES (ce KEY (src, dst) SOURCE KEY (src) REFERENCES cv (id) " +
      "DESTINATION KEY (dst) REFERENCES cv (id) LABEL e PROPERTIES (w)))"

  private val queries = Seq(
    "SELECT count(*) FROM GRAPH_TABLE (ce MATCH (a)->(b)->(c)->(d) " +
      "WHERE a % 3 = 1 AND d % 3 = 2 AND a <> c AND b <> d)",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)->(b)->(c), (a)->(c) WHERE b % 3 <> 1)",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)-[]-(b)-[]-(c) WHERE a % 4 = 1 AND c % 2 = 0)",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)-[x]->(b)<-[y]-(c) " +
      "WHERE b % 3 = 0 AND x.w < y.w COLUMNS (a.id AS a, x.w AS w, b.id AS b, c.id AS c))",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)-[x]->(b)->(c) " +
      "WHERE c % 3 = 0 AND x.w = 2 COLUMNS (a.id AS a, x.w AS w, c.id AS c))",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)->(a)->(b) WHERE a % 2 = 1 AND a > 2 AND a < b + 1)",
    "SELECT * FROM GRAPH_TABLE (ce MATCH DIFFERENT EDGES (a)->(b), (c)->(b) WHERE a % 2 = 1)",
    "SELECT b, count(*) FROM GRAPH_TABLE (ce MATCH (a)->(b)->(c) WHERE b % 3 = 1 AND c % 2 = 0) " +
      "GROUP BY b",
    "SELECT DISTINCT a, b FROM GRAPH_TABLE (ce MATCH (a)->(b)->(c)->(a) WHERE c % 3 = 1)",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)->{1,2}(b) WHERE a % 3 = 1 AND b % 2 = 0)",
    "SELECT * FROM GRAPH_TABLE (ce MATCH (a)->(b) WHERE a % 2 = 1 " +
      "AND EXISTS { (b)->(c)->(d) WHERE d % 2 = 0 })",
    s"$graph SELECT * FROM GRAPH_TABLE (g MATCH (a)->(b)->(c) WHERE b.kind = 1 " +
      "COLUMNS (a.id AS a, b.kind AS k, c.id AS c))",
    s"$graph SELECT count(*) FROM GRAPH_TABLE (g MATCH (a)->(b)->(c)->(a) WHERE c.kind <> 1)",
    "SELECT count(*) FROM GRAPH_TABLE (ce MATCH (a)->(b)->(c) WHERE b % 1000 = 999)")

  for ((query, i) <- queries.zipWithIndex) test(s"confined lists: $query") {
    for ((vertices, edges) <- Seq((9, 30), (70, 250))) {
      tables(i, vertices, edges)
      withSQLConf(technique -> "confined", WreathConf.JOIN_COUNTING.key -> "enumerate") {
        checkSameRows(query, aqe = Seq(i % 2 == 0))
      }
    }
  }

  private def explained(query: String): String = {
    val df = spark.sql(query)
    df.collect()
    df.queryExecution.executedPlan.toString
  }

  test("the plan says which variables lists are confined to, and large joins are by themselves") {
    tables(1, 70, 250)
    val few = "SELECT * FROM GRAPH_TABLE (ce MATCH (a)->(b)->(c) WHERE a % 50 = 1 AND c % 50 = 3)"
    assert(!explained(few).contains("confined"))
    withSQLConf(technique -> "confined")(
      assert(explained(few).contains(", lists confined to a, c")))
    val session = spark
    import session.implicits._
    val random = new Random(5)
    Seq.fill(40000)((random.nextInt(800).toLong, random.nextInt(800).toLong)).distinct
      .toDF("src", "dst").createOrReplaceTempView("dense")
    withSQLConf(WreathConf.JOIN_COUNTING.key -> "enumerate") {
      val path = "(a)->(b)->(c)->(d) WHERE a % 10 = 7 AND d % 10 = 1 AND a <> c AND b <> d"
      val query = s"SELECT count(*) FROM GRAPH_TABLE (dense MATCH $path)"
      assert(explained(query).contains(", lists confined to a, d"))
      checkSameRows(query, aqe = Seq(true))
      // What is bound first is read from no list.
      val anchored = "(a)->(b)->(c)->(d) WHERE a % 10 = 7"
      assert(
        !explained(s"SELECT * FROM GRAPH_TABLE (dense MATCH $anchored)").contains("confined"))
    }
  }
}
