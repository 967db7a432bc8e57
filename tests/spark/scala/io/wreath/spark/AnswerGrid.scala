package io.wreath.spark

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.functions.lit
import org.apache.spark.sql.internal.SQLConf

/** Runs a query by every implementation there is, and holds its rows against those of Spark's joins. */
trait AnswerGrid extends WreathQueryTest {

  protected val simple = Seq(1L -> 2L, 2L -> 3L, 1L -> 3L, 3L -> 4L, 3L -> 1L, 2L -> 4L, 4L -> 4L)
  protected val duplicates = simple ++ simple.take(4) ++ Seq(1L -> 2L, 4L -> 4L)

  /** AQE, generated code, and by which join. */
  protected val implementations = Seq(
    (true, true, "broadcast", "generic"),
    (false, true, "broadcast", "generic"),
    (false, false, "broadcast", "generic"),
    (true, true, "broadcast", "leapfrog"),
    (true, true, "binary", "generic"))

  def checkSameRows(query: String, aqe: Seq[Boolean] = Seq(true, false)): Unit = {
    val expected = withSQLConf(WreathConf.ENABLED.key -> "false") {
      val df = spark.sql(query)
      assert(wcoJoins(df).isEmpty)
      df.collect().toSeq
    }
    for ((adaptive, generated, mode, algorithm) <- implementations if aqe.contains(adaptive)) {
      withSQLConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString,
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated.toString,
        WreathConf.JOIN_MODE.key -> mode,
        WreathConf.JOIN_ALGORITHM.key -> algorithm) {
        val df = spark.sql(query)
        withClue(s"mode $mode, AQE $adaptive, generated $generated, $algorithm: ") {
          checkAnswer(df, expected)
        }
        // A column on top brings a join into generated code that would else write rows itself.
        if (generated && mode == "broadcast") {
          val fused = df.withColumn("one", lit(1))
          withClue(s"fused, AQE $adaptive: ") {
            checkAnswer(fused, expected.map(r => Row.fromSeq(r.toSeq :+ 1)))
          }
        }
        // Spark itself finds out that a join over an empty table is empty.
        val empty = df.queryExecution.optimizedPlan.maxRows.contains(0L)
        val expectJoin = mode == "broadcast" && !empty
        val isReplaced = adaptive && expected.isEmpty
        assert(isReplaced || wcoJoins(df).nonEmpty == expectJoin, s"$query in mode $mode")
      }
    }
  }
}
