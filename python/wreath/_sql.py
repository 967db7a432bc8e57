"""The text of a query. Python only writes SQL; what it means is decided in the JVM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The graph of a call that has vertices, known to that one statement.
GRAPH = """WITH wreath_graph AS PROPERTY GRAPH (
VERTEX TABLES ({wreath_vertices} AS vertex KEY (id))
EDGE TABLES ({wreath_edges} AS edge
SOURCE KEY (src) REFERENCES vertex DESTINATION KEY (dst) REFERENCES vertex))
"""

_MODES = ("REPEATABLE ELEMENTS", "DIFFERENT EDGES", "DIFFERENT VERTICES")

_QUOTED_NAME = re.compile(r"`(?:[^`]|``)+`")


def graph_table(
    graph: str,
    pattern: str,
    where: str | None = None,
    columns: str | Sequence[str] | None = None,
    order: Sequence[str] | None = None,
    *,
    mode: str = "",
) -> str:
    """Return the query over ``graph`` as a format string: ``{wreath_edges}`` stands for the edges.

    What the caller wrote goes into string literals, which the JVM parses one by one: nothing that
    one of them says can end it, and an error shows the argument that has it.
    """
    clause = f"{graph} CALL{mode} {_argument('pattern', pattern)}"
    if where is not None:
        clause += f" WHERE {_argument('where', where)}"
    if columns is not None:
        items = [columns] if isinstance(columns, str) else list(columns)
        if not items:
            raise ValueError("columns is empty: name at least one, or leave it out.")
        clause += f" COLUMNS ({', '.join(_argument('columns', item) for item in items)})"
    return f"SELECT{_hint(order)} * FROM GRAPH_TABLE ({clause})"


def motif_table(graph: str, motif: str) -> str:
    """Return the query of a GraphFrames motif, as a format string like that of graph_table."""
    return f"SELECT * FROM GRAPH_TABLE ({graph} CALL MOTIF {_argument('motif', motif)})"


def stream_clause(
    key: Sequence[str], expiry: tuple[str, str] | None, snapshot: bool, emitted: bool
) -> str:
    """Return what is said of a stream after its name, with a space before it.

    With ``snapshot``, ``{wreath_snapshot}`` stands for the edges that are there when it begins.
    """
    words = f" KEY ({', '.join(_argument('key', column) for column in key)})" if key else ""
    if expiry is not None:
        column, interval = expiry
        words += f" EXPIRING {_argument('event_time', column)}"
        words += f" AFTER {_argument('expire_after', interval)}"
    if snapshot:
        words += " STARTING FROM {wreath_snapshot}"
    return words + (" WITH MATCHES" if emitted else "")


def match_mode(mode: str | None, unique: bool) -> str:
    """Return the words of a match mode, with a space before them; none for the default."""
    if mode is None:
        return " UNIQUE SUBGRAPHS" if unique else ""
    words = mode.upper().split() if isinstance(mode, str) else []
    if " ".join(words) not in _MODES:
        choices = ", ".join(repr(m.lower()) for m in _MODES)
        raise ValueError(f"mode is {mode!r}, but must be one of {choices}.")
    if unique:
        if words != ["DIFFERENT", "VERTICES"]:
            raise ValueError(f"unique=True means different vertices, so mode cannot be {mode!r}.")
        return " UNIQUE SUBGRAPHS"
    return " " + " ".join(words)


def named_match(
    graph: str, name: str, pattern: str, variables: Sequence[str], is_stream: bool
) -> str:
    """Return one branch of a union: the matches of a pattern, under its name, as maps."""
    binding = ", ".join(f"{_text(v)}, {_name(v)}" for v in variables)
    columns = [f"{_text(name)} AS pattern", f"map({binding}) AS binding"]
    if is_stream:
        columns.append("diff")
    return graph_table(graph, pattern).replace("*", ", ".join(columns), 1)


def is_active(spark: SparkSession) -> bool:
    """Tell whether the session has the extension, by asking its parser. Runs no job."""
    from pyspark.errors import ParseException

    no_edges = spark.range(0).selectExpr("id AS src", "id AS dst")
    try:
        with unlogged():
            spark.sql(graph_table("{wreath_edges}", "(a)-[]->(b)"), wreath_edges=no_edges)
    except ParseException:
        return False
    return True


@contextmanager
def unlogged() -> Iterator[None]:
    """Keep PySpark from logging an error that is an answer: it writes pages for one."""
    from pyspark.logger import PySparkLogger

    logger = PySparkLogger.getLogger("SQLQueryContextLogger")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before


def _hint(order: Sequence[str] | None) -> str:
    if order is None:
        return ""
    if isinstance(order, str):
        raise TypeError(f"order is a list of variables, not the text {order!r}.")
    if not order:
        raise ValueError("order is empty: name the variables, or leave it out.")
    for name in order:
        # A hint sits in a comment, so anything but a name could end it.
        if not isinstance(name, str) or not (
            name.isidentifier() or (_QUOTED_NAME.fullmatch(name) and "${" not in name)
        ):
            raise ValueError(f"order has {name!r}, which is not the name of a variable.")
    return f" /*+ WCO_JOIN({', '.join(_brace(name) for name in order)}) */"


def _argument(argument: str, text: str) -> str:
    """Return an argument that is SQL as a string literal."""
    if not isinstance(text, str):
        raise TypeError(f"{argument} takes SQL text, not {type(text).__name__}.")
    if not text.strip():
        raise ValueError(f"{argument} is empty.")
    return _text(text)


def argument(name: str, text: str) -> str:
    """Return an argument that is SQL as a string literal, which the JVM parses."""
    return _argument(name, text)


def constant(value: int | str) -> str:
    """Return an id as SQL writes it."""
    return _text(value) if isinstance(value, str) else str(value)


def cache_index(columns: Sequence[str]) -> str:
    """Return the statement that builds and pins the index of ``{wreath_edges}``."""
    if isinstance(columns, str):
        raise TypeError(f"columns takes a list of names: [{columns!r}].")
    names = ", ".join(_name(c) for c in columns)
    return "CACHE GRAPH INDEX {wreath_edges} CALL" + (f" COLUMNS ({names})" if names else "")


def _text(value: str) -> str:
    """Return a string literal that says ``value``, whatever it is."""
    # Spark puts settings in the place of ${…} even inside a literal.
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{")
    return _brace(f"'{escaped}'")


def _name(value: str) -> str:
    if "${" in value:
        raise ValueError(f"{value!r} cannot be a name: Spark takes ${{…}} for a setting.")
    return _brace("`" + value.replace("`", "``") + "`")


def _brace(text: str) -> str:
    """Double the braces, for ``SparkSession.sql`` reads the query as a format string."""
    return text.replace("{", "{{").replace("}", "}}")
