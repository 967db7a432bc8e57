package io.wreath.spark

import java.nio.file.Files

/** Every statement of docs/sql.md runs, and every query there finds something. */
class SqlDocSuite extends WreathQueryTest {

  private val blocks = {
    val text = Files.readString(RepositoryRoot.path.resolve("docs/sql.md"))
    "(?s)\n```sql\n(.*?)\n```".r.findAllMatchIn(text).map(_.group(1)).toSeq
  }

  test("the statements of docs/sql.md run") {
    val statements = blocks.flatMap(_.split(";(?=\\s*(\n|$))")).map(_.trim).filter(_.nonEmpty)
    assert(statements.count(_.contains("GRAPH_TABLE")) >= 4)
    try {
      for (statement <- statements) withClue(s"$statement: ") {
        val rows = spark.sql(statement).collect()
        if (!statement.startsWith("CREATE")) assert(rows.nonEmpty)
      }
    } finally spark.sql("DROP PROPERTY GRAPH IF EXISTS social").collect()
  }
}
