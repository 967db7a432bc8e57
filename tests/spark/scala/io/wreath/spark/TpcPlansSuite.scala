package io.wreath.spark

import scala.io.Source

import org.apache.spark.SparkConf
import org.apache.spark.sql.TPCDSSchema
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.execution.WcoJoinDeclinedExec

/** The queries of TPC-H and TPC-DS, which know nothing of patterns, are planned as without Wreath. */
class TpcPlansSuite extends WreathQueryTest with TPCDSSchema {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(WreathConf.REWRITE_JOINS.key, "true")
      // A text that is cut differs by how many digits the ids in it have.
      .set(SQLConf.MAX_METADATA_STRING_LENGTH.key, "100000")
      .set(SQLConf.MAX_TO_STRING_FIELDS.key, "1000")

  private val isSoak = sys.env.contains("WREATH_SOAK")

  private val tpch = Map(
    "region" -> "r_regionkey BIGINT, r_name STRING, r_comment STRING",
    "nation" -> "n_nationkey BIGINT, n_name STRING, n_regionkey BIGINT, n_comment STRING",
    "supplier" -> ("s_suppkey BIGINT, s_name STRING, s_address STRING, s_nationkey BIGINT, " +
      "s_phone STRING, s_acctbal DECIMAL(10, 0), s_comment STRING"),
    "part" -> ("p_partkey BIGINT, p_name STRING, p_mfgr STRING, p_brand STRING, p_type STRING, " +
      "p_size INT, p_container STRING, p_retailprice DECIMAL(10, 0), p_comment STRING"),
    "partsupp" -> ("ps_partkey BIGINT, ps_suppkey BIGINT, ps_availqty INT, " +
      "ps_supplycost DECIMAL(10, 0), ps_comment STRING"),
    "customer" -> ("c_custkey BIGINT, c_name STRING, c_address STRING, c_nationkey BIGINT, " +
      "c_phone STRING, c_acctbal DECIMAL(10, 0), c_mktsegment STRING, c_comment STRING"),
    "orders" -> ("o_orderkey BIGINT, o_custkey BIGINT, o_orderstatus STRING, " +
      "o_totalprice DECIMAL(10, 0), o_orderdate DATE, o_orderpriority STRING, o_clerk STRING, " +
      "o_shippriority INT, o_comment STRING"),
    "lineitem" -> ("l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT, l_linenumber INT, " +
      "l_quantity DECIMAL(10, 0), l_extendedprice DECIMAL(10, 0), l_discount DECIMAL(10, 0), " +
      "l_tax DECIMAL(10, 0), l_returnflag STRING, l_linestatus STRING, l_shipdate DATE, " +
      "l_commitdate DATE, l_receiptdate DATE, l_shipinstruct STRING, l_shipmode STRING, " +
      "l_comment STRING"))

  private def textOf(resource: String): String = {
    val source = Source.fromInputStream(getClass.getClassLoader.getResourceAsStream(resource))
    try source.mkString
    finally source.close()
  }

  private def planned(query: String): (String, String, Seq[String]) = {
    val execution = spark.sql(query).queryExecution
    val plan: SparkPlan = execution.executedPlan
    val reasons = plan.collectWithSubqueries { case d: WcoJoinDeclinedExec => d.reason }
    val stripped = plan.transformWithSubqueries { case WcoJoinDeclinedExec(_, _, child) => child }
    (text(execution.optimizedPlan), text(stripped), reasons)
  }

  private def text(plan: QueryPlan[_]): String = {
    val ids = scala.collection.mutable.Map.empty[String, Int]
    "(?<=#)\\d+".r.replaceAllIn(
      plan.treeString.replaceAll("(plan_)?id=#?\\d+|subquery#\\d+", "id"),
      m => ids.getOrElseUpdate(m.matched, ids.size).toString)
  }

  private def check(folder: String, tables: Map[String, String], queries: Seq[String]): Unit =
    test(s"plans of $folder are those without Wreath") {
      withTable(tables.keys.toSeq: _*) {
        tables.foreach { case (name, columns) =>
          spark.sql(s"CREATE TABLE $name ($columns) USING parquet")
        }
        withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
          val cyclic = queries.filter { name =>
            val query = textOf(s"$folder/$name.sql")
            val (optimized, physical, reasons) = planned(query)
            val (expected, expectedPhysical, _) =
              withSQLConf(WreathConf.ENABLED.key -> "false")(planned(query))
            withClue(s"$name: ") {
              assert(optimized == expected)
              assert(physical == expectedPhysical)
            }
            reasons.nonEmpty
          }
          info(s"cyclic: ${cyclic.mkString(", ")}")
        }
      }
    }

  private val all =
    (1 to 99).map(i => s"q$i").filterNot(Set("q14", "q23", "q24", "q39").contains) ++
      Seq("q14a", "q14b", "q23a", "q23b", "q24a", "q24b", "q39a", "q39b")

  check("tpch", tpch, (1 to 22).filter(i => isSoak || i % 4 == 1).map(i => s"q$i"))
  check(
    "tpcds",
    tableColumns,
    if (isSoak) all else Seq("q1", "q17", "q24a", "q25", "q46", "q64", "q85"))
}
