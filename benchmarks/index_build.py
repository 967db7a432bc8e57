"""What building an index costs against the least it could, and what finding one costs.

The yardstick is collecting the two columns of the same cached table through Arrow, plus the build
of one direction by the C++ kernel of ../shared/peers, all in one run on one machine. Wreath's time
is of CACHE GRAPH INDEX: both directions, and the broadcast. Edges and rows are checked.

    PYTHONPATH=python .venv/bin/python benchmarks/index_build.py --edges 5000000
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy
from pyspark.sql import DataFrame, SparkSession

from wreath._quiet import quiet_session

KERNEL = Path(__file__).resolve().parents[2] / "shared" / "peers" / "cpp" / "kernel.cpp"
VERTICES = 300_000
PATTERN = "SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c))"
CACHE_CONF = "spark.wreath.index.cache.enabled"


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description="Cost of building and of finding an index.")
    parser.add_argument("--edges", type=int, default=5_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--master", default="local[2]")
    args = parser.parse_args()
    spark = quiet_session("wreath index benchmark", args.master, {"spark.driver.memory": "6g"})
    try:
        return benchmark(spark, args.edges, args.runs)
    finally:
        spark.stop()


def benchmark(spark: SparkSession, edges: int, runs: int) -> int:
    """Run on a session; return 1 if an index does not hold the edges it should."""
    table = table_of(spark, edges)
    table.createOrReplaceTempView("edges")
    built: list[int] = []

    def build() -> None:
        row = spark.sql("CACHE GRAPH INDEX edges").head()
        assert row is not None
        built.append(row["edges"])

    build_seconds, arrow_seconds = [], []
    # In turn, so that a noisy neighbour hits both alike.
    for run in range(runs + 1):
        spark.sql("UNCACHE GRAPH INDEX edges")
        seconds = timed(build)
        arrow = timed(table.toArrow)
        if run > 0:
            build_seconds.append(seconds)
            arrow_seconds.append(arrow)
    if set(built) != {edges}:
        print(f"an index has {set(built)} edges, not {edges}", file=sys.stderr)
        return 1
    ours, arrow = statistics.median(build_seconds), statistics.median(arrow_seconds)
    print(f"index of {edges:,} edges   {ours:.2f} s (median of {runs})")
    print(f"columns through Arrow      {arrow:.2f} s")
    kernel = kernel_seconds(table)
    if isinstance(kernel, str):
        print(f"C++ build                  skipped: {kernel}")
    else:
        print(f"C++ build, one direction   {kernel:.2f} s")
        print(f"ratio                      {ours / (arrow + kernel):.2f} (at most 2)")
    report_heap(spark, edges)
    report_planning(spark)
    return 0


def table_of(spark: SparkSession, edges: int) -> DataFrame:
    """Random edges, cached, in eight partitions."""
    table = (
        spark.range(0, edges, 1, 8)
        .selectExpr(
            f"cast(abs(hash(id)) % {VERTICES} as int) as src",
            f"cast(abs(hash(id, 7)) % {VERTICES} as int) as dst",
        )
        .cache()
    )
    table.count()
    return table


def kernel_seconds(table: DataFrame) -> float | str:
    """Time of the C++ build of the same edges, or why there is none."""
    compiler = shutil.which("g++")
    if compiler is None or not KERNEL.exists():
        return "no g++" if compiler is None else "no ../shared/peers"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        flags = ["-O3", "-march=native", "-std=c++17", "-pthread"]
        subprocess.run([compiler, *flags, str(KERNEL), "-o", str(folder / "kernel")], check=True)
        rows = table.toArrow()
        columns = [rows["src"].to_numpy(), rows["dst"].to_numpy()]
        pairs = numpy.stack(columns, axis=1).astype("int32").tobytes()
        for name in ["o", "u", "d"]:
            (folder / f"{name}.bin").write_bytes(pairs)
        (folder / "seeds.bin").write_bytes(b"\0\0\0\0")
        command = [str(folder / "kernel"), scratch, "1", "5", "build_csr_o"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return statistics.median(float(json.loads(line)["secs"]) for line in output.splitlines())


def report_heap(spark: SparkSession, edges: int) -> None:
    """Heap that an index takes once garbage is collected, pieces of the broadcast included."""
    runtime = spark._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr]

    def used() -> int:
        for _ in range(3):
            runtime.gc()
            time.sleep(0.3)
        return int(runtime.totalMemory() - runtime.freeMemory())

    with_index = used()
    row = spark.sql("UNCACHE GRAPH INDEX edges").head()
    assert row is not None
    without = used()
    spark.sql("CACHE GRAPH INDEX edges")
    print(f"index by its own count     {row['bytes'] / edges:.1f} bytes an edge")
    print(f"heap with it, less without {(with_index - without) / edges:.1f} bytes an edge")


def report_planning(spark: SparkSession) -> None:
    """Planning of a query whose index is found, against one that does not look for it."""
    print(f"a hit on a cached table    {planning(spark)}")
    with tempfile.TemporaryDirectory() as scratch:
        for files in [8, 900]:
            folder = f"{scratch}/{files}"
            spark.range(0, 100_000, 1, files).selectExpr(
                "id % 1000 AS src", "id % 997 AS dst"
            ).write.parquet(folder)
            spark.read.parquet(folder).createOrReplaceTempView("edges")
            spark.sql(PATTERN).head()
            print(f"a hit on {files:3} files          {planning(spark)}")


def planning(spark: SparkSession) -> str:
    """Say what looking for the index adds to planning."""

    def plan() -> None:
        spark.sql(PATTERN)._jdf.queryExecution().executedPlan()

    times: dict[str, list[float]] = {"false": [], "true": []}
    for run in range(40):
        for enabled in times:
            spark.conf.set(CACHE_CONF, enabled)
            seconds = timed(plan)
            if run >= 10:
                times[enabled].append(seconds)
    without, hit = (statistics.median(times[k]) * 1000 for k in ["false", "true"])
    return f"{hit:.1f} ms of planning, {hit - without:+.1f} ms (at most +20)"


def timed(action: Callable[[], object]) -> float:
    """Seconds that an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
