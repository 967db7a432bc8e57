"""Indexes of graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wreath import _html

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row


class GraphIndex:
    """An index that is built and pinned, as :meth:`wreath.Graph.index` returns it.

    It serves every query over the same edges, from any session of the application, as long as the
    edges' data is the same.

    .. versionadded:: 0.1.0
    """

    def __init__(self, edges: DataFrame, row: Row) -> None:
        self._edges = edges
        self._id: int = row["id"]
        #: The number of edges in it, equal ones counted each.
        self.edges: int = row["edges"]
        #: The bytes that the driver, and each executor, keeps.
        self.size_bytes: int = row["bytes"]
        #: How long it took to build, in milliseconds.
        self.build_ms: int = row["build_ms"]

    @property
    def hits(self) -> int:
        """How many queries have found it so far; 0 once it is gone.

        .. versionadded:: 0.1.0
        """
        shown = self._edges.sparkSession.sql("SHOW GRAPH INDEXES").collect()
        return next((row["hits"] for row in shown if row["id"] == self._id), 0)

    def unpersist(self) -> None:
        """Forget the index. Queries that run with it go on; the next one builds it again.

        .. versionadded:: 0.1.0
        """
        self._edges.sparkSession.sql(
            "UNCACHE GRAPH INDEX {wreath_edges} CALL", wreath_edges=self._edges
        ).collect()

    def _repr_html_(self) -> str:
        rows = [
            ("edges", f"{self.edges:,}"),
            ("size", _html.size(self.size_bytes)),
            ("built in", f"{self.build_ms:,} ms"),
            ("hits", f"{self.hits:,}"),
        ]
        return _html.facts("GraphIndex", rows)

    def __repr__(self) -> str:
        """Say what it holds and how large it is."""
        return f"GraphIndex(edges={self.edges}, size_bytes={self.size_bytes})"
