package io.wreath.spark

import scala.util.Random

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

/**
 * Numbers of rows where edges are parallel: held to rows that are put together one by one in plain
 * Scala, and beyond what could be gone through.
 */
class ParallelEdgesSuite extends WreathQueryTest {

  /** An edge of a pattern between two variables. */
  private case class Step(from: Int, to: Int, isDirected: Boolean)

  private def text(steps: Seq[Step]): String =
    steps.map(s => s"(v${s.from})${if (s.isDirected) "->" else "-[]-"}(v${s.to})").mkString(", ")

  /** Bindings of the variables, each as often as there are rows for it. */
  private def oracle(rows: Seq[(Long, Long)], steps: Seq[Step]): Seq[Map[Int, Long]] = {
    def go(left: Seq[Step], used: Set[Int], binding: Map[Int, Long]): Seq[Map[Int, Long]] =
      if (left.isEmpty) Seq(binding)
      else {
        val step = left.head
        for {
          i <- rows.indices if !used(i)
          (s, t) = rows(i)
          (from, to) <- if (step.isDirected || s == t) Seq((s, t)) else Seq((s, t), (t, s))
          if binding.getOrElse(step.from, from) == from
          bound = binding + (step.from -> from)
          if bound.getOrElse(step.to, to) == to
          found <- go(left.tail, used + i, bound + (step.to -> to))
        } yield found
      }
    go(steps, Set.empty, Map.empty)
  }

  test("DIFFERENT EDGES over parallel edges: numbers of the rows that can be put together") {
    val r = new Random(14)
    val queries = if (sys.env.get("WREATH_SOAK").contains("1")) 200 else 8
    (0 until queries).foreach { _ =>
      val rows = Seq.fill(5 + r.nextInt(5))((r.nextInt(3).toLong, r.nextInt(3).toLong))
      edges("e", rows: _*)
      val steps = Seq.tabulate(2 + r.nextInt(3)) { i =>
        Step(math.max(0, i - r.nextInt(2)), r.nextInt(2) + i, r.nextInt(3) > 0)
      }
      val from = s"FROM GRAPH_TABLE (e MATCH DIFFERENT EDGES ${text(steps)})"
      val expected = oracle(rows, steps)
      withClue(s"$rows, $from: ") {
        assert(spark.sql(s"SELECT count(*) $from").head() == Row(expected.size.toLong))
        val groups = expected.groupMapReduce(_(steps.head.from))(_ => 1L)(_ + _)
        val v = s"v${steps.head.from}"
        assert(
          spark.sql(s"SELECT $v, count(*) $from GROUP BY $v").collect().toSet ==
            groups.map { case (k, n) => Row(k, n) }.toSet)
        assert(
          spark.sql(s"SELECT DISTINCT $v $from").collect().toSet == groups.keySet.map(Row(_)))
      }
    }
  }

  private val many = 1L << 16

  private def loops(): Unit =
    spark.range(many).selectExpr("1L AS src", "1L AS dst").createOrReplaceTempView("loops")

  private def head(query: String): Row = spark.sql(query).head()

  test("thousands of parallel loops are counted by closed forms") {
    loops()
    val directed = "(a)-[]->(b)-[]->(c)-[]->(d)"
    val undirected = "(a)-[]-(b)-[]-(c)-[]-(d)"
    val all = many * many * many
    val different = many * (many - 1) * (many - 2)
    for ((mode, n) <- Seq("" -> all, "DIFFERENT EDGES " -> different)) {
      for (path <- Seq(directed, undirected)) {
        val from = s"FROM GRAPH_TABLE (loops MATCH $mode$path)"
        assert(head(s"SELECT count(*) $from") == Row(n))
        assert(head(s"SELECT a, count(*) $from GROUP BY a") == Row(1L, n))
        assert(head(s"SELECT DISTINCT a $from") == Row(1L))
      }
    }
  }

  private def conditionsOf(e: Throwable): Seq[String] =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).collect { case s: SparkThrowable =>
      s.getCondition
    }.toSeq

  test("a number of rows beyond a BIGINT is an overflow by Spark's name") {
    loops()
    for (ansi <- Seq("true", "false"); mode <- Seq("", "DIFFERENT EDGES ")) {
      withSQLConf(SQLConf.ANSI_ENABLED.key -> ansi) {
        val from = s"FROM GRAPH_TABLE (loops MATCH $mode(a)->(b)->(c)->(d)->(f)->(g))"
        for (query <- Seq(s"SELECT count(*) $from", s"SELECT a, count(*) $from GROUP BY a")) {
          val error = intercept[Exception](spark.sql(query).collect())
          assert(conditionsOf(error).contains("ARITHMETIC_OVERFLOW"), query)
        }
      }
    }
  }

  test("a LIMIT, EXISTS and DISTINCT count nothing, and cannot overflow") {
    loops()
    for {
      generated <- Seq("true", "false")
      mode <- Seq("", "DIFFERENT EDGES ")
    } withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated) {
      val path = s"GRAPH_TABLE (loops MATCH $mode(a)->(b)->(c)->(d)->(f)->(g))"
      assert(spark.sql(s"SELECT * FROM $path LIMIT 3").collect().length == 3)
      assert(spark.sql(s"SELECT a + g FROM $path LIMIT 3").collect().toSet == Set(Row(2L)))
      assert(head(s"SELECT 1 WHERE EXISTS (SELECT * FROM $path)") == Row(1))
      assert(head(s"SELECT DISTINCT a, c FROM $path") == Row(1L, 1L))
      assert(head(s"SELECT DISTINCT 7 FROM $path") == Row(7))
      assert(spark.sql(
        s"SELECT src FROM loops WHERE EXISTS (SELECT * FROM $path WHERE a = src) LIMIT 2")
        .collect().length == 2)
    }
  }

  test("EXISTS { … } stops at the first row, whatever comes after it, and cannot overflow") {
    loops()
    val tail = "(b)->(c)->(d)->(f)->(g)->(h)"
    for {
      generated <- Seq("true", "false")
      mode <- Seq("", "DIFFERENT EDGES ")
    } withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated) {
      def found(condition: String): Row =
        head(s"SELECT count(*) FROM GRAPH_TABLE (loops MATCH (a)->(b) WHERE $condition)")
      assert(found(s"EXISTS { $mode$tail }") == Row(many))
      assert(found(s"NOT EXISTS { $mode$tail }") == Row(0L))
      assert(found(s"EXISTS { $mode$tail WHERE h = a }") == Row(many))
      assert(found(s"EXISTS { $mode(b)->{3,5}(h) }") == Row(many))
      assert(found(s"EXISTS { $mode(c)->(d)->(f)->(g)->(h) }") == Row(many))
      assert(found(s"a = 7 OR EXISTS { $mode$tail }") == Row(many))
      assert(head("SELECT DISTINCT x FROM GRAPH_TABLE (loops MATCH (a)->(b) " +
        s"COLUMNS (EXISTS { $mode$tail } AS x))") == Row(true))
    }
    // All of it is bound outside.
    assert(head("SELECT count(*) FROM GRAPH_TABLE (loops MATCH (a)->(b) " +
      "WHERE EXISTS { (a)->(b)->(a)->(b)->(a)->(b) })") == Row(many))
  }

  test("EXISTS { … } that compares its own edge with the outer one makes no row for each parallel edge") {
    spark.range(many).selectExpr("1L AS src", "1L AS dst", "id AS w")
      .createOrReplaceTempView("loops")
    val tail = "(b)->(c)-[y]->(d)->(f)->(g)->(h)"
    for (on <- Seq("true", "false"))
      withSQLConf(
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> on,
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> on) {
        for (path <- Seq("(b)-[y]->(c)", "(b)->(c)-[y]->(d), (b)->(d), (c)->(d)", tail)) {
          def found(condition: String): Row =
            head(s"SELECT count(*) FROM GRAPH_TABLE (loops MATCH (a)-[x]->(b) WHERE $condition)")
          // One place for all, so that each outer row has few to be compared with.
          val last = s"y.w >= ${many - 2} AND y.w > x.w"
          assert(found(s"EXISTS { $path WHERE $last }") == Row(many - 1))
          assert(found(s"NOT EXISTS { $path WHERE $last }") == Row(1L))
        }
      }
  }

  test("a condition from outside on an end of undirected edges that differ") {
    edges("e", 3L -> 1L, 1L -> 3L, 0L -> 2L)
    val path = "GRAPH_TABLE (e MATCH DIFFERENT EDGES (a)-[]-(b)-[]-(c))"
    for {
      conf <- Seq(
        WreathConf.JOIN_MODE.key -> "auto",
        WreathConf.JOIN_MODE.key -> "binary",
        WreathConf.ENABLED.key -> "false")
      (condition, expected) <- Seq("a > 1" -> Seq(3L, 3L), "b > 1" -> Seq(1L, 1L))
    } withSQLConf(conf) {
      val rows = spark.sql(s"SELECT a FROM $path WHERE $condition").collect().toSeq
      assert(rows == expected.map(Row(_)), s"$conf, $condition")
    }
  }

  test("a condition on parallel edges reads edges and vertices that have one row, and are not returned") {
    val session = spark
    import session.implicits._
    val r = new Random(29)
    val queries = if (sys.env.get("WREATH_SOAK").contains("1")) 200 else 6
    for (i <- 0 until queries) {
      def rows(count: Int) =
        Seq.fill(count)((r.nextInt(3).toLong, r.nextInt(3).toLong, r.nextInt(4)))
      val many = rows(9)
      val single = rows(7).distinctBy(e => (e._1, e._2))
      val people = (0L until 3L).map(id => (id, r.nextInt(4)))
      many.toDF("src", "dst", "w").createOrReplaceTempView("many")
      single.toDF("src", "dst", "w").createOrReplaceTempView("single")
      people.toDF("id", "n").createOrReplaceTempView("people")
      val graph =
        "WITH g AS PROPERTY GRAPH (VERTEX TABLES (people KEY (id) PROPERTIES (id, n)) EDGE TABLES (" +
          Seq("many", "single").map(t =>
            s"$t KEY (src, dst, w) SOURCE KEY (src) REFERENCES people (id) " +
              s"DESTINATION KEY (dst) REFERENCES people (id) LABEL $t PROPERTIES (w)").mkString(
            ", ") + "))"
      val from = "FROM GRAPH_TABLE (g MATCH (a)-[x IS many]->(b)-[y IS single]->(c) " +
        "WHERE x.w > 2 OR y.w > 2 OR x.w = c.n COLUMNS (a.id AS a, c.id AS c))"
      val expected = for {
        (a, b, x) <- many
        (from, c, y) <- single if from == b
        if x > 2 || y > 2 || x == people(c.toInt)._2
      } yield Row(a, c)
      withClue(s"$many, $single, $people: ") {
        withSQLConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> (i % 2 == 0).toString) {
          checkAnswer(spark.sql(s"$graph SELECT * $from"), expected)
          checkAnswer(
            spark.sql(s"$graph SELECT count(*) $from"),
            Row(expected.size.toLong))
          checkAnswer(
            spark.sql(s"$graph SELECT a, count(*) $from GROUP BY a"),
            expected.groupMapReduce(_.getLong(0))(_ => 1L)(_ + _).map { case (a, n) => Row(a, n) }
              .toSeq)
        }
      }
    }
  }
}
