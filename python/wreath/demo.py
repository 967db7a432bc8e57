"""``wreath demo``: one query, three ways, on a graph that the package makes itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wreath import _jvm
from wreath._quiet import quiet_session
from wreath.generate import check_size, power_law
from wreath.graph import Graph

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WCO_JOIN = "WcoJoin"
"""What the names of Wreath's join operators have in common."""

PATTERN = "(a)-[]->(b)-[]->(c)-[]->(a)"
WHERE = "a < b AND a < c"

SQL = f"SELECT count(*) FROM GRAPH_TABLE (demo_edges MATCH {PATTERN} WHERE {WHERE})"
JOINS = """
SELECT count(*)
FROM demo_edges ab JOIN demo_edges bc ON ab.dst = bc.src
                   JOIN demo_edges ca ON bc.dst = ca.src AND ca.dst = ab.src
WHERE ab.src < ab.dst AND ab.src < bc.dst
"""


class Measured(NamedTuple):
    """What one way of asking gave."""

    way: str
    triangles: int
    first: float
    second: float
    operator: str


def run(edges: int = 200_000, master: str = "local[*]") -> bool:
    """Run the demo and print it; return whether everything came out as it should.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    edges : int, default 200000
        The size of the graph.
    master : str, default "local[*]"
        Where Spark runs.
    """
    check_size(edges)  # before Spark takes its seconds to start
    spark = quiet_session("wreath demo", master)
    try:
        return _run(spark, edges)
    finally:
        spark.stop()


def _run(spark: SparkSession, edges: int) -> bool:
    planted = power_law(spark, edges)
    # The 200 partitions that distinct() leaves would slow Spark's joins down five times: be fair.
    graph = planted.edges.repartition(2 * spark.sparkContext.defaultParallelism).cache()
    graph.createOrReplaceTempView("demo_edges")
    print(
        f"Graph   {graph.count():,} edges, power law, {planted.rings:,} planted rings, "
        "generated and cached"
    )
    print(f"Query   directed triangles, each once: MATCH {PATTERN} WHERE {WHERE}\n")

    ways = [
        _measure("SQL GRAPH_TABLE", lambda: spark.sql(SQL)),
        _measure(
            "Graph.match",
            lambda: Graph(graph).match(PATTERN, where=WHERE).groupBy().count(),
        ),
        _without_wreath(spark, lambda: _measure("Spark's joins", lambda: spark.sql(JOINS))),
    ]
    print(_table(ways))
    print(
        "\nEvery way ran twice. A first run also generates code, and the very first warms up the\n"
        "JVM and builds the index of the edges, which Wreath keeps for every later query.\n"
    )

    on_planted = " AND ".join(f"{v} >= {planted.vertices}" for v in "abc")
    found = Graph(graph).match(PATTERN, where=f"{WHERE} AND {on_planted}").count()
    print(f"Rings   {found:,} of {planted.rings:,} planted rings found")

    problems = _problems(ways, found, planted.rings)
    for problem in problems:
        print(f"WRONG   {problem}")
    return not problems


def _measure(way: str, query: Callable[[], DataFrame]) -> Measured:
    seconds = []
    for _ in range(2):
        started = time.perf_counter()
        df = query()
        count = df.collect()[0][0]
        seconds.append(time.perf_counter() - started)
    return Measured(way, count, seconds[0], seconds[1], _jvm.joins(_jvm.executed_plan(df)))


def _without_wreath(spark: SparkSession, measure: Callable[[], Measured]) -> Measured:
    spark.conf.set("spark.wreath.enabled", "false")
    try:
        return measure()
    finally:
        spark.conf.unset("spark.wreath.enabled")


def _problems(ways: list[Measured], found: int, rings: int) -> list[str]:
    """Return what is not as it should be, one sentence each."""
    problems = []
    if len({way.triangles for way in ways}) > 1:
        problems.append("The three counts differ.")
    for way in ways[:2]:
        if WCO_JOIN not in way.operator:
            problems.append(f"{way.way} ran without Wreath's operator, by {way.operator}.")
    if WCO_JOIN in ways[2].operator:
        problems.append("Spark's joins were to run without Wreath, but did not.")
    if found != rings:
        problems.append("The planted rings and the rings found differ.")
    return problems


def _table(ways: list[Measured]) -> str:
    header = ("way", "triangles", "first run", "second run", "operator in the plan")
    rows = [
        (w.way, f"{w.triangles:,}", f"{w.first:.2f} s", f"{w.second:.2f} s", w.operator)
        for w in ways
    ]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        left, *middle, last = row
        cells = [left.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(middle, widths[1:-1], strict=True)]
        lines.append("  ".join([*cells, last]).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)
