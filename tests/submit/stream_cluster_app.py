"""A stream on executors of their own, which are killed in mid-batch: what the file sink has."""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from pathlib import Path

from cluster_app import executors
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

BATCHES = 5
PARTITIONS = 4
ENDS = "SOURCE KEY (src) REFERENCES people DESTINATION KEY (dst) REFERENCES people"
GRAPH = f"""CREATE OR REPLACE TEMPORARY PROPERTY GRAPH payments
VERTEX TABLES (people KEY (id)) EDGE TABLES (changes AS pays {ENDS}, knows {ENDS})"""
CLOSING = {"stream": "pays", "table": "knows"}


def main() -> None:
    """Run once undisturbed, then once for each kill, and report."""
    rng = random.Random(int(os.environ["KILL_SEED"]))
    spark = SparkSession.builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        write_changes(Path(folder, "changes"), rng)
        whole = Path(folder, "whole")
        start(spark, Path(folder, "changes"), whole).awaitTermination()
        kills = []
        for i in range(int(os.environ["KILLS"])):
            out = Path(folder, f"killed{i}")
            # Not in the last batch, so that there is something left to disturb.
            batch, files = rng.randrange(BATCHES - 1), rng.randrange(PARTITIONS + 1)
            query = start(spark, Path(folder, "changes"), out)
            pid = kill_at(query, out / "checkpoint", batch, files, rng)
            query.awaitTermination()
            same = rows(spark, out) == rows(spark, whole)
            kills.append({"batch": batch, "files": files, "pid": pid, "exact": same})
        found = spark.read.parquet(str(whole / "data")).groupBy("pattern").count().collect()
        report = {"kills": kills, "matches": {row["pattern"]: row["count"] for row in found}}
    print("REPORT " + json.dumps(report))
    spark.stop()


def write_changes(folder: Path, rng: random.Random) -> None:
    """Write one file for each batch: inserts, and deletes of what is there."""
    folder.mkdir()
    there: list[tuple[int, int]] = []
    for batch in range(BATCHES):
        inserts = [(rng.randrange(15), rng.randrange(15)) for _ in range(60)]
        deletes = rng.sample(there, min(20, len(there)))
        for edge in deletes:
            there.remove(edge)
        there += inserts
        signed = [(*edge, 1) for edge in inserts] + [(*edge, -1) for edge in deletes]
        file = folder / f"{batch}.json"
        file.write_text(
            "\n".join(json.dumps({"src": s, "dst": d, "diff": n}) for s, d, n in signed)
        )
        # Files are read in the order of their times.
        os.utime(file, (1_700_000_000 + batch, 1_700_000_000 + batch))


def start(spark: SparkSession, changes: Path, out: Path) -> StreamingQuery:
    """Start the query over all files, one a batch, to a file sink.

    Triangles of the stream, and paths of it that an edge of a table closes; vertices from a table.
    """
    spark.readStream.schema("src bigint, dst bigint, diff int").option(
        "maxFilesPerTrigger", 1
    ).json(str(changes)).createOrReplaceTempView("changes")
    spark.range(15).createOrReplaceTempView("people")
    spark.range(15).selectExpr("id AS src", "(id * 2 + 1) % 15 AS dst").createOrReplaceTempView(
        "knows"
    )
    spark.sql(GRAPH)
    return (
        spark.sql(" UNION ALL ".join(named(name, closing) for name, closing in CLOSING.items()))
        .writeStream.option("checkpointLocation", str(out / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(out / "data"))
    )


def named(name: str, closing: str) -> str:
    """Return the query of one pattern."""
    pattern = f"(a)-[IS pays]->(b)-[IS pays]->(c), (a)-[IS {closing}]->(c)"
    return (
        f"SELECT '{name}' AS pattern, a, b, c, diff FROM GRAPH_TABLE "
        f"(payments MATCH {pattern} COLUMNS (a.id AS a, b.id AS b, c.id AS c))"
    )


def kill_at(
    query: StreamingQuery, checkpoint: Path, batch: int, files: int, rng: random.Random
) -> int:
    """Kill an executor when a batch has begun and so many partitions have its state."""
    while query.isActive:
        written = sum(
            any(name.name.startswith((f"{batch + 1}.", f"{batch + 1}_")) for name in part.iterdir())
            for part in (checkpoint / "state" / "0" / str(p) for p in range(PARTITIONS))
            if part.is_dir()
        )
        pids = executors()
        if (checkpoint / "offsets" / str(batch)).exists() and written >= files and pids:
            pid = rng.choice(pids)
            os.kill(pid, signal.SIGKILL)
            return pid
        time.sleep(0.002)
    return 0


def rows(spark: SparkSession, out: Path) -> list[str]:
    """Return what the sink has, in an order that does not depend on tasks."""
    return sorted(str(row) for row in spark.read.parquet(str(out / "data")).collect())


if __name__ == "__main__":
    main()
