"""What Spark is going to do with a pattern, and what it did, as text and as a picture."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wreath import _draw_plan, _jvm, _plan
from wreath._svg import Picture

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Explanation(Picture):
    """How a query finds its patterns: ``print`` it, or let a notebook show it.

    .. versionadded:: 0.1.0
    """

    def __init__(self, text: str, joins: list[_plan.Join]) -> None:
        super().__init__(_draw_plan.picture(joins))
        #: Spark's physical plan; of a query that has run, the one that ran.
        self.text = text
        self._joins = joins

    def __str__(self) -> str:
        """Return the physical plan."""
        return self.text

    def __repr__(self) -> str:
        """Return the physical plan, for a prompt shows no pictures."""
        return self.text


def explain(df: DataFrame) -> Explanation:
    """Explain how a query finds its patterns. Runs nothing.

    The picture has the pattern with its variables numbered in the order in which they are bound,
    the conditions, the index and whether it is there already, and the reason where Spark's joins
    do the work. The order is chosen when the index is there, so it is known after the query has
    run as this very DataFrame: after ``df.collect()`` or ``df.toPandas()``, not after
    ``df.count()`` or ``df.show()``, which are queries of their own. Then the picture has how often
    each variable was bound and by which technique, and how the work was spread over tasks.

    Over Spark Connect a server does not tell what a query did: the picture is the one from before.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    df : :class:`pyspark.sql.DataFrame`
        A query: of :meth:`wreath.Graph.match`, of ``GRAPH_TABLE`` in SQL, or over either.

    Returns
    -------
    :class:`wreath.Explanation`
        With ``.text``, ``.svg`` and ``.save(path)``.

    Examples
    --------
    >>> edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
    >>> df = wreath.Graph(edges).match("(a)-[]->(b)-[]->(c), (a)-[]->(c)")
    >>> "BroadcastWcoJoin" in wreath.explain(df).text
    True
    >>> rows = df.collect()
    >>> "bound a" in wreath.explain(df).text
    True
    """
    if not hasattr(df, "sparkSession"):
        raise TypeError(f"explain takes a DataFrame of Spark, not {type(df).__name__}.")
    is_classic = hasattr(df, "_jdf")
    text = _classic_text(df) if is_classic else _connect_text(df)
    found = _plan.joins(text)
    if is_classic and not df.isStreaming:
        measured = _jvm.tasks_of_joins(df)
        running = [join for join in found if join.operator != "WcoJoinDeclined"]
        if len(measured) == len(running):
            for join, words in zip(running, measured, strict=True):
                join.skew = _skew(words)
    return Explanation(text, found)


def _classic_text(df: DataFrame) -> str:
    # Spark explains no text over a stream, but what is made of it.
    return _jvm.explained(df.select("*")) if df.isStreaming else _jvm.executed_plan(df)


def _connect_text(df: DataFrame) -> str:
    text: str = df.select("*")._explain_string("simple")  # type: ignore[operator]
    return text


def _skew(words: str) -> str:
    """Say in words what Spark shows as "avg (min, med, max (…))" and then four numbers."""
    shown = words.rsplit("\n", 1)[-1]
    numbers = re.search(r"\(([\d,.]+), ([\d,.]+), ([\d,.]+)", shown)
    if numbers:
        least, median, most = (f"{float(n.replace(',', '')):,.0f}" for n in numbers.groups())
        spread = f"{least} at least, {median} in the middle, {most} at most"
        return f"list elements touched by a task: {spread}"
    return f"one task, which touched {shown} list elements" if shown.strip() else ""
