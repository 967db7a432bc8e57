"""Spark's own joins, in a session without Wreath.

``how`` is ``spark`` (Spark's own choice), ``spark-bhj`` (every build side broadcast by a hint) or
``spark-smj`` (no broadcast); they share the session and the cached tables.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from benchmarks.harness.peer_queries import peer_queries
from benchmarks.harness.worker import serve
from benchmarks.harness.wreath_engine import CONF, PARTITIONS, tasks_end
from wreath import _jvm

QUIET = {
    "spark.ui.enabled": False,
    "spark.ui.showConsoleProgress": False,
    "spark.log.level": "ERROR",
}
THRESHOLD = "spark.sql.autoBroadcastJoinThreshold"


class SparkEngine:
    """The SQL text of ../shared/peers over cached tables."""

    def __init__(self, peers: str, master: str = "local[2]") -> None:
        self._queries = peer_queries(Path(peers))
        builder = SparkSession.builder.master(master).appName("peers")
        for key, value in {**CONF, **QUIET}.items():
            builder = builder.config(key, str(value))
        self._spark = builder.getOrCreate()
        self._cached: list[DataFrame] = []
        self._group = 0

    def load(self, graph: Path) -> None:
        """Cache the tables of a graph."""
        for table in self._cached:
            table.unpersist(blocking=True)
        self._cached = []
        for name in ("o", "u", "d", "seeds"):
            table = self._spark.read.parquet(str(graph / f"{name}.parquet"))
            cached = table.repartition(PARTITIONS).cache()
            cached.count()
            cached.createOrReplaceTempView(name)
            self._cached.append(cached)

    def run(self, query: str, how: str) -> dict[str, Any]:
        """Count by joins; say which were in the plan."""
        self._group += 1
        self._spark.sparkContext.setJobGroup(f"{query} {self._group}", query, True)
        if how == "spark-smj":
            self._spark.conf.set(THRESHOLD, "-1")
        else:
            self._spark.conf.unset(THRESHOLD)
        started = time.perf_counter()
        df = self._spark.sql(self._queries.sql(query, how == "spark-bhj"))
        count: int = df.collect()[0][0]
        seconds = time.perf_counter() - started
        joins = _jvm.joins(_jvm.executed_plan(df))
        return {"seconds": seconds, "count": count, "joins": joins}

    def interrupt(self) -> None:
        """Cancel the jobs of the query that runs."""
        self._spark.sparkContext.cancelAllJobs()

    def recovered(self) -> bool:
        """Wait for tasks that were cancelled."""
        return tasks_end(self._spark)


if __name__ == "__main__":
    serve(SparkEngine(*sys.argv[1:]))
