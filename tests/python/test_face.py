"""The whole face of Graph as a grid: each method, with and without vertices, tables and streams.

In a classic session and over Spark Connect; the oracle is plain Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from support import connect_port

import wreath

#: Runs in a process of its own, where only the environment says whether it is a Connect client.
GRID = """
import json
from pathlib import Path
from pyspark.sql import SparkSession
import wreath

EDGES = [(1, 2, 10), (2, 3, 20), (1, 3, 30), (3, 9, 40)]
PEOPLE = [(1, "Ann"), (2, "Bob"), (3, "Cid")]

def plain(value):
    return value.asDict(recursive=True) if hasattr(value, "asDict") else value

def grid(spark, folder):
    schema = "src bigint, dst bigint, weight bigint"
    edges = spark.createDataFrame(EDGES, schema)
    people = spark.createDataFrame(PEOPLE, "id bigint, name string")
    feed = folder / "feed"
    feed.mkdir()
    lines = (json.dumps(dict(zip(("src", "dst", "weight"), row))) for row in EDGES)
    (feed / "0.json").write_text("\\n".join(lines))
    changes = spark.readStream.schema(schema).json(str(feed))
    calls = {
        "match": lambda g: g.match("(a)-[e]->(b)", where="e.weight > 10", columns=["a", "b"]),
        "modes": lambda g: g.match("(a)-[]->(b)-[]->(c)", mode="different vertices"),
        "unique": lambda g: g.match("(a)-[]->(b)", unique=True, order=["b", "a"]),
        "names": lambda g: g.match(
            "(a)-[]->(b)", where="b.name <> 'Cid'", columns="a.name AS a, b.name AS b"
        ),
        "match_all": lambda g: g.match_all(
            {"one": "(a)-[]->(b)", "two": "(a)-[e]->(b)-[]->(c) WHERE e.weight < 20"}
        ),
        "named": lambda g: g.match_all({"it": "(a)-[]->(b) WHERE b.name = 'Bob'"}),
        "find": lambda g: g.find("(a)-[e]->(b); (b)-[]->(c)"),
        "components": lambda g: g.components(),
        "pagerank": lambda g: g.pagerank(iterations=0),
        "reachable": lambda g: g.reachable([1]),
        "shortest": lambda g: g.shortest_paths([1, 3], [2, 3], with_path=True),
        "cheapest": lambda g: g.shortest_paths(
            pairs=g.edges.where("src = 1").select("src", "dst"), cost="weight"
        ),
    }
    found = {}
    for over, table in (("table", edges), ("stream", changes)):
        for vertices in (None, people):
            graph = wreath.Graph(table, vertices)
            for name, call in calls.items():
                cell = f"{name}, {over}, {'vertices' if vertices is not None else 'edges'}"
                try:
                    df = call(graph)
                    if over == "stream":
                        view = "grid_" + str(len(found))
                        query = (
                            df.writeStream.format("memory").queryName(view).outputMode("append")
                            .option("checkpointLocation", str(folder / view))
                            .trigger(availableNow=True).start()
                        )
                        query.awaitTermination()
                        df = spark.table(view)
                    rows = [plain(row) for row in df.collect()]
                    found[cell] = sorted(rows, key=lambda r: json.dumps(r, sort_keys=True))
                except Exception as e:
                    found[cell] = getattr(e, "getCondition", lambda: None)() or type(e).__name__
    return found
"""

CLIENT = (
    GRID
    + """
spark = SparkSession.builder.getOrCreate()
print(json.dumps(grid(spark, Path.cwd())))
"""
)

EDGES = [(1, 2, 10), (2, 3, 20), (1, 3, 30), (3, 9, 40)]
PEOPLE = {1: "Ann", 2: "Bob", 3: "Cid"}


def expected() -> dict[str, Any]:
    """What each cell has to be."""
    cells: dict[str, Any] = {}
    for over in ("table", "stream"):
        for has_vertices in (False, True):
            edges = [e for e in EDGES if not has_vertices or (e[0] in PEOPLE and e[1] in PEOPLE)]
            pairs = [(x, y) for x in edges for y in edges if x[1] == y[0]]

            def vertex(i: int, known: bool = has_vertices) -> dict[str, object]:
                return {"id": i, "name": PEOPLE[i]} if known else {"id": i}

            rows: dict[str, Any] = {
                "match": [{"a": s, "b": d} for s, d, w in edges if w > 10],
                "modes": [{"a": x[0], "b": x[1], "c": y[1]} for x, y in pairs],
                "unique": [{"a": s, "b": d} for s, d, _ in edges],
                "names": [
                    {"a": PEOPLE[s], "b": PEOPLE[d]} for s, d, _ in edges if PEOPLE.get(d) == "Bob"
                ]
                if has_vertices
                else "WREATH_UNKNOWN_PROPERTY",
                "match_all": [{"pattern": "one", "binding": {"a": s, "b": d}} for s, d, _ in edges]
                + [
                    {"pattern": "two", "binding": {"a": x[0], "b": x[1], "c": y[1]}}
                    for x, y in pairs
                    if x[2] < 20
                ],
                "named": [{"pattern": "it", "binding": {"a": 1, "b": 2}}]
                if has_vertices
                else "WREATH_UNKNOWN_PROPERTY",
                "find": [
                    {
                        "a": vertex(x[0]),
                        "e": {"src": x[0], "dst": x[1], "weight": x[2]},
                        "b": vertex(x[1]),
                        "c": vertex(y[1]),
                    }
                    for x, y in pairs
                ],
            }
            ids = sorted(PEOPLE if has_vertices else {v for e in edges for v in e[:2]})
            if over == "table":
                rows["components"] = [{"id": v, "component": 1} for v in ids]
                rows["pagerank"] = [{"id": v, "rank": 1 / len(ids)} for v in ids]
                rows["reachable"] = [{"source": 1, "target": v} for v in (2, 3, 9) if v in ids]
                rows["shortest"] = [
                    {"source": s, "target": t, "distance": len(path) - 1, "path": path}
                    for s, t, path in ((1, 2, [1, 2]), (1, 3, [1, 3]), (3, 3, [3]))
                ]
                rows["cheapest"] = [
                    {"source": 1, "target": 2, "distance": 10},
                    {"source": 1, "target": 3, "distance": 30},
                ]
            for name, cell in rows.items():
                if not isinstance(cell, str):
                    more = {"diff": 1} if over == "stream" else {}
                    whole = [{**row, **more} for row in cell]
                    cell = sorted(whole, key=lambda r: json.dumps(r, sort_keys=True))
                cells[f"{name}, {over}, {'vertices' if has_vertices else 'edges'}"] = cell
            if over == "stream":
                for name in ("components", "pagerank", "reachable", "shortest", "cheapest"):
                    cell = "WreathNotSupported"
                    cells[f"{name}, {over}, {'vertices' if has_vertices else 'edges'}"] = cell
    return cells


@pytest.mark.parametrize("client", ["classic", "connect"])
def test_every_method_reads_all_that_the_graph_was_given(
    spark: SparkSession,
    tmp_path: Path,
    run_python: Callable[..., CompletedProcess[str]],
    client: str,
) -> None:
    if client == "connect":
        done = run_python(CLIENT, SPARK_REMOTE=f"sc://127.0.0.1:{connect_port(spark)}")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout.splitlines()[-1])
    else:
        names: dict[str, object] = {}
        exec(compile(GRID, "grid", "exec"), names)
        found = names["grid"](spark, tmp_path)  # type: ignore[operator]
    wanted = expected()
    assert set(found) == set(wanted)
    for cell, rows in wanted.items():
        assert found[cell] == rows, cell


@pytest.mark.parametrize(
    "call",
    [
        lambda g: g.match("(a)-[]->(b)"),
        lambda g: g.find("(a)-[]->(b)"),
        lambda g: g.match_all({"one": "(a)-[]->(b)"}),
        lambda g: g.index(),
    ],
    ids=["match", "find", "match_all", "index"],
)
def test_what_is_said_of_a_stream_is_dropped_by_no_method(
    spark: SparkSession, call: Callable[[wreath.Graph], object]
) -> None:
    edges = spark.createDataFrame([(1, 2)], "src bigint, dst bigint")
    people = spark.createDataFrame([(1,), (2,)], "id bigint")
    for vertices in (None, people):
        for options in ({"key": "src"}, {"expire_after": "1 day"}, {"snapshot": edges}):
            graph = wreath.Graph(edges, vertices, **options)
            with pytest.raises(AnalysisException) as caught:
                call(graph)
            assert caught.value.getCondition() == "WREATH_UNSUPPORTED_FEATURE"


def test_an_option_that_needs_another_is_refused_without_it(spark: SparkSession) -> None:
    edges = spark.createDataFrame([(1, 2)], "src bigint, dst bigint")
    with pytest.raises(ValueError, match="pass expire_after too"):
        wreath.Graph(edges, event_time="at")
    with pytest.raises(ValueError, match="pass vertices too"):
        wreath.Graph(edges, id="key")
    with pytest.raises(ValueError, match="pass snapshot too"):
        wreath.Graph(edges, emit_snapshot=True)
