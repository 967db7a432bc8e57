"""Graphs over DataFrames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wreath import _sql
from wreath.errors import WreathNotActive, WreathNotSupported
from wreath.index import GraphIndex

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Graph:
    """A graph whose edges are the rows of a DataFrame.

    Each row is an edge of its own: two equal rows match twice. A row with a NULL endpoint matches
    nothing. Works with classic sessions and over Spark Connect.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    edges : :class:`pyspark.sql.DataFrame`
        One row for each edge.
    vertices : :class:`pyspark.sql.DataFrame`, optional
        Not supported yet.
    src, dst : str, default "src" and "dst"
        The columns of ``edges`` with the start and the end of an edge. Swap them to read the
        edges backwards.
    id : str, default "id"
        The key column of ``vertices``; not supported yet.

    Examples
    --------
    >>> rows = [(1, 2), (2, 3), (1, 3), (3, 4)]
    >>> edges = spark.createDataFrame(rows, "src bigint, dst bigint")
    >>> g = wreath.Graph(edges)
    >>> g.match("(a)-[]->(b), (b)-[]->(c), (a)-[]->(c)").show()
    +---+---+---+
    |  a|  b|  c|
    +---+---+---+
    |  1|  2|  3|
    +---+---+---+
    <BLANKLINE>
    """

    def __init__(
        self,
        edges: DataFrame,
        vertices: DataFrame | None = None,
        *,
        src: str = "src",
        dst: str = "dst",
        id: str = "id",
    ) -> None:
        if vertices is not None or id != "id":
            raise WreathNotSupported(
                "Graph(vertices=..., id=...) is not supported yet: "
                "leave it out and join the result of match() with the vertex table."
            )
        self._edges = _with_names(edges, src, dst)

    @property
    def edges(self) -> DataFrame:
        """The edges, their endpoints in the columns ``src`` and ``dst``.

        .. versionadded:: 0.1.0
        """
        return self._edges

    def match(
        self,
        pattern: str,
        *,
        where: str | None = None,
        columns: str | Sequence[str] | None = None,
        mode: str | None = None,
        unique: bool = False,
        order: Sequence[str] | None = None,
    ) -> DataFrame:
        """Return one row for each occurrence of ``pattern``.

        Different variables may bind the same vertex; say ``a <> b`` in ``where`` to keep them
        apart.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        pattern : str
            Comma-separated chains of edges, e.g. ``"(a)-[]->(b)-[]->(c), (a)-[]->(c)"``.
        where : str, optional
            A condition over the variables, e.g. ``"a < b"``; ``a`` and ``a.id`` are the vertex' id.
        columns : str or sequence of str, optional
            What to return, e.g. ``["a", "b AS friend"]``. Without it, the id of each named vertex
            in order of first mention.
        mode : str, optional
            Not supported yet.
        unique : bool, default False
            Not supported yet.
        order : sequence of str, optional
            A hint: the order in which the join binds the variables. It changes the time, never
            the rows.

        Returns
        -------
        :class:`pyspark.sql.DataFrame`

        Raises
        ------
        pyspark.errors.AnalysisException
            If the query has an error; ``getCondition()`` names it, e.g. ``WREATH_SYNTAX_ERROR``.
        WreathNotActive
            If the session runs without Wreath.
        WreathNotSupported
            If ``mode`` or ``unique`` is used.

        Examples
        --------
        Everyone who can be reached in two steps:

        >>> edges = spark.createDataFrame([(1, 2), (2, 3), (3, 1)], "src bigint, dst bigint")
        >>> g = wreath.Graph(edges)
        >>> g.match("(a)-[]->(b)-[]->(c)", columns=["a AS start", "c AS end"]).sort("start").show()
        +-----+---+
        |start|end|
        +-----+---+
        |    1|  3|
        |    2|  1|
        |    3|  2|
        +-----+---+
        <BLANKLINE>

        A ring of three, once instead of once for each of its three starts:

        >>> g.match("(a)-[]->(b)-[]->(c)-[]->(a)", where="a < b AND a < c").collect()
        [Row(a=1, b=2, c=3)]
        """
        if mode is not None:
            raise WreathNotSupported(
                "match(mode=...) is not supported yet: say in where= which vertices have to differ."
            )
        if unique:
            raise WreathNotSupported(
                "match(unique=True) is not supported yet: "
                "say a < b in where= for variables that can be exchanged."
            )
        return self._sql(_sql.graph_table(pattern, where, columns, order))

    def index(self) -> GraphIndex:
        """Build the index of the edges now, unless it is there, and pin it.

        Queries do so by themselves; this is for having it ready before the first one, and for
        keeping it whatever else needs room. The edges have to come from files, from a cached
        DataFrame or from a local collection: of others nothing tells whether they have changed.

        .. versionadded:: 0.1.0

        Returns
        -------
        :class:`wreath.GraphIndex`

        Raises
        ------
        pyspark.errors.AnalysisException
            With the condition ``WREATH_CANNOT_INDEX``, if the index could not serve later queries.

        Examples
        --------
        >>> g = wreath.Graph(spark.range(4).selectExpr("id AS src", "(id + 1) % 4 AS dst").cache())
        >>> index = g.index()
        >>> index.edges
        4
        >>> g.match("(a)-[]->(b)-[]->(c)-[]->(d)-[]->(a)").count()
        4
        >>> index.hits
        1
        >>> index.unpersist()
        """
        row = self._sql("CACHE GRAPH INDEX {wreath_edges}").collect()[0]
        return GraphIndex(self._named_edges, row)

    @property
    def _named_edges(self) -> DataFrame:
        # PySpark hands the edges over as a temporary view and drops it, and dropping a view
        # uncaches what has the same plan. A filter that keeps everything makes it another plan.
        return self._edges.where("true")

    def _sql(self, query: str) -> DataFrame:
        from pyspark.errors import ParseException

        spark = self._edges.sparkSession
        try:
            return spark.sql(query, wreath_edges=self._named_edges)
        except ParseException:
            if _sql.is_active(spark):
                raise
            raise WreathNotActive(
                "This Spark session runs without Wreath: start it with wreath.start(), "
                "or pass its builder through wreath.configure()."
            ) from None


def _with_names(edges: DataFrame, src: str, dst: str) -> DataFrame:
    """Call the endpoints src and dst; keep the other columns, but for those the new names hide."""
    if (src, dst) == ("src", "dst"):
        return edges
    from pyspark.sql import functions as sf

    # A name that is a column is meant whole, dots included; another may lead into a struct.
    def column(name: str) -> str:
        return _quoted(name) if name in edges.columns else name

    taken = {name.lower() for name in (src, dst, "src", "dst")}
    others = [_quoted(name) for name in edges.columns if name.lower() not in taken]
    return edges.select(sf.col(column(src)).alias("src"), sf.col(column(dst)).alias("dst"), *others)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
