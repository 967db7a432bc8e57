"""Ladybug with a worst-case optimal plan forced by hints, which is its best case here.

There is no hint for the 3-path, which has nothing to intersect: it runs by Ladybug's own plan.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import ladybug
import numpy
import pyarrow
from pyarrow import parquet

from benchmarks.harness.peer_queries import peer_queries
from benchmarks.harness.worker import serve

POOL = 8 << 30


class LadybugEngine:
    """A database for each graph: vertices with a mark on the seeds, and three tables of edges."""

    def __init__(self, peers: str, threads: str = "2") -> None:
        queries = peer_queries(Path(peers))
        self._texts = {**queries.CYPHER, **queries.CYPHER_HINT}
        self._threads = int(threads)
        self._folder = tempfile.TemporaryDirectory(prefix="bench-ladybug-", dir=Path(peers).parent)
        self._connection: Any = None
        self._database: Any = None

    def load(self, graph: Path) -> None:
        """Copy the tables into a new database."""
        if self._connection is not None:
            self._connection.close()
            self._database.close()
        folder = Path(self._folder.name)
        self._database = ladybug.Database(str(folder / graph.name), buffer_pool_size=POOL)
        self._connection = ladybug.Connection(self._database, num_threads=self._threads)
        ids = parquet.read_table(graph / "v.parquet")["id"].to_numpy().astype("int64")
        seeds = numpy.isin(ids, numpy.fromfile(graph / "seeds.bin", numpy.int32)).astype("int64")
        self._copy("V", {"id": ids, "s": seeds}, "NODE TABLE V(id INT64, s INT64, PRIMARY KEY(id))")
        for name in "oud":
            edges = parquet.read_table(graph / f"{name}.parquet")
            columns = {end: edges[end].to_numpy().astype("int64") for end in ("src", "dst")}
            self._copy(name.upper(), columns, f"REL TABLE {name.upper()}(FROM V TO V)")

    def run(self, query: str, how: str) -> dict[str, Any]:
        """Count by the hinted plan."""
        started = time.perf_counter()
        count = self._connection.execute(self._texts[query]).get_next()[0]
        return {"seconds": time.perf_counter() - started, "count": int(count)}

    def interrupt(self) -> None:
        """Stop the query that runs."""
        self._connection.interrupt()

    def recovered(self) -> bool:
        """Say no: a fresh process costs nothing, and its memory is clean."""
        return False

    def _copy(self, name: str, columns: dict[str, Any], definition: str) -> None:
        file = Path(self._folder.name) / f"{name}.parquet"
        parquet.write_table(pyarrow.table(columns), file)
        self._connection.execute(f"CREATE {definition}")
        self._connection.execute(f"COPY {name} FROM '{file}'")
        file.unlink()


if __name__ == "__main__":
    serve(LadybugEngine(*sys.argv[1:]))
