"""``%%graph``: a notebook's cell that holds a pattern and shows what it matches."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from wreath import _plot, _sql
from wreath._explain import explain
from wreath._svg import Picture
from wreath.errors import WreathNotActive
from wreath.graph import Graph

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Shell(Protocol):
    """What is needed of IPython."""

    user_ns: dict[str, Any]

    def register_magic_function(self, func: Any, magic_kind: str, magic_name: str) -> None:
        """Give a function the name of a magic."""


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(f"%%graph: {message}. {self.format_usage().strip()}")


def load(shell: Shell) -> None:
    """Add the magic to a notebook."""

    def graph(line: str, cell: str) -> Picture:
        """Match the pattern in this cell, and draw what is found."""
        return run(line, cell, shell.user_ns)

    shell.register_magic_function(graph, "cell", "graph")


def run(line: str, cell: str, names: dict[str, Any]) -> Picture:
    """Match ``cell``, which is what stands behind MATCH, over the graph that ``line`` names."""
    options = _parser().parse_args(shlex.split(line))
    if not cell.strip():
        raise ValueError("%%graph: the cell is empty: write what would stand behind MATCH.")
    edges, matches = _matched(options.graph, cell.strip().rstrip(";"), names)
    if options.into:
        names[options.into] = matches
    if options.explain:
        return explain(matches)
    return _plot.draw(edges, matches, options.limit)


def _parser() -> argparse.ArgumentParser:
    parser = _Arguments(prog="%%graph", add_help=False)
    parser.add_argument("graph")
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("--into")
    return parser


def _matched(name: str, pattern: str, names: dict[str, Any]) -> tuple[DataFrame, DataFrame]:
    """Return the edges and the matches of a variable, a table, a view or a property graph."""
    known = names.get(name)
    if known is not None and not isinstance(known, Graph) and hasattr(known, "sparkSession"):
        known = Graph(known)
    if isinstance(known, Graph):
        text = f"SELECT * FROM GRAPH_TABLE ({known._name} MATCH {_sql._brace(pattern)})"
        return known.edges, known._sql(text)
    spark = _session()
    matches = spark.sql(f"SELECT * FROM GRAPH_TABLE ({name} MATCH {pattern})")
    # The same for a table and for a property graph, whose edges come from several tables.
    every = f"SELECT a AS src, b AS dst FROM GRAPH_TABLE ({name} MATCH (a)-[]->(b))"
    return spark.sql(every), matches


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession()
    if spark is None:
        raise WreathNotActive("There is no Spark session yet: begin with wreath.start().")
    return spark
