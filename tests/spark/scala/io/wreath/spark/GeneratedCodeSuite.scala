package io.wreath.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.debug.codegenStringSeq
import org.apache.spark.sql.internal.SQLConf

/** Which joins take part in generated code, and that HotSpot compiles what comes of it. */
class GeneratedCodeSuite extends WreathQueryTest {

  /** HotSpot never compiles a longer method. */
  private val mostBytecodes = 8000

  private def isGenerated(df: DataFrame): Boolean = {
    df.collect()
    "\\*\\(\\d+\\) BroadcastWcoJoin".r.findFirstIn(
      df.queryExecution.executedPlan.toString).isDefined
  }

  /** The longest method of the stages of a query, in bytecodes. */
  private def longestMethod(df: DataFrame): Int = {
    df.collect()
    codegenStringSeq(df.queryExecution.executedPlan).map(_._3.maxMethodCodeSize).max
  }

  /** Transfers with `n` columns beside the ends, of all widths, NULLs among them. */
  private def wide(n: Int): Seq[String] = {
    val types = Seq("BIGINT", "STRING", "DECIMAL(10,2)", "DOUBLE", "INT", "DECIMAL(38,4)", "DATE")
    val names = (0 until n).map(i => s"c$i")
    val columns = names.zipWithIndex.map { case (name, i) =>
      types(i % types.size) match {
        case "DATE" => s"date_add(DATE'2026-01-01', CAST(id AS INT)) AS $name"
        case tpe => s"CAST(IF(id % 7 = ${i % 7}, NULL, id) AS $tpe) AS $name"
      }
    }
    spark.sql(
      s"SELECT id % 11 AS src, (id * 5 + 1) % 11 AS dst${columns.map(", " + _).mkString} " +
        "FROM range(60)").createOrReplaceTempView("transfers")
    names
  }

  private val path = "FROM GRAPH_TABLE (transfers MATCH (a)-[x]->(b)-[y]->(c)"

  test(
    "rows that read columns of edges and vertices are generated, fused with what stands above") {
    wide(3)
    val queries = Seq(
      s"SELECT * $path COLUMNS (a.id AS a, x.c0 AS p, y.c1 AS q))",
      s"SELECT sum(p), max(q) $path COLUMNS (x.c0 AS p, y.c1 AS q))",
      s"SELECT a, p + 1 $path COLUMNS (a.id AS a, x.c0 AS p)) WHERE p > 4",
      s"SELECT a, count(*) $path WHERE x.c0 < y.c0 COLUMNS (a.id AS a, x.c2 AS r)) GROUP BY a, r",
      s"SELECT p, p2 $path COLUMNS (x.c0 AS p, x.c0 AS p2, b.id AS b)) WHERE p2 > 4 OR b = 3",
      "SELECT * FROM GRAPH_TABLE (transfers MATCH DIFFERENT EDGES (a)->(b)->(c)->(a))",
      s"SELECT * $path COLUMNS (a.id AS a, x.c0 AS p)) LIMIT 5")
    for (query <- queries) withClue(s"$query: ") {
      val expected = withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false") {
        val df = spark.sql(query)
        assert(!isGenerated(df) && wcoJoins(df).nonEmpty)
        df.collect().toSeq
      }
      val df = spark.sql(query)
      assert(isGenerated(df))
      if (query.contains("LIMIT")) assert(df.collect().length == 5) else checkAnswer(df, expected)
    }
  }

  for ((columns, expected) <- Seq(10 -> true, 63 -> true, 64 -> false, 97 -> false)) {
    test(s"no method is too long for HotSpot: $columns columns and a vertex") {
      val names = wide((columns + 1) / 2)
      val read = (names.map(n => s"x.$n AS x$n") ++ names.map(n => s"y.$n AS y$n")).take(columns)
      val from = s"$path COLUMNS (a.id AS a, ${read.mkString(", ")}))"
      for (query <- Seq(s"SELECT * $from", s"SELECT *, a + 1 AS b $from WHERE a > 3")) {
        val df = spark.sql(query)
        assert(isGenerated(df) == expected)
        if (expected) assert(longestMethod(df) < mostBytecodes * 2 / 3)
        val plain = withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false") {
          spark.sql(query).collect().toSeq
        }
        checkAnswer(df, plain)
      }
    }
  }
}
