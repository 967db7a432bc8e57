package io.wreath.spark.index

import scala.util.Try

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.wreath.{SettingOfSpark, TestPlans}

import io.wreath.spark.WreathQueryTest

/**
 * Settings that [[AnswerSettings]] takes for harmless change no row: each that Spark has is given
 * another legal value, and a table of expressions is computed under both.
 */
class AnswerSettingsSuite extends WreathQueryTest {

  private val table =
    """SELECT id AS src, (id * 7 + 3) % 20 AS dst,
      |  CAST(id / 3 AS DECIMAL(10, 4)) AS d, CAST(id AS DOUBLE) / 7 AS f,
      |  CAST(CAST(id / 7 AS FLOAT) AS STRING) AS t,
      |  to_timestamp(concat('2020-01-', lpad(CAST(1 + id AS STRING), 2, '0'))) AS ts,
      |  date_format(date_add(DATE'2019-12-28', CAST(id AS INT)), 'yyyy-MM-dd EEE') AS day,
      |  CAST(map(id, id + 1) AS STRING) AS m, CAST(named_struct('a', id, 'b', NULL) AS STRING) AS s,
      |  sort_array(array(id % 3, id % 5, NULL)) AS l, size(CAST(NULL AS ARRAY<INT>)) AS n,
      |  split(concat('a,', id, ',b'), ',')[1] AS w, regexp_extract(concat('x', id), '[0-9]+', 0) AS r,
      |  to_json(named_struct('id', id, 'f', id / 4)) AS j,
      |  from_json(concat('{"k": ', id, '}'), 'k INT').k AS k,
      |  hash(id) AS h, concat_ws('-', id, NULL, 'z') AS c, substring('abcdef', -id, 2) AS u,
      |  CASE WHEN id IN (1, 3, 5) THEN 'odd' WHEN id > 15 THEN NULL ELSE 'other' END AS o,
      |  round(id / 3, 2) AS ro, try_divide(id, id - 3) AS td, id BETWEEN 3 AND 9 AS be
      |FROM range(0, 20, 1, 3)""".stripMargin

  private def rows: Seq[Row] = spark.sql(s"SELECT * FROM ($table) ORDER BY src").collect().toSeq

  /** A legal value that is not the one that holds now. */
  private def another(setting: SettingOfSpark): Option[String] = {
    val now = setting.value
    val candidates =
      if (now == "true") Seq("false")
      else if (now == "false") Seq("true")
      else if (setting.legal.nonEmpty) setting.legal.filterNot(_ == now)
      else Try(now.toDouble).toOption.toSeq.flatMap { n =>
        Seq(now.toLongOption.map(l => (l + 1).toString).getOrElse((n / 2).toString), "2", "1")
      } ++ (if (now.matches("[0-9]+[a-zA-Z]+")) Seq("1MB", "7s", "1b") else Nil)
    candidates.find { c =>
      c != now && Try(spark.conf.set(setting.key, c)).isSuccess
    }
  }

  test("no harmless setting changes a row of a table with expressions") {
    val expected = rows
    assert(expected.size == 20)
    val all = TestPlans.settings(spark).filter(s => AnswerSettings.isHarmless(s.key))
    val tried = all.flatMap { setting =>
      val value = another(setting)
      try value.map { v =>
          assert(rows == expected, s"${setting.key} = $v changes rows")
          setting.key
        }
      finally spark.conf.unset(setting.key)
    }
    info(s"${tried.size} of ${all.size} settings have another value to try")
    // The test is worth something only while it finds values.
    assert(tried.size > all.size / 2)
  }

  test("a setting that changes rows is not among them") {
    Seq(
      "spark.sql.legacy.timeParserPolicy",
      "spark.sql.session.timeZone",
      "spark.sql.ansi.enabled",
      "spark.sql.caseSensitive",
      "spark.sql.mapKeyDedupPolicy",
      "spark.sql.legacy.castComplexTypesToString.enabled",
      "spark.sql.sources.default").foreach(key => assert(!AnswerSettings.isHarmless(key), key))
  }
}
