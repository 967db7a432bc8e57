"""Wreath: cached tables with their index resident, in one Spark session."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf

from benchmarks.harness import patterns
from benchmarks.harness.worker import serve
from wreath import _jvm
from wreath._quiet import quiet_session

OPERATOR = "BroadcastWcoJoin"
ALGORITHM = "spark.wreath.join.algorithm"
CONF = {
    "spark.driver.memory": "6g",
    "spark.sql.shuffle.partitions": 8,
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC",
}
# A small file is one partition, that is one busy core out of two.
PARTITIONS = 8
TASKS_END_SECONDS = 10.0


class WreathEngine:
    """Counts and rows of patterns over a graph, and over a tiny one of the same shape.

    A query is *warm* if it finds what an earlier run of it left beside the index, such as a copy
    in order of degree, and *cold* if it finds the index and nothing else.
    """

    def __init__(self, master: str = "local[2]", conf: Mapping[str, object] | None = None) -> None:
        self.spark = quiet_session("wreath benchmark", master, {**CONF, **(conf or {})})
        jvm = self.spark.sparkContext._jvm
        assert jvm is not None
        self._pid: int = jvm.java.lang.ProcessHandle.current().pid()
        self._cached: list[DataFrame] = []
        # The queries that have run since anything was forgotten.
        self._warm: set[str] = set()
        ring = self.spark.range(patterns.RING).selectExpr(
            "cast(id as int) as src", f"cast((id + 1) % {patterns.RING} as int) as dst"
        )
        back = ring.selectExpr("dst as src", "src as dst")
        vertices = ring.selectExpr("src as id")
        for name, table in {
            "o": ring.where("src < dst"),
            "u": ring.union(back),
            "d": ring,
            "v": vertices,
            "seeds": vertices.where("id % 8 = 0"),
        }.items():
            self._table(patterns.TINY + name, table)
        self._index(patterns.TINY)
        self._group = 0

    def load(self, graph: Path) -> None:
        """Cache the tables of a graph and build their indexes."""
        self.unload()
        for name in ("o", "u", "d", "v", "seeds"):
            table = self.spark.read.parquet(str(graph / f"{name}.parquet"))
            self._cached.append(self._table(name, table))
        self._index("")

    def unload(self) -> None:
        """Forget the graph."""
        if self._cached:
            for name in "oud":
                self.spark.sql(f"UNCACHE GRAPH INDEX {name}")
        for table in self._cached:
            table.unpersist(blocking=True)
        self._cached = []
        self._warm = set()

    def run(self, query: str, how: str) -> dict[str, Any]:
        """Run a query: ``count``, ``empty`` (the same over the tiny graph), or rows thrown away.

        ``leapfrog`` counts by Leapfrog Triejoin. ``cold`` counts where nothing is kept but the
        index, and says how many bytes it kept.
        ``rows`` and ``empty-rows`` go to a noop sink; ``checked-rows`` counts them there too, and
        takes longer for it. ``dummy`` sends as many rows of as many numbers there as the query's
        name says (``1000x4``), made up by Spark's generated code.
        """
        self._group += 1
        self.spark.sparkContext.setJobGroup(f"{query} {self._group}", query, True)
        if how == "dummy":
            return self._dummy(*map(int, query.split("x")))
        tiny = how.startswith("empty")
        if how.endswith("rows"):
            return self._rows(patterns.rows(query, tiny=tiny), how)
        if how == "cold":
            return self._cold(query)
        if how == "leapfrog":
            return self._leapfrog(query)
        if not tiny and query not in self._warm:
            self._count(query, tiny=False)
            self._warm.add(query)
        return self._count(query, tiny=tiny)

    def interrupt(self) -> None:
        """Cancel the jobs of the query that runs."""
        self.spark.sparkContext.cancelAllJobs()

    def recovered(self) -> bool:
        """Wait for tasks that were cancelled."""
        return tasks_end(self.spark)

    def _count(self, query: str, *, tiny: bool) -> dict[str, Any]:
        """Count, and check count and plan; ``cpu`` is what the JVM used on all of its threads."""
        started, used = time.perf_counter(), self._cpu()
        df = self.spark.sql(patterns.count(query, tiny=tiny))
        count = int(df.collect()[0][0])
        seconds, cpu = time.perf_counter() - started, self._cpu() - used
        self._check(df)
        # A ring has a few walks that go back and forth.
        if tiny and count != 0 and query not in patterns.SHAPES:
            raise AssertionError(f"The tiny graph has {count} matches of {query}.")
        return {"seconds": seconds, "count": count, "cpu": round(cpu, 6)}

    def _cold(self, query: str) -> dict[str, Any]:
        for name in "oud":
            self.spark.sql(f"UNCACHE GRAPH INDEX {name}")
        self._index("")
        before = self._index_bytes()
        reply = self._count(query, tiny=False)
        self._warm = {query}
        return {**reply, "kept": self._index_bytes() - before}

    def _leapfrog(self, query: str) -> dict[str, Any]:
        self.spark.conf.set(ALGORITHM, "leapfrog")
        try:
            return self._count(query, tiny=False)
        finally:
            self.spark.conf.unset(ALGORITHM)

    def _index_bytes(self) -> int:
        return sum(row["bytes"] for row in self.spark.sql("SHOW GRAPH INDEXES").collect())

    def _cpu(self) -> float:
        # Linux names the clock of another process so; /proc counts in hundredths of a second.
        return time.clock_gettime((~self._pid << 3) | 2)

    def _rows(self, text: str, how: str) -> dict[str, Any]:
        started, used = time.perf_counter(), self._cpu()
        df = self.spark.sql(text)
        seen = Observation()
        sunk = df.observe(seen, sf.count(sf.lit(1)).alias("n")) if how == "checked-rows" else df
        sunk.write.format("noop").mode("overwrite").save()
        seconds, cpu = time.perf_counter() - started, self._cpu() - used
        self._check(df)
        count = seen.get["n"] if how == "checked-rows" else None
        return {"seconds": seconds, "count": count, "cpu": round(cpu, 6)}

    def _dummy(self, rows: int, columns: int) -> dict[str, Any]:
        started = time.perf_counter()
        numbers = self.spark.range(0, rows, 1, PARTITIONS)
        numbers = numbers.selectExpr(*(f"id + {i} AS c{i}" for i in range(columns)))
        numbers.write.format("noop").mode("overwrite").save()
        return {"seconds": time.perf_counter() - started, "count": None}

    def _check(self, df: DataFrame) -> None:
        """Refuse to time anything but the operator."""
        plan = _jvm.executed_plan(df)
        if _jvm.joins(plan) != OPERATOR or "not used:" in plan:
            raise AssertionError(f"The query ran by {_jvm.joins(plan)}, not by {OPERATOR} alone.")

    def _table(self, name: str, table: DataFrame) -> DataFrame:
        cached = table.repartition(PARTITIONS).cache()
        cached.count()
        cached.createOrReplaceTempView(name)
        return cached

    def _index(self, prefix: str) -> None:
        for name in "oud":
            self.spark.sql(f"CACHE GRAPH INDEX {prefix}{name}")
        self.spark.sql(patterns.GRAPH.format(p=prefix))


def tasks_end(spark: SparkSession) -> bool:
    """Tell whether a session's tasks end, for a task may overlook that it was cancelled."""
    store = spark.sparkContext._jsc.sc().statusStore()
    until = time.perf_counter() + TASKS_END_SECONDS
    while time.perf_counter() < until:
        executors = store.executorList(True)
        if all(executors.apply(i).activeTasks() == 0 for i in range(executors.size())):
            return True
        time.sleep(0.2)
    return False


if __name__ == "__main__":
    # Another jar than the one of this checkout may be named.
    serve(WreathEngine(conf={"spark.jars": sys.argv[1]} if len(sys.argv) > 1 else None))
