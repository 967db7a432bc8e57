package io.wreath.spark.streaming

import org.apache.spark.sql.Row

/**
 * Every type of ids and properties goes through a stream and its state, and comes out as Spark's own
 * joins over the same edges say.
 */
class StreamingTypesSuite extends StreamingQueryHarness {

  /** By type, an expression over a small integer x: equal for equal x alone, unless it is a property. */
  private val ids = Seq(
    "TINYINT" -> "CAST(x AS TINYINT)",
    "SMALLINT" -> "CAST(x * 1000 AS SMALLINT)",
    "INT" -> "CAST(x * 100000000 AS INT)",
    "BIGINT" -> "x * 1000000000000000L",
    "STRING" -> "concat('ä-', x, repeat('y', x))",
    "BINARY" -> "unhex(concat('00', lpad(x, 2, '0')))",
    "DATE" -> "date_add(DATE '1969-12-30', CAST(x AS INT))",
    "TIMESTAMP" -> "timestamp_micros(x * 1000001 - 3)",
    "TIMESTAMP_NTZ" -> "CAST(timestamp_micros(x * 1000001 - 3) AS TIMESTAMP_NTZ)",
    "DECIMAL(18,3)" -> "CAST(x / 7 AS DECIMAL(18, 3))")

  private val properties = ids ++ Seq(
    "BOOLEAN" -> "x % 2 = 0",
    "DECIMAL(38,10)" -> "CAST(x / 7 AS DECIMAL(38, 10))",
    "FLOAT" -> "CAST(x / 3 AS FLOAT)",
    "DOUBLE" -> "CASE x WHEN 1 THEN DOUBLE('NaN') WHEN 2 THEN DOUBLE('-Infinity') ELSE x / 3 END",
    "ARRAY" -> "array(x, NULL, x + 1)",
    "STRUCT" -> "named_struct('p', x, 'q', CAST(NULL AS STRING))",
    "INTERVAL DAY" -> "make_dt_interval(CAST(x AS INT), 1, 2, 3)",
    "INTERVAL YEAR" -> "make_ym_interval(CAST(x AS INT), 3)",
    "NULLS" -> "CASE WHEN x % 2 = 0 THEN concat('s', x) END",
    "VOID" -> "CAST(NULL AS INT)")

  private def over(expression: String, column: String): String =
    expression.replaceAll("\\bx\\b", column)

  private val batches: Seq[Seq[Change]] = {
    val r = new scala.util.Random(3)
    val added = Seq.fill(3)(Seq.fill(14)(Change(r.nextInt(5), r.nextInt(5), r.nextInt(3), 0, 1)))
    Seq(
      added(0),
      added(1) ++ added(0).take(5).map(_.copy(diff = -1)),
      added(2) ++ added(1).take(5).map(_.copy(diff = -1)))
  }

  private def check(id: String, property: String): Unit = withTempDir { dir =>
    val session = spark
    import session.implicits._
    val columns =
      Seq(
        s"${over(id, "src")} AS src",
        s"${over(id, "dst")} AS dst",
        s"${over(property, "amount")} AS p")
    val clause = "MATCH (a)-[e]->(b)-[f]->(a) COLUMNS (a, b, e.p AS p, f.p AS q)"
    def plain(row: Row): Seq[Any] = row.toSeq.map {
      case bytes: Array[Byte] => bytes.toSeq
      case other => other
    }
    def now(n: Int): Map[Seq[Any], Long] = {
      applied(batches.take(n)).toSeq.flatMap { case (c, k) => Seq.fill(k)(c) }.toDF()
        .selectExpr(columns: _*)
        .createOrReplaceTempView("edges_now")
      spark.sql("SELECT e.src, e.dst, e.p, f.p FROM edges_now e JOIN edges_now f " +
        "ON e.dst = f.src AND f.dst = e.src").collect().groupMapReduce(plain(_).toString)(r =>
        (plain(r), 1L))((x, y) => (x._1, x._2 + y._2)).values.map { case (k, n) =>
        Seq[Any](k.toString) -> n
      }.toMap
    }
    val input = stream("changes", columns :+ "diff": _*)
    val out = new Collected
    batches.indices.foreach { i =>
      // A restart for each batch, so that rows come from the state.
      val query = start(spark.sql(s"SELECT * FROM GRAPH_TABLE (changes $clause)"), out, dir)
      try {
        input.addData(batches(i))
        query.processAllAvailable()
      } finally query.stop()
      val sums = out.all.values.flatten
        .groupMapReduce(r => plain(r).init.toString)(_.getLong(4))(_ + _)
        .filter(_._2 != 0)
        .map { case (k, n) => Seq[Any](k) -> n }
      assert(sums == now(i + 1), s"after batch $i")
    }
  }

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")

  // In turns, but for the soak, so that each type is met once in few queries.
  ids.zipWithIndex.foreach { case ((idType, id), i) =>
    val chosen =
      if (isSoak) properties
      else properties.zipWithIndex.collect { case (p, j) if j % ids.size == i => p }
    test(s"ids of type $idType with properties ${chosen.map(_._1).mkString(", ")}") {
      chosen.foreach { case (name, property) => withClue(s"$name: ")(check(id, property)) }
    }
  }
}
