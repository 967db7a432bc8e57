package io.wreath.spark.parser

import scala.util.Random

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser

import org.scalatest.funsuite.AnyFunSuite

/** Whatever is written, the parser answers with a plan or with an error of its own kind. */
class GraphSqlFuzzSuite extends AnyFunSuite {

  private val parser = new GraphSqlParser(CatalystSqlParser)

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

  private val words = statements.flatMap(tokens).distinct ++
    Seq("'", "\"", "`", "/*", "*/", "--", "\n", "\uD83D\uDE00", "", "$", "{", "}", "~", "é", "0")

  private def tokens(sql: String): Seq[String] =
    "[A-Za-z_0-9]+|\\s+|->|.".r.findAllIn(sql).toSeq

  private def mutated(random: Random): String = {
    val text = tokens(statements(random.nextInt(statements.size))).toArray
    def at(): Int = random.nextInt(text.length)
    (0 to random.nextInt(4)).foreach { _ =>
      random.nextInt(4) match {
        case 0 => text(at()) = ""
        case 1 => text(at()) = words(random.nextInt(words.size))
        case 2 => text(at()) += words(random.nextInt(words.size))
        case _ =>
          val (i, j) = (at(), at())
          val word = text(i)
          text(i) = text(j)
          text(j) = word
      }
    }
    if (random.nextInt(10) == 0) text.take(at()).mkString else text.mkString
  }

  test("mutated statements raise nothing but errors of parsing and analysis") {
    val rounds = if (sys.env.contains("WREATH_SOAK")) 100000 else 5000
    val random = new Random(42)
    var parsed = 0
    (0 until rounds).foreach { i =>
      val sql = mutated(random)
      try {
        parser.parsePlan(sql)
        parsed += 1
      } catch {
        case _: AnalysisException =>
        case e: Throwable => fail(s"round $i: $e for\n$sql", e)
      }
    }
    // Else the mutations are too rough to reach what lies behind the first mistake.
    assert(parsed > rounds / 20)
  }
}
