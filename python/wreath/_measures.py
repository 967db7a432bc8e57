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
    """Degrees and triangles, one row for each vertex."""

    if TYPE_CHECKING:
        _name: str
        _edges: DataFrame

        def _sql(self, query: str) -> DataFrame: ...

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
