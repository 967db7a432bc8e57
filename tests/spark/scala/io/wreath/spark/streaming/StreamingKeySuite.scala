package io.wreath.spark.streaming

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StreamingQueryException
import org.apache.spark.sql.{AnalysisException, Row}

/** What a stream with a key says of one edge; a delete has nothing but the key. */
final case class KeyedChange(
    id: java.lang.Long,
    src: Option[Long],
    dst: Option[Long],
    amount: Option[Long],
    diff: Int)

/** Deletes that name the key of an edge, held to Spark's joins over a map of keys to edges. */
class StreamingKeySuite extends StreamingQueryHarness {

  import org.apache.spark.sql.execution.streaming.runtime.MemoryStream

  private type Edge = (Option[Long], Option[Long], Option[Long])

  private val clause =
    "MATCH (a)-[e]->(b)-[f]->(a) WHERE e.amount <= f.amount COLUMNS (a, b, e.id AS x, f.id AS y)"

  private def put(id: Long, src: Long, dst: Long, amount: Long = 0): KeyedChange =
    KeyedChange(id, Some(src), Some(dst), Some(amount), 1)

  private def gone(id: Long): KeyedChange = KeyedChange(id, None, None, None, -1)

  private def keyed(view: String): MemoryStream[KeyedChange] = {
    val session = spark
    import session.implicits._
    val input = MemoryStream[KeyedChange](spark)
    input.toDF().createOrReplaceTempView(view)
    input
  }

  private def matchesOf(edges: Map[Long, Edge]): Map[Seq[Any], Long] = {
    val session = spark
    import session.implicits._
    edges.toSeq.map { case (id, (s, d, m)) => (id, s, d, m) }.toDF("id", "src", "dst", "amount")
      .createOrReplaceTempView("keyed_edges")
    spark.sql(s"SELECT /*+ NO_WCO_JOIN */ * FROM GRAPH_TABLE (keyed_edges $clause)").collect()
      .groupMapReduce(_.toSeq)(_ => 1L)(_ + _)
  }

  /** Batches that insert, delete, replace, and insert and delete at once; and what is left of each. */
  private def random(seed: Int, n: Int): Seq[(Seq[KeyedChange], Map[Long, Edge])] = {
    val r = new Random(seed)
    def end(): Option[Long] = if (r.nextInt(9) == 0) None else Some(r.nextInt(4))
    def edge(): Edge = (end(), end(), Some(r.nextInt(3)))
    def comes(id: Long, e: Edge): KeyedChange = KeyedChange(id, e._1, e._2, e._3, 1)
    var there = Map.empty[Long, Edge]
    Seq.fill(n) {
      val changes = (0L until 40L).filter(_ => r.nextInt(3) > 0).flatMap { id =>
        val e = edge()
        r.nextInt(3) match {
          case 0 if there.contains(id) =>
            there -= id
            Seq(gone(id))
          case 1 if there.contains(id) =>
            there += id -> e
            Seq(comes(id, e), gone(id))
          case 2 if there.contains(id) => Nil
          case 0 => Seq(gone(id), comes(id, e))
          case _ =>
            there += id -> e
            Seq(comes(id, e))
        }
      }
      (r.shuffle(changes), there)
    }
  }

  private def check(seed: Int): Unit = withTempDir { dir =>
    val input = keyed("keyed")
    val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (keyed KEY (id) $clause)")
    val out = new Collected
    random(seed, 6).grouped(3).foreach { run =>
      val query = start(df, out, dir)
      try run.foreach { case (batch, there) =>
          input.addData(batch)
          query.processAllAvailable()
          assert(out.sums == matchesOf(there))
        }
      finally query.stop()
    }
    checkSigns(out)
    val left = random(seed, 6).last._2
    val state = spark.read.format("statestore").load(dir.getAbsolutePath)
      .selectExpr("key.id", "value.src", "value.dst", "value.amount", "value.multiplicity")
    checkAnswer(
      state,
      left.toSeq.map { case (id, (s, d, m)) =>
        Row(id, s.orNull, d.orNull, m.orNull, 1L)
      })
  }

  test("a delete names a key, an edge takes the place of another, and a restart knows them") {
    check(seed = 1)
  }

  test("and so with RocksDB") {
    withSQLConf(SQLConf.STATE_STORE_PROVIDER_CLASS.key -> KilledQuery.RocksDb)(check(seed = 2))
  }

  test("the ends as the key, and the words of a change feed") {
    withTempDir { dir =>
      val input = stream(
        "changes",
        "dst",
        "src",
        "if(diff > 0, amount, null) AS amount",
        "if(diff > 0, 'insert', 'delete') AS _change_type")
      val df = spark.sql(
        "SELECT * FROM GRAPH_TABLE (changes KEY (src, dst) MATCH (a)-[e]->(b) " +
          "COLUMNS (a, b, e.amount))")
      val out = new Collected
      val query = start(df, out, dir)
      try {
        input.addData(Change(1, 2, 7, 0, 1), Change(2, 1, 8, 0, 1))
        query.processAllAvailable()
        input.addData(Change(1, 2, 9, 0, 1), Change(1, 2, 0, 0, -1), Change(2, 1, 0, 0, -1))
        query.processAllAvailable()
      } finally query.stop()
      assert(out.all(1).toSet ==
        Set(Row(1L, 2L, 7L, -1L), Row(1L, 2L, 9L, 1L), Row(2L, 1L, 8L, -1L)))
    }
  }

  test("edges that a stream starts from go by their keys, too") {
    withTempDir { dir =>
      spark.sql("SELECT 1L AS id, 1L AS src, 2L AS dst, 5L AS amount")
        .createOrReplaceTempView("existing")
      val input = keyed("keyed")
      val df = spark.sql(
        "SELECT * FROM GRAPH_TABLE (keyed KEY (id) STARTING FROM existing MATCH (a)-[e]->(b) " +
          "COLUMNS (a, b, e.amount))")
      val out = new Collected
      val query = start(df, out, dir)
      try {
        input.addData(gone(1), put(2, 2, 3))
        query.processAllAvailable()
        input.addData(gone(2), put(1, 4, 5, 6))
        query.processAllAvailable()
      } finally query.stop()
      assert(out.all(0).toSet == Set(Row(1L, 2L, 5L, -1L), Row(2L, 3L, 0L, 1L)))
      assert(out.all(1).toSet == Set(Row(2L, 3L, 0L, -1L), Row(4L, 5L, 6L, 1L)))
    }
  }

  private def conditionOf(batches: Seq[KeyedChange]*): String = {
    var found = ""
    withTempDir { dir =>
      val input = keyed("keyed")
      val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (keyed KEY (id) $clause)")
      val query = start(df, new Collected, dir)
      val error = intercept[StreamingQueryException] {
        try batches.foreach { b =>
            input.addData(b)
            query.processAllAvailable()
          }
        finally query.stop()
      }
      found = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).collectFirst {
        case e: org.apache.spark.SparkThrowable
            if String.valueOf(e.getCondition).startsWith("WREATH") => e.getCondition
      }.getOrElse(error.getMessage)
    }
    found
  }

  test("two edges of one key, a key that is NULL or not there end the query") {
    assert(conditionOf(Seq(put(1, 1, 2)), Seq(put(1, 3, 4))) == "WREATH_STREAM_DUPLICATE_KEY")
    assert(conditionOf(Seq(put(1, 1, 2), put(1, 3, 4))) == "WREATH_STREAM_DUPLICATE_KEY")
    // One of two is left, and nothing says which.
    assert(
      conditionOf(Seq(put(1, 1, 2), put(1, 3, 4), gone(1))) == "WREATH_STREAM_DUPLICATE_KEY")
    assert(conditionOf(Seq(put(1, 1, 2).copy(id = null))) == "WREATH_STREAM_NULL_KEY")
    assert(conditionOf(Seq(put(1, 1, 2)), Seq(gone(2))) == "WREATH_STREAM_MISSING_DELETE")
  }

  test("a key that is not there is counted and left out, if so configured") {
    withSQLConf(WreathConf.STREAMING_MISSING_DELETES.key -> "ignore") {
      withTempDir { dir =>
        val input = keyed("keyed")
        val df = spark.sql(s"SELECT * FROM GRAPH_TABLE (keyed KEY (id) $clause)")
        val query = start(df, new Collected, dir)
        try {
          input.addData(put(1, 1, 2), gone(7), gone(1), gone(1))
          query.processAllAvailable()
          assert(metric(query.lastProgress, "missingDeletes") == 2)
        } finally query.stop()
      }
    }
  }

  test("a KEY that is no column, or of a table that is no stream, is refused where it stands") {
    keyed("keyed")
    edges("existing", 1L -> 2L)
    def condition(text: String): String =
      intercept[AnalysisException](spark.sql(s"SELECT * FROM GRAPH_TABLE ($text)")).getCondition
    assert(condition("keyed KEY (nothing) MATCH (a)->(b)") == "WREATH_MISSING_COLUMN")
    assert(condition("keyed KEY (diff) MATCH (a)->(b)") == "WREATH_MISSING_COLUMN")
    assert(condition("existing KEY (src) MATCH (a)->(b)") == "WREATH_UNSUPPORTED_FEATURE")
    assert(condition("keyed KEY id MATCH (a)->(b)") == "WREATH_SYNTAX_ERROR")
  }
}
