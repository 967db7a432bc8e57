"""Paths of any length: who is reached, and how far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from wreath import _frames, _sql
from wreath.errors import WreathNotSupported

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    Vertices = DataFrame | Sequence[Any] | None

#: More ids than these go as a DataFrame: a statement is read by many.
_MOST_WRITTEN = 1000

_LARGEST = 1 << 63

_DIRECTIONS = ("out", "in", "both")


class Paths:
    """Searches for paths from some vertices of a graph."""

    if TYPE_CHECKING:
        _name: str
        _edges: DataFrame
        _vertices: DataFrame | None

        def _sql(self, query: str, **more: DataFrame) -> DataFrame: ...

    def shortest_paths(
        self,
        sources: Vertices = None,
        targets: Vertices = None,
        *,
        pairs: DataFrame | None = None,
        cost: str | None = None,
        max_hops: int | None = None,
        direction: str = "out",
        with_path: bool = False,
    ) -> DataFrame:
        """Return how far it is from vertices to vertices, by the shortest or the cheapest path.

        Each two of a source and a target stand there once, if a path leads from the one to the
        other. A source is reached from itself by no step. An id that is no vertex has no rows.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        sources, targets : list or :class:`pyspark.sql.DataFrame`, optional
            Ids, or a DataFrame with one column of them; None for all vertices.
        pairs : :class:`pyspark.sql.DataFrame`, optional
            In the place of both: two columns, where a path begins and where it ends.
        cost : str, optional
            What an edge costs, SQL over the columns of ``edges``, finite and above 0. Then paths
            are the cheapest, and ``distance`` is the sum of their costs.
        max_hops : int, optional
            How many edges a path may have; not with ``cost``.
        direction : str, default "out"
            ``"out"``: along edges; ``"in"``: against them; ``"both"``: either way.
        with_path : bool, default False
            Whether the vertices of a path are returned. Of several paths it is the one with the
            fewest edges, and of those the one with the smallest ids, compared from the source on.

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``source``, ``target``, ``distance``, and ``path``, an array of ids, if it
            was asked for.

        Raises
        ------
        pyspark.errors.AnalysisException
            If an argument cannot be; ``getCondition()`` is ``WREATH_FUNCTION_ARGUMENT``.
        pyspark.errors.SparkRuntimeException
            With the condition ``WREATH_INVALID_COST``, if an edge costs what no edge may.

        Examples
        --------
        >>> rows = [(1, 2, 7.0), (2, 3, 1.0), (1, 3, 9.5), (3, 4, 1.0)]
        >>> g = wreath.Graph(spark.createDataFrame(rows, "src bigint, dst bigint, km double"))
        >>> g.shortest_paths([1], [3, 4], with_path=True).sort("target").show()
        +------+------+--------+---------+
        |source|target|distance|     path|
        +------+------+--------+---------+
        |     1|     3|       1|   [1, 3]|
        |     1|     4|       2|[1, 3, 4]|
        +------+------+--------+---------+
        <BLANKLINE>
        >>> g.shortest_paths([1], [4], cost="km", with_path=True).show()
        +------+------+--------+------------+
        |source|target|distance|        path|
        +------+------+--------+------------+
        |     1|     4|     9.0|[1, 2, 3, 4]|
        +------+------+--------+------------+
        <BLANKLINE>
        """
        if pairs is not None and (sources is not None or targets is not None):
            raise ValueError("pairs has both ends: leave out sources and targets, or pairs.")
        if cost is not None and max_hops is not None:
            raise ValueError("cost and max_hops do not go together yet: leave one out.")
        call = _Call("GRAPH_SHORTEST_PATHS")
        call.table("sources", sources)
        call.table("targets", targets)
        if pairs is not None:
            _frames.check_frame("pairs", pairs)
            call.table("pairs", pairs)
        if cost is not None:
            call.value("cost", _sql.argument("cost", cost))
        call.number("max_hops", max_hops)
        call.direction(direction)
        if with_path:
            call.value("with_path", "true")
        return self._searched(call)

    def reachable(
        self,
        sources: Vertices = None,
        *,
        hops: int | None = None,
        direction: str = "out",
    ) -> DataFrame:
        """Return who is reached from vertices, by one edge or more.

        Each two of a source and a target stand there once. A source is among its own targets only
        if a cycle leads back to it. An id that is no vertex has no rows.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        sources : list or :class:`pyspark.sql.DataFrame`, optional
            Ids, or a DataFrame with one column of them; None for all vertices.
        hops : int, optional
            How many edges a path may have.
        direction : str, default "out"
            ``"out"``: along edges; ``"in"``: against them; ``"both"``: either way.

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``source`` and ``target``.

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (2, 3), (3, 2)], "src bigint, dst bigint")
        >>> found = wreath.Graph(edges).reachable([1, 2]).sort("source", "target")
        >>> [tuple(row) for row in found.collect()]
        [(1, 2), (1, 3), (2, 2), (2, 3)]
        """
        call = _Call("GRAPH_REACHABLE")
        call.table("sources", sources)
        call.number("hops", hops)
        call.direction(direction)
        return self._searched(call)

    def _searched(self, call: _Call) -> DataFrame:
        if self._name != ("{wreath_edges}" if self._vertices is None else "wreath_graph"):
            raise WreathNotSupported(
                f"{call.function} reads a table of edges as it is: key, expire_after and snapshot "
                "belong to streams."
            )
        if self._edges.isStreaming:
            raise WreathNotSupported(
                f"{call.function} is not kept over a stream: call it over a table of the edges "
                "that are there."
            )
        spark = self._edges.sparkSession
        people = "" if self._vertices is None else ", vertices => TABLE({wreath_vertices})"
        frames = {
            name: spark.createDataFrame([(value,) for value in values], _ids_of(self._edges))
            for name, values in call.lists.items()
        }
        return self._sql(
            f"SELECT * FROM {call.function}(TABLE({{wreath_edges}}){people}{call.arguments}, "
            "wreath_call => true)",
            **call.frames,
            **frames,
        )


class _Call:
    """The text of a call, and the frames that it names."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.arguments = ""
        self.frames: dict[str, DataFrame] = {}
        self.lists: dict[str, list[Any]] = {}

    def value(self, name: str, text: str) -> None:
        self.arguments += f", {name} => {text}"

    def number(self, name: str, value: int | None) -> None:
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} is a whole number, not {value!r}.")
        self.value(name, str(value))

    def direction(self, direction: str) -> None:
        if direction not in _DIRECTIONS:
            choices = ", ".join(repr(d) for d in _DIRECTIONS)
            raise ValueError(f"direction is {direction!r}, but must be one of {choices}.")
        if direction != "out":
            self.value("direction", f"'{direction}'")

    def table(self, name: str, vertices: Vertices) -> None:
        """Name a table of ids; a short list is written out."""
        if vertices is None:
            return
        if hasattr(vertices, "sparkSession"):
            self.frames[f"wreath_{name}"] = cast("DataFrame", vertices)
            self.value(name, f"TABLE({{wreath_{name}}})")
            return
        if isinstance(vertices, (str, bytes)) or not hasattr(vertices, "__iter__"):
            raise TypeError(
                f"{name} is a list of ids or a DataFrame of one column, not {vertices!r}."
            )
        ids = list(dict.fromkeys(vertices))
        if 0 < len(ids) <= _MOST_WRITTEN and all(_is_plain(v) for v in ids):
            rows = ", ".join(f"({_sql.constant(v)})" for v in ids)
            self.value(name, f"TABLE(SELECT * FROM VALUES {rows} AS t(id))")
        else:
            self.lists[f"wreath_{name}"] = ids
            self.value(name, f"TABLE({{wreath_{name}}})")


def _is_plain(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, int) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST
    )


def _ids_of(edges: DataFrame) -> Any:
    """Return the schema of one column, of the type of the edges' ends."""
    from pyspark.sql.types import StructField, StructType

    ends = [field.dataType for field in edges.schema if field.name.lower() == "src"]
    return StructType([StructField("id", tpe) for tpe in ends[:1]])
