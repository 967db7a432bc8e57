"""What a batch costs: patterns maintained by Wreath, recomputed by Spark, and Spark's own state.

A generated graph is loaded as the first batch; batches of inserts and deletes follow. The same
batches go to a stateful deduplication, the least that Spark does with a state, and after each the
pattern is counted by Spark's own joins. The sum of diffs has to be that count, or no time is
printed.

    PYTHONPATH=python .venv/bin/python benchmarks/streaming.py --edges 1000000 --batch 10000
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery

import wreath
from wreath._quiet import quiet_session
from wreath.generate import power_law

PATTERNS = {
    "triangle": "(a)-[]->(b)-[]->(c), (a)-[]->(c)",
    "4-clique": "(a)-[]->(b)-[]->(c)-[]->(d), (a)-[]->(c), (a)-[]->(d), (b)-[]->(d)",
}
SCHEMA = "src bigint, dst bigint, diff int"


def main() -> int:
    """Check, time and print; return the exit code."""
    parser = argparse.ArgumentParser(description="Benchmark of patterns over streams.")
    parser.add_argument("--edges", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=10_000, help="changes in each batch")
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--pattern", choices=sorted(PATTERNS), default="4-clique")
    parser.add_argument("--master", default="local[2]")
    args = parser.parse_args()
    spark = quiet_session("wreath streaming benchmark", args.master)
    spark.conf.set("spark.sql.shuffle.partitions", "4")
    try:
        with tempfile.TemporaryDirectory() as folder:
            return benchmark(spark, Path(folder), args)
    finally:
        spark.stop()


def benchmark(spark: SparkSession, folder: Path, args: argparse.Namespace) -> int:
    """Run on a session; return 0, or 1 if a count is wrong."""
    pattern = PATTERNS[args.pattern]
    (folder / "changes" / "live").mkdir(parents=True)
    write_batches(spark, folder / "changes", args.edges, args.batch, args.batches)
    changes = (
        spark.readStream.schema(SCHEMA)
        .option("maxFilesPerTrigger", 1)
        .parquet(str(folder / "changes" / "live"))
    )
    # Alternating: a batch of the one, then of the other, then Spark's joins.
    matched = start(wreath.Graph(changes).match(pattern).agg(sf.sum("diff")), folder, "matched")
    kept = start(changes.dropDuplicates(["src", "dst", "diff"]), folder, "kept")
    joined = []
    total = 0
    for i in range(args.batches + 1):
        publish(folder / "changes", i)
        matched.processAllAvailable()
        kept.processAllAvailable()
        now = current(spark, folder / "changes", i)
        started = time.perf_counter()
        expected = recompute(now, pattern)
        joined.append(time.perf_counter() - started)
        total = spark.table("matched").collect()[0][0] or 0
        if total != expected:
            print(f"batch {i}: {total} matches, but Spark's joins find {expected}", file=sys.stderr)
            return 1
    report(args, total, matched, kept, joined)
    return 0


def start(df: DataFrame, folder: Path, name: str) -> StreamingQuery:
    """Start a query that keeps its result in memory, or throws it away."""
    writer = df.writeStream.option("checkpointLocation", str(folder / name))
    if name == "matched":
        return writer.format("memory").queryName(name).outputMode("complete").start()
    return writer.format("noop").start()


def write_batches(spark: SparkSession, folder: Path, edges: int, batch: int, count: int) -> None:
    """Write the graph, and batches of which one half inserts new edges and one half deletes old."""
    graph = power_law(spark, edges).edges
    hashed = graph.withColumn("h", sf.pmod(sf.xxhash64("src", "dst"), sf.lit(edges))).cache()
    half = batch // 2
    # Edges of the first hashes come later, edges of the last hashes go.
    late = hashed.where(sf.col("h") < half * count)
    gone = hashed.where(sf.col("h") >= edges - half * count)
    first = hashed.where(sf.col("h") >= half * count).withColumn("diff", sf.lit(1))
    save(first, folder, 0)
    for i in range(count):
        inserts = late.where(sf.col("h").between(half * i, half * (i + 1) - 1))
        deletes = gone.where(sf.col("h").between(edges - half * (i + 1), edges - half * i - 1))
        signed = inserts.withColumn("diff", sf.lit(1)).union(deletes.withColumn("diff", sf.lit(-1)))
        save(signed, folder, i + 1)
    hashed.unpersist()


def save(rows: DataFrame, folder: Path, number: int) -> None:
    """Write a batch as one file."""
    columns = rows.select("src", "dst", sf.col("diff").cast("int").alias("diff"))
    columns.coalesce(1).write.parquet(str(folder / f"batch{number}"))


def publish(folder: Path, number: int) -> None:
    """Show a batch to the streams."""
    for file in (folder / f"batch{number}").glob("*.parquet"):
        # A stream must not see half a file, and overlooks those that begin with a dot.
        hidden = folder / "live" / f".{number:04}.parquet"
        hidden.write_bytes(file.read_bytes())
        hidden.rename(folder / "live" / f"{number:04}.parquet")


def current(spark: SparkSession, folder: Path, number: int) -> DataFrame:
    """Return the edges after a batch, cached."""
    files = [str(folder / f"batch{i}") for i in range(number + 1)]
    edges = spark.read.parquet(*files).groupBy("src", "dst").agg(sf.sum("diff").alias("n"))
    now = edges.where("n > 0").select("src", "dst").repartition(4).cache()
    now.count()
    return now


def recompute(edges: DataFrame, pattern: str) -> int:
    """Count by Spark's own joins."""
    edges.createOrReplaceTempView("current_edges")
    query = f"SELECT /*+ NO_WCO_JOIN */ count(*) FROM GRAPH_TABLE (current_edges MATCH {pattern})"
    count: int = edges.sparkSession.sql(query).collect()[0][0]
    edges.unpersist()
    return count


def report(
    args: argparse.Namespace,
    total: int,
    matched: StreamingQuery,
    kept: StreamingQuery,
    joined: list[float],
) -> None:
    """Print medians over the batches after the first, which loads the graph."""

    def seconds(query: StreamingQuery) -> float:
        done = [p for p in query.recentProgress if p["numInputRows"] > 0][1:]
        return float(statistics.median(p["durationMs"]["triggerExecution"] for p in done)) / 1000

    last = [p for p in matched.recentProgress if p["numInputRows"] > 0][1:]
    operators = [o for p in last for o in p["stateOperators"]]
    metrics = [
        o["customMetrics"] for o in operators if o["operatorName"].startswith("streamingWco")
    ]
    touched = statistics.median(m["elementsTouched"] for m in metrics)
    wreath_s, kept_s, joins_s = seconds(matched), seconds(kept), statistics.median(joined[1:])
    print(f"{args.pattern}, {args.edges:,} edges, {args.batches} batches of {args.batch:,} changes")
    print(f"{total:,} matches after the last, as Spark's joins count them")
    print(f"Wreath, a batch            {wreath_s:8.2f} s, {touched:,.0f} list elements touched")
    print(f"Spark's deduplication      {kept_s:8.2f} s   {wreath_s / kept_s:6.2f} times as long")
    print(f"Spark's joins, recomputed  {joins_s:8.2f} s   {joins_s / wreath_s:6.2f} times as long")
    print(
        f"index {metrics[-1]['indexBytes']:,} bytes, {metrics[-1]['indexMerges']} merges, ", end=""
    )
    print(f"{metrics[-1]['indexRebuilds']} rebuilds")


if __name__ == "__main__":
    sys.exit(main())
