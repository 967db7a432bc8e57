package io.wreath.spark

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.AnalysisException

import org.scalatest.{Args, Status}

/**
 * Runs tests/sql: one behaviour a file, through every value of its ConfigMatrix.
 *
 * A file is a sequence of blocks, each led by a comment line:
 * {{{
 *   -- ConfigMatrix: key = value | value      one line for each key; all combinations run
 *   -- setup                                  statements, run once for each combination
 *   -- query                                  its rows must be those of the block after it:
 *   -- same as                                a query of plain SQL that Spark runs by itself, or
 *   -- error: CONDITION                       the condition that the query before must raise
 *   -- plan: Text                             must stand in the executed plan of the query before
 * }}}
 * With `-- -Dmatrix=first` only the first value of each key runs.
 */
class SqlFileSuite extends WreathQueryTest {

  private var isShort = false

  override def run(testName: Option[String], args: Args): Status = {
    isShort = args.configMap.getOptional[String]("matrix").contains("first")
    super.run(testName, args)
  }

  private case class Block(kind: String, argument: String, text: String)

  private val files: Seq[Path] = {
    val stream = Files.list(RepositoryRoot.path.resolve("tests/sql"))
    try stream.iterator().asScala.filter(_.toString.endsWith(".sql")).toList.sorted
    finally stream.close()
  }

  test("there are cases") {
    assert(files.nonEmpty)
  }

  for (file <- files) test(s"tests/sql/${file.getFileName}") {
    val blocks = parse(Files.readString(file))
    val matrix = blocks.filter(_.kind == "ConfigMatrix").map { b =>
      val Array(key, values) = b.argument.split("=", 2): @unchecked
      values.split('|').toSeq.map(v => key.trim -> v.trim)
    }
    val combinations = matrix.foldLeft(Seq(Seq.empty[(String, String)])) { (done, options) =>
      for (d <- done; o <- if (isShort) options.take(1) else options) yield d :+ o
    }
    for (conf <- combinations) withSQLConf(conf: _*) {
      withClue(s"$conf: ")(run(blocks))
    }
  }

  private def run(blocks: Seq[Block]): Unit = {
    var query = ""
    var checked = true
    blocks.foreach {
      case Block("setup", _, text) =>
        text.split(';').map(_.trim).filter(_.nonEmpty).foreach(spark.sql(_).collect())
      case Block("query", _, text) =>
        assert(checked, s"nothing is checked of: $query")
        query = text
        checked = false
      case Block("same as", _, text) =>
        checkAnswer(spark.sql(query), spark.sql(text).collect().toSeq)
        checked = true
      case Block("error", condition, _) =>
        val error = intercept[AnalysisException](spark.sql(query).collect())
        assert(error.getCondition == condition)
        checked = true
      case Block("plan", expected, _) =>
        val df = spark.sql(query)
        df.collect()
        assert(df.queryExecution.executedPlan.toString.contains(expected))
      case Block("ConfigMatrix", _, _) =>
      case other => fail(s"unknown block $other")
    }
    assert(checked, s"nothing is checked of: $query")
  }

  private def parse(content: String): Seq[Block] = {
    val header = """-- (ConfigMatrix|setup|query|same as|error|plan)(?::\s*(.*))?""".r
    content.linesIterator.foldLeft(Vector.empty[Block]) { (blocks, line) =>
      line match {
        case header(kind, argument) => blocks :+ Block(kind, Option(argument).getOrElse(""), "")
        case _ if blocks.isEmpty => blocks
        case _ => blocks.init :+ blocks.last.copy(text = blocks.last.text + line + "\n")
      }
    }
  }
}
