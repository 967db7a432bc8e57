"""A DataFrame made of local data is a graph like any other, whatever made it and whoever asks."""

from __future__ import annotations

import os
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest
from pyspark.sql import SparkSession
from support import connect_port

#: Compares with plain Python. `kinds` says how a DataFrame is made of rows.
QUERIES = """
import random
import pandas
import wreath

def frames(spark, columns, rows, types):
    schema = ", ".join(f"{c} {t}" for c, t in zip(columns, types))
    yield "rows", spark.createDataFrame(rows, schema)
    for arrow in ("true", "false"):
        spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", arrow)
        yield f"pandas, Arrow {arrow}", spark.createDataFrame(
            pandas.DataFrame(rows, columns=columns), schema)

def check(spark):
    chance = random.Random(7)
    pairs = [(chance.randrange(30), chance.randrange(30), chance.randrange(5)) for _ in range(200)]
    names = [(i, f"n{i % 4}") for i in range(0, 30, 2)]
    named = dict(names)
    seen = []
    for kind, edges in frames(spark, ["src", "dst", "w"], pairs, ["bigint", "bigint", "int"]):
        for people_kind, people in frames(spark, ["id", "name"], names, ["bigint", "string"]):
            graph = wreath.Graph(edges, people)
            found = graph.match("(a)-[x]->(b)-[y]->(c)", where="x.w < y.w AND a.name = c.name",
                                columns=["a", "b.name AS name", "y.w AS w"])
            expected = sorted((a, named[b], w) for a, b, v in pairs for c, d, w in pairs
                              if b == c and v < w and {a, b, d} <= set(named)
                              and named[a] == named[d])
            assert sorted(map(tuple, found.collect())) == expected, (kind, people_kind)
            plan = found._explain_string() if hasattr(found, "_explain_string") else ""
            assert "WcoJoinDeclined" not in plan
        rings = wreath.Graph(edges).match("(a)-[]->(b)-[]->(a)").count()
        assert rings == sum((b, a) == (c, d) for a, b, _ in pairs for c, d, _ in pairs), kind
        seen.append(kind)
    print(seen)
"""

KINDS = "['rows', 'pandas, Arrow true', 'pandas, Arrow false']"


def test_local_data_with_vertices(spark: SparkSession) -> None:
    before = str(spark.conf.get("spark.sql.execution.arrow.pyspark.enabled"))
    scope: dict[str, Callable[[SparkSession], None]] = {}
    exec(QUERIES, scope)
    try:
        scope["check"](spark)
    finally:
        spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", before)


def test_local_data_over_connect(
    spark: SparkSession, run_python: Callable[..., CompletedProcess[str]]
) -> None:
    url = f"sc://127.0.0.1:{connect_port(spark)}"
    done = run_python(QUERIES + 'check(wreath.start("client"))', SPARK_REMOTE=url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == KINDS


LARGE = """
import numpy, pandas
import wreath

spark = wreath.start("large local data", "local[2]", conf={
    "spark.ui.enabled": False,
    "spark.driver.memory": "1g",
    "spark.sql.execution.arrow.pyspark.enabled": True,
})
ids = numpy.arange(1_300_000)
edges = spark.createDataFrame(pandas.DataFrame({"src": ids % 100_003, "dst": ids * 7919 % 100_003}))
graph = wreath.Graph(edges)
triangles = "(a)-[]->(b)-[]->(c), (a)-[]->(c)"
cliques = triangles + ", (a)-[]->(d), (b)-[]->(d), (c)-[]->(d)"
print(graph.match(triangles).count() > 0, graph.match(cliques).count() >= 0)
people = spark.createDataFrame(pandas.DataFrame({"id": numpy.arange(100_003)}))
found = wreath.Graph(edges, people).match(triangles).count()
print(found == graph.match(triangles).count())
"""


@pytest.mark.skipif(os.environ.get("WREATH_SOAK") != "1", reason="WREATH_SOAK=1 runs it")
def test_a_million_local_edges_fit_into_a_small_driver(
    run_python: Callable[..., CompletedProcess[str]],
) -> None:
    done = run_python(LARGE)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["True", "True", "True"]
