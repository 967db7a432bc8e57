"""What README.md and CONTRIBUTING.md show is true: code runs, commands exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession
from support import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


@pytest.fixture(scope="module")
def namespace(spark: SparkSession) -> Iterator[dict[str, Any]]:
    """The Python blocks are one program, and the SQL blocks use the view it makes."""
    names: dict[str, Any] = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), names)
    yield names
    names["query"].stop()


def test_there_is_python_and_sql_to_run() -> None:
    assert len(blocks("python")) >= 1
    assert len(blocks("sql")) >= 2


def test_the_python_blocks_run_and_give_rows(namespace: dict[str, Any]) -> None:
    graph = namespace["graph"]
    rings = graph.match("(a)-[]->(b)-[]->(c)-[]->(a)", where="a < b AND a < c")
    assert [tuple(row) for row in rings.collect()] == [(1, 3, 4)]


def test_the_stream_runs_and_its_matches_come_and_go(
    spark: SparkSession, namespace: dict[str, Any]
) -> None:
    query = namespace["query"]
    came_and_went = "SELECT count(*) FROM triangles WHERE diff < 0"
    for _ in range(240):
        if spark.sql(came_and_went).collect()[0][0] > 0 or query.awaitTermination(0.5):
            break
    assert query.exception() is None
    sums = spark.table("triangles").groupBy("a", "b", "c").sum("diff").collect()
    assert sums
    assert min(row[3] for row in sums) >= 0
    assert spark.sql(came_and_went).collect()[0][0] > 0


@pytest.mark.parametrize("query", blocks("sql"))
def test_a_sql_block_runs(spark: SparkSession, namespace: dict[str, Any], query: str) -> None:
    rows = spark.sql(query).collect()
    assert rows
    if query.startswith("EXPLAIN"):
        # The block says both; which one stands there depends on what ran before.
        assert "BroadcastWcoJoin" in rows[0][0]
        assert re.search("CsrBroadcastExchange|CachedCsrIndex", rows[0][0])


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"])
def test_the_make_targets_that_are_named_exist(document: str) -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    text = (REPOSITORY / document).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE))
    assert named
    assert named <= targets
