package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

/**
 * What is asked of matches that are counted without binding variables: the numbers of Spark's joins. The grid: conditions on
 * an edge, its ends, on vertices that no edge joins, on two edges x edges that must differ, or must not be there x whole and
 * by one and two variables x graphs with parallel edges, edges from a vertex to itself, NULL ends x undirected edges.
 */
class CountConditionsAnswerSuite extends AnswerGrid {

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")

  private val both =
    simple ++ simple.map(_.swap) ++ Seq(1L -> 5L, 5L -> 1L, 2L -> 5L, 5L -> 2L)
  private val withoutLoops = both.distinct.filter { case (a, b) => a != b }

  private def explained(query: String): String = {
    val df = spark.sql(query)
    df.collect()
    df.queryExecution.executedPlan.toString
  }

  /** What may raise an error stays above the join. */
  private def counting(run: => Unit): Unit =
    withSQLConf(
      WreathConf.JOIN_COUNTING.key -> "eliminate",
      SQLConf.ANSI_ENABLED.key -> "false")(run)

  private def checkEliminated(query: String): Unit =
    counting {
      checkSameRows(query, aqe = Seq(true))
      assert(explained(query).contains("by elimination: "), query)
      assert(!explained(query).contains("not by elimination"), query)
    }

  private val conditions = Seq(
    "(a)->(b)->(c)->(d)->(a) WHERE (a + c) % 2 = 0",
    "(a)->(b)->(c)->(d)->(a) WHERE a + b > 3 AND (b + d) % 3 < 2 AND a <> c",
    "(a)->(b)->(c), (c)->(d) WHERE (a + b + d) % 2 = 1",
    "(a)-[]-(b)-[]-(c) WHERE (a + b) % 2 = 0 AND (a - c) % 3 <> 1",
    "(a)->(b)->(c)->(a), (c)->(d) WHERE (a * d) % 2 = 0 AND b < d",
    "(a)->(b)->(c)->(d) WHERE EXISTS { (b)->(d) } AND (c + 1) % 5 > a",
    "(a)->(b)->(c)->(d)->(a) WHERE NOT EXISTS { (a)->(c) } AND (b + d) % 2 = 0")

  private val modes = Seq(
    "DIFFERENT EDGES (a)->(b)->(c)->(d)->(a)",
    "DIFFERENT EDGES (a)-[]-(b)-[]-(c)-[]-(d)",
    "DIFFERENT EDGES (a)->(b)-[]-(c), (a)->(c) WHERE (a + c) % 2 = 0",
    "DIFFERENT EDGES (a)->(b), (a)->(c), (a)->(d) WHERE b <= c",
    "DIFFERENT VERTICES (a)->(b)->(c)->(d) WHERE NOT EXISTS { (d)->(a) }",
    "DIFFERENT EDGES (a)-[]->(b)<-[]-(c)-[]->(d), (a)->(d) WHERE NOT EXISTS { (a)->(c) }")

  for ((name, patterns) <-
      Seq("conditions between elements" -> conditions, "match modes" -> modes))
    test(s"$name, counted: the numbers of Spark's joins") {
      for ((graph, g) <- Seq(withoutLoops, duplicates).zipWithIndex) {
        edges("asked", graph: _*)
        for ((pattern, p) <- patterns.zipWithIndex if isSoak || p % 2 == g) {
          val from = s"FROM GRAPH_TABLE (asked MATCH $pattern)"
          val asked = Seq(
            s"SELECT count(*) $from",
            s"SELECT c, count(*) $from GROUP BY c",
            s"SELECT b, a, count(*) $from GROUP BY b, a")
          checkEliminated(asked((g + p) % 3))
        }
      }
    }

  test("edges and vertices with columns, parallel rows and NULLs, counted: the numbers of Spark's joins") {
    spark
      .sql("""SELECT * FROM VALUES (1L, 2L, 1), (2L, 3L, 4), (3L, 1L, 2), (3L, 4L, 5), (4L, 2L, NULL),
             |(2L, 1L, 3), (1L, 3L, 6), (4L, 1L, 2), (5L, 1L, 7), (NULL, 2L, 8), (3L, NULL, 9)
             |AS t(src, dst, w)""".stripMargin)
      .createOrReplaceTempView("weighed")
    spark.sql("SELECT * FROM weighed UNION ALL SELECT src, dst, w + 1 FROM weighed WHERE src < 3")
      .createOrReplaceTempView("parallel")
    spark
      .sql("SELECT * FROM VALUES (1L, 10), (2L, 20), (3L, NULL), (4L, 40) AS t(id, age)")
      .createOrReplaceTempView("people")
    def graph(edges: String): String =
      "WITH g AS PROPERTY GRAPH (VERTEX TABLES (people KEY (id) LABEL v PROPERTIES (id, age)) " +
        s"EDGE TABLES ($edges KEY (src, dst, w) SOURCE KEY (src) REFERENCES people (id) " +
        "DESTINATION KEY (dst) REFERENCES people (id) LABEL e PROPERTIES (w)))"
    for (edges <- Seq("weighed", "parallel")) {
      val ofEdges = Seq(
        "(a)-[e]->(b)-[f]->(c) WHERE e.w % 2 = 0 AND f.w > 1",
        "(a)-[e]->(b)-[f]->(c)-[]->(a) WHERE e.w + a.age > 15 AND a.age < b.age",
        "DIFFERENT EDGES (a)-[e]-(b)-[f]-(c) WHERE e.w > 2",
        "DIFFERENT EDGES (a)-[e]->(b), (a)-[f]->(c), (d)-[]->(b) WHERE e.w > 1 AND f.w < 6",
        "(a)-[]->(b)-[]->(c) WHERE a.age + c.age < 55 AND coalesce(b.age, 7) % 2 = 1",
        "(a)-[]->(b)-[]->(c)-[]->(d) WHERE a.age <= d.age")
      val ofTwo = Seq(
        "(a)-[e]->(b)-[f]->(c) WHERE e.w < f.w",
        "(a)-[e]->(b)-[f]->(c)-[h]->(d) WHERE e.w < f.w AND f.w < h.w + a.age",
        "DIFFERENT EDGES (a)-[e]->(b)-[f]->(c), (c)-[]->(a) WHERE e.w <> f.w")
      val patterns = if (edges == "weighed") ofEdges ++ ofTwo else ofEdges
      for ((pattern, p) <- patterns.zipWithIndex
        if isSoak || (p % 2 == 0) == (edges == "weighed")) {
        val from =
          s"FROM GRAPH_TABLE (g MATCH $pattern COLUMNS (a.id AS a, a.age AS n, c.id AS c))"
        val asked = Seq(
          s"SELECT count(*) $from",
          s"SELECT n, count(*) $from GROUP BY n",
          s"SELECT a, c, count(*) $from GROUP BY a, c")
        checkEliminated(s"${graph(edges)} ${asked(p % 3)}")
      }
      if (edges == "parallel") {
        val query = s"${graph(edges)} SELECT count(*) FROM GRAPH_TABLE (g MATCH ${ofTwo.head} " +
          "COLUMNS (a.id AS a))"
        counting {
          checkSameRows(query, aqe = Seq(true))
          assert(explained(query).contains("not by elimination: parallel edges are told apart"))
        }
      }
    }
  }

  test("EXPLAIN says that a hinted order is of a join") {
    edges("asked", withoutLoops: _*)
    counting {
      val text = explained(
        "SELECT /*+ WCO_JOIN(b, a, c) */ count(*) FROM GRAPH_TABLE (asked MATCH (a)->(b)->(c)->(d)->(a))")
      assert(text.contains("not by elimination: its order is hinted"))
    }
  }

  test("random patterns, modes and conditions, counted: the numbers of Spark's joins") {
    val random = new Random(7)
    val cases = if (isSoak) 300 else 6
    for (i <- 1 to cases) {
      val rows = Seq.fill(10)((random.nextInt(5).toLong, random.nextInt(5).toLong))
      val graph = if (i % 2 == 0) rows.distinct else rows
      edges("asked", graph: _*)
      val names = Seq("a", "b", "c", "d").take(3 + random.nextInt(2))
      def any: String = names(random.nextInt(names.size))
      val joined =
        names.zip(names.tail) ++ Seq.fill(random.nextInt(3))((any, any)).filter(e => e._1 != e._2)
      val pattern = joined.map { case (x, y) =>
        s"($x)${Seq("->", "<-", "-[]-")(random.nextInt(3))}($y)"
      }.mkString(", ")
      val mode = Seq("", "DIFFERENT EDGES ", "DIFFERENT VERTICES ")(random.nextInt(3))
      val asked = Seq.fill(random.nextInt(3))(random.nextInt(4) match {
        case 0 => s"($any + $any) % 2 = 0"
        case 1 => s"$any <> $any"
        case 2 => s"($any * 3 + $any) % 5 < 3"
        case _ => s"NOT EXISTS { ($any)->($any) }"
      })
      val where = if (asked.isEmpty) "" else asked.mkString(" WHERE ", " AND ", "")
      val from = s"FROM GRAPH_TABLE (asked MATCH $mode$pattern$where)"
      counting {
        withClue(s"$from over $graph: ") {
          val (group, by) = if (i % 3 == 0) ("b, ", " GROUP BY b") else ("", "")
          checkSameRows(s"SELECT ${group}count(*) $from$by", aqe = Seq(true))
        }
      }
    }
  }
}
