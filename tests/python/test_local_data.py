"""A DataFrame made of local data is a graph like any other, whatever made it and whoever asks."""

from __future__ import annotations

import os
import pickle
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from subprocess import CompletedProcess

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import LongType, StructType
from support import connect_port

import wreath
from wreath import _jvm

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


def frames_without_arrow(
    spark: SparkSession, rows: list[tuple[int, int]]
) -> Iterator[tuple[str, DataFrame]]:
    import pandas  # type: ignore[import-untyped]

    schema = "src bigint, dst bigint"
    yield "rows", spark.createDataFrame(rows, schema)
    yield "rows, types inferred", spark.createDataFrame(rows, ["src", "dst"])
    yield "pandas", spark.createDataFrame(pandas.DataFrame(rows, columns=["src", "dst"]))
    yield "pandas, schema", spark.createDataFrame(pandas.DataFrame(rows), schema)


# Batches of PySpark: one row, some, more than a byte counts, the most.
@pytest.mark.parametrize("size", [1, 40, 1400, 5000])
def test_rows_of_the_driver_keep_their_index(spark: SparkSession, size: int) -> None:
    chance = random.Random(size)
    rows = [(chance.randrange(size), chance.randrange(size)) for _ in range(size)]
    starts = Counter(a for a, _ in rows)
    expected = sum(starts[b] for _, b in rows)
    for kind, edges in frames_without_arrow(spark, rows):
        edges.createOrReplaceTempView("rows_of_the_driver")
        for again in (False, True):
            graph = wreath.Graph(edges)
            found = graph.match("(a)-[]->(b)-[]->(c)").groupBy().count()
            assert found.collect()[0][0] == expected, kind
            assert ("CachedCsrIndex" in _jvm.executed_plan(found)) == again, kind
        view = spark.sql(
            "SELECT count(*) FROM GRAPH_TABLE (rows_of_the_driver MATCH (a)-[]->(b)-[]->(c))"
        )
        assert view.collect()[0][0] == expected
        assert "CachedCsrIndex" in _jvm.executed_plan(view), kind
    spark.catalog.dropTempView("rows_of_the_driver")


class Dice:
    """Written as a call that gives another number each time it is read."""

    def __reduce__(self) -> tuple[Callable[[int], int], tuple[int]]:
        return secrets.randbelow, (1 << 40,)


def test_an_rdd_that_may_give_other_rows_is_read_anew(spark: SparkSession) -> None:
    schema = StructType().add("src", LongType()).add("dst", LongType())
    context = spark.sparkContext
    local = [(i, i + 1) for i in range(300)]
    rolled = context.parallelize(local).map(lambda r: (random.randrange(1 << 40), r[1]))
    frames = {
        "a function": spark.createDataFrame(rolled, schema),
        "a function, types inferred": rolled.toDF(["src", "dst"]),
        "as it is": spark.createDataFrame(context.parallelize(local).map(lambda r: r), schema),
        "a class of the user's": spark.createDataFrame(
            [(Dice(), 1)] * 300, schema, verifySchema=False
        ),
    }
    for kind, edges in frames.items():
        seen = []
        for _ in range(2):
            found = wreath.Graph(edges).match("(a)-[]->(b)", columns=["a"])
            seen.append(sorted(row.a for row in found.collect()))
            assert "CachedCsrIndex" not in _jvm.executed_plan(found), kind
        assert (seen[0] == seen[1]) == (kind == "as it is"), kind


def test_frames_that_are_not_alike_teach_nothing(spark: SparkSession) -> None:
    rows = spark._jvm.org.apache.spark.sql.execution.wreath.PythonRows  # type: ignore[union-attr]
    local = spark.createDataFrame([(1, 2)], "src bigint, dst bigint")
    mapped = spark.sparkContext.parallelize([(1, 2)]).map(lambda r: (r[0], random.randrange(9)))
    other = spark.createDataFrame(mapped, "src bigint, dst bigint")
    for one, two in ((local, other), (other, local), (local, spark.range(3))):
        rows.learn(one._jdf, two._jdf)
    found = wreath.Graph(other).match("(a)-[]->(b)")
    found.collect()
    assert "CachedCsrIndex" not in _jvm.executed_plan(wreath.Graph(other).match("(a)-[]->(b)"))


def test_only_plain_values_are_known_not_to_change(spark: SparkSession) -> None:
    is_plain = spark._jvm.io.wreath.spark.index.PlainPickle.isPlain  # type: ignore[union-attr]
    chance = random.Random(3)

    def value(depth: int) -> object:
        kinds: list[Callable[[], object]] = [
            lambda: chance.randrange(-(1 << chance.randrange(1, 90)), 1 << 40),
            lambda: chance.choice([None, True, False, 1.5, float("nan"), ""]),
            lambda: "ä.\u20ac" * chance.randrange(1, 200),
            lambda: chance.choice([bytes, bytearray])(chance.randbytes(chance.randrange(400))),
        ]
        if depth:
            kinds += [
                lambda: [value(depth - 1) for _ in range(chance.randrange(5))],
                lambda: tuple(value(depth - 1) for _ in range(chance.randrange(5))),
                lambda: {str(i): value(depth - 1) for i in range(chance.randrange(4))},
            ]
        return chance.choice(kinds)()

    def holding(inner: object) -> object:
        around = [value(2), inner, value(2)]
        chance.shuffle(around)
        return [tuple(around)]

    for _ in range(300):
        for protocol in (2, 3, 4, 5):
            if protocol < 5:
                plain = pickle.dumps([(1, "a", None, 2.5)], protocol)
            else:
                plain = pickle.dumps([(value(3), value(3))], protocol)
            assert is_plain(plain)
            assert not is_plain(plain[:-1])
            assert not is_plain(plain + b"N")
        for other in (Dice(), Decimal("1.5"), date(2020, 1, 1), random.randrange, Row(a=1)):
            assert not is_plain(pickle.dumps(holding(other), 5))
