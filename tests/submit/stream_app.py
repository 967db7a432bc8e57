"""A hub of a stream: one edge that brings, and then takes, a hundred million matches."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

SIDE = 10_000
PATHS = "(a)->(b)->(c)->(d) WHERE b = -1"


def main() -> None:
    """Run and report."""
    spark = SparkSession.builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        changes = Path(folder, "changes")
        # Edges into -1 and out of -2, then the edge between the two, which comes and goes.
        spokes = spark.range(SIDE).selectExpr("id AS src", "-1L AS dst", "1 AS diff")
        spokes = spokes.union(spark.range(SIDE).selectExpr("-2L", f"{SIDE} + id", "1"))
        write(changes, 0, [tuple(row) for row in spokes.collect()])
        write(changes, 1, [(-1, -2, 1)])
        write(changes, 2, [(-1, -2, -1)])
        spark.readStream.schema("src bigint, dst bigint, diff int").option(
            "maxFilesPerTrigger", 1
        ).json(str(changes)).createOrReplaceTempView("changes")
        query = (
            spark.sql(f"SELECT * FROM GRAPH_TABLE (changes MATCH {PATHS})")
            .writeStream.format("noop")
            .option("checkpointLocation", str(Path(folder, "checkpoint")))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        operators = [p["stateOperators"][0] for p in query.recentProgress]
    jvm = spark._jvm
    assert jvm is not None  # a classic session has one
    report = {
        "matches": [o["customMetrics"]["matchesOut"] for o in operators],
        "heap": jvm.java.lang.Runtime.getRuntime().maxMemory(),
    }
    print("REPORT " + json.dumps(report))
    spark.stop()


def write(folder: Path, number: int, rows: list[tuple[int, ...]]) -> None:
    """Write one batch; the names of files tell their order where their times are equal."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps(dict(zip(("src", "dst", "diff"), row, strict=True))) for row in rows]
    (folder / f"{number}.json").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
