"""Shortest and cheapest paths and who is reached: against searches in plain Python."""

from __future__ import annotations

import heapq
import random
from datetime import date

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

import wreath
from wreath.errors import WreathNotSupported

Edge = tuple[int, int, int]


def next_of(edges: list[Edge], direction: str) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for s, d, w in edges:
        if direction != "in":
            found.setdefault(s, []).append((d, w))
        if direction != "out":
            found.setdefault(d, []).append((s, w))
    return found


def cheapest(
    edges: list[Edge], source: int, direction: str, by_weight: bool
) -> dict[int, tuple[int, list[int]]]:
    """Dijkstra over whole paths: the least (cost, length, vertices) to each vertex."""
    steps = next_of(edges, direction)
    found: dict[int, tuple[int, list[int]]] = {}
    queue: list[tuple[int, int, list[int]]] = [(0, 0, [source])]
    while queue:
        cost, length, path = heapq.heappop(queue)
        if path[-1] in found:
            continue
        found[path[-1]] = (cost, path)
        for to, weight in steps.get(path[-1], []):
            more = weight if by_weight else 1
            heapq.heappush(queue, (cost + more, length + 1, [*path, to]))
    return found


def reached(edges: list[Edge], source: int, direction: str, hops: int | None) -> set[int]:
    steps = next_of(edges, direction)
    now, seen = {source}, set[int]()
    for _ in range(len(steps) + 1 if hops is None else hops):
        now = {to for v in now for to, _ in steps.get(v, [])}
        seen |= now
    return seen


def rows(df: DataFrame) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in df.collect())


@pytest.mark.parametrize("direction", ["out", "in", "both"])
@pytest.mark.parametrize("has_vertices", [False, True], ids=["edges", "vertices"])
def test_paths_are_those_of_a_plain_search(
    spark: SparkSession, has_vertices: bool, direction: str
) -> None:
    picked = random.Random(direction + str(has_vertices))
    every = [(picked.randrange(12), picked.randrange(12), picked.randint(1, 9)) for _ in range(20)]
    edges = spark.createDataFrame([*every, (1, None, 3)], "src bigint, dst bigint, w int")
    people, ids = None, {v for e in every for v in e[:2]}
    if has_vertices:
        ids = {v for v in range(12) if v % 5} | {70}
        people = spark.createDataFrame([(v,) for v in sorted(ids)], "id bigint")
    there = [e for e in every if e[0] in ids and e[1] in ids]
    g = wreath.Graph(edges, people)
    sources = [1, 2, 70, 999, 2]
    frame = spark.createDataFrame([(v,) for v in sources], "whatever int")
    for by_weight in (False, True):
        cost = "w" if by_weight else None
        wanted = sorted(
            (s, t, c, path)
            for s in set(sources) & ids
            for t, (c, path) in cheapest(there, s, direction, by_weight).items()
        )
        found = g.shortest_paths(sources, cost=cost, direction=direction, with_path=True)
        assert rows(found) == wanted
        assert found.columns == ["source", "target", "distance", "path"]
        assert rows(g.shortest_paths(frame, cost=cost, direction=direction)) == [
            row[:3] for row in wanted
        ]
        ends = [3, 4, 70]
        assert rows(g.shortest_paths(sources, ends, cost=cost, direction=direction)) == [
            row[:3] for row in wanted if row[1] in ends
        ]
        both = spark.createDataFrame([(s, t) for s in sources for t in ends], "a int, b bigint")
        paired = g.shortest_paths(pairs=both, cost=cost, direction=direction, with_path=True)
        assert rows(paired) == [row for row in wanted if row[1] in ends]
    near = g.shortest_paths(sources, max_hops=1, direction=direction)
    assert rows(near) == sorted(
        (s, t, len(path) - 1)
        for s in set(sources) & ids
        for t, (_, path) in cheapest(there, s, direction, False).items()
        if len(path) <= 2
    )
    for hops in (1, 2, None):
        found = g.reachable(sources, hops=hops, direction=direction)
        assert rows(found) == sorted(
            (s, t) for s in set(sources) & ids for t in reached(there, s, direction, hops)
        )
    assert rows(g.reachable(direction=direction)) == sorted(
        (s, t) for s in ids for t in reached(there, s, direction, None)
    )


def test_ids_are_of_any_type(spark: SparkSession) -> None:
    words = spark.createDataFrame([("it's", "b{x}"), ("b{x}", "${c}")], "src string, dst string")
    assert rows(wreath.Graph(words).shortest_paths(["it's"], ["${c}"], with_path=True)) == [
        ("it's", "${c}", 2, ["it's", "b{x}", "${c}"])
    ]
    days = [(date(2024, 1, 1), date(2024, 1, 2))]
    dates = wreath.Graph(spark.createDataFrame(days, "src date, dst date"))
    assert rows(dates.reachable([date(2024, 1, 1)])) == days
    chain = wreath.Graph(spark.range(1500).selectExpr("id AS src", "id + 1 AS dst"))
    assert chain.reachable(list(range(1400)), hops=1).count() == 1400
    assert chain.reachable([]).count() == 0
    assert chain.shortest_paths([0, 1], [1500]).agg({"distance": "max"}).collect()[0][0] == 1500


def test_what_cannot_be_asked_says_why(spark: SparkSession) -> None:
    edges = spark.createDataFrame([(1, 2, 0)], "src bigint, dst bigint, w int")
    g = wreath.Graph(edges)
    with pytest.raises(ValueError, match="direction is 'up'"):
        g.reachable([1], direction="up")
    with pytest.raises(TypeError, match="whole number"):
        g.reachable([1], hops=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="list of ids"):
        g.reachable("abc")
    with pytest.raises(ValueError, match="pairs has both ends"):
        g.shortest_paths([1], pairs=edges.select("src", "dst"))
    with pytest.raises(ValueError, match="do not go together"):
        g.shortest_paths([1], cost="w", max_hops=3)
    with pytest.raises(AnalysisException, match="must have one") as caught:
        g.reachable(edges)
    assert caught.value.getCondition() == "WREATH_FUNCTION_ARGUMENT"
    with pytest.raises(AnalysisException, match="Cast one of them"):
        g.reachable(["x"])
    with pytest.raises(AnalysisException, match="nowhere"):
        g.shortest_paths([1], cost="nowhere + 1")
    with pytest.raises(Exception, match=r"WREATH_INVALID_COST.*from 1 to 2"):
        g.shortest_paths([1], cost="w").collect()
    changes = spark.readStream.format("rate").load().selectExpr("value AS src", "value AS dst")
    with pytest.raises(WreathNotSupported, match="stream"):
        wreath.Graph(changes).reachable([1])
    with pytest.raises(WreathNotSupported, match="key, expire_after and snapshot"):
        wreath.Graph(edges, key="src").shortest_paths([1])
