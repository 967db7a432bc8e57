"""Exact counts on real graphs, agreed on by independent programs: see ../shared/data/README.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from support import REPOSITORY

import wreath
from wreath import _jvm

DATA = REPOSITORY.parent / "shared" / "data"
MOST_ROWS = 1_000_000 if os.environ.get("WREATH_SOAK") else 100_000

PATTERNS = {
    "tri_cyc": "(a)-[]->(b)-[]->(c)-[]->(a)",
    "tri_acyc": "(a)-[]->(b)-[]->(c), (a)-[]->(c)",
    "clique4": "(a)-[]->(b), (a)-[]->(c), (a)-[]->(d), (b)-[]->(c), (b)-[]->(d), (c)-[]->(d)",
}

# How a view is made of the stored rows; lt and sym do without self-loops.
VIEWS = {
    "dir": "SELECT DISTINCT src, dst FROM {stored}",
    "lt": "SELECT DISTINCT least(src, dst) AS src, greatest(src, dst) AS dst FROM {stored} "
    "WHERE src <> dst",
    "sym": "SELECT src, dst FROM {stored} WHERE src <> dst "
    "UNION SELECT dst, src FROM {stored} WHERE src <> dst",
}


def expected() -> list[tuple[str, str, int, dict[str, int]]]:
    """Return (graph, view, rows, count of each pattern) for every view that is small enough."""
    file = DATA / "counts.json"
    if not file.is_file():
        return []
    cases = []
    graphs: dict[str, Any] = json.loads(file.read_text())["graphs"]
    for graph, known in graphs.items():
        for view, content in known["views"].items():
            counts = {p: content["counts"][p]["count"] for p in PATTERNS if p in content["counts"]}
            if view == "lt":
                counts.setdefault("tri_cyc", 0)  # ids ascend along the edges: no way back
            if content["rows"] <= MOST_ROWS and counts:
                cases.append((graph, view, content["rows"], counts))
        simple = known.get("undirected_simple")
        if simple and not known["views"] and simple["edges"] <= MOST_ROWS:
            # Each undirected triangle or clique is one in which the ids ascend along the edges.
            counts = {"tri_cyc": 0, "tri_acyc": simple["triangles"]}
            if "cliques4" in simple:
                counts["clique4"] = simple["cliques4"]
            cases.append((graph, "lt", simple["edges"], counts))
    return cases


def parquet(graph: str, folder: Path) -> Path:
    """Return the file of a graph; rmat-… and powerlaw-… are generated, the name has the numbers."""
    stored = DATA / "graphs" / f"{graph}.parquet"
    if stored.is_file():
        return stored
    made = folder / f"{graph}.parquet"
    kind, *numbers = graph.split("-")
    program = [sys.executable, str(DATA / "gen.py"), kind, *numbers, str(made)]
    subprocess.run(program, check=True, capture_output=True)
    return made


CASES = expected()


@pytest.mark.skipif(not CASES, reason="../shared/data/counts.json is not there")
@pytest.mark.parametrize(
    ("graph", "view", "size", "counts"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES]
)
def test_counts_through_sql_and_python(
    spark: SparkSession,
    tmp_path: Path,
    graph: str,
    view: str,
    size: int,
    counts: dict[str, int],
) -> None:
    stored = spark.read.parquet(str(parquet(graph, tmp_path)))
    edges = spark.sql(VIEWS[view], stored=stored).cache()
    try:
        assert edges.count() == size
        edges.createOrReplaceTempView("counted_edges")
        for pattern, count in counts.items():
            match = PATTERNS[pattern]
            sql = spark.sql(f"SELECT count(*) FROM GRAPH_TABLE (counted_edges MATCH {match})")
            python = wreath.Graph(edges).match(match).groupBy().count()
            assert counted_by_wreath(sql) == count, f"{pattern} through SQL"
            assert counted_by_wreath(python) == count, f"{pattern} through Graph.match"
    finally:
        edges.unpersist()


def counted_by_wreath(query: DataFrame) -> int:
    count: int = query.collect()[0][0]
    assert "BroadcastWcoJoin" in _jvm.joins(_jvm.executed_plan(query))
    return count
