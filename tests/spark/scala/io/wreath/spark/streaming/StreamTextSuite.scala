package io.wreath.spark.streaming

import io.wreath.spark.logical.StreamingWcoJoin

/**
 * What a checkpoint keeps of a clause, word by word: checkpoints of earlier versions have these texts,
 * and open only where a clause still has the same.
 */
class StreamTextSuite extends StreamingQueryHarness {

  private def textsOf(sql: String): Seq[String] = {
    val joins = spark.sql(sql).queryExecution.analyzed.collect { case j: StreamingWcoJoin => j }
    joins.flatMap(j =>
      j.changes.text +: j.patterns.flatMap(p => Seq(p.text.toString, p.signature)))
  }

  private def check(sql: String, texts: String*): Unit =
    test(s"the text of: $sql") {
      stream(
        "changes",
        "src",
        "dst",
        "amount",
        "ts",
        "timestamp_seconds(ts) AS t",
        "diff")
      stream("edges_now", "src", "dst", "amount", "diff")
      spark.sql("SELECT id, id % 3 AS age FROM range(9)").createOrReplaceTempView("people")
      spark.sql("SELECT id % 7 AS src, id AS dst, id AS since FROM range(12)")
        .createOrReplaceTempView("knows")
      spark.sql("""CREATE OR REPLACE TEMPORARY PROPERTY GRAPH payments
        VERTEX TABLES (people KEY (id))
        EDGE TABLES (
          edges_now AS pays SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people,
          knows SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people)""")
      assert(textsOf(sql) == texts)
    }

  private val plain = "(src BIGINT, dst BIGINT, amount BIGINT, ts BIGINT, t TIMESTAMP)"

  private def over(clause: String): String = s"SELECT * FROM GRAPH_TABLE (changes $clause)"

  check(
    over("MATCH (a)->(b)->(c), (a)->(c) WHERE a < b AND 12 / (a + 1) > 2"),
    plain,
    "MATCH 0->1, 1->2, 0->2 WHERE ((12 / (v0 + 1)) > 2) AND (v0 < v1) COLUMNS (v0 AS " +
      "a, v1 AS b, v2 AS c)",
    "0->1 1->2 0->2")

  check(
    over("MATCH (a)-[x WHERE x.ts > 1]->(b)-[y]->(c WHERE c.id > 7) WHERE x.ts < y.ts " +
      "COLUMNS (a, x.ts AS t, b + 1 AS n)"),
    plain,
    "MATCH 0->1, 1->2 WHERE (`e0.ts` < `e1.ts`) AND (`e0.ts` > 1) AND (v2 > 7) " +
      "COLUMNS (v0 AS a, `e0.ts` AS t, (v1 + 1) AS n)",
    "0->1 1->2")

  check(
    over("MATCH DIFFERENT VERTICES (a)->(b)->(c)"),
    plain,
    "MATCH 0->1, 1->2 WHERE (NOT (v0 = v1)) AND (NOT (v0 = v2)) AND (NOT (v1 = v2)) " +
      "COLUMNS (v0 AS a, v1 AS b, v2 AS c)",
    "0->1 1->2")

  check(
    over("MATCH DIFFERENT EDGES (a)->(b)->(c) WHERE a <> c"),
    plain,
    "MATCH 0->1, 1->2 WHERE (NOT (v0 = v2)) AND DIFFERENT EDGES COLUMNS (v0 AS a, v1 " +
      "AS b, v2 AS c)",
    "0->1 1->2")

  check(
    over("MATCH UNIQUE SUBGRAPHS (a)->(b)->(c)->(a)"),
    plain,
    "MATCH 0->1, 1->2, 2->0 WHERE (NOT (v0 = v1)) AND (NOT (v0 = v2)) AND (NOT (v1 = " +
      "v2)) AND (v0 < v1) AND (v0 < v2) COLUMNS (v0 AS a, v1 AS b, v2 AS c)",
    "0->1 1->2 2->0")

  check(
    over("MATCH (a)->(a)"),
    plain,
    "MATCH 0->0 WHERE (v0 = v0) COLUMNS (v0 AS a)",
    "0->0")

  check(
    over("MATCH (a)-[x]->(a) WHERE x.ts > 3 AND a > 1"),
    plain,
    "MATCH 0->0 WHERE (`e0.ts` > 3) AND (v0 = v0) AND (v0 > 1) COLUMNS (v0 AS a)",
    "0->0")

  check(
    over("MATCH (a)->(a)->(b)"),
    plain,
    "MATCH 0->0, 0->1 COLUMNS (v0 AS a, v1 AS b)",
    "0->0 0->1")

  check(
    over("MATCH (a)-[e WHERE e.ts > 1]->{2}(b) WHERE a < b"),
    plain,
    "MATCH 0->1, 1->2 WHERE (`e0.ts` > 1) AND (`e1.ts` > 1) AND (v0 < v2) COLUMNS " +
      "(v0 AS a, v2 AS b)",
    "0->1 1->2")

  check(
    over("KEY (src, ts) EXPIRING t AFTER '1 day' MATCH (a)<-[e]-(b), (c)->(a)"),
    "(src BIGINT, dst BIGINT, amount BIGINT, ts BIGINT, t TIMESTAMP) KEY (src, ts) " +
      "EXPIRING t AFTER 86400000000 MICROSECONDS",
    "MATCH 0->1, 2->1 COLUMNS (v1 AS a, v0 AS b, v2 AS c)",
    "0->1 2->1")

  check(
    "SELECT 'p' AS pattern, a, diff FROM GRAPH_TABLE (changes MATCH (a)-[e]->(b " +
      "WHERE b.id > 1)-[]->(a) WHERE a < b AND e.ts > 2 AND abs(a) > 0) UNION ALL " +
      "SELECT 'q' AS pattern, a, diff FROM GRAPH_TABLE (changes MATCH DIFFERENT " +
      "VERTICES (a)->(b)->(c) WHERE a > 1)",
    plain,
    "MATCH 0->1, 1->0 WHERE (`e0.ts` > 2) AND (abs(v0) > 0) AND (v0 < v1) AND (v1 > " +
      "1) COLUMNS (v0 AS a, v1 AS b)",
    "0->1 1->0 & (((v1 > CAST(1 AS BIGINT)) AND (v0 < v1)) AND ((`e0.ts` > CAST(2 AS " +
      "BIGINT)) AND (abs(v0) > CAST(0 AS BIGINT))))",
    "MATCH 0->1, 1->2 WHERE (NOT (v0 = v1)) AND (NOT (v0 = v2)) AND (NOT (v1 = v2)) " +
      "AND (v0 > 1) COLUMNS (v0 AS a, v1 AS b, v2 AS c)",
    "0->1 1->2 & ((v0 > CAST(1 AS BIGINT)) AND (((NOT (v0 = v1)) AND (NOT (v0 = " +
      "v2))) AND (NOT (v1 = v2))))")

  check(
    "SELECT * FROM GRAPH_TABLE (payments MATCH (a)-[e IS pays]->(b)-[k IS " +
      "knows]->(c) WHERE a.age < b.age AND k.since > 2 COLUMNS (a.id AS a, e.amount AS " +
      "x, c.age AS age))",
    "(src BIGINT, dst BIGINT, amount BIGINT)",
    "MATCH 0->0 in people (id), 0->1, 1->1 in people (id), 1->2 in knows (src, dst), " +
      "2->2 in people (id) WHERE (`e0.age` < `e2.age`) AND (`e3.since` > 2) COLUMNS " +
      "(v0 AS a, `e1.amount` AS x, `e4.age` AS age)",
    "0->0@1 0->1 1->1@1 1->2@2 2->2@1")

  check(
    "SELECT * FROM GRAPH_TABLE (payments MATCH DIFFERENT EDGES (a)-[IS " +
      "pays]->(b)-[IS pays]->(c) COLUMNS (a.id AS a))",
    "(src BIGINT, dst BIGINT, amount BIGINT)",
    "MATCH 0->0 in people (id), 0->1, 1->1 in people (id), 1->2, 2->2 in people (id) " +
      "WHERE DIFFERENT EDGES COLUMNS (v0 AS a)",
    "0->0@1 0->1 1->1@1 1->2 2->2@1")

  check(
    "SELECT * FROM GRAPH_TABLE (payments MATCH (a)-[IS pays]->(a) COLUMNS (a.id AS " +
      "a))",
    "(src BIGINT, dst BIGINT, amount BIGINT)",
    "MATCH 0->0 in people (id), 0->0 COLUMNS (v0 AS a)",
    "0->0@1 0->0")
}
