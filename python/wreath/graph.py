"""Graphs over DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wreath import _frames, _html, _jvm, _plot, _sql
from wreath._measures import VertexMeasures
from wreath._paths import Paths
from wreath._svg import Picture
from wreath.errors import WreathNotActive
from wreath.index import GraphIndex

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Graph(VertexMeasures, Paths):
    """A graph whose edges, and perhaps vertices, are the rows of DataFrames.

    Each row is an edge of its own: two equal rows match twice. A row with a NULL endpoint matches
    nothing; with ``vertices``, neither does an edge whose endpoint is not one of them. Works with
    classic sessions and over Spark Connect.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    edges : :class:`pyspark.sql.DataFrame`
        One row for each edge. A streaming DataFrame has one row for each change of an edge: the
        column ``_change_type`` (``insert``, ``delete``, ``update_preimage``,
        ``update_postimage``) or ``diff`` (how many rows come, or go if below zero) says which;
        with neither, every row is a new edge.
    vertices : :class:`pyspark.sql.DataFrame`, optional
        One row for each vertex; its columns are the vertex' properties. Without it every endpoint
        is a vertex that has nothing but its id. Beside a stream they are read once, when the query
        starts from a new checkpoint, which keeps a copy.
    src, dst : str, default "src" and "dst"
        The columns of ``edges`` with the start and the end of an edge. Swap them to read the
        edges backwards.
    id : str, default "id"
        The column of ``vertices`` that an edge's endpoints refer to, each value at most once.
    key : str or sequence of str, optional
        Of a stream, the columns that name an edge: a delete needs no others, and no two edges have
        the same. Without it, a delete names all columns of the row that it deletes.
    expire_after : str, optional
        Of a stream, how long edges live, e.g. ``"1 day"``: one goes by itself when the stream has
        an edge that happened so much later.
    event_time : str, default "ts"
        With ``expire_after``, the column that says when an edge happened, a timestamp.
    snapshot : :class:`pyspark.sql.DataFrame`, optional
        Of a stream, the edges that are there before it begins: the columns of ``edges`` without the
        one that says what happens. Read once, by the first batch.
    emit_snapshot : bool, default False
        Whether the first batch also returns the matches of the ``snapshot``'s edges.

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

    With vertices, their columns are there to be read:

    >>> names = [(1, "Ann"), (2, "Bob"), (3, "Cid")]
    >>> people = spark.createDataFrame(names, "id bigint, name string")
    >>> g = wreath.Graph(edges, people)
    >>> found = g.match("(a)-[]->(b)", where="b.name = 'Cid'", columns=["a.name", "b"])
    >>> found.sort("name").show()
    +----+---+
    |name|  b|
    +----+---+
    | Ann|  3|
    | Bob|  3|
    +----+---+
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
        key: str | Sequence[str] | None = None,
        expire_after: str | None = None,
        event_time: str = "ts",
        snapshot: DataFrame | None = None,
        emit_snapshot: bool = False,
    ) -> None:
        _frames.check_frame("edges", edges)
        if vertices is not None:
            _frames.check_frame("vertices", vertices)
            _frames.check_order(edges, vertices, src, dst)
        if snapshot is not None:
            _frames.check_frame("snapshot", snapshot)
        if vertices is None and id != "id":
            raise ValueError("id is the key column of vertices: pass vertices too.")
        if event_time != "ts" and expire_after is None:
            raise ValueError(
                "event_time is the column by which edges expire: pass expire_after too."
            )
        if emit_snapshot and snapshot is None:
            raise ValueError("emit_snapshot tells what to do with a snapshot: pass snapshot too.")
        _jvm.teach_local_rows(edges.sparkSession)
        _frames.check_columns("edges", edges, src=src, dst=dst)
        if vertices is not None:
            _frames.check_columns("vertices", vertices, id=id)
        names = {src: "src", dst: "dst"}
        columns = [key] if isinstance(key, str) else list(key or [])
        #: The graph's name in a statement, and what is said of a stream.
        self._name = ("{wreath_edges}" if vertices is None else "wreath_graph") + (
            _sql.stream_clause(
                [names.get(name, name) for name in columns],
                None if expire_after is None else (event_time, expire_after),
                snapshot is not None,
                emit_snapshot,
            )
        )
        self._snapshot = (
            None if snapshot is None else _frames.with_names(snapshot, {"src": src, "dst": dst})
        )
        self._edges = _frames.with_names(edges, {"src": src, "dst": dst})
        self._vertices = None if vertices is None else _frames.with_names(vertices, {"id": id})

    @property
    def edges(self) -> DataFrame:
        """The edges, their endpoints in the columns ``src`` and ``dst``.

        .. versionadded:: 0.1.0
        """
        return self._edges

    @property
    def vertices(self) -> DataFrame | None:
        """The vertices, their key in the column ``id``; None if the graph was made without.

        .. versionadded:: 0.1.0
        """
        return self._vertices

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

        Different variables may bind the same vertex, unless ``mode`` or ``a <> b`` in ``where``
        keeps them apart.

        Over a stream, each micro-batch returns the matches that it adds or takes away, with the
        number of rows in the column ``diff``, below zero for those that go: the sum of ``diff`` for
        each match is the current result. Write it in append mode.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        pattern : str
            Comma-separated chains of edges, e.g. ``"(a)-[]->(b)-[]->(c), (a)-[]->(c)"``;
            ``-[]-`` is an edge in either direction, ``-[]->{1,3}`` one to three edges.
        where : str, optional
            A condition over the variables, e.g. ``"a < b"``; ``a`` and ``a.id`` are the vertex' id,
            ``b.age`` and ``e.since`` are columns of ``vertices`` and ``edges``.
        columns : str or sequence of str, optional
            What to return, e.g. ``["a", "b.name AS friend"]``. Without it, the id of each named
            vertex in order of first mention.
        mode : str, optional
            ``"repeatable elements"``, the default; ``"different edges"``: no row of ``edges`` is
            bound twice; or ``"different vertices"``.
        unique : bool, default False
            Whether each subgraph is returned once, and not once for each symmetry of the pattern.
            Implies ``mode="different vertices"``, and goes with no other.
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

        >>> g.match("(a)-[]->(b)-[]->(c)-[]->(a)", unique=True).collect()
        [Row(a=1, b=2, c=3)]
        """
        words = _sql.match_mode(mode, unique)
        return self._sql(_sql.graph_table(self._name, pattern, where, columns, order, mode=words))

    def find(self, motif: str) -> DataFrame:
        """Return one row for each occurrence of a GraphFrames motif.

        The columns are its named elements, in order of first mention, each a struct of all columns
        of the vertex or edge. A term with ``!`` before it must not be there; of a vertex that
        stands in such terms only, every vertex is tried. Conditions are filters on the result.

        Unlike in GraphFrames an edge without a direction is found once where it leads from a
        vertex to itself, and adds no columns of its own.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        motif : str
            Terms with semicolons between them: ``(a)``, ``(a)-[e]->(b)``, ``(a)<-[e]-(b)``,
            ``(a)-[e]-(b)``, ``(a)<-[e]->(b)`` (edges ``e1`` and ``e2``), ``(a)-[e*2]->(b)``
            (edges ``_e1`` and ``_e2`` by the vertex ``_ab1``), ``(a)-[e*1..3]->(b)`` and
            ``!(a)-[]->(b)``.

        Returns
        -------
        :class:`pyspark.sql.DataFrame`

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (2, 3), (3, 4)], "src bigint, dst bigint")
        >>> g = wreath.Graph(edges)
        >>> g.find("(a)-[e]->(b); (b)-[]->(c); !(a)-[]->(c)").show()
        +---+------+---+---+
        |  a|     e|  b|  c|
        +---+------+---+---+
        |{1}|{1, 2}|{2}|{3}|
        |{2}|{2, 3}|{3}|{4}|
        +---+------+---+---+
        <BLANKLINE>
        """
        return self._sql(_sql.motif_table(self._name, motif))

    def match_all(self, patterns: Mapping[str, str]) -> DataFrame:
        """Match many patterns at once, over one index.

        Over a stream all patterns share one state. After a restart from the checkpoint a pattern
        under a new name starts with all its matches; another pattern under an old name is refused.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        patterns : mapping of str to str
            Each pattern by its name. A pattern may end in a condition:
            ``"(a)-[e]->(b)-[f]->(a) WHERE e.ts < f.ts"``.

        Returns
        -------
        :class:`pyspark.sql.DataFrame`
            The columns ``pattern``, the name; ``binding``, a map of the variables to ids; and over
            a stream ``diff``.

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (2, 3), (3, 1)], "src bigint, dst bigint")
        >>> both = wreath.Graph(edges).match_all(
        ...     {
        ...         "path": "(a)-[]->(b)-[]->(c) WHERE a = 1",
        ...         "ring": "(a)-[]->(b)-[]->(c)-[]->(a) WHERE a < b AND a < c",
        ...     }
        ... )
        >>> both.sort("pattern").show(truncate=False)
        +-------+------------------------+
        |pattern|binding                 |
        +-------+------------------------+
        |path   |{a -> 1, b -> 2, c -> 3}|
        |ring   |{a -> 1, b -> 2, c -> 3}|
        +-------+------------------------+
        <BLANKLINE>
        """
        if not patterns:
            raise ValueError("patterns is empty: name at least one.")
        is_stream = self._edges.isStreaming
        branches = []
        for name, pattern in patterns.items():
            columns = self.match(pattern).columns
            variables = columns[:-1] if is_stream else columns
            branches.append(_sql.named_match(self._name, name, pattern, variables, is_stream))
        return self._sql("\nUNION ALL\n".join(branches))

    def plot(self, matches: DataFrame | str, limit: int = 50) -> Picture:
        """Draw matches, with every edge that lies between the vertices of one.

        Each variable has a colour. Columns of the type of the vertices' ids are taken for
        vertices, unless no edge touches them; of a motif, its structs are.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        matches : :class:`pyspark.sql.DataFrame` or str
            What :meth:`match` or :meth:`find` returned, filtered and sorted as you like; or a
            pattern.
        limit : int, default 50
            How many matches are drawn at most.

        Returns
        -------
        :class:`wreath.Picture`
            Shown in a notebook; elsewhere ``.svg`` is its text, and ``.save(path)`` writes it.

        Examples
        --------
        >>> edges = spark.createDataFrame([(1, 2), (2, 3), (3, 1)], "src bigint, dst bigint")
        >>> g = wreath.Graph(edges)
        >>> rings = g.match("(a)-[]->(b)-[]->(c)-[]->(a)", unique=True)
        >>> g.plot(rings).svg.startswith("<svg")
        True
        """
        found = self.match(matches) if isinstance(matches, str) else matches
        return _plot.draw(self._edges, found, limit)

    def index(self, columns: Sequence[str] = ()) -> GraphIndex:
        """Build the index of the edges now, unless it is there, and pin it.

        Queries do so by themselves; this is for having it ready before the first one, and for
        keeping it whatever else needs room. The edges have to come from files, from a cached
        DataFrame or from a local collection: of others nothing tells whether they have changed.

        .. versionadded:: 0.1.0

        Parameters
        ----------
        columns : sequence of str, optional
            Columns of the edges that later queries will read in ``where`` or ``columns``. Others
            are added when a query asks for them.

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
        # What is said of a stream means nothing to an index: refused, as by any MATCH.
        self.match("(a)-[]->(b)")
        index = self._edges.sparkSession.sql(
            _sql.cache_index(columns), None, wreath_edges=self._named_edges
        )
        row = index.collect()[0]
        return GraphIndex(self._named_edges, row)

    def _repr_html_(self) -> str:
        """Say what the graph is made of; counts nothing."""
        vertices = "the ends of edges" if self._vertices is None else _columns(self._vertices)
        rows = [("edges", _columns(self._edges)), ("vertices", vertices)]
        if self._edges.isStreaming:
            rows.append(("", "a stream of changes"))
        return _html.facts("Graph", rows)

    def __repr__(self) -> str:
        """Say what the graph is made of; counts nothing."""
        vertices = "" if self._vertices is None else f", vertices=[{_columns(self._vertices)}]"
        return f"Graph(edges=[{_columns(self._edges)}]{vertices})"

    @property
    def _named_edges(self) -> DataFrame:
        return _frames.unlike_cached(self._edges)

    def _sql(self, query: str, **more: DataFrame) -> DataFrame:
        from pyspark.errors import ParseException

        spark = self._edges.sparkSession
        frames = {name: _frames.unlike_cached(frame) for name, frame in more.items()}
        frames["wreath_edges"] = self._named_edges
        if self._vertices is not None:
            if "wreath_graph" in query:
                query = _sql.GRAPH + query
            frames["wreath_vertices"] = _frames.unlike_cached(self._vertices)
        if self._snapshot is not None:
            frames["wreath_snapshot"] = _frames.unlike_cached(self._snapshot)
        try:
            with _sql.unlogged():
                return spark.sql(query, None, **frames)
        except ParseException:
            if _sql.is_active(spark):
                raise
            raise WreathNotActive(
                "This Spark session runs without Wreath: start it with wreath.start(), "
                "or pass its builder through wreath.configure()."
            ) from None


def _columns(df: DataFrame) -> str:
    return ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in df.schema)
