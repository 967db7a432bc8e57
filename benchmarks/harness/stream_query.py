"""What a micro-batch costs: a pattern maintained by Wreath, Spark's own state, and its joins.

The base of a graph is loaded as the first batch; batches of inserts and deletes follow. The same
batches go to a stateful deduplication, the least that Spark does with a state, and afterwards the
pattern is counted by Spark's own joins over the edges that are left. The sum of diffs has to be
that count, and the count of a C++ program, as Spark's joins may take too long.
"""

from __future__ import annotations

import statistics
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery

import wreath

PATTERNS = {
    "tri": "(a)-[]->(b)-[]->(c), (a)-[]->(c)",
    "clique4": "(a)-[]->(b)-[]->(c)-[]->(d), (a)-[]->(c), (a)-[]->(d), (b)-[]->(d)",
}
SCHEMA = "src int, dst int, diff int"


@dataclass(frozen=True)
class Batches:
    """What was measured, seconds a batch; medians over the batches after the first."""

    edges: int
    changes: int
    batches: int
    load_seconds: float
    seconds: float
    deduplication_seconds: float
    joins_seconds: float
    joins_ended: bool
    count: int
    joins_count: int | None
    elements: float
    index_bytes: int


class Feed:
    """A stream over a folder, to which batches are published one by one."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.changes = (
            spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(folder))
        )

    def publish(self, number: int, rows: np.ndarray) -> None:
        """Show a batch: a file that is not there, then is there whole."""
        hidden = self.folder / f".{number:04}.parquet"
        columns = {name: rows[:, i] for i, name in enumerate(("src", "dst", "diff"))}
        pq.write_table(pa.table(columns), hidden)
        hidden.rename(self.folder / f"{number:04}.parquet")


def batches_of(graph: Path, size: int) -> list[np.ndarray]:
    """Return the base and the batches of a graph's folder, as rows of src, dst and diff."""
    base = np.fromfile(graph / "base_o.bin", np.int32).reshape(-1, 2)
    updates = np.fromfile(graph / "updates.bin", np.int32).reshape(-1, 3)[:, [1, 2, 0]]
    first = np.column_stack([base, np.ones(len(base), np.int32)])
    return [first, *(updates[i : i + size] for i in range(0, len(updates) - size + 1, size))]


def edges_after(graph: Path, size: int) -> np.ndarray:
    """Return the edges that are left after the batches, as rows of src and dst."""
    rows = np.concatenate(batches_of(graph, size)).astype(np.int64)
    keys, place = np.unique((rows[:, 0] << 32) | rows[:, 1], return_inverse=True)
    sums = np.bincount(place, weights=rows[:, 2])
    left = keys[sums > 0]
    return np.column_stack([left >> 32, left & 0xFFFFFFFF]).astype(np.int32)


def measure(
    spark: SparkSession, folder: Path, graph: Path, pattern: str, size: int, timeout: float
) -> Batches:
    """Run the batches of a graph through both streams in turn, then recompute."""
    batches = batches_of(graph, size)
    matched_feed, kept_feed = (Feed(spark, folder / name / "in") for name in ("matched", "kept"))
    matches = wreath.Graph(matched_feed.changes).match(PATTERNS[pattern])
    matched = start(matches.observe("total", sf.sum("diff").alias("n")), folder / "matched")
    kept = start(kept_feed.changes.dropDuplicates(["src", "dst", "diff"]), folder / "kept")
    for i, rows in enumerate(batches):
        matched_feed.publish(i, rows)
        matched.processAllAvailable()
        kept_feed.publish(i, rows)
        kept.processAllAvailable()
    done, reference = progress(matched), progress(kept)
    matched.stop()
    kept.stop()
    count = sum(p["observedMetrics"]["total"]["n"] or 0 for p in done)
    now = current(spark, matched_feed)
    joins_seconds, joins_count = recompute(now, PATTERNS[pattern], timeout)
    operators = [p["stateOperators"][0]["customMetrics"] for p in done]
    return Batches(
        edges=len(batches[0]),
        changes=size,
        batches=len(batches) - 1,
        load_seconds=seconds(done[0]),
        seconds=statistics.median(map(seconds, done[1:])),
        deduplication_seconds=statistics.median(map(seconds, reference[1:])),
        joins_seconds=joins_seconds,
        joins_ended=joins_count is not None,
        count=count,
        joins_count=joins_count,
        elements=statistics.median(o["elementsTouched"] for o in operators[1:]),
        index_bytes=operators[-1]["indexBytes"],
    )


def start(df: DataFrame, folder: Path) -> StreamingQuery:
    """Start a query that throws its rows away."""
    checkpoint = str(folder / "checkpoint")
    return df.writeStream.format("noop").option("checkpointLocation", checkpoint).start()


def progress(query: StreamingQuery) -> list[dict[str, Any]]:
    """Return the progress of each batch that had rows."""
    return [dict(p) for p in query.recentProgress if p["numInputRows"] > 0]


def seconds(batch: dict[str, Any]) -> float:
    """Return how long a micro-batch took."""
    return float(batch["durationMs"]["triggerExecution"]) / 1000


def current(spark: SparkSession, feed: Feed) -> DataFrame:
    """Return the edges after the last batch, cached."""
    changes = spark.read.schema(SCHEMA).parquet(str(feed.folder))
    left = changes.groupBy("src", "dst").agg(sf.sum("diff").alias("n")).where("n > 0")
    now = left.select("src", "dst").repartition(4).cache()
    now.count()
    return now


def recompute(edges: DataFrame, pattern: str, timeout: float) -> tuple[float, int | None]:
    """Return how long Spark's own joins take to count, and the count; None if too long."""
    spark = edges.sparkSession
    edges.createOrReplaceTempView("current_edges")
    query = f"SELECT /*+ NO_WCO_JOIN */ count(*) FROM GRAPH_TABLE (current_edges MATCH {pattern})"
    found: list[int] = []

    def run() -> None:
        try:
            found.append(spark.sql(query).collect()[0][0])
        except Exception as e:  # cancelled, or out of memory
            print(f"Spark's joins ended early: {type(e).__name__}", flush=True)

    began = time.perf_counter()
    thread = threading.Thread(target=run)
    thread.start()
    thread.join(timeout)
    if thread.is_alive():
        spark.sparkContext.cancelAllJobs()
        thread.join()
    return time.perf_counter() - began, found[0] if found else None
