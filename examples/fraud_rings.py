"""Rings of transfers, found while they happen.

A stream of transfers between accounts is watched for money that comes back: cycles of three or four
transfers, each later than the one before and of an amount close to it, all within a day. Each ring
is reported once, when its last transfer arrives.

    python examples/fraud_rings.py              # generates transfers, prints alerts, ends by itself
    python examples/fraud_rings.py --batches 20 --transfers 2000
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

import wreath

SCHEMA = "src string, dst string, amount double, ts timestamp"

# Money goes a -> b -> c -> a. Times rise from the first transfer to the last, so a ring has one
# first transfer only and is found once; what each passes on is at least 80 % of what it got.
RING_OF_3 = """
  (a)-[t1]->(b)-[t2]->(c)-[t3]->(a)
  WHERE a <> b AND b <> c AND a <> c
    AND t1.ts < t2.ts AND t2.ts < t3.ts AND t3.ts < t1.ts + INTERVAL 1 DAY
    AND t2.amount BETWEEN 0.8 * t1.amount AND t1.amount
    AND t3.amount BETWEEN 0.8 * t2.amount AND t2.amount
"""
RING_OF_4 = """
  (a)-[t1]->(b)-[t2]->(c)-[t3]->(d)-[t4]->(a)
  WHERE a <> b AND a <> c AND a <> d AND b <> c AND b <> d AND c <> d
    AND t1.ts < t2.ts AND t2.ts < t3.ts AND t3.ts < t4.ts
    AND t4.ts < t1.ts + INTERVAL 1 DAY
    AND t2.amount BETWEEN 0.8 * t1.amount AND t1.amount
    AND t3.amount BETWEEN 0.8 * t2.amount AND t2.amount
    AND t4.amount BETWEEN 0.8 * t3.amount AND t3.amount
"""


def rings(transfers: DataFrame) -> DataFrame:
    """Both kinds of rings over one index: pattern, binding and diff."""
    patterns = {"ring of 3": RING_OF_3, "ring of 4": RING_OF_4}
    return wreath.Graph(transfers).match_all(patterns)


def alert(batch: DataFrame, batch_id: int) -> None:
    """Print what a batch has brought. A batch may be handed over again after a failure."""
    found = batch.select("pattern", sf.map_values("binding").alias("accounts"), "diff").collect()
    for row in sorted(found):
        print(f"batch {batch_id:>3}  {row['pattern']}: {' -> '.join(row['accounts'])}")
    if not found:
        print(f"batch {batch_id:>3}  nothing")


def write_transfers(folder: Path, batches: int, size: int, accounts: int, seed: int) -> int:
    """Write one file of transfers for each batch; return how many rings were planted."""
    rng = random.Random(seed)
    planted = 0
    for batch in range(batches):
        hour = batch % 24
        day = 1 + batch // 24
        rows = [
            transfer(rng.sample(range(accounts), 2), rng.uniform(10, 5000), day, hour, rng)
            for _ in range(size)
        ]
        if batch % 3 == 2:
            rows += planted_ring(rng, accounts, day, hour, 3 + planted % 2)
            planted += 1
        file = folder / f"{batch:04}.json"
        file.write_text("\n".join(json.dumps(row) for row in rows))
        # The file source reads files in the order of their times.
        os.utime(file, (1_700_000_000 + batch, 1_700_000_000 + batch))
    return planted


def transfer(
    ends: list[int], amount: float, day: int, hour: int, rng: random.Random
) -> dict[str, object]:
    second = rng.randrange(3600)
    return {
        "src": f"acct-{ends[0]:05}",
        "dst": f"acct-{ends[1]:05}",
        "amount": round(amount, 2),
        "ts": f"2024-03-{day:02}T{hour:02}:{second // 60:02}:{second % 60:02}Z",
    }


def planted_ring(
    rng: random.Random, accounts: int, day: int, hour: int, length: int
) -> list[dict[str, object]]:
    ring = rng.sample(range(accounts), length)
    rows = []
    for i in range(length):
        row = transfer([ring[i], ring[(i + 1) % length]], 9000 * 0.9**i, day, hour, rng)
        row["ts"] = f"2024-03-{day:02}T{hour:02}:{10 * (i + 1):02}:00Z"
        rows.append(row)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--transfers", type=int, default=500, help="in each batch")
    parser.add_argument("--accounts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()

    spark: SparkSession = wreath.start(
        "fraud rings",
        "local[*]",
        conf={
            "spark.ui.enabled": False,
            "spark.ui.showConsoleProgress": False,
            "spark.sql.shuffle.partitions": 4,
        },
    )
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        transfers = Path(folder, "transfers")
        transfers.mkdir()
        planted = write_transfers(
            transfers, options.batches, options.transfers, options.accounts, options.seed
        )
        stream = (
            spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(transfers))
        )
        query = (
            rings(stream)
            .writeStream.foreachBatch(alert)
            .option("checkpointLocation", str(Path(folder, "checkpoint")))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        print(f"{planted} rings were planted among {options.batches * options.transfers} transfers")
    spark.stop()


if __name__ == "__main__":
    main()
