"""An application as a user would write it: it knows Spark and SQL, and no Python of Wreath's.

Prints one line of JSON: what was counted, by which plan, and on how many executors.
"""

from __future__ import annotations

import json

from pyspark.sql import SparkSession


def main() -> None:
    spark = SparkSession.builder.appName("wreath submit test").getOrCreate()
    # A directed ring of 300 vertices, in which each vertex also points two ahead: 300 triangles.
    spark.range(300).selectExpr(
        "id AS src", "explode(array((id + 1) % 300, (id + 2) % 300)) AS dst"
    ).createOrReplaceTempView("edges")
    query = spark.sql(
        "SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c))"
    )
    count = query.collect()[0][0]
    context = spark.sparkContext
    report = {
        "count": count,
        "plan": query._jdf.queryExecution().executedPlan().toString(),
        "master": context.master,
        "executors": context._jsc.sc().getExecutorMemoryStatus().size() - 1,
    }
    spark.stop()
    print("REPORT " + json.dumps(report))


if __name__ == "__main__":
    main()
