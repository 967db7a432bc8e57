package io.wreath.spark

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}

import org.scalatest.funsuite.AnyFunSuite

/** However the extension is named, and however often, it is there once. */
class WreathExtensionsSuite extends AnyFunSuite {

  test("applied twice to one session, it injects once") {
    var parsers = 0
    val extensions = new SparkSessionExtensions {
      override def injectParser(builder: ParserBuilder): Unit = {
        parsers += 1
        super.injectParser(builder)
      }
    }
    new WreathExtensions().apply(extensions)
    new WreathExtensions().apply(extensions)
    assert(parsers == 1)
  }

  test("a jar starts on every patch of its own Spark line, and on no other") {
    SparkLine.check()
    val line = SPARK_VERSION.split('.').take(2).mkString(".")
    for (own <- Seq(s"$line.0", s"$line.12", s"$line.3-vendor.1")) SparkLine.check(own)
    for (other <- Seq("3.5.1", s"${line}0.1", "4.0.2", "5.1.0")) {
      val error = intercept[WreathRuntimeException](SparkLine.check(other))
      assert(error.getCondition == "WREATH_WRONG_SPARK")
      assert(error.getSqlState == "0A000")
      assert(error.getMessageParameters == java.util.Map.of("line", line, "spark", other))
    }
  }

  test("the service file alone activates it") {
    SparkSession.getActiveSession.foreach(_.stop())
    val spark =
      SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try {
      spark.sql("SELECT 1L AS src, 1L AS dst").createOrReplaceTempView("e")
      val rows = spark.sql("SELECT * FROM GRAPH_TABLE (e MATCH (a)->(b)->(a))").collect()
      assert(rows.length == 1)
    } finally spark.stop()
  }
}
