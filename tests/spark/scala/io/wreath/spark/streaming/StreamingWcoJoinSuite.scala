package io.wreath.spark.streaming

import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.ExplainMode
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StreamingQueryException

import org.scalatest.time.SpanSugar._

/**
 * Matches over a stream, held to Spark's own joins after every batch. The grid: kind of change
 * column x pattern x state store x restarts; four partitions of state throughout.
 */
class StreamingWcoJoinSuite extends StreamingQueryHarness {

  private val triangle = "MATCH (a)->(b)->(c), (a)->(c)"
  private val withProperties = Seq("src", "dst", "amount", "ts")
  private val rocksDb =
    "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  private def edge(src: Long, dst: Long, diff: Int = 1): Change = Change(src, dst, 0, 0, diff)

  /** Batches over few vertices: many parallel edges, self-loops, deletes and re-inserts. */
  private def random(
      seed: Int,
      batches: Int,
      size: Int,
      vertices: Int,
      properties: Int = 1): Seq[Seq[Change]] = {
    val r = new Random(seed)
    var there = Seq.empty[Seq[Change]]
    Seq.fill(batches) {
      val inserts = Seq.fill(size)(Change(
        r.nextInt(vertices),
        r.nextInt(vertices),
        r.nextInt(properties),
        r.nextInt(properties),
        1))
      val known = applied(there).keys.toSeq.sortBy(c => (c.src, c.dst, c.amount, c.ts))
      val deletes = r.shuffle(known).take(size / 2).map(_.copy(diff = -1))
      // Some edges come and go in one batch.
      val both = inserts.take(size / 4).map(_.copy(diff = -1))
      there = there :+ r.shuffle(inserts ++ deletes ++ both)
      there.last
    }
  }

  test("a triangle comes with its last edge and goes with the first that is deleted") {
    val progress = checkStream(
      Seq(
        Seq(edge(1, 2), edge(2, 3)),
        Seq(edge(1, 3)),
        Seq(edge(2, 3, -1)),
        Seq(edge(2, 3), edge(3, 4))),
      triangle)
    assert(metric(progress, "changesIn") == 2)
    assert(metric(progress, "matchesOut") == 1)
    assert(metric(progress, "elementsTouched") > 0)
    assert(metric(progress, "indexBytes") > 0)
    assert(metric(progress, "missingDeletes") == 0)
    assert(progress.stateOperators.head.numRowsTotal == 4)
    assert(progress.stateOperators.head.numShufflePartitions == 4)
  }

  test("inserts, deletes, re-inserts, parallel edges and self-loops") {
    checkStream(random(seed = 1, batches = 6, size = 20, vertices = 8), triangle)
  }

  test("comparisons, predicates on vertices, computed columns") {
    checkStream(
      random(seed = 2, batches = 4, size = 20, vertices = 8),
      "MATCH (a)->(b)->(c)->(a) WHERE a < b AND a <= c AND b <> c AND a % 2 = 0 AND b + c > 3 " +
        "COLUMNS (a, b.id AS b, c, a + b + c AS total)")
  }

  test("a restart goes on from the checkpoint, whatever keeps the state") {
    for {
      (provider, version) <- Seq((None, "1"), (Some(rocksDb), "1"), (Some(rocksDb), "2"))
    } withClue(s"$provider, checkpoint format $version: ") {
      withSQLConf(
        (provider.map(SQLConf.STATE_STORE_PROVIDER_CLASS.key -> _).toSeq :+
          (SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key -> version)): _*) {
        checkStream(
          random(seed = 3, batches = 4, size = 16, vertices = 7),
          triangle,
          restartEvery = 2)
      }
    }
  }

  test("rows of a graph with properties: each parallel edge is its own") {
    checkStream(
      random(seed = 4, batches = 6, size = 14, vertices = 5, properties = 3),
      "MATCH (a)-[e1]->(b)-[e2]->(a) WHERE e1.ts < e2.ts AND e1.amount > 0 " +
        "COLUMNS (a, b, e1.ts AS t1, e2.ts AS t2, e2.amount AS amount)",
      edgeColumns = withProperties,
      restartEvery = 3)
  }

  test("a row that takes another's place changes the matches that read it, and no others") {
    val before = Change(1, 2, amount = 5, ts = 1, diff = 1)
    val batches = Seq(
      Seq(before, Change(2, 1, 7, 2, 1)),
      Seq(before.copy(diff = -1), before.copy(amount = 6)),
      Seq(before.copy(amount = 6, diff = -1), before.copy(amount = 6, ts = 9)))
    val pattern = "MATCH (a)-[e1]->(b)-[e2]->(a) COLUMNS (a, b, e1.amount AS x)"
    val last = checkStream(batches, pattern, edgeColumns = withProperties)
    // Only ts has changed in the last batch, and the pattern reads none of it.
    assert(metric(last, "matchesOut") > 0)
    checkStream(batches, "MATCH (a)->(b)->(a)", edgeColumns = withProperties)
    // What a condition reads may change and the condition hold as before: then nothing happens.
    val held = checkStream(
      batches,
      "MATCH (a)-[e1]->(b)-[e2]->(a) WHERE e1.amount + e2.amount > 5",
      edgeColumns = withProperties)
    assert(metric(held, "matchesOut") == 2)
  }

  test("the words of a change feed, and columns that are no part of an edge") {
    checkStream(
      random(seed = 5, batches = 4, size = 12, vertices = 6),
      triangle,
      edgeColumns = Seq("src", "dst"),
      change = Some(
        "CASE WHEN diff > 0 THEN (IF(src > 2, 'insert', 'update_postimage')) " +
          "ELSE (IF(src > 2, 'delete', 'update_preimage')) END AS _change_type"))
  }

  test("a stream of inserts only needs no such column") {
    val inserts = random(seed = 6, batches = 3, size = 12, vertices = 6).map(_.filter(_.diff > 0))
    checkStream(inserts, triangle, change = None)
  }

  test("vertices of other types") {
    for {
      tpe <- Seq("string", "int", "date", "decimal(9, 2)", "binary")
    } withClue(s"$tpe: ") {
      val cast = tpe match {
        case "date" => (c: String) => s"date_add(DATE '2024-01-01', cast($c AS int)) AS $c"
        case "binary" => (c: String) => s"cast(cast($c AS string) AS binary) AS $c"
        case _ => (c: String) => s"cast($c AS $tpe) AS $c"
      }
      // Rows of byte arrays do not compare; their text does.
      val columns = if (tpe == "binary") {
        "COLUMNS (hex(a.id) AS a, hex(b.id) AS b, hex(c.id) AS c)"
      } else {
        ""
      }
      checkStream(
        random(seed = 7, batches = 2, size = 16, vertices = 12),
        s"$triangle WHERE a < c $columns",
        edgeColumns = Seq(cast("src"), cast("dst")))
    }
  }

  test("NULL ends match nothing, coming or going") {
    checkStream(
      Seq(
        Seq(edge(1, 2), edge(2, 1)),
        Seq(edge(2, 2), edge(2, 2, -1), edge(0, 1, -1), edge(0, 1, -1))),
      "MATCH (a)->(b)->(a)",
      edgeColumns = Seq("nullif(src, 0) AS src", "dst"))
  }

  test("a delete of what is not there ends the query, or is counted and left out") {
    val batches = Seq(Seq(edge(1, 2)), Seq(edge(1, 2, -2), edge(5, 6, -1), edge(2, 1)))
    for (columns <- Seq(Seq("src", "dst"), withProperties)) {
      val error = intercept[StreamingQueryException](
        checkStream(batches, "MATCH (a)->(b)->(a)", edgeColumns = columns))
      val ours =
        Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).collectFirst {
          case e: org.apache.spark.SparkThrowable
              if e.getCondition == "WREATH_STREAM_MISSING_DELETE" => e
        }
      assert(ours.exists(_.getMessageParameters.get("count") == "2"), error)
      withSQLConf(WreathConf.STREAMING_MISSING_DELETES.key -> "ignore") {
        val last = checkStream(batches, "MATCH (a)->(b)->(a)", edgeColumns = columns)
        assert(metric(last, "missingDeletes") == 2)
      }
    }
  }

  test("a word that is none of a change feed's ends the query") {
    val error = intercept[StreamingQueryException](
      checkStream(
        Seq(Seq(edge(1, 2))),
        "MATCH (a)->(b)->(a)",
        change = Some("'upsert' AS _change_type")))
    assert(error.getMessage.contains("WREATH_STREAM_UNKNOWN_CHANGE"))
  }

  test("matches beyond a BIGINT end the query with Spark's condition for it") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "diff")
      val query = start(
        spark.sql("SELECT * FROM GRAPH_TABLE (changes MATCH (a)->(b)->(c)->(d))"),
        new Collected,
        dir)
      try {
        input.addData(Change(1, 1, 0, 0, Int.MaxValue))
        val error = intercept[StreamingQueryException](query.processAllAvailable())
        val conditions =
          Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).collect {
            case e: org.apache.spark.SparkThrowable => e.getCondition
          }
        assert(conditions.contains("ARITHMETIC_OVERFLOW"), error)
      } finally query.stop()
    }
  }

  test("an aggregation on top keeps the result itself") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "diff")
      val counts = spark.sql(
        s"SELECT a, sum(diff) AS n FROM GRAPH_TABLE (changes $triangle) GROUP BY a")
      val batches = random(seed = 8, batches = 3, size = 16, vertices = 7)
      var latest = Map.empty[Long, Long]
      val query = counts.writeStream
        .outputMode("update")
        .option("checkpointLocation", dir.getAbsolutePath)
        .foreachBatch { (batch: DataFrame, _: Long) =>
          latest ++= batch.collect().map(r => r.getLong(0) -> r.getLong(1))
        }
        .start()
      try {
        batches.foreach { b =>
          input.addData(b)
          query.processAllAvailable()
        }
        val expected = recomputed(applied(batches), triangle, Seq("src", "dst"))
          .groupMapReduce(_._1.head.asInstanceOf[Long])(_._2)(_ + _)
        assert(latest.filter(_._2 != 0) == expected)
      } finally query.stop()
    }
  }

  test("Spark's state data source reads the edges") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "amount", "diff")
      val df = spark.sql("SELECT * FROM GRAPH_TABLE (changes MATCH (a)->(b)->(a))")
      val query = start(df, new Collected, dir)
      try {
        input.addData(edge(1, 2), edge(1, 2), edge(2, 1), Change(2, 1, 9, 0, 1))
        query.processAllAvailable()
        input.addData(edge(2, 1, -1))
        query.processAllAvailable()
      } finally query.stop()
      val rows = spark.read.format("statestore").load(dir.getAbsolutePath)
        .selectExpr("key.src", "key.dst", "key.amount", "value.multiplicity")
      checkAnswer(
        rows,
        Seq((1L, 2L, 0L, 2L), (2L, 1L, 9L, 1L)).map(org.apache.spark.sql.Row.fromTuple))
      assert(
        spark.read.format("state-metadata").load(dir.getAbsolutePath)
          .selectExpr("operatorName", "numPartitions").head() ==
          org.apache.spark.sql.Row("streamingWcoJoinV1", 4))
    }
  }

  test("a query that has ended leaves no graph behind") {
    checkStream(Seq(Seq(edge(1, 2), edge(2, 1))), "MATCH (a)->(b)->(a)")
    eventually(timeout(60.seconds))(assert(StreamGraphs.size == 0))
  }

  Seq("lists", "marks", "bits").foreach { technique =>
    test(s"changes of a clique by force of technique: $technique") {
      val r = new Random(7)
      val batches = Seq.fill(4)(Seq.fill(40)(
        Change(r.nextInt(7), r.nextInt(7), 0, 0, if (r.nextInt(4) == 0) -1 else 1)))
      withSQLConf(
        "spark.wreath.join.technique" -> technique,
        "spark.wreath.streaming.missingDeletes" -> "ignore") {
        checkStream(batches, "MATCH (a)->(b)->(c)->(d), (a)->(c), (a)->(d), (b)->(d) WHERE a < c")
      }
    }
  }

  // Rows that are equal, equal but for a property, loops, and edges that are bound to one pair of vertices.
  Seq(
    "MATCH DIFFERENT EDGES (a)->(b)->(c)",
    "MATCH DIFFERENT EDGES (a)->(b), (c)->(d) WHERE a <= c AND b <= d",
    "MATCH DIFFERENT EDGES (a)-[e]->(b), (a)-[f]->(b) COLUMNS (a, b, e.amount AS x, f.amount AS y)",
    "MATCH DIFFERENT EDGES (a)-[e]->(b), (a)->(b), (a)-[f]->(b) WHERE e.amount <= f.amount",
    "MATCH DIFFERENT EDGES (a)-[e]->(b)->(c)->(a) COLUMNS (a, b, c, e.amount AS x)").foreach {
    clause =>
      test(s"edges that differ: $clause") {
        val r = new Random(clause.length)
        val batches = Seq.fill(6)(Seq.fill(7)(
          Change(r.nextInt(3), r.nextInt(3), r.nextInt(2), 0, if (r.nextInt(3) == 0) -1 else 1)))
        withSQLConf("spark.wreath.streaming.missingDeletes" -> "ignore") {
          checkStream(batches, clause, Seq("src", "dst", "amount"), restartEvery = 4)
        }
      }
  }

  test("a motif over a stream sees what happens to an edge, and does not show it") {
    withTempDir { dir =>
      val input = stream("changes", "src", "dst", "amount", "diff")
      val out = new Collected
      val query = start(
        spark.sql("SELECT a.id AS a, e.*, b.id AS b, diff FROM GRAPH_TABLE " +
          "(changes KEY (src, dst) MOTIF '(a)-[e]->(b); (b)-[]->(a)')"),
        out,
        dir)
      try {
        input.addData(Change(1, 2, 5, 0, 1), Change(2, 1, 6, 0, 1))
        query.processAllAvailable()
        assert(out.sums == Map(Seq(1L, 1L, 2L, 5L, 2L) -> 1L, Seq(2L, 2L, 1L, 6L, 1L) -> 1L))
        input.addData(Change(2, 1, 6, 0, -1))
        query.processAllAvailable()
        assert(out.sums.isEmpty)
      } finally query.stop()
    }
  }

  test("what is not maintained is refused by its name, before anything runs") {
    stream("changes", "src", "dst", "amount", "diff")
    val cases = Seq(
      ("MATCH (a)->(b) OPTIONAL MATCH (b)->(c)", "OPTIONAL MATCH", "(b)->(c)"),
      ("MATCH (a)->(b) WHERE NOT EXISTS { (b)->(a) }", "EXISTS { … }", "(b)->(a)"),
      ("MATCH (a)->(b) WHERE EXISTS { (b)->(a) }", "EXISTS { … }", "(b)->(a)"),
      ("MATCH (a)->(b) WHERE a < 3 OR EXISTS { (b)->(a) }", "EXISTS { … }", "(b)->(a)"),
      ("MATCH (a)-[]->{1,2}(b)", "a quantifier", "-[]->"),
      ("MATCH (a)-[]->?(b)", "a quantifier", "-[]->"),
      ("MATCH (a)->(b), (a)-[]-(b)", "an edge without a direction", "-[]-"),
      ("MATCH (a)->(b), (c)", "a vertex without an edge", "(c)"),
      (
        "MATCH (a)->(b)-(c) WHERE EXISTS { (b)->(a) }",
        "an edge without a direction, EXISTS { … } in a pattern over a stream",
        "-"))
    for ((clause, feature, place) <- cases) withClue(clause) {
      val error = errorOf(s"SELECT * FROM GRAPH_TABLE (changes $clause)")
      assert(error.getCondition == "WREATH_UNSUPPORTED_FEATURE")
      assert(error.getMessageParameters.get("feature").startsWith(feature))
      val fragment = error.getQueryContext.head.fragment
      assert(fragment.contains(place) && !fragment.contains("GRAPH_TABLE"), fragment)
    }
  }

  test("EXPLAIN of a stream shows the operator, and runs nothing") {
    stream("changes", "src", "dst", "amount")
    // Spark explains no SQL text over a stream, but a DataFrame made of it.
    val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $triangle WHERE a < b)").select("*")
    val plan = df.queryExecution.explainString(ExplainMode.fromString("simple"))
    assert(plan.contains("StreamingWcoJoin (a)->(b), (b)->(c), (a)->(c)"))
    // From whichever edge changes: how the variable that it leaves is found.
    assert(plan.contains("from (a)->(b) c by intersection, from (b)->(c) a by intersection, "))
    assert(!plan.contains("Filter"))
  }
}
