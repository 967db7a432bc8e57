"""Executors of their own: the rows of Spark's joins, also when one is killed in mid-join."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession

QUERIES = [
    "SELECT * FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c) WHERE a < c)",
    "SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c)->(a))",
    "SELECT a, count(*) FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c), (a)->(c)) GROUP BY a",
    "SELECT DISTINCT c FROM GRAPH_TABLE (edges MATCH (a)->(b)->(c)->(d) WHERE a = 3 AND d <> b)",
    "SELECT sum(w) FROM GRAPH_TABLE (edges MATCH (a)-[x]->(b)->(c) WHERE x.weight > 2 "
    "COLUMNS (x.weight AS w))",
]
# Some seconds of work: all closed walks of four steps, none of them counted by a closed form.
LONG = (
    "SELECT sum(pmod(hash(a, b, c, d), 1000)) "
    "FROM GRAPH_TABLE (dense MATCH (a)->(b)->(c)->(d)->(a))"
)


def main() -> None:
    """Run what is asked for and report."""
    spark = SparkSession.builder.getOrCreate()
    spark.sql(
        "SELECT id % 23 AS src, (id * 7 + id DIV 23) % 29 AS dst, id % 5 AS weight FROM range(300)"
    ).createOrReplaceTempView("edges")
    same = [rows(spark, query) == without(spark, query) for query in QUERIES]

    n = 90
    spark.sql(
        f"SELECT a.id AS src, b.id AS dst FROM range({n}) a, range({n}) b WHERE a.id <> b.id"
    ).cache().createOrReplaceTempView("dense")
    undisturbed = rows(spark, LONG)
    killed, disturbed = kill_during(spark)
    report = {
        "same": same,
        "killed": killed,
        "exact": disturbed == undisturbed,
        "plan": "BroadcastWcoJoin" in plan(spark, LONG),
    }
    print("REPORT " + json.dumps(report))
    spark.stop()


def rows(spark: SparkSession, query: str) -> list[str]:
    """Return the rows in an order that does not depend on tasks."""
    return sorted(str(row) for row in spark.sql(query).collect())


def without(spark: SparkSession, query: str) -> list[str]:
    """Return the rows of Spark's own joins."""
    spark.conf.set("spark.wreath.enabled", "false")
    try:
        return rows(spark, query)
    finally:
        spark.conf.unset("spark.wreath.enabled")


def plan(spark: SparkSession, query: str) -> str:
    """Return the physical plan."""
    return str(spark.sql("EXPLAIN " + query).collect()[0][0])


def kill_during(spark: SparkSession) -> tuple[int, list[str]]:
    """Kill an executor once tasks of the join have ended; return its pid and the answer."""
    found: list[list[str]] = []
    query = threading.Thread(target=lambda: found.append(rows(spark, LONG)))
    query.start()
    pid = 0
    while query.is_alive() and not pid:
        if tasks_ended(spark) >= 1:
            pid = executors()[0]
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    query.join()
    return pid, found[0]


def tasks_ended(spark: SparkSession) -> int:
    """Return how many tasks of the running stages have ended."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(s) for s in tracker.getActiveStageIds()]
    return max((s.numCompletedTasks for s in stages if s and s.numTasks > 4), default=0)


def executors() -> list[int]:
    """Return the processes of this application's executors, found among all processes."""
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_text()
            except OSError:
                continue
            if "CoarseGrainedExecutorBackend" in command and os.environ["KILL_MARK"] in command:
                pids.append(int(entry.name))
    return pids


if __name__ == "__main__":
    main()
