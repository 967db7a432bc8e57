package io.wreath.spark.optimizer

import org.apache.spark.SparkConf
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SimpleMode
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.{DataFrame, Row}

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.logical._

/** Which joins that were not written as a pattern become one, and what is said of the others. */
class CyclicJoinsSuite extends WreathQueryTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf.set(WreathConf.REWRITE_JOINS.key, "true")

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.sql(
      "SELECT id % 40 AS src, (id * 7) % 41 AS dst, id AS w, CAST(id % 3 AS DOUBLE) AS d " +
        "FROM range(400)").write.parquet(file("e"))
    spark.read.parquet(file("e")).createOrReplaceTempView("e")
    edges("names", 1L -> 10L, 2L -> 20L)
  }

  private lazy val folder = java.nio.file.Files.createTempDirectory("cyclic-joins").toString

  private def file(name: String): String = s"$folder/$name"

  private val triangle =
    "e x JOIN e y ON x.dst = y.src JOIN e z ON z.src = x.src AND z.dst = y.dst"

  private def forced[T](body: => T): T =
    withSQLConf(WreathConf.JOIN_MODE.key -> "broadcast")(body)

  private def joinsOf(plan: LogicalPlan): Seq[WcoJoin] = plan.collect { case j: WcoJoin => j }

  private def joins(query: String): Seq[WcoJoin] =
    forced(joinsOf(spark.sql(query).queryExecution.optimizedPlan))

  private def checkSame(query: String): Unit = {
    val expected =
      withSQLConf(WreathConf.ENABLED.key -> "false")(spark.sql(query).collect().toSeq)
    forced(checkAnswer(spark.sql(query), expected))
  }

  private def explained(df: DataFrame): String = df.queryExecution.explainString(SimpleMode)

  test("a triangle in plain SQL is the pattern that MATCH makes, over the same index") {
    for (from <- Seq(
        triangle,
        "e x, e y, e z WHERE x.dst = y.src AND z.src = x.src AND z.dst = y.dst",
        s"(SELECT src, dst FROM e WHERE w >= 0) x JOIN e y ON x.dst = y.src " +
          "JOIN e z ON z.src = x.src AND z.dst = y.dst")) {
      val plain = joins(s"SELECT x.src, y.src, y.dst FROM $from").head
      val matched = joins("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(c), (a)->(c))").head
      assert(plain.patterns.head.atoms == matched.patterns.head.atoms)
      if (plain.patterns.head.predicates.isEmpty) {
        assert(plain.relations.map(_.canonicalized) == matched.relations.map(_.canonicalized))
      }
      checkSame(s"SELECT x.src, x.dst, y.dst, z.w FROM $from")
      assert(joins(s"SELECT count(*) FROM $from").head.goal.isInstanceOf[JoinGoal.Count])
    }
  }

  test("DataFrames too, through views and projections") {
    val e = spark.table("e")
    def df: DataFrame = e.as("x")
      .join(e.as("y"), col("x.dst") === col("y.src"))
      .join(e.as("z"), col("z.src") === col("x.src") && col("z.dst") === col("y.dst"))
      .select("x.src", "y.src", "y.dst")
    val expected = withSQLConf(WreathConf.ENABLED.key -> "false")(df.collect().toSeq)
    forced {
      assert(joinsOf(df.queryExecution.optimizedPlan).size == 1)
      checkAnswer(df, expected)
    }
  }

  test("what hangs off is joined to the pattern; two tables over two variables both take part") {
    val query = s"SELECT count(*), sum(n.dst) FROM $triangle JOIN names n ON n.src = y.src"
    assert(joins(query).map(_.patterns.head.atoms.size) == Seq(3))
    checkSame(query)
    val both = s"SELECT x.w, v.w FROM $triangle JOIN e v ON v.src = x.src AND v.dst = x.dst"
    assert(joins(both).map(_.patterns.head.atoms.size) == Seq(4))
    checkSame(both)
  }

  test("acyclic joins, and those by keys that are not indexed, stay as they are") {
    for (query <- Seq(
        "SELECT count(*) FROM e x JOIN e y ON x.dst = y.src JOIN e z ON y.dst = z.src",
        "SELECT count(*) FROM e x JOIN e y ON x.dst = y.src AND x.src = y.dst",
        s"SELECT count(*) FROM ${triangle.replace("dst", "d")}")) {
      def plan: (LogicalPlan, String) = {
        val execution = spark.sql(query).queryExecution
        (execution.optimizedPlan.canonicalized, normalized(execution.sparkPlan.toString))
      }
      val expected = withSQLConf(WreathConf.ENABLED.key -> "false")(plan)
      assert(forced(plan)._1 == expected._1)
      if (!query.contains("x.d ")) assert(forced(plan)._2 == expected._2)
    }
  }

  private def normalized(plan: String): String = plan.replaceAll("#\\d+L?|plan_id=\\d+", "#")

  test("a small cycle stays Spark's, and EXPLAIN says why") {
    val df = spark.sql(s"SELECT count(*) FROM $triangle")
    assert(explained(df).contains("WcoJoinDeclined its tables have only about"))
    assert(wcoJoins(df).isEmpty)
    for (setting <- Seq(
        WreathConf.JOIN_MODE.key -> "binary",
        WreathConf.REWRITE_JOINS.key -> "false",
        WreathConf.ENABLED.key -> "false")) withSQLConf(setting) {
      assert(!explained(spark.sql(s"SELECT count(*) FROM $triangle")).contains("WcoJoin"))
    }
  }

  test("hints ask for a pattern, or for none, and leave nothing behind") {
    def plan(hint: String): LogicalPlan =
      spark.sql(s"SELECT /*+ $hint */ x.src, z.w FROM $triangle").queryExecution.optimizedPlan
    val plain = spark.sql(s"SELECT x.src, z.w FROM $triangle").queryExecution.optimizedPlan
    assert(joinsOf(plan("WCO_JOIN")).size == 1)
    assert(JoinsWish.in(plan("WCO_JOIN")).isEmpty)
    assert(plan("NO_WCO_JOIN").canonicalized == plain.canonicalized)
    forced(assert(joinsOf(plan("NO_WCO_JOIN")).isEmpty))
    val expected = spark.sql(s"SELECT x.src, z.w FROM $triangle").collect().toSeq
    checkAnswer(spark.sql(s"SELECT /*+ WCO_JOIN(x) */ x.src, z.w FROM $triangle"), expected)
    assert(
      !explained(spark.sql(s"SELECT /*+ NO_WCO_JOIN */ count(*) FROM $triangle")).contains("Wco"))
  }

  test("a large graph's cycle pays, one with a seed or over keys does not") {
    spark.sql("SELECT id % 7001 AS src, (id * 31) % 7013 AS dst, id AS key, id + 1 AS next " +
      "FROM range(120000)").write.parquet(file("large"))
    spark.read.parquet(file("large")).createOrReplaceTempView("large")
    def plan(query: String): String = explained(spark.sql(query))
    val large = triangle.replace("e ", "large ")
    assert(plan(s"SELECT count(*) FROM $large").contains("BroadcastWcoJoin"))
    assert(!plan(s"SELECT count(*) FROM $large WHERE x.src = 5").contains("BroadcastWcoJoin"))
    for (n <- Seq("a", "b", "c")) {
      spark.read.parquet(file("large")).write.mode("overwrite").parquet(file(n))
      spark.read.parquet(file(n)).createOrReplaceTempView(s"large_$n")
    }
    assert(plan("SELECT count(*) FROM large_a x JOIN large_b y ON x.next = y.key " +
      "JOIN large_c z ON z.key = y.next AND z.next = x.key")
      .contains("WcoJoinDeclined joining two tables at a time"))
  }

  test("an index that does not fit leaves the joins, in every mode") {
    val query = s"SELECT x.src, count(*) FROM $triangle GROUP BY x.src"
    val expected =
      withSQLConf(WreathConf.ENABLED.key -> "false")(spark.sql(query).collect().toSeq)
    withSQLConf(
      WreathConf.INDEX_MAX_BYTES.key -> "10",
      WreathConf.INDEX_CACHE_ENABLED.key -> "false") {
      forced {
        val df = spark.sql(query)
        checkAnswer(df, expected)
        assert(explained(df).contains("BroadcastWcoJoin"))
      }
    }
  }

  test("what may raise an error is not asked of more rows than before") {
    edges("zero", 0L -> 1L, 1L -> 2L, 0L -> 2L, 2L -> 0L)
    val z = triangle.replace("e ", "zero ")
    checkSame(s"SELECT count(*) FROM $z WHERE x.src <> y.dst AND 10 / (x.src - y.dst) > -20")
    // The other table may be all that keeps the division from zero.
    assert(joins(
      s"SELECT count(*) FROM $z JOIN names n ON n.src = x.src AND 10 / x.dst > n.dst").isEmpty)
    assert(joins(
      s"SELECT count(*) FROM ${triangle.replace("e x", "(SELECT 1 / src AS src, dst FROM e) x")}")
      .isEmpty)
  }

  test("NULL joins nothing, equal rows are several") {
    spark.sql(
      "SELECT * FROM VALUES (1, 2), (1, 2), (2, 3), (1, 3), (NULL, 2), (3, NULL), (NULL, NULL) " +
        "AS t(src, dst)").createOrReplaceTempView("n")
    val n = triangle.replace("e ", "n ")
    forced(checkAnswer(
      spark.sql(s"SELECT x.src, y.src, z.dst FROM $n"),
      Seq.fill(2)(Row(1, 2, 3))))
  }
}
