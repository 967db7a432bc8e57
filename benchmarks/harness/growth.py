"""Growth: index, first query and later query of ever larger graphs, beside the C++ reference."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from benchmarks.harness import cpp
from benchmarks.harness.patterns import TINY
from benchmarks.harness.records import LONG, Log, Run
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.wreath_engine import PARTITIONS, WreathEngine

Say = Callable[[str], None]

EDGE_FACTOR = 16
QUERY = "tri_o"
WARM_UP = 15


@dataclass(frozen=True)
class Size:
    """Least seconds and bytes of one graph; those of C++ are named so."""

    graph: str
    vertices: int
    edges: int
    build: float
    first: float
    later: float
    index_bytes: int
    cpp_build: float
    cpp_tri: float
    cpp_bytes: int


def measure(
    engine: WreathEngine,
    scratch: Scratch,
    log: Log,
    scales: list[int],
    *,
    rounds: int,
    timeout: float,
    say: Say,
) -> list[Size]:
    """Measure RMAT graphs of these scales, contenders in turn."""
    for _ in range(WARM_UP):  # or the smallest graph would pay for a cold JVM
        engine.spark.sql(f"UNCACHE GRAPH INDEX {TINY}o")
        engine.spark.sql(f"CACHE GRAPH INDEX {TINY}o")
        engine.run(QUERY, "empty")
    return [
        _size(engine, scratch, log, f"rmat{scale}", rounds=rounds, timeout=timeout, say=say)
        for scale in scales
    ]


def _size(
    engine: WreathEngine,
    scratch: Scratch,
    log: Log,
    name: str,
    *,
    rounds: int,
    timeout: float,
    say: Say,
) -> Size:
    graph = scratch.graph(name, EDGE_FACTOR)
    sizes = scratch.edges(graph)
    edges = engine.spark.read.parquet(str(graph / "o.parquet")).repartition(PARTITIONS).cache()
    edges.count()
    edges.createOrReplaceTempView("o")
    seconds: dict[str, list[float]] = {"build": [], "first": [], "later": []}
    held = 0

    def keep(what: str, started: float, count: int) -> None:
        took = time.perf_counter() - started
        seconds[what].append(took)
        log.add(Run("wreath", graph.name, f"growth {what}", took, count))

    for _ in range(rounds):
        started = time.perf_counter()
        row = engine.spark.sql("CACHE GRAPH INDEX o").head()
        assert row is not None
        keep("build", started, row["edges"])
        held = row["bytes"]
        engine.spark.sql("UNCACHE GRAPH INDEX o")
        for what in ("first", "later"):
            if any(took > LONG for took in seconds["later"]):
                break  # a long run is not repeated
            started = time.perf_counter()
            keep(what, started, engine.run(QUERY, "count")["count"])
        engine.spark.sql("UNCACHE GRAPH INDEX o")
        for program, queries in (
            ("kernel", {"build_csr_o": "growth build", QUERY: "growth later"}),
            ("marks", {QUERY: "growth later"}),
        ):
            for run in cpp.run(scratch, program, graph, queries, runs=1, timeout=timeout):
                log.add(run)
        if any(took > LONG for took in seconds["later"]):
            break
    edges.unpersist(blocking=True)
    counts = {r.count for r in log.find("wreath", graph.name, "growth first")}
    if counts != {log.truth(graph.name, "growth later")}:
        raise AssertionError(f"The first queries on {graph.name} counted {counts}.")
    size = Size(
        graph.name,
        sizes["n"],
        sizes["o"],
        min(seconds["build"]),
        min(seconds["first"]),
        min(seconds["later"]),
        held,
        _least(log, "cpp", graph.name, "growth build"),
        _least(log, "cpp-marks", graph.name, "growth later"),
        8 * (sizes["n"] + 1) + 4 * sizes["o"],
    )
    say("  ".join(f"{key} {value}" for key, value in asdict(size).items()))
    return size


def _least(log: Log, contender: str, graph: str, query: str) -> float:
    seconds = log.best(contender, graph, query)
    if seconds is None:
        raise AssertionError(f"{contender} has no verified time of {query} on {graph}.")
    return seconds


def steps(sizes: list[Size]) -> list[tuple[str, str, float, float]]:
    """Return (step, measure, growth of Wreath, growth of C++) for each step and measure."""
    found = []
    for small, large in itertools.pairwise(sizes):
        step = f"{small.graph} to {large.graph}"
        pairs = {
            "index build": (large.build / small.build, large.cpp_build / small.cpp_build),
            "first query": (
                large.first / small.first,
                (large.cpp_build + large.cpp_tri) / (small.cpp_build + small.cpp_tri),
            ),
            "later query": (large.later / small.later, large.cpp_tri / small.cpp_tri),
            "index bytes": (
                large.index_bytes / small.index_bytes,
                large.cpp_bytes / small.cpp_bytes,
            ),
        }
        found += [(step, what, ours, theirs) for what, (ours, theirs) in pairs.items()]
    return found
