package io.wreath.spark

import org.apache.spark.sql.Row

class WcoJoinAnswerSuite extends WreathQueryTest {

  test("a triangle comes out once for each way to bind it") {
    edges("e", (1L, 2L), (2L, 3L), (1L, 3L), (3L, 4L), (3L, 1L))
    val df = spark.sql(
      "SELECT * FROM GRAPH_TABLE (e MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c))")
    checkAnswer(df, Seq(Row(1L, 2L, 3L)))
    assert(wcoJoins(df).size == 1)
  }
}
