"""Numbers for each vertex of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wreath.errors import WreathNotSupported

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Each edge is counted at its ends, as often as they weigh; a vertex without edges weighs nothing.
_DEGREES = """SELECT id, sum(n) AS {name} FROM (
SELECT a AS id, count(*) * {out}L AS n FROM GRAPH_TABLE ({graph} MATCH (a)-[]->(b)) GROUP BY a
UNION ALL
SELECT b AS id, count(*) * {into}L AS n FROM GRAPH_TABLE ({graph} MATCH (a)-[]->(b)) GROUP BY b
UNION ALL
SELECT v AS id, 0L AS n FROM GRAPH_TABLE ({graph} MATCH (v))
) GROUP BY id"""

#: Neighbours once, whatever edges lie between them; then each triangle is found once.
_TRIANGLES = """SELECT id, sum(n) AS triangles FROM (
WITH wreath_neighbours AS (
SELECT DISTINCT least(a, b) AS src, greatest(a, b) AS dst
FROM GRAPH_TABLE ({graph} MATCH (a)-[]->(b) WHERE a <> b))
{corners}
UNION ALL
SELECT v AS id, 0L AS n FROM GRAPH_TABLE ({graph} MATCH (v))
) GROUP BY id"""

_CORNER = """SELECT {v} AS id, count(*) AS n
FROM GRAPH_TABLE (wreath_neighbours MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c)) GROUP BY {v}"""


class VertexMeasures:
    """Numbers and names that the whole graph gives to each vertex: one row for each."""

    if TYPE_CHECKING:
        _name: str
        _edges: DataFrame
        _vertices: DataFrame | None

        def _sql(self, query: str, **more: DataFrame) -> DataFrame: ...

    def degrees(self) -> DataFrame:
        """Return how many edges each vertex has, those that come and those that go.

        Parallel edges count each, and an edge from a vertex to itself counts twice. Every vertex
        has a row, also one without edges.

        .. versionadded:: 0.1.0

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``id`` and ``degree``.

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
        >>> wreath.Graph(edges).degrees().sort("id").show()
        +---+------+
        | id|degree|
        +---+------+
        |  1|     2|
        |  2|     2|
        |  3|     2|
        +---+------+
        <BLANKLINE>
        """
        return self._degrees("degree", 1, 1)

    def in_degrees(self) -> DataFrame:
        """Return how many edges lead to each vertex.

        .. versionadded:: 0.1.0

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``id`` and ``in_degree``, one row for each vertex.
        """
        return self._degrees("in_degree", 0, 1)

    def out_degrees(self) -> DataFrame:
        """Return how many edges lead away from each vertex.

        .. versionadded:: 0.1.0

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``id`` and ``out_degree``, one row for each vertex.
        """
        return self._degrees("out_degree", 1, 0)

    def triangles(self) -> DataFrame:
        """Return how many triangles each vertex is part of.

        A triangle is three different vertices, each two of them joined by an edge, whatever its
        direction. Parallel edges make no triangle twice.

        .. versionadded:: 0.1.0

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``id`` and ``triangles``, one row for each vertex.

        Examples
        --------
        >>> rows = [(1, 2), (2, 1), (2, 3), (1, 3), (3, 4)]
        >>> edges = spark.createDataFrame(rows, "src bigint, dst bigint")
        >>> [tuple(row) for row in wreath.Graph(edges).triangles().sort("id").collect()]
        [(1, 1), (2, 1), (3, 1), (4, 0)]
        """
        corners = "\nUNION ALL\n".join(_CORNER.format(v=v) for v in "abc")
        return self._measured(_TRIANGLES.replace("{corners}", corners))

    def components(self) -> DataFrame:
        """Return which vertices hang together, whichever way the edges lead.

        Every vertex has a row, also one without edges.

        .. versionadded:: 0.1.0

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``id`` and ``component``, the smallest id of all that hang together.

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (3, 2), (7, 8)], "src bigint, dst bigint")
        >>> [tuple(row) for row in wreath.Graph(edges).components().sort("id").collect()]
        [(1, 1), (2, 1), (3, 1), (7, 7), (8, 7)]
        """
        return self._computed("GRAPH_COMPONENTS")

    def pagerank(self, damping: float = 0.85, iterations: int = 20) -> DataFrame:
        """Return how likely it is to stand at each vertex after a long walk along edges.

        At each step the walk takes one of the edges at hand with probability ``damping``. Else, and
        where no edge leads on, it goes to any vertex at all. Parallel edges are edges each.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        damping : float, default 0.85
            At least 0 and below 1.
        iterations : int, default 20
            How many rounds are computed. All start from equal ranks.

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``id`` and ``rank``, one row for each vertex. Ranks sum to 1.

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (3, 2), (2, 3)], "src bigint, dst bigint")
        >>> ranks = wreath.Graph(edges).pagerank().sort("id")
        >>> [(row.id, round(row["rank"], 3)) for row in ranks.collect()]
        [(1, 0.05), (2, 0.481), (3, 0.469)]
        """
        for name, value in {"damping": damping, "iterations": iterations}.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"{name} is a number, not {value!r}.")
        return self._computed(
            "GRAPH_PAGERANK",
            f", damping => CAST('{float(damping)!r}' AS DOUBLE), iterations => {iterations!r}",
        )

    def _computed(self, function: str, arguments: str = "") -> DataFrame:
        """Call a function over the whole graph."""
        if self._name != ("{wreath_edges}" if self._vertices is None else "wreath_graph"):
            raise WreathNotSupported(
                f"{function} reads a table of edges as it is: key, expire_after and snapshot "
                "belong to streams."
            )
        if self._edges.isStreaming:
            raise WreathNotSupported(
                f"{function} is not kept over a stream: call it over a table of the edges that "
                "are there."
            )
        people = "" if self._vertices is None else ", vertices => TABLE({wreath_vertices})"
        return self._sql(
            f"SELECT * FROM {function}(TABLE({{wreath_edges}}){people}{arguments}, "
            "wreath_call => true)"
        )

    def _degrees(self, name: str, out: int, into: int) -> DataFrame:
        query = _DEGREES.replace("{name}", name).replace("{out}", str(out))
        return self._measured(query.replace("{into}", str(into)))

    def _measured(self, query: str) -> DataFrame:
        if self._edges.isStreaming:
            raise WreathNotSupported(
                "Degrees and triangles of a stream are not kept: count the rows of "
                'match("(a)-[]->(b)") by a or b, and sum diff.'
            )
        return self._sql(query.replace("{graph}", self._name))
