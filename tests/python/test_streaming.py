"""Patterns over streams, as a Python user writes them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, Row, SparkSession
from support import REPOSITORY, clean_environment

import wreath

TRIANGLE = "(a)-[]->(b)-[]->(c), (a)-[]->(c)"


class Feed:
    """A folder of changes that a stream reads, one file a batch."""

    def __init__(self, spark: SparkSession, folder: Path, schema: str) -> None:
        self.folder = folder
        self.count = 0
        folder.mkdir()
        self.changes = (
            spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(folder))
        )

    def add(self, *rows: dict[str, object]) -> None:
        file = self.folder / f"{self.count}.json"
        file.write_text("\n".join(json.dumps(row) for row in rows))
        # Files are read in the order of their times.
        os.utime(file, (1_700_000_000 + self.count, 1_700_000_000 + self.count))
        self.count += 1


def run(df: DataFrame, folder: Path) -> dict[int, list[Row]]:
    """Run what there is to run; return the rows of each batch."""
    batches: dict[int, list[Row]] = {}

    def keep(batch: DataFrame, batch_id: int) -> None:
        batches[batch_id] = batch.collect()

    query = (
        df.writeStream.foreachBatch(keep)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return batches


def sums(batches: dict[int, list[Row]]) -> dict[tuple[object, ...], int]:
    total: Counter[tuple[object, ...]] = Counter()
    for rows in batches.values():
        for row in rows:
            total[tuple(row)[:-1]] += row["diff"]
    return {binding: n for binding, n in total.items() if n}


def edge(src: int, dst: int, **more: object) -> dict[str, object]:
    return {"src": src, "dst": dst, **more}


def test_matches_come_and_go(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint, diff int")
    feed.add(edge(1, 2, diff=1), edge(2, 3, diff=1), edge(1, 3, diff=1))
    feed.add(edge(2, 3, diff=-1))
    matches = wreath.Graph(feed.changes).match(TRIANGLE)
    assert matches.isStreaming
    assert matches.schema.simpleString() == "struct<a:bigint,b:bigint,c:bigint,diff:bigint>"
    batches = run(matches, tmp_path)
    assert batches[0] == [Row(a=1, b=2, c=3, diff=1)]
    assert batches[1] == [Row(a=1, b=2, c=3, diff=-1)]
    assert sums(batches) == {}


def test_other_names_of_the_ends_and_strings(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "payer string, payee string, _change_type string")
    feed.add(
        {"payer": "ann", "payee": "bob", "_change_type": "insert"},
        {"payer": "bob", "payee": "ann", "_change_type": "insert"},
    )
    graph = wreath.Graph(feed.changes, src="payer", dst="payee")
    batches = run(graph.match("(a)-[]->(b)-[]->(a)", where="a < b"), tmp_path)
    assert batches[0] == [Row(a="ann", b="bob", diff=1)]


def test_edge_properties(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint, amount double, ts timestamp")
    feed.add(
        edge(1, 2, amount=50.0, ts="2024-01-01T10:00:00Z"),
        edge(1, 2, amount=500.0, ts="2024-01-01T11:00:00Z"),
        edge(2, 1, amount=450.0, ts="2024-01-01T12:00:00Z"),
    )
    matches = wreath.Graph(feed.changes).match(
        "(a)-[e1]->(b)-[e2]->(a)",
        where="e1.ts < e2.ts AND e1.amount > 100",
        columns=["a", "b", "e1.amount AS paid", "e2.amount AS back"],
    )
    assert run(matches, tmp_path)[0] == [Row(a=1, b=2, paid=500.0, back=450.0, diff=1)]


def test_match_all_shares_one_state_and_takes_new_patterns(
    spark: SparkSession, tmp_path: Path
) -> None:
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint")
    feed.add(edge(1, 2), edge(2, 3), edge(1, 3), edge(3, 1))
    graph = wreath.Graph(feed.changes)
    patterns = {"triangle": TRIANGLE}
    rows = run(graph.match_all(patterns), tmp_path)[0]
    assert rows == [Row(pattern="triangle", binding={"a": 1, "b": 2, "c": 3}, diff=1)]
    feed.add(edge(7, 8))
    patterns["it's back"] = "(a)-[]->(b)-[]->(a) WHERE a < b"
    rows = run(graph.match_all(patterns), tmp_path)[1]
    assert rows == [Row(pattern="it's back", binding={"a": 1, "b": 3}, diff=1)]
    state = spark.read.format("statestore").load(str(tmp_path / "checkpoint"))
    assert state.count() == 5


def test_a_stream_starts_from_what_is_there(spark: SparkSession, tmp_path: Path) -> None:
    existing = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "payer bigint, payee bigint")
    feed = Feed(spark, tmp_path / "in", "payer bigint, payee bigint, diff int")
    feed.add({"payer": 3, "payee": 4, "diff": 1}, {"payer": 1, "payee": 2, "diff": -1})
    feed.add({"payer": 2, "payee": 4, "diff": 1})
    graph = wreath.Graph(feed.changes, src="payer", dst="payee", snapshot=existing)
    batches = run(graph.match(TRIANGLE), tmp_path)
    assert batches[0] == [Row(a=1, b=2, c=3, diff=-1)]
    assert batches[1] == [Row(a=2, b=3, c=4, diff=1)]
    emitting = wreath.Graph(
        feed.changes, src="payer", dst="payee", snapshot=existing, emit_snapshot=True
    )
    (tmp_path / "emitting").mkdir()
    both = run(emitting.match_all({"pair": "(a)-[]->(b)-[]->(c)"}), tmp_path / "emitting")
    bindings = [row.binding for row in both[0]]
    assert sorted(b["a"] for b in bindings) == [1, 2]
    with pytest.raises(ValueError, match="pass snapshot too"):
        wreath.Graph(feed.changes, emit_snapshot=True)


def test_a_delete_names_the_key(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "id string, src bigint, dst bigint, _change_type string")
    feed.add(edge(1, 2, id="x", _change_type="insert"), edge(2, 1, id="y", _change_type="insert"))
    feed.add({"id": "x", "_change_type": "delete"})
    graph = wreath.Graph(feed.changes, key="id")
    batches = run(graph.match("(a)-[]->(b)-[]->(a)", where="a < b"), tmp_path)
    assert batches == {0: [Row(a=1, b=2, diff=1)], 1: [Row(a=1, b=2, diff=-1)]}


def test_edges_expire(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint, at timestamp")
    feed.add(edge(1, 2, at="2024-01-01T10:00:00Z"), edge(2, 1, at="2024-01-01T18:00:00Z"))
    feed.add(edge(5, 6, at="2024-01-02T10:00:00Z"))
    graph = wreath.Graph(feed.changes, expire_after="1 day", event_time="at")
    batches = run(graph.match("(a)-[]->(b)-[]->(a)", where="a < b"), tmp_path)
    assert batches == {0: [Row(a=1, b=2, diff=1)], 1: [Row(a=1, b=2, diff=-1)]}


def test_vertices_beside_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    people = spark.createDataFrame([(1, "Ann"), (2, "Bob")], "id bigint, name string")
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint, diff int")
    feed.add(edge(1, 2, diff=1), edge(2, 3, diff=1))
    feed.add(edge(1, 2, diff=-1), edge(2, 1, diff=1))
    graph = wreath.Graph(feed.changes, people)
    found = graph.match("(a)-[]->(b)", columns=["a.name AS a", "b.name AS b"])
    batches = run(found, tmp_path)
    assert batches[0] == [Row(a="Ann", b="Bob", diff=1)]
    assert set(batches[1]) == {Row(a="Ann", b="Bob", diff=-1), Row(a="Bob", b="Ann", diff=1)}


def test_a_vertex_that_stands_twice_beside_a_stream_names_the_users_table(
    spark: SparkSession, tmp_path: Path
) -> None:
    people = spark.createDataFrame([(1, "Ann"), (1, "Bob")], "id bigint, name string")
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint, diff int")
    feed.add(edge(1, 1, diff=1))
    found = wreath.Graph(feed.changes, people).match("(a)-[]->(b)", columns=["a.name AS a"])
    with pytest.raises(StreamingQueryException, match="the DataFrame of vertices has several rows"):
        run(found, tmp_path)


def test_a_stream_with_vertices_starts_from_a_snapshot(spark: SparkSession, tmp_path: Path) -> None:
    people = spark.createDataFrame([(1, "Ann"), (2, "Bob")], "id bigint, name string")
    existing = spark.createDataFrame([(2, 1), (2, 3)], "src bigint, dst bigint")
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint, diff int")
    feed.add(edge(1, 2, diff=1), edge(3, 2, diff=1))
    for emitted in (False, True):
        graph = wreath.Graph(feed.changes, people, snapshot=existing, emit_snapshot=emitted)
        found = graph.match("(a)-[]->(b)", columns=["a.name AS a", "b.name AS b"])
        batches = run(found, tmp_path / str(emitted))
        there = {Row(a="Bob", b="Ann", diff=1)} if emitted else set()
        assert set(batches[0]) == {Row(a="Ann", b="Bob", diff=1)} | there


def test_match_all_over_a_table_has_no_diff(triangle: DataFrame) -> None:
    rows = wreath.Graph(triangle).match_all({"triangle": TRIANGLE}).collect()
    assert rows == [Row(pattern="triangle", binding={"a": 1, "b": 2, "c": 3})]
    with pytest.raises(ValueError, match="patterns is empty"):
        wreath.Graph(triangle).match_all({})


def test_the_view_in_sql(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint")
    feed.add(edge(1, 2), edge(2, 1))
    feed.changes.createOrReplaceTempView("changes")
    pairs = spark.sql(
        "SELECT a, sum(diff) AS n FROM GRAPH_TABLE (changes MATCH (a)->(b)->(a)) GROUP BY a"
    )
    query = (
        pairs.writeStream.format("memory")
        .queryName("pairs")
        .outputMode("complete")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert sorted(map(tuple, spark.table("pairs").collect())) == [(1, 1), (2, 1)]


def test_a_write_that_replaces_a_batch_is_right_after_a_failure(
    spark: SparkSession, tmp_path: Path
) -> None:
    feed = Feed(spark, tmp_path / "in", "src bigint, dst bigint")
    feed.add(edge(1, 2), edge(2, 3))
    feed.add(edge(1, 3))
    out = tmp_path / "out"
    fails = True

    def write(batch: DataFrame, batch_id: int) -> None:
        batch.write.mode("overwrite").parquet(f"{out}/batch={batch_id}")
        if fails and batch_id == 1:
            raise RuntimeError("after the write, before the commit")

    def start() -> None:
        (
            wreath.Graph(feed.changes)
            .match(TRIANGLE)
            .writeStream.foreachBatch(write)
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
            .awaitTermination()
        )

    with pytest.raises(StreamingQueryException, match="after the write"):
        start()
    fails = False
    start()
    rows = spark.read.parquet(str(out)).select("a", "b", "c", "diff").collect()
    assert rows == [Row(a=1, b=2, c=3, diff=1)]


def test_the_example_finds_each_ring_once(clean: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, str(REPOSITORY / "examples" / "fraud_rings.py")]
    done = subprocess.run(
        [*command, "--batches", "3", "--transfers", "100"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines if "ring of" in line] == ["batch   2  ring of 3"]
    assert lines[-1] == "1 rings were planted among 300 transfers"


@pytest.fixture
def clean() -> dict[str, str]:
    return {**clean_environment(), "PYTHONPATH": str(REPOSITORY / "python")}


def test_a_stream_is_refused_what_it_cannot_do(spark: SparkSession, tmp_path: Path) -> None:
    feed = Feed(spark, tmp_path / "in", "src double, dst double")
    with pytest.raises(AnalysisException) as error:
        wreath.Graph(feed.changes).match(TRIANGLE)
    assert error.value.getCondition() == "WREATH_UNSUPPORTED_FEATURE"
