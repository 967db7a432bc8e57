"""What a graph says of each vertex, against plain Python."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

import wreath
from wreath import WreathNotSupported

Edge = tuple[int | None, int | None]


def random_edges(seed: int) -> list[Edge]:
    """Few vertices: loops, parallel edges both ways, and now and then an end that is NULL."""
    chance = random.Random(seed)

    def end() -> int | None:
        return None if chance.random() < 0.05 else chance.randrange(9)

    return [(end(), end()) for _ in range(chance.choice([0, 5, 30, 60]))]


def numbers(df: DataFrame) -> dict[int, int]:
    rows = df.collect()
    assert len({row[0] for row in rows}) == len(rows), "a vertex stands twice"
    return {row[0]: row[1] for row in rows}


def expected(edges: list[Edge], vertices: set[int]) -> dict[str, dict[int, int]]:
    whole = [(s, d) for s, d in edges if s in vertices and d in vertices]
    out = Counter(s for s, _ in whole)
    into = Counter(d for _, d in whole)
    near = {frozenset(e) for e in whole if e[0] != e[1]}
    threes = [
        t
        for t in itertools.combinations(sorted(vertices), 3)
        if all(frozenset(p) in near for p in itertools.combinations(t, 2))
    ]
    return {
        "out_degrees": {v: out[v] for v in vertices},
        "in_degrees": {v: into[v] for v in vertices},
        "degrees": {v: out[v] + into[v] for v in vertices},
        "triangles": {v: sum(v in t for t in threes) for v in vertices},
    }


@pytest.mark.parametrize("has_vertices", [False, True], ids=["edges", "vertices"])
@pytest.mark.parametrize("seed", range(3))
def test_numbers_by_vertex(spark: SparkSession, seed: int, has_vertices: bool) -> None:
    rows = random_edges(seed)
    edges = spark.createDataFrame(rows, "src bigint, dst bigint")
    ids = {v for e in rows for v in e if v is not None}
    people = None
    if has_vertices:
        ids = {*range(0, 12, 2), 1}
        people = spark.createDataFrame([(v,) for v in sorted(ids)], "id bigint")
    g = wreath.Graph(edges, people)
    for name, wanted in expected(rows, ids).items():
        assert numbers(getattr(g, name)()) == wanted, name


def labels(edges: list[Edge], vertices: set[int]) -> dict[int, int]:
    found = {v: v for v in vertices}
    while True:
        lower = dict(found)
        for s, d in edges:
            if s in lower and d in lower:
                lower[s] = lower[d] = min(lower[s], lower[d])
        if lower == found:
            return found
        found = lower


def walked(
    edges: list[Edge], vertices: set[int], damping: float, iterations: int
) -> dict[int, float]:
    whole = [(s, d) for s, d in edges if s in vertices and d in vertices]
    out = Counter(s for s, _ in whole)
    n = len(vertices)
    if not n:
        return {}
    ranks = dict.fromkeys(vertices, 1 / n)
    for _ in range(iterations):
        stuck = sum(r for v, r in ranks.items() if not out[v])
        after = dict.fromkeys(vertices, (1 - damping) / n + damping * stuck / n)
        for s, d in whole:
            after[d] += damping * ranks[s] / out[s]
        ranks = after
    return ranks


@pytest.mark.parametrize("has_vertices", [False, True], ids=["edges", "vertices"])
@pytest.mark.parametrize("seed", range(3))
def test_components_and_ranks(spark: SparkSession, seed: int, has_vertices: bool) -> None:
    rows = random_edges(seed)
    edges = spark.createDataFrame(rows, "src bigint, dst bigint")
    ids = {v for e in rows if None not in e for v in e if v is not None}
    people = None
    if has_vertices:
        ids = {*range(0, 12, 2), 1}
        people = spark.createDataFrame([(v,) for v in sorted(ids)], "id bigint")
    g = wreath.Graph(edges, people)
    assert numbers(g.components()) == labels(rows, ids)
    assert numbers(g.pagerank()) == pytest.approx(walked(rows, ids, 0.85, 20))
    assert numbers(g.pagerank(0, iterations=3)) == pytest.approx(walked(rows, ids, 0.0, 3))
    assert g.pagerank(damping=0.5).columns == ["id", "rank"]
    assert g.components().columns == ["id", "component"]


def test_what_cannot_be_computed_says_why(spark: SparkSession) -> None:
    edges = spark.createDataFrame([(1, 2)], "src bigint, dst bigint")
    g = wreath.Graph(edges)
    with pytest.raises(AnalysisException, match="below 1") as error:
        g.pagerank(damping=1.0)
    assert error.value.getCondition() == "WREATH_FUNCTION_ARGUMENT"
    with pytest.raises(TypeError, match="iterations is a number"):
        g.pagerank(iterations="20")  # type: ignore[arg-type]
    with pytest.raises(AnalysisException, match="whole number"):
        g.pagerank(iterations=1.5)  # type: ignore[arg-type]
    with pytest.raises(AnalysisException, match="the DataFrame of edges") as missing:
        wreath.Graph(spark.range(3)).components()
    assert "Graph(edges, src=" in str(missing.value)
    floats = spark.createDataFrame([(1.5, 2.5)], "src double, dst double")
    with pytest.raises(AnalysisException, match="named by DOUBLE"):
        wreath.Graph(floats).components()
    changes = spark.readStream.format("rate").load().selectExpr("value AS src", "value AS dst")
    with pytest.raises(WreathNotSupported, match="stream"):
        wreath.Graph(changes).components()
    with pytest.raises(WreathNotSupported, match="key, expire_after and snapshot"):
        wreath.Graph(edges, key="src").pagerank()


def test_columns_have_names_and_ids_their_type(spark: SparkSession) -> None:
    edges = spark.createDataFrame([("b", "a")], "src string, dst string")
    g = wreath.Graph(edges, src="dst", dst="src")
    assert g.out_degrees().sort("id").collect() == [("a", 1), ("b", 0)]
    shown = {
        m: getattr(g, m)().columns for m in ("degrees", "in_degrees", "out_degrees", "triangles")
    }
    assert shown == {
        "degrees": ["id", "degree"],
        "in_degrees": ["id", "in_degree"],
        "out_degrees": ["id", "out_degree"],
        "triangles": ["id", "triangles"],
    }
    assert g.degrees().dtypes == [("id", "string"), ("degree", "bigint")]


def test_of_a_stream_they_are_refused(spark: SparkSession) -> None:
    rate = spark.readStream.format("rate").load().selectExpr("value AS src", "value % 7 AS dst")
    with pytest.raises(WreathNotSupported, match="sum diff"):
        wreath.Graph(rate).degrees()
