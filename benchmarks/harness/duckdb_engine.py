"""DuckDB with the join order fixed as the text has it, which is its best case here."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.harness.peer_queries import peer_queries
from benchmarks.harness.worker import serve


class DuckDbEngine:
    """Tables in a file with small row groups, for DuckDB gives each thread whole ones."""

    def __init__(self, peers: str, threads: str = "2") -> None:
        self._queries = peer_queries(Path(peers))
        self._folder = tempfile.TemporaryDirectory(prefix="bench-duckdb-", dir=Path(peers).parent)
        self._connection = duckdb.connect(":memory:")
        for setting in (
            f"threads={int(threads)}",
            "memory_limit='8GB'",
            f"temp_directory='{self._folder.name}/spill'",
            "max_temp_directory_size='15GB'",
            "disabled_optimizers='join_order,build_side_probe_side'",
        ):
            self._connection.execute(f"SET {setting}")
        self._connection.execute(
            f"ATTACH '{self._folder.name}/graph.duckdb' AS graph (ROW_GROUP_SIZE 8192)"
        )
        self._connection.execute("USE graph")

    def load(self, graph: Path) -> None:
        """Copy the tables."""
        for name in ("o", "u", "d", "seeds"):
            self._connection.execute(
                f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM '{graph / name}.parquet'"
            )

    def run(self, query: str, how: str) -> dict[str, Any]:
        """Count by joins in the order of the text."""
        started = time.perf_counter()
        row = self._connection.execute(self._queries.sql(query)).fetchone()
        return {"seconds": time.perf_counter() - started, "count": int(row[0])}

    def interrupt(self) -> None:
        """Stop the query that runs."""
        self._connection.interrupt()

    def recovered(self) -> bool:
        """Say no: a fresh process costs nothing, and its memory is clean."""
        return False


if __name__ == "__main__":
    serve(DuckDbEngine(*sys.argv[1:]))
