package io.wreath.spark

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.streaming.{Change, StreamingQueryHarness}

/**
 * Every type of ids with every type of properties, through the index, Spark's joins and a stream, against
 * values that are joined here, by the small integers they were made of. Only with WREATH_SOAK.
 */
class TypesSoakSuite extends StreamingQueryHarness {

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")

  /** By type, an expression over a small integer x: equal for equal x alone, unless it is a property. */
  private val ids = Seq(
    "TINYINT" -> "CAST(x AS TINYINT)",
    "SMALLINT" -> "CAST(x * 1000 AS SMALLINT)",
    "INT" -> "CAST(x * 100000000 AS INT)",
    "BIGINT" -> "x * 1000000000000000L",
    "STRING" -> "concat('ä-', x, repeat('y', CAST(x AS INT)))",
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

  private def text(value: Any): String = value match {
    case bytes: Array[Byte] => bytes.toSeq.toString
    case other => String.valueOf(other)
  }

  private def counted(rows: Seq[Seq[String]]): Map[Seq[String], Int] =
    rows.groupMapReduce(identity)(_ => 1)(_ + _)

  private def counted(rows: Array[Row]): Map[Seq[String], Int] =
    counted(rows.toSeq.map(_.toSeq.map(text)))

  private val edges: Seq[Change] = {
    val r = new scala.util.Random(11)
    Seq.fill(60)(Change(r.nextInt(8), r.nextInt(8), r.nextInt(5), 0, 1))
  }

  private def check(id: String, property: String): Unit = withTempDir { dir =>
    val session = spark
    import session.implicits._
    def values(expression: String): Map[Long, String] =
      spark.sql(s"SELECT id, ${over(expression, "id")} FROM range(9)").collect()
        .map(r => r.getLong(0) -> text(r.get(1))).toMap
    val (idOf, propertyOf) = (values(id), values(property))
    def expected(keep: (String, String) => Boolean): Map[Seq[String], Int] = counted(for {
      e <- edges
      f <- edges
      if e.dst == f.src && f.dst == e.src && keep(propertyOf(e.amount), propertyOf(f.amount))
    } yield Seq(idOf(e.src), idOf(e.dst), propertyOf(e.amount), propertyOf(f.amount)))

    val columns = Seq(
      s"${over(id, "src")} AS src",
      s"${over(id, "dst")} AS dst",
      s"${over(property, "amount")} AS p")
    def clause(where: String): String =
      s"MATCH (a)-[e]->(b)-[f]->(a) $where COLUMNS (a, b, e.p AS p, f.p AS q)"
    edges.toDF().selectExpr(columns: _*).write.parquet(s"$dir/edges")
    spark.read.parquet(s"$dir/edges").createOrReplaceTempView("edges")
    for (mode <- Seq("broadcast", "binary", "broadcast")) {
      withSQLConf(WreathConf.JOIN_MODE.key -> mode) {
        def rows(where: String): Map[Seq[String], Int] =
          counted(spark.sql(s"SELECT * FROM GRAPH_TABLE (edges ${clause(where)})").collect())
        assert(rows("") == expected((_, _) => true), mode)
        assert(rows("WHERE e.p <=> f.p") == expected(_ == _), mode)
      }
    }
    val input = stream("changes", columns :+ "diff": _*)
    val out = new Collected
    val query = start(
      spark.sql(s"SELECT * FROM GRAPH_TABLE (changes ${clause("")})"),
      out,
      new java.io.File(dir, "checkpoint"))
    try {
      // All of it, in four batches, with some that come and go again.
      edges.grouped(15).foreach { batch =>
        input.addData(batch ++ batch.take(3))
        query.processAllAvailable()
        input.addData(batch.take(3).map(_.copy(diff = -1)))
        query.processAllAvailable()
      }
    } finally query.stop()
    val sums = out.all.values.flatten.toSeq
      .groupMapReduce(_.toSeq.init.map(text))(_.getLong(4).toInt)(_ + _).filter(_._2 != 0)
    assert(sums == expected((_, _) => true), "stream")
  }

  if (isSoak) {
    for ((idType, id) <- ids) test(s"ids of type $idType with properties of every type") {
      for ((name, property) <- properties) withClue(s"$name: ")(check(id, property))
    }
  }
}
