package io.wreath.spark.parser

import scala.util.Random

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser

import io.wreath.spark.WreathQueryTest

/** Whatever is written, the answer is a plan or an error of its own kind. */
class GraphSqlFuzzSuite extends WreathQueryTest {

  private val statements = Seq(
    "SELECT a, count(*) FROM GRAPH_TABLE (db.e MATCH (a IS x)-[r:y WHERE r.p > 1]->(b)<-[]-(c), " +
      "(a)->(c) WHERE a.id < :q AND b <> c COLUMNS (a.id + 1 AS a, b.*, r.p)) AS t WHERE a > 2",
    "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (s.t AS a KEY (x, y) LABEL l " +
      "PROPERTIES (x, y + 1 AS z) DEFAULT LABEL NO PROPERTIES, u KEY (id) PROPERTIES ALL COLUMNS " +
      "EXCEPT (id)) EDGE TABLES (e KEY (i) SOURCE KEY (s1, s2) REFERENCES a (x, y) DESTINATION " +
      "KEY (d) REFERENCES u)",
    "WITH t AS (SELECT 1), g AS PROPERTY GRAPH (\n VERTEX TABLES (t KEY (id)) EDGE TABLES (e SOURCE " +
      "KEY (a) REFERENCES t DESTINATION KEY (b) REFERENCES t)) SELECT * FROM GRAPH_TABLE (g MATCH (a)->(b))",
    "SELECT * FROM GRAPH_TABLE (g MATCH DIFFERENT EDGES (a IS x|(y&!z))-[e:%]-{1,3}(b)->?(c) " +
      "WHERE EXISTS { MATCH (a)-(q) WHERE NOT EXISTS { (q)<-[]-(a) } } AND a < ? OPTIONAL MATCH " +
      "UNIQUE SUBGRAPHS (c)-[f WHERE f.p = ?]->{2}(d) WHERE d <> a COLUMNS (a, d.x AS y))",
    "SELECT * FROM GRAPH_TABLE (g MOTIF '(a)-[e]->(b); !(b)-[]->(c); (c)-[*1..3]->(d)') t",
    "ALTER PROPERTY GRAPH s.g ADD VERTEX TABLES (t KEY (id)) EDGE TABLES (e SOURCE KEY (a) " +
      "REFERENCES t DESTINATION KEY (b) REFERENCES t)",
    "ALTER PROPERTY GRAPH g DROP EDGE TABLES (a, b)",
    "DROP PROPERTY GRAPH IF EXISTS g",
    "DESCRIBE PROPERTY GRAPH g",
    "CACHE GRAPH INDEX a.b")

  /** Over what there is, so that names are found and all rules see what is left of a statement. */
  private val queries = Seq(
    "SELECT a, count(*) FROM GRAPH_TABLE (e MATCH (a)-[r WHERE r.w > 1]->(b)<-[]-(c), (a)->(c) " +
      "WHERE a.id < 3 AND b <> c COLUMNS (a.id + 1 AS a, b.*, r.w)) AS t WHERE a > 2 GROUP BY a",
    "SELECT * FROM GRAPH_TABLE (g MATCH DIFFERENT EDGES (a IS p|(q&!p))-[x:%]-{1,2}(b)->?(c) " +
      "WHERE EXISTS { MATCH (a)-(d IS q) WHERE NOT EXISTS { (d)<-[]-(a) } } AND a.n < 'z' OPTIONAL " +
      "MATCH (c)-[y IS f WHERE y.w = 1]->{2}(h) WHERE h <> a COLUMNS (a.n, h.n AS m))",
    "SELECT * FROM GRAPH_TABLE (e MATCH UNIQUE SUBGRAPHS (a)-(b)-(c)-(a) WHERE NOT EXISTS { (a)->(a) })",
    "SELECT * FROM GRAPH_TABLE (g MATCH DIFFERENT VERTICES (a IS !q)-[x IS f]->(b), (b)-[y]-(c IS %), " +
      "(d IS p) WHERE a.n = c.n OR x.w < 2)",
    "SELECT * FROM GRAPH_TABLE (e MOTIF '(a)-[r]->(b); !(b)-[]->(c); (c)-[*1..3]->(d)') t",
    "WITH h AS PROPERTY GRAPH (VERTEX TABLES (v KEY (id) LABEL p) EDGE TABLES (e SOURCE KEY (src) " +
      "REFERENCES v DESTINATION KEY (dst) REFERENCES v)) SELECT * FROM GRAPH_TABLE (h MATCH (a)->(b))",
    "SELECT * FROM GRAPH_TABLE (g MATCH (a)->(b)) t WHERE a IN (SELECT a FROM GRAPH_TABLE (e MATCH (a)))")

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.sql("SELECT * FROM VALUES (1L, 2L, 3), (2L, 3L, 4) AS t(src, dst, w)")
      .createOrReplaceTempView("e")
    spark.sql(
      "SELECT * FROM VALUES (1L, 'x'), (2L, 'y') AS t(id, n)").createOrReplaceTempView("v")
    spark.sql("SELECT * FROM VALUES (5L, 'x') AS t(id, n)").createOrReplaceTempView("u")
    spark.sql("CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (v KEY (id) LABEL p, u KEY (id) " +
      "LABEL q) EDGE TABLES (e SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v " +
      "LABEL f, u AS w KEY (id) SOURCE KEY (id) REFERENCES u DESTINATION KEY (id) REFERENCES u)")
  }

  override def afterAll(): Unit = {
    spark.sql("DROP PROPERTY GRAPH g")
    super.afterAll()
  }

  private val noise =
    Seq("'", "\"", "`", "/*", "*/", "--", "\n", "\uD83D\uDE00", "", "$", "{", "}", "~", "é", "0")

  private def tokens(sql: String): Seq[String] =
    "[A-Za-z_0-9]+|\\s+|->|.".r.findAllIn(sql).toSeq

  /** A statement of `from` with a few tokens changed, or, one in ten, tokens in no order at all. */
  private class Texts(from: Seq[String], random: Random) {

    private val words = from.flatMap(tokens).distinct ++ noise

    private def word(): String = words(random.nextInt(words.size))

    def next(): String =
      if (random.nextInt(10) == 0) {
        val open = Seq("", "SELECT * FROM GRAPH_TABLE (e MATCH (a)", "CREATE PROPERTY GRAPH g ")
        open(random.nextInt(open.size)) +
          Seq.fill(random.nextInt(30))(word()).mkString(if (random.nextBoolean()) " " else "") +
          (if (random.nextBoolean()) ")" else "")
      } else mutated()

    private def mutated(): String = {
      val text = tokens(from(random.nextInt(from.size))).toArray
      def at(): Int = random.nextInt(text.length)
      (0 to random.nextInt(4)).foreach { _ =>
        random.nextInt(4) match {
          case 0 => text(at()) = ""
          case 1 => text(at()) = word()
          case 2 => text(at()) += word()
          case _ =>
            val (i, j) = (at(), at())
            val word = text(i)
            text(i) = text(j)
            text(j) = word
        }
      }
      if (random.nextInt(10) == 0) text.take(at()).mkString else text.mkString
    }
  }

  /** Runs `work` on many texts, of which some have to be right. */
  private def fuzz(from: Seq[String], rounds: Int)(work: String => Unit): Unit = {
    val texts = new Texts(from, new Random(42))
    var right = 0
    (0 until rounds).foreach { i =>
      val sql = texts.next()
      try {
        work(sql)
        right += 1
      } catch {
        case _: AnalysisException =>
        case e: Throwable => fail(s"round $i: $e for\n$sql", e)
      }
    }
    // Else the mutations are too rough to reach what lies behind the first mistake.
    assert(right > rounds / 50)
  }

  private def rounds(few: Int, many: Int): Int =
    if (sys.env.contains("WREATH_SOAK")) many else few

  test("mutated statements raise nothing but errors of parsing and analysis") {
    val parser = new GraphSqlParser(CatalystSqlParser)
    fuzz(statements, rounds(5000, 100000))(parser.parsePlan(_))
  }

  test("mutated queries that parse are analyzed and optimized, or refused as such") {
    def optimize(sql: String): Unit = {
      val plan = spark.sessionState.sqlParser.parsePlan(sql)
      spark.sessionState.executePlan(plan).optimizedPlan
    }
    fuzz(queries, rounds(500, 20000))(optimize)
    queries.foreach(optimize)
  }
}
