package io.wreath.spark.paths

import scala.collection.mutable
import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.api.Graph
import io.wreath.spark.execution.paths.PathSearchExec

/** GRAPH_SHORTEST_PATHS and GRAPH_REACHABLE, and the methods that call them. */
class PathCallSuite extends WreathQueryTest {

  private type Edges = Seq[(Int, Int, Int)]

  private def neighbours(edges: Edges, direction: String): Map[Int, Seq[(Int, Int)]] = {
    val out = if (direction == "in") Nil else edges.map { case (s, d, w) => (s, d, w) }
    val in = if (direction == "out") Nil else edges.map { case (s, d, w) => (d, s, w) }
    (out ++ in).groupMap(_._1)(e => (e._2, e._3))
  }

  /** Bellman and Ford: costs that get lower until none does; with costs of 1, numbers of steps. */
  private def distances(next: Map[Int, Seq[(Int, Int)]], source: Int): Map[Int, Int] = {
    val known = mutable.Map(source -> 0)
    var isChanging = true
    while (isChanging) {
      isChanging = false
      for {
        (v, here) <- known.toSeq
        (w, cost) <- next.getOrElse(v, Nil) if here + cost < known.getOrElse(w, Int.MaxValue)
      } {
        known(w) = here + cost
        isChanging = true
      }
    }
    known.toMap
  }

  private def rows(df: DataFrame): Set[Seq[Any]] = {
    val all = df.collect().map(_.toSeq)
    assert(all.distinct.length == all.length, "a row stands twice")
    all.toSet
  }

  for (hasPeople <- Seq(false, true))
    test("random graphs" + (if (hasPeople) " with vertices" else "")) {
      val session = spark
      import session.implicits._
      val random = new Random(if (hasPeople) 3 else 4)
      for (round <- 1 to 2) {
        val all = Seq.fill(30)((random.nextInt(16), random.nextInt(16), 1 + random.nextInt(9)))
        val people = if (hasPeople)
          Some((0 until 16).filter(_ => random.nextInt(5) > 0).toSet + 77)
        else None
        all.map { case (s, d, w) => (Option(s), Option(d), w) }.:+((Some(3), None, 1))
          .toDF("src", "dst", "w").createOrReplaceTempView("e")
        people.foreach(_.toSeq.toDF("id").createOrReplaceTempView("v"))
        val and = people.fold("")(_ => ", vertices => TABLE v")
        val edges = all.filter(e => people.forall(p => p(e._1) && p(e._2)))
        val ids = people.getOrElse(edges.flatMap(e => Seq(e._1, e._2)).toSet)
        val named = Seq(0, 3, 77, 5, 1000)
        named.toDF("x").createOrReplaceTempView("s")
        Seq(1, 2, 3, 77).toDF("x").createOrReplaceTempView("t")
        for (direction <- Seq("out", "in", "both")) withClue(s"$round, $direction: ") {
          val next = neighbours(edges, direction)
          val ones = next.map { case (v, n) => v -> n.map(e => (e._1, 1)) }
          val adaptive = random.nextBoolean().toString
          withSQLConf("spark.sql.adaptive.enabled" -> adaptive) {
            val from = s"TABLE e, direction => '$direction'$and"
            def steps(s: Int): Map[Int, Int] = distances(ones, s)
            val far = for (s <- named if ids(s); (t, d) <- steps(s)) yield Seq[Any](s, t, d)
            assert(rows(spark.sql(
              s"SELECT * FROM GRAPH_SHORTEST_PATHS($from, sources => TABLE s)")) == far.toSet)
            val near = far.filter(_(2).asInstanceOf[Int] <= 2)
            assert(rows(spark.sql(
              s"SELECT * FROM GRAPH_SHORTEST_PATHS($from, sources => TABLE s, max_hops => 2)")) == near.toSet)
            val some = Set[Any](1, 2, 3, 77)
            assert(rows(spark.sql(
              s"SELECT * FROM GRAPH_SHORTEST_PATHS($from, sources => TABLE s, targets => TABLE t)")) ==
              far.filter(r => some(r(1))).toSet)
            val cheap =
              for (s <- ids; (t, d) <- distances(next, s)) yield Seq[Any](s, t, d.toLong)
            assert(rows(spark.sql(
              s"SELECT * FROM GRAPH_SHORTEST_PATHS($from, cost => w)")) == cheap)
            assert(rows(spark.sql(
              s"SELECT * FROM GRAPH_SHORTEST_PATHS($from, targets => TABLE t, cost => w)")) ==
              cheap.filter(r => some(r(1))))
            assert(rows(spark.sql(s"SELECT * FROM GRAPH_SHORTEST_PATHS($from, cost => 'w / 2', " +
              "pairs => TABLE (SELECT s.x, t.x FROM s, t))")) ==
              cheap.filter(r => some(r(1)) && named.contains(r(0)))
                .map(r => Seq[Any](r(0), r(1), r(2).asInstanceOf[Long] / 2.0)))
            for (hops <- Seq(1, 3, 16)) {
              val reached = for {
                s <- ids
                t <- (2 to hops).foldLeft(ones.getOrElse(s, Nil).map(_._1).toSet) { (r, _) =>
                  r ++ r.flatMap(v => ones.getOrElse(v, Nil).map(_._1))
                }
              } yield Seq[Any](s, t)
              assert(rows(spark.sql(
                s"SELECT * FROM GRAPH_REACHABLE($from, hops => $hops)")) == reached)
              assert(rows(spark.sql(
                s"SELECT * FROM GRAPH_REACHABLE($from, hops => $hops, sources => TABLE s)")) ==
                reached.filter(r => named.contains(r(0))))
            }
            val g = Graph(spark.table("e"), people.map(_ => spark.table("v")).orNull)
            val paths =
              g.shortest_paths(Seq(0, 3, 77, 1000, 0), direction = direction, with_path = true)
            val walked = rows(paths)
            assert(walked.map(_.take(3)) == far.filter(_(0) != 5).toSet)
            walked.foreach { r =>
              val path = r(3).asInstanceOf[scala.collection.Seq[Int]]
              assert(
                path.size == r(2).asInstanceOf[Int] + 1 && path.head == r(0) && path.last == r(1))
              path.zip(path.tail).foreach { case (v, w) => assert(ones(v).exists(_._1 == w)) }
            }
            assert(rows(g.reachable(spark.table("s"), direction = direction)) ==
              rows(spark.sql(s"SELECT * FROM GRAPH_REACHABLE($from, sources => TABLE s)")))
          }
        }
      }
    }

  private def searches(df: DataFrame): Seq[PathSearchExec] =
    collect(df.queryExecution.executedPlan: SparkPlan) { case p: PathSearchExec => p }

  private val chainLength = 100000

  private def chain(): Unit =
    spark.range(chainLength).selectExpr(
      "id AS src",
      "id + 1 AS dst").createOrReplaceTempView("chain")

  test("a chain of 100,000 vertices") {
    chain()
    val from = "TABLE chain, sources => TABLE (SELECT * FROM VALUES (0), (99990) AS t(x))"
    val far = spark.sql(s"SELECT max(distance), count(*) FROM GRAPH_SHORTEST_PATHS($from)").head()
    assert(far.getInt(0) == chainLength && far.getLong(1) == chainLength + 1 + 11)
    val path = spark.sql(
      s"SELECT distance, size(path), path[77777], path[100000] FROM GRAPH_SHORTEST_PATHS($from, " +
        "targets => TABLE (SELECT 100000L), with_path => true) WHERE source = 0").head()
    assert(path.toSeq == Seq(chainLength, chainLength + 1, 77777L, 100000L))
    val cost = spark.sql(
      s"SELECT max(distance) FROM GRAPH_SHORTEST_PATHS($from, cost => 0.5D)").head()
    assert(cost.getDouble(0) == chainLength / 2.0)
  }

  test("a LIMIT ends the search, and so does who cancels it") {
    chain()
    // All of it were five billion rows.
    val all = "SELECT * FROM GRAPH_REACHABLE(TABLE chain)"
    assert(spark.sql(s"$all LIMIT 7").collect().length == 7)
    assert(
      spark.sql(s"SELECT * FROM ($all) WHERE target > source + 2 LIMIT 3").collect().length == 3)
    val group = "cancelled path"
    @volatile var failed: Option[Throwable] = None
    val asking = new Thread(() => {
      spark.sparkContext.setJobGroup(group, "", interruptOnCancel = false)
      try { spark.sql(s"SELECT sum(target) FROM ($all)").collect(): Unit }
      catch { case e: Throwable => failed = Some(e) }
    })
    asking.start()
    while (activeTasks(group) == 0 && asking.isAlive) Thread.sleep(10)
    spark.sparkContext.cancelJobGroup(group)
    asking.join(60000)
    assert(!asking.isAlive && failed.isDefined)
    while (activeTasks(group) > 0) Thread.sleep(10)
  }

  test("searches stand wherever a table may, and share the index of patterns") {
    withTempDir { dir =>
      spark.range(100).selectExpr("id AS src", "(id * 7 + 1) % 100 AS dst", "id + 1 AS w")
        .write.mode("overwrite").parquet(s"$dir/e")
      spark.read.parquet(s"$dir/e").createOrReplaceTempView("e")
      def hits: Seq[Long] = spark.sql("SHOW GRAPH INDEXES").collect()
        .filter(_.getAs[String]("relation").contains(dir.getName))
        .map(_.getAs[Long]("hits")).toSeq
      assert(
        wcoJoins(spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)-[]->(b)-[]->(a))")).size == 1)
      assert(hits == Seq(0L))
      val reach = "SELECT * FROM GRAPH_REACHABLE(TABLE e, sources => TABLE (SELECT 1L))"
      val count = spark.sql(s"SELECT count(*) FROM ($reach)").head().getLong(0)
      assert(hits == Seq(1L))
      assert(spark.sql(
        s"WITH r AS ($reach) SELECT count(*) FROM r AS x JOIN r AS y ON x.target = y.target").head().getLong(
        0) == count)
      assert(spark.sql(
        s"SELECT count(*) FROM e WHERE src IN (SELECT target FROM ($reach))").head().getLong(
        0) == count)
      spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW r AS $reach")
      assert(spark.sql(
        "SELECT * FROM r UNION ALL SELECT * FROM r").count() == 2 * count)
      assert(spark.sql(
        "SELECT count(*) FROM r AS a, r AS b WHERE a.target < b.target").head().getLong(0) ==
        count * (count - 1) / 2)
      // A child that is shuffled, and rows of a stage of AQE's.
      val shuffled = spark.sql(
        "SELECT count(*), sum(distance) FROM GRAPH_SHORTEST_PATHS(TABLE e, sources => " +
          "TABLE (SELECT dst FROM e GROUP BY dst HAVING sum(w) > 0))").head()
      val whole =
        spark.sql("SELECT count(*), sum(distance) FROM GRAPH_SHORTEST_PATHS(TABLE e) WHERE source IN (SELECT dst FROM e)").head()
      assert(shuffled == whole)
    }
  }

  test("conditions on where paths begin are asked before paths are searched for") {
    edges("e", (1, 2), (2, 3), (3, 1), (7, 8))
    val df = spark.sql(
      "SELECT * FROM GRAPH_SHORTEST_PATHS(TABLE e) WHERE source = 2 AND target > 1 AND distance < 9")
    assert(rows(df) == Set(Seq[Any](2L, 2L, 0), Seq[Any](2L, 3L, 1)))
    assert(searches(df).head.metrics("numSources").value == 1)
  }

  test("sources and pairs are made distinct where they are needed, by one shuffle") {
    spark.range(200000).selectExpr("id % 500 AS src", "(id + 1) % 500 AS dst")
      .createOrReplaceTempView("e")
    spark.range(0, 100, 1, 2).selectExpr("id % 9 AS a", "id % 7 AS b").createOrReplaceTempView(
      "few")
    spark.range(0, 900000, 1, 2).selectExpr("id % 9 AS a", "id % 7 AS b").createOrReplaceTempView(
      "many")
    for (aqe <- Seq("true", "false"); table <- Seq("few", "many"))
      withSQLConf("spark.sql.adaptive.enabled" -> aqe, "spark.sql.shuffle.partitions" -> "77") {
        val pairs = spark.sql(
          s"SELECT * FROM GRAPH_SHORTEST_PATHS(TABLE e, pairs => (SELECT a, b FROM $table))")
        val asked = rows(pairs).map(_.take(2))
        assert(asked == (for (a <- 0L until 9L; b <- 0L until 7L) yield Seq(a, b)).toSet)
        val sources = spark.sql(
          s"SELECT * FROM GRAPH_REACHABLE(TABLE e, sources => (SELECT a FROM $table), hops => 1)")
        assert(rows(sources).map(_.head) == (0L until 9L).toSet)
        for (plan <- Seq(pairs, sources).map(_.queryExecution.executedPlan.toString)) {
          assert(!plan.contains(", 77)"), plan)
        }
      }
  }

  test("EXPLAIN says which search runs, and why") {
    edges("e", (1, 2), (2, 3))
    def plan(arguments: String): String =
      spark.sql(
        s"EXPLAIN SELECT * FROM GRAPH_SHORTEST_PATHS(TABLE e$arguments)").head().getString(0)
    val s = ", sources => TABLE (SELECT 1L)"
    assert(plan(s).contains("64 sources at once: only ends and lengths are read"))
    assert(
      plan(s"$s, with_path => true").contains("one source after the other: whole paths are read"))
    assert(plan(s"$s, targets => TABLE (SELECT 3L)").contains("from both ends: both are given"))
    assert(plan(s"$s, cost => 1").contains("least costs first"))
    assert(plan(s).contains("-[e]->{0,}"))
  }

  test("a search that would take too much memory is narrowed, or refused") {
    chain()
    val reach = "SELECT count(*) FROM GRAPH_REACHABLE(TABLE chain, hops => 3, sources => " +
      "TABLE (SELECT * FROM VALUES (1), (5) AS t(x)))"
    withSQLConf(WreathConf.PATH_MAX_BYTES.key -> "2m") {
      val df = spark.sql(reach)
      assert(df.collect().head.getLong(0) == 6L)
      assert(searches(df).head.simpleString(25).contains("64 at once take too much memory"))
    }
    withSQLConf(WreathConf.PATH_MAX_BYTES.key -> "100k") {
      val e = intercept[Exception](spark.sql(reach).collect())
      assert(e.getMessage.contains("WREATH_PATH_TOO_LARGE"), e.getMessage)
    }
  }

  test("what cannot be called says why, and how it can") {
    edges("e", (1, 2))
    spark.range(3).createOrReplaceTempView("s")
    def refused(call: String): String = intercept[Exception](
      spark.sql(s"SELECT * FROM $call").collect()).getMessage
    val wrong = Seq(
      "GRAPH_REACHABLE(1)" -> "GRAPH_REACHABLE(TABLE edges)",
      "GRAPH_REACHABLE(TABLE e, people => TABLE(s))" -> "takes no table people",
      "GRAPH_REACHABLE(TABLE e, sources => TABLE e)" -> "must have one, of ids",
      "GRAPH_REACHABLE(TABLE e, hops => 0)" -> "at least 1",
      "GRAPH_REACHABLE(TABLE e, cost => src)" -> "costs nothing",
      "GRAPH_REACHABLE(TABLE e, direction => 'up')" -> "must be one of 'out', 'in', 'both'",
      "GRAPH_REACHABLE(TABLE e, sources => TABLE (SELECT 'x'))" -> "Cast one of them",
      "GRAPH_SHORTEST_PATHS(TABLE e, pairs => TABLE s)" -> "must have two",
      "GRAPH_SHORTEST_PATHS(TABLE e, pairs => TABLE e, sources => TABLE s)" -> "pairs has both ends",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => 1, max_hops => 2)" -> "cost or max_hops",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => km)" -> "km",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => 'a b')" -> "b",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => sum(src))" -> "one edge",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => rand())" -> "edge alone",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => DATE '2024-01-01')" -> "must be a number",
      "GRAPH_SHORTEST_PATHS(TABLE e, max_hop => 2)" -> "Did you mean `max_hops`?",
      "GRAPH_SHORTEST_PATHS(TABLE e, with_path => 1)" -> "true or false",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => src - 1)" -> "The edge from 1 to 2 of e costs 0",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => -0.5)" -> "costs -0.5",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => CAST(NULL AS INT))" -> "costs NULL",
      "GRAPH_SHORTEST_PATHS(TABLE e, cost => CAST('Infinity' AS DOUBLE))" -> "costs Infinity")
    for ((call, hint) <- wrong) withClue(s"$call: ") {
      assert(refused(call).contains(hint), refused(call))
    }
    withSQLConf(WreathConf.ENABLED.key -> "false") {
      assert(refused("GRAPH_REACHABLE(TABLE e)").contains(WreathConf.ENABLED.key))
    }
    withSQLConf(
      WreathConf.INDEX_MAX_BYTES.key -> "1",
      WreathConf.INDEX_CACHE_ENABLED.key -> "false") {
      assert(
        refused("GRAPH_REACHABLE(TABLE e, sources => TABLE s)").contains("WREATH_NEEDS_INDEX"))
    }
  }
}
