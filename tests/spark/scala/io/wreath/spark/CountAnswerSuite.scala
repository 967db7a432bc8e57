package io.wreath.spark

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.index.CsrIndexCache

/** Every number that is counted without going through the rows is that of Spark's own joins. */
class CountAnswerSuite extends AnswerGrid {

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")

  private val both = simple ++ simple.map(_.swap) ++ Seq(1L -> 5L, 5L -> 1L, 2L -> 5L, 5L -> 2L)

  test("patterns that are counted by closed forms: the numbers of Spark's joins") {
    val withoutLoops = both.distinct.filter { case (a, b) => a != b }
    for ((graph, g) <- Seq(withoutLoops, both.distinct, both, simple).zipWithIndex) {
      edges("e", graph: _*)
      val patterns = Seq(
        "(a)->(b), (a)->(c), (b)->(c), (a)->(d), (b)->(d) WHERE a < b AND c < d",
        "(a)->(b)->(c)->(d)->(a) WHERE a < b AND a < c AND a < d AND b < d",
        "(a)->(b)->(c), (a)->(d)->(c) WHERE b <> d AND a <> c",
        "(a)->(b)->(c)->(d)->(a), (a)->(f), (b)->(f) WHERE a < b AND c <> a AND d <> b " +
          "AND f <> c AND f <> d",
        "(a)->(b)->(c)->(d)->(a), (d)->(f), (c)->(f) WHERE c <> a AND d <> b " +
          "AND f <> a AND f <> b",
        "(a)->(b), (a)->(c), (a)->(d) WHERE b <> c AND b <= d",
        "(a)->(b)->(c), (a)->(d), (d)->(c), (a)->(f), (f)->(c) WHERE b < d AND d < f AND a < c")
      for ((pattern, i) <- patterns.zipWithIndex if isSoak || (i + g) % 2 == 0) {
        val from = s"FROM GRAPH_TABLE (e MATCH $pattern)"
        // Small graphs are enumerated, unless that is forbidden.
        for (setting <- Seq("auto", "eliminate"))
          withSQLConf(WreathConf.JOIN_COUNTING.key -> setting)(
            checkSameRows(s"SELECT count(*) $from", aqe = Seq(true)))
        val grouped = Seq(
          s"SELECT a, count(*) $from GROUP BY a",
          s"SELECT a, c, count(*) $from GROUP BY a, c",
          s"SELECT DISTINCT c $from")
        checkSameRows(grouped(i % 3), aqe = Seq(true))
      }
    }
  }

  private def explained(query: String): String = {
    val df = spark.sql(query)
    df.collect()
    df.queryExecution.executedPlan.toString
  }

  test("patterns that are counted by elimination: the numbers of Spark's joins") {
    val withoutLoops = both.distinct.filter { case (a, b) => a != b }
    val patterns = Seq(
      "(a)->(b)->(c)->(d)->(f)->(a) WHERE a <> c AND a <> d AND b <> d AND b <> f AND c <> f",
      "(a)->(b)->(c)->(a), (a)->(d)->(f)->(a) WHERE b <> d AND b <> f AND c <> d AND c <> f",
      "(a)->(b)->(c)->(d)->(a), (a)->(f), (b)->(f) WHERE a < b AND c <> a AND d <> b " +
        "AND f <> c AND f <> d AND f % 2 = 0",
      "(a)->(b)->(c), (a)->(d)->(c), (a)->(f)->(c) WHERE b < d AND d < f AND a < c",
      "(a)->(b)->(c)->(d)->(a), (c)->(f) WHERE a > 1 AND f <= 4 AND a <> f",
      "(a)->(b)->(c)->(d)->(a), (a)->(c), (b)->(d), (d)->(f) WHERE a <> f AND b % 2 = 0",
      "(a)->(b)->(c)->(d)->(a), (c)->(f) WHERE b < d AND a < f",
      "(a)<-(b)->(c)<-(d)->(a), (c)->(c) WHERE a <> c AND b <> d")
    for {
      (graph, g) <- Seq(withoutLoops, both.distinct, both, simple).zipWithIndex
      (pattern, i) <- patterns.zipWithIndex if isSoak || (i + g) % 2 == 0
    } {
      edges("e", graph: _*)
      val query = s"SELECT count(*) FROM GRAPH_TABLE (e MATCH $pattern)"
      withSQLConf(WreathConf.JOIN_COUNTING.key -> "eliminate") {
        checkSameRows(query, aqe = Seq(true))
        assert(explained(query).contains(", by elimination: "), pattern)
        for (groups <- Seq("c", "c, a")) {
          val grouped =
            s"SELECT $groups, count(*) FROM GRAPH_TABLE (e MATCH $pattern) GROUP BY $groups"
          checkSameRows(grouped, aqe = Seq(true))
          assert(explained(grouped).contains(", by elimination: "), pattern)
        }
      }
    }
  }

  test("numbers of each vertex, with vertices by degree: the numbers of Spark's joins") {
    // A few vertices have many neighbours; ids say nothing of that.
    val ring = (0L until 24L).map(v => (v * 7 % 24, (v * 7 + 7) % 24))
    val hubs = Seq(3L, 11L).flatMap(h => (0L until 24L by 2).filter(_ != h).map(v => (h, v)))
    val all = (ring ++ hubs).distinct
    edges("hubs", (all ++ all.map(_.swap)).distinct: _*)
    val patterns = Seq(
      "(a)->(b)->(c)->(d)->(a)",
      "(a)->(b)->(c)->(d)->(f)->(a) WHERE a <> c AND a <> d AND b <> d AND b <> f AND c <> f",
      "(a)->(b)->(c)->(d)->(a), (a)->(f)->(b) WHERE f % 2 = 0 AND a > 3",
      "(b)->(c)->(a)->(b), (a)->(d)")
    withSQLConf(WreathConf.JOIN_COUNTING.key -> "eliminate") {
      for (p <- patterns) {
        val query = s"SELECT a, count(*) FROM GRAPH_TABLE (hubs MATCH $p) GROUP BY a"
        checkSameRows(query, aqe = Seq(true))
        assert(explained(query).contains("vertices by degree"), p)
      }
    }
  }

  test("a setting forces or forbids elimination, and EXPLAIN says why it was not done") {
    edges("e", both.distinct.filter { case (a, b) => a != b }: _*)
    def count(pattern: String): String = s"SELECT count(*) FROM GRAPH_TABLE (e MATCH $pattern)"
    val bowTie = count("(a)->(b)->(c)->(a), (a)->(d)->(f)->(a)")
    def text(setting: String, query: String): String =
      withSQLConf(WreathConf.JOIN_COUNTING.key -> setting)(explained(query))
    CsrIndexCache.of(spark.sparkContext).clear()
    for (triangles <- Seq("made", "found"))
      assert(text("eliminate", bowTie).contains(
        s"by elimination: b into (a)-(c) (14 $triangles), c into (a) (5 made), "))
    assert(!text("enumerate", bowTie).contains("elimination"))
    assert(text("auto", bowTie).contains("not by elimination: enumeration costs "))
    val byVertex =
      "SELECT a, count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c)->(d)->(a)) GROUP BY a"
    assert(text("eliminate", byVertex).contains("counted by a, by elimination: core a, b, c, d"))
    val clique = count("(a)->(b)->(c)->(d)->(a), (a)->(c), (b)->(d)")
    assert(text(
      "eliminate",
      clique).contains(
      "by elimination: b into (a) (5 made), c into (a) (5 made), d into (a) (5 made), a,"))
    val byOrder = count("(a)->(b)->(c)->(d)->(a) WHERE a < b AND c % 2 = 0")
    assert(text("eliminate", byOrder).contains("by elimination: core a, b, c, d"))
    val byThree =
      "SELECT a, b, c, count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c)->(d)->(a)) GROUP BY a, b, c"
    assert(text("eliminate", byThree).contains(
      "not by elimination: it has more than two groups"))
  }

  test("where any order of the vertices gives the same number, they are taken by degree") {
    edges("e", both.distinct.filter { case (a, b) => a != b }: _*)
    def isByDegree(query: String): Boolean = {
      val df = spark.sql(query)
      df.collect()
      df.queryExecution.executedPlan.toString.contains("vertices by degree")
    }
    val diamond = "(a)->(b), (a)->(c), (b)->(c), (a)->(d), (b)->(d)"
    def count(where: String): String =
      s"SELECT count(*) FROM GRAPH_TABLE (e MATCH $diamond WHERE $where)"
    assert(isByDegree(count("a < b AND c < d")))
    assert(!isByDegree(count("a < c AND c < d")))
    assert(!isByDegree(count("a < b AND c < d AND a > 1")))
    assert(!isByDegree(count("a < b AND c < d AND a + b > 3")))
    assert(!isByDegree(
      s"SELECT a, count(*) FROM GRAPH_TABLE (e MATCH $diamond WHERE a < b AND c < d) GROUP BY a"))
    edges("e", both: _*)
    assert(!isByDegree(count("a < b AND c < d")))
  }

  test("a copy by degree shows in SHOW GRAPH INDEXES, and is not made where it has no room") {
    edges("copied", both.distinct.filter { case (a, b) => a != b }: _*)
    val diamond = "(a)->(b), (a)->(c), (b)->(c), (a)->(d), (b)->(d)"
    def run(): Boolean = {
      val df = spark.sql(
        s"SELECT count(*) FROM GRAPH_TABLE (copied MATCH $diamond WHERE a < b AND c < d)")
      df.collect()
      df.queryExecution.executedPlan.toString.contains("vertices by degree")
    }
    def bytes: Long = CsrIndexCache.of(spark.sparkContext).sizeInBytes
    CsrIndexCache.of(spark.sparkContext).clear()
    spark.sql("CACHE GRAPH INDEX copied").collect()
    val own = bytes
    withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> (own + 1).toString)(assert(!run()))
    assert(bytes == own)
    assert(run())
    val withCopy = bytes
    assert(withCopy > own && withCopy <= 2 * own)
    assert(run())
    assert(bytes == withCopy)
  }

  private def sizes: Map[String, Long] =
    CsrIndexCache.of(spark.sparkContext).list.map { case (i, _) => i.name -> i.bytes }.toMap

  test("copies with edges read both ways show, are kept where they have room, and go with their index") {
    edges("both_ways", simple: _*)
    CsrIndexCache.of(spark.sparkContext).clear()
    def count(): Long =
      spark.sql(
        "SELECT count(*) FROM GRAPH_TABLE (both_ways MATCH (a)-[]-(b)-[]-(c))").head().getLong(0)
    spark.sql("CACHE GRAPH INDEX both_ways").collect()
    val own = sizes
    val expected =
      withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> (own.values.sum + 8).toString)(count())
    // Kept by nobody, and the index stays.
    assert(sizes == own)
    assert(count() == expected)
    val shown = spark.sql("SHOW GRAPH INDEXES").select("bytes").head().getLong(0)
    assert(shown > own.values.sum && shown == sizes.values.sum)
    assert(count() == expected && sizes.values.sum == shown)
    spark.sql("UNCACHE GRAPH INDEX both_ways")
    spark.sql("CACHE GRAPH INDEX both_ways").collect()
    assert(sizes == own)
  }

  test("copies over the codes of two tables show with the index that was translated") {
    edges("low_codes", 1L -> 2L, 2L -> 3L, 3L -> 1L)
    edges("high_codes", 2L -> 5L, 5L -> 9L, 9L -> 2L)
    CsrIndexCache.of(spark.sparkContext).clear()
    Seq("low_codes", "high_codes").foreach(t => spark.sql(s"CACHE GRAPH INDEX $t").collect())
    def ofEdges: Seq[Long] = CsrIndexCache.of(spark.sparkContext).list.collect {
      case (i, _) if i.name != "Range" => i.bytes
    }
    val own = ofEdges
    spark.range(10).createOrReplaceTempView("ten")
    val graph = "WITH g AS PROPERTY GRAPH (VERTEX TABLES (ten AS v KEY (id)) " +
      "EDGE TABLES (low_codes AS l SOURCE KEY (src) REFERENCES v (id) DESTINATION KEY (dst) REFERENCES v (id), " +
      "high_codes AS h SOURCE KEY (src) REFERENCES v (id) DESTINATION KEY (dst) REFERENCES v (id)))"
    val rows = spark.sql(
      s"$graph SELECT * FROM GRAPH_TABLE (g MATCH (a)-[IS l]->(b)-[IS h]->(c))").collect()
    assert(rows.length == 1)
    assert(own.size == 2 && ofEdges.size == 2 && ofEdges.sum > own.sum, s"$own, $ofEdges")
  }

  test("groups by what belongs to a vertex: the numbers of Spark's joins") {
    edges("e", duplicates: _*)
    spark.sql("SELECT * FROM VALUES (1L, 'x'), (2L, 'y'), (3L, 'x'), (4L, NULL) AS t(id, name)")
      .createOrReplaceTempView("v")
    val graph =
      "WITH g AS PROPERTY GRAPH (VERTEX TABLES (v KEY (id) LABEL v PROPERTIES (id, name)) " +
        "EDGE TABLES (e KEY (src, dst) SOURCE KEY (src) REFERENCES v (id) " +
        "DESTINATION KEY (dst) REFERENCES v (id) LABEL e))"
    val from = "GRAPH_TABLE (g MATCH (a)->(b)->(c) COLUMNS (a.name AS name, b.id AS b))"
    checkSameRows(s"$graph SELECT name, count(*) FROM $from GROUP BY name")
    checkSameRows(s"$graph SELECT upper(name), b, count(*) FROM $from GROUP BY upper(name), b")
    checkSameRows(s"$graph SELECT DISTINCT name FROM $from")
  }

  test("the number of rows is 0, not NULL, where there are none") {
    edges("e", 1L -> 2L)
    checkSameRows("SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))")
    // No vertex to start from, so that there is no task.
    edges("e", simple: _*)
    val from = "FROM GRAPH_TABLE (e MATCH (a)->(b)->(c) WHERE a % 1000 = 999)"
    checkAnswer(spark.sql(s"SELECT count(*) $from"), Row(0L))
    checkAnswer(spark.sql(s"SELECT b, count(*) $from GROUP BY b"), Nil)
    checkAnswer(spark.sql(s"SELECT a, b $from"), Nil)
  }
}
