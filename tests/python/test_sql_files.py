"""The cases of tests/sql, as SqlFileSuite runs them, through PySpark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

#: None would mean that they are looked for in the wrong place.
FILES = sorted((Path(__file__).parents[1] / "sql").glob("*.sql"))
assert FILES
HEADER = re.compile(r"^-- (ConfigMatrix|setup|query|same as|error|plan)(?::\s*(.*))?$", re.M)


def blocks_of(text: str) -> list[tuple[str, str, str]]:
    parts = HEADER.split(text)[1:]
    return [(kind, arg or "", body) for kind, arg, body in zip(*[iter(parts)] * 3, strict=True)]


def rows(df: DataFrame) -> list[str]:
    return sorted(str(tuple(row)) for row in df.collect())


@contextmanager
def settings(spark: SparkSession, values: list[tuple[str, str]]) -> Iterator[None]:
    before = [(key, spark.conf.get(key, None)) for key, _ in values]
    for key, value in values:
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key, old in before:
            if old is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, old)


@pytest.fixture
def no_graphs_left(spark: SparkSession) -> Iterator[None]:
    """Views of a file are replaced by the next one's; graphs would be seen by other tests."""
    yield
    for graph in spark.sql("SHOW PROPERTY GRAPHS").collect():
        spark.sql(f"DROP PROPERTY GRAPH `{graph[0]}`")


@pytest.mark.usefixtures("no_graphs_left")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rows_and_errors(spark: SparkSession, path: Path) -> None:
    blocks = blocks_of(path.read_text(encoding="utf-8"))
    matrix = []
    for kind, argument, _ in blocks:
        if kind == "ConfigMatrix":
            key, choices = argument.split("=", 1)
            matrix.append([(key.strip(), choice.strip()) for choice in choices.split("|")])
    # The JVM's suite runs all combinations; here each value is seen once.
    combinations = [
        [choices[min(i, len(choices) - 1)] for choices in matrix]
        for i in range(max((len(choices) for choices in matrix), default=1))
    ]
    for combination in combinations:
        with settings(spark, combination):
            run(spark, blocks)


def run(spark: SparkSession, blocks: list[tuple[str, str, str]]) -> None:
    query = ""
    for kind, argument, body in blocks:
        if kind == "setup":
            for statement in filter(str.strip, body.split(";")):
                spark.sql(statement)
        elif kind == "query":
            query = body
        elif kind == "same as":
            assert rows(spark.sql(query)) == rows(spark.sql(body)), query
        elif kind == "error":
            with pytest.raises(AnalysisException) as caught:
                spark.sql(query).collect()
            assert caught.value.getCondition() == argument.strip(), query
