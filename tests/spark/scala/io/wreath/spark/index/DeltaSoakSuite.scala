package io.wreath.spark.index

import scala.collection.mutable
import scala.util.Random

import org.apache.spark.SparkConf

import io.wreath.spark.{WreathExtensions, WreathQueryTest}

/**
 * DELETE, UPDATE, MERGE, INSERT and OPTIMIZE on a Delta table in random turns, and queries of its present and
 * its past: against edges that are kept, changed and joined here. Only with WREATH_SOAK.
 */
class DeltaSoakSuite extends WreathQueryTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(
        "spark.sql.extensions",
        s"io.delta.sql.DeltaSparkSessionExtension,${classOf[WreathExtensions].getName}")
      .set("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
      .set("spark.databricks.delta.snapshotPartitions", "2")

  private type Edge = (Long, Long, Long)

  private def check(table: String, edges: Seq[Edge], what: String): Unit = {
    val expected = for {
      e <- edges
      f <- edges if e._2 == f._1 && f._2 == e._1
    } yield (e._1, e._2, e._3, f._3)
    val found = spark
      .sql(s"SELECT * FROM GRAPH_TABLE ($table MATCH (a)-[e]->(b)-[f]->(a) " +
        "COLUMNS (a, b, e.w AS w, f.w AS v))")
      .collect().toSeq.map(r => (r.getLong(0), r.getLong(1), r.getLong(2), r.getLong(3)))
    assert(found.sorted == expected.sorted, what)
    val counted = spark.sql(s"SELECT count(*) FROM GRAPH_TABLE ($table MATCH (a)->(b)->(c))")
    val paths = edges.map(e => edges.count(_._1 == e._2)).sum
    assert(counted.head().getLong(0) == paths, what)
  }

  /** A statement, and what it makes of the edges. */
  private def change(r: Random): (String, Seq[Edge] => Seq[Edge]) = {
    val (x, y, w) = (r.nextInt(7).toLong, r.nextInt(7).toLong, r.nextInt(100).toLong)
    r.nextInt(7) match {
      case 0 | 1 =>
        val rows = Seq.fill(6)((r.nextInt(7).toLong, r.nextInt(7).toLong, r.nextInt(9).toLong))
        (s"INSERT INTO t VALUES ${rows.mkString(", ")}", _ ++ rows)
      case 2 =>
        (s"DELETE FROM t WHERE src = $x AND dst <> $y", _.filterNot(e => e._1 == x && e._2 != y))
      case 3 =>
        (
          s"UPDATE t SET w = $w, dst = $y WHERE src = $x",
          _.map(e => if (e._1 == x) (x, y, w) else e))
      case 4 =>
        (
          s"UPDATE t SET src = dst, dst = src WHERE w < 4",
          _.map(e => if (e._3 < 4) (e._2, e._1, e._3) else e))
      case 5 =>
        (
          s"MERGE INTO t USING (SELECT ${x}L AS s, ${y}L AS d) n ON t.src = n.s " +
            s"WHEN MATCHED AND t.dst = n.d THEN DELETE WHEN MATCHED THEN UPDATE SET w = $w " +
            s"WHEN NOT MATCHED THEN INSERT (src, dst, w) VALUES (n.s, n.d, $w)",
          edges =>
            if (!edges.exists(_._1 == x)) edges :+ ((x, y, w))
            else {
              edges.filterNot(e => e._1 == x && e._2 == y)
                .map(e => if (e._1 == x) (x, e._2, w) else e)
            })
      case _ => ("OPTIMIZE t", identity)
    }
  }

  if (sys.env.get("WREATH_SOAK").contains("1")) {
    for (vectors <- Seq(true, false)) {
      test(s"a table that changes all the time, and its past, deletion vectors $vectors") {
        withTable("t") {
          spark.sql("CREATE TABLE t (src BIGINT, dst BIGINT, w BIGINT) USING delta " +
            s"TBLPROPERTIES ('delta.enableDeletionVectors' = '$vectors')")
          def version: Long = spark.sql("DESCRIBE HISTORY t").head().getAs[Long]("version")
          val past = mutable.Map(version -> Seq.empty[Edge])
          val random = new Random(if (vectors) 1 else 2)
          var edges = Seq.empty[Edge]
          for (round <- 1 to 60) {
            val (statement, effect) = change(random)
            spark.sql(statement)
            edges = effect(edges)
            past(version) = edges
            check("t", edges, s"round $round: $statement")
            val earlier = past.keys.toSeq.sorted.apply(random.nextInt(past.size))
            spark.sql(
              s"CREATE OR REPLACE TEMPORARY VIEW old AS SELECT * FROM t VERSION AS OF $earlier")
            check("old", past(earlier), s"round $round, version $earlier")
          }
        }
      }
    }
  }
}
