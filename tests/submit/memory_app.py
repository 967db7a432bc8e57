"""Edge tables whose index would not fit a small heap: every query answers, by whatever join."""

from __future__ import annotations

import json
import os

from pyspark.sql import SparkSession

ROWS = int(os.environ["ROWS"])

QUERIES = {
    "keys": (
        "SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)->(b)->(c) WHERE a < 1000)",
        "SELECT count(*) FROM e x JOIN e y ON x.dst = y.src WHERE x.src < 1000",
    ),
    "properties": (
        "SELECT count(*) FROM GRAPH_TABLE (e MATCH (a)-[x]->(b)-[y]->(c) "
        "WHERE a < 1000 AND x.p < y.p)",
        "SELECT count(*) FROM e x JOIN e y ON x.dst = y.src WHERE x.src < 1000 AND x.p < y.p",
    ),
    "two tables": (
        "SELECT count(*) FROM GRAPH_TABLE (g MATCH (a)-[IS e]->(b)-[IS f]->(c) WHERE a.id < 1000)",
        "SELECT count(*) FROM e x JOIN f y ON x.dst = y.src WHERE x.src < 1000",
    ),
    "vertices": (
        "SELECT count(*) FROM GRAPH_TABLE (g MATCH (a)-[IS e]->(b) WHERE a.name < b.name)",
        "SELECT count(*) FROM e JOIN v x ON src = x.id JOIN v y ON dst = y.id "
        "WHERE x.name < y.name",
    ),
    "text keys": (
        "SELECT count(*) FROM GRAPH_TABLE (t MATCH (a)->(b)->(c) WHERE a < 'key-1')",
        "SELECT count(*) FROM t x JOIN t y ON x.dst = y.src WHERE x.src < 'key-1'",
    ),
}


def main() -> None:
    """Run and report."""
    spark = SparkSession.builder.getOrCreate()
    edges = spark.range(0, ROWS, 1, 4).selectExpr(
        "id AS src", f"(id * 7919) % {ROWS} AS dst", "repeat(sha2(CAST(id AS STRING), 256), 2) AS p"
    )
    edges.write.parquet("edges")
    spark.read.parquet("edges").createOrReplaceTempView("e")
    spark.sql(
        "SELECT 'key-' || sha2(CAST(src AS STRING), 256) AS src, "
        "'key-' || sha2(CAST(dst AS STRING), 256) AS dst FROM e"
    ).createOrReplaceTempView("t")
    spark.sql(f"SELECT dst AS src, ({ROWS} - src) % {ROWS} AS dst FROM e").write.parquet("more")
    spark.read.parquet("more").createOrReplaceTempView("f")
    spark.sql("SELECT src AS id, p AS name FROM e").write.parquet("vertices")
    spark.read.parquet("vertices").createOrReplaceTempView("v")
    spark.sql(
        "CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (v KEY (id)) EDGE TABLES ("
        "e SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v, "
        "f SOURCE KEY (src) REFERENCES v DESTINATION KEY (dst) REFERENCES v)"
    )
    report = {}
    for name in os.environ["NAMES"].split(","):
        pattern, plain = QUERIES[name]
        print("NOW " + name, flush=True)
        report[name] = [spark.sql(q).collect()[0][0] for q in (pattern, plain, pattern)]
    print("REPORT " + json.dumps(report))
    spark.stop()


if __name__ == "__main__":
    main()
