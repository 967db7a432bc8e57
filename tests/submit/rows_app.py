"""A hundred million rows through a small heap, a LIMIT over more, and a query that is cancelled."""

from __future__ import annotations

import json
import threading
import time

from pyspark.sql import SparkSession

SIDE = 10_000
PATHS = "GRAPH_TABLE (edges MATCH (a)->(b)->(c))"


def main() -> None:
    """Run and report."""
    spark = SparkSession.builder.getOrCreate()
    # Edges into one hub and out of it: each pair is a path.
    spark.sql(
        f"SELECT id AS src, -1 AS dst FROM range({SIDE}) "
        f"UNION ALL SELECT -1 AS src, {SIDE} + id AS dst FROM range({SIDE})"
    ).cache().createOrReplaceTempView("edges")
    rows = spark.sql(f"SELECT * FROM {PATHS}")
    rows.write.format("noop").mode("overwrite").save()
    summed = spark.sql(f"SELECT sum(a + b + c) FROM {PATHS}").collect()[0][0]
    limited = len(spark.sql(f"SELECT * FROM {PATHS} LIMIT 7").collect())
    jvm = spark._jvm
    assert jvm is not None  # a classic session has one
    report = {
        "rows": spark.sql(f"SELECT count(*) FROM {PATHS}").collect()[0][0],
        "summed": summed,
        "limited": limited,
        "cancelled": cancelled(spark),
        "heap": jvm.java.lang.Runtime.getRuntime().maxMemory(),
    }
    print("REPORT " + json.dumps(report))
    spark.stop()


def cancelled(spark: SparkSession) -> bool:
    """Cancel a query of 10^12 rows while it runs; return whether it ended by that."""
    error: list[Exception] = []

    def run() -> None:
        try:
            spark.sql(
                "SELECT sum(a + d) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (d)->(b))"
            ).collect()
        except Exception as e:  # Spark's, in whatever wrapping
            error.append(e)

    query = threading.Thread(target=run)
    query.start()
    tracker = spark.sparkContext.statusTracker()
    while query.is_alive() and not any(
        info and info.numActiveTasks > 0
        for info in map(tracker.getStageInfo, tracker.getActiveStageIds())
    ):
        time.sleep(0.01)
    time.sleep(0.2)
    spark.sparkContext.cancelAllJobs()
    query.join()
    return len(error) == 1 and "cancel" in str(error[0]).lower()


if __name__ == "__main__":
    main()
