package io.wreath.spark

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
