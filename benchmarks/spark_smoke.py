"""A short Spark benchmark that cannot lie: operator and count are checked, only then is it timed.

Counts directed triangles with Wreath and with Spark's own joins on the same cached edges. The graph
is wiki-vote where ../shared/data is at hand, with its published count; else the generated graph of
``wreath demo``, whose count has to agree with that of Spark's joins.

    make bench-smoke
    PYTHONPATH=python .venv/bin/python benchmarks/spark_smoke.py --runs 10 --master 'local[4]'
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from wreath import _jvm
from wreath._quiet import quiet_session
from wreath.generate import power_law

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
GRAPH = "wiki-vote"
WCO_JOIN = "BroadcastWcoJoin"

TRIANGLE = "SELECT count(*) FROM GRAPH_TABLE (edges MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c))"
JOINS = """
SELECT count(*)
FROM edges ab JOIN edges bc ON ab.dst = bc.src
              JOIN edges ac ON ab.src = ac.src AND bc.dst = ac.dst
"""


def main() -> int:
    """Check, time and print; return the exit code."""
    parser = argparse.ArgumentParser(description="Short Spark benchmark of Wreath.")
    parser.add_argument("--runs", type=int, default=5, help="later runs to time (default: 5)")
    parser.add_argument("--master", default="local[2]", help="where Spark runs (default: local[2])")
    args = parser.parse_args()
    if args.runs < 1:
        parser.error("--runs must be at least 1")

    spark = quiet_session("wreath smoke benchmark", args.master)
    try:
        return benchmark(spark, args.runs)
    finally:
        spark.stop()


def benchmark(spark: SparkSession, runs: int) -> int:
    """Run on a session; return 0, or 1 if something that was to be timed is not what it claims."""
    name, edges, expected = load(spark)
    # The 200 partitions that distinct() leaves would slow Spark's joins down severely: be fair.
    edges = edges.repartition(2 * spark.sparkContext.defaultParallelism).cache()
    edges.createOrReplaceTempView("edges")
    where = f"Spark {spark.version}, {spark.sparkContext.master}"
    print(f"graph        {name}, {edges.count():,} edges, {where}")

    def wreath() -> DataFrame:
        return spark.sql(TRIANGLE)

    def joins() -> DataFrame:
        return spark.sql(JOINS)

    # The first query is timed before anything has warmed it up; it counts only if the checks pass.
    first, count, operator = timed(wreath)
    with_joins, joined_count, join_operator = without_wreath(spark, lambda: timed(joins))
    expected = joined_count if expected is None else expected
    for what, wrong in {
        f"Wreath counted {count:,}, right is {expected:,}": count != expected,
        f"Spark's joins counted {joined_count:,}, right is {expected:,}": joined_count != expected,
        f"Wreath ran by {operator}, not by {WCO_JOIN}": WCO_JOIN not in operator,
        f"Spark's joins ran by {join_operator}": WCO_JOIN in join_operator,
    }.items():
        if wrong:
            print(f"WRONG        {what}: nothing was timed", file=sys.stderr)
            return 1
    print(f"count        {count:,} triangles, right; {operator} against {join_operator}")

    later, baseline = [], []
    for _ in range(runs):  # alternating, so that a busy moment of the machine hits both
        later.append(timed(wreath)[0])
        baseline.append(without_wreath(spark, lambda: timed(joins))[0])

    print(f"\n{'':<22}{'best':>9}{'median':>9}{'stdev':>9}   seconds, {runs} runs")
    row("Wreath, first query", [first])
    row("Spark's joins, first", [with_joins])
    row("Wreath, later query", later)
    row("Spark's joins, later", baseline)
    ratios = f"first {with_joins / first:.2f}, later {ratio(baseline, later):.2f} (medians)"
    print(f"\nSpark's joins / Wreath: {ratios}")
    print("Wreath's first query also warms up the JVM and builds the index, which later ones find.")
    return 0


def load(spark: SparkSession) -> tuple[str, DataFrame, int | None]:
    """Return a graph's name, its edges, and its count of triangles where one is published."""
    counts = DATA / "counts.json"
    file = DATA / "graphs" / f"{GRAPH}.parquet"
    if counts.is_file() and file.is_file():
        known = json.loads(counts.read_text())["graphs"][GRAPH]["views"]["dir"]["counts"]
        edges = spark.read.parquet(str(file)).select("src", "dst").distinct()
        return GRAPH, edges, known["tri_acyc"]["count"]
    return "generated power law", power_law(spark).edges, None


def timed(query: Callable[[], DataFrame]) -> tuple[float, int, str]:
    """Return the seconds from text to answer, the answer, and the joins in the plan that ran."""
    started = time.perf_counter()
    df = query()
    answer: int = df.collect()[0][0]
    seconds = time.perf_counter() - started
    return seconds, answer, _jvm.joins(_jvm.executed_plan(df))


def without_wreath(
    spark: SparkSession, measure: Callable[[], tuple[float, int, str]]
) -> tuple[float, int, str]:
    """Measure with Wreath switched off."""
    spark.conf.set("spark.wreath.enabled", "false")
    try:
        return measure()
    finally:
        spark.conf.unset("spark.wreath.enabled")


def row(name: str, seconds: list[float]) -> None:
    """Print one line of the table."""
    spread = f"{statistics.stdev(seconds):>9.3f}" if len(seconds) > 1 else f"{'-':>9}"
    print(f"{name:<22}{min(seconds):>9.3f}{statistics.median(seconds):>9.3f}{spread}")


def ratio(slow: list[float], fast: list[float]) -> float:
    """Return the ratio of the medians."""
    return statistics.median(slow) / statistics.median(fast)


if __name__ == "__main__":
    sys.exit(main())
