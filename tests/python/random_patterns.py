"""Random graphs of a few rows, and random queries over them with the same question in plain SQL."""

from __future__ import annotations

import itertools
import random

from plain_sql import Compare, Edge, Exists, Graph, Part, Path, PlainSql, Row, Vertex, match_text

LENGTHS = [
    ("?", 0, 1),
    ("{0,1}", 0, 1),
    ("{0,2}", 0, 2),
    ("{,2}", 0, 2),
    ("{1,2}", 1, 2),
    ("{2}", 2, 2),
]
MODES = ["", "", "REPEATABLE ELEMENTS", "DIFFERENT EDGES", "DIFFERENT VERTICES"]


class Draw:
    """Draws graphs and patterns; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = itertools.count(1)
        self._edges_left = 6

    def _one_in(self, n: int) -> bool:
        return self._random.randrange(n) == 0

    def _maybe(self, n: int) -> int | None:
        return None if self._one_in(12) else self._random.randrange(n)

    def _edge_rows(self, least: int, most: int) -> list[Row]:
        """Rows with loops, parallel edges, equal rows, NULL ends and ends that lead nowhere."""
        count = self._random.randint(least, most)
        rows: list[Row] = [(self._maybe(4), self._maybe(4), self._maybe(4)) for _ in range(count)]
        return rows + rows[:1] if self._one_in(2) else rows

    def edge_table(self) -> Graph:
        rows = self._edge_rows(3, 9)
        ids = sorted({end for s, t, _ in rows for end in (s, t) if end is not None})
        return Graph(
            name="plain_edges",
            vertices={"": [(i, i, i) for i in ids]},
            edges={"": rows},
            vertex_property="id",
            unique_property="id",
            vertex_labels={"": {""}},
            edge_labels={"": {""}},
        )

    def property_graph(self) -> Graph:
        """Two tables of vertices whose ids overlap, four of edges, labels over several tables."""
        vertices: dict[str, list[Row]] = {
            table: [(i, self._maybe(4), base + i) for i in range(self._random.randint(1, 4))]
            for table, base in (("p", 10), ("q", 20))
        }
        edges = {table: self._edge_rows(1, 5) for table in ("pp", "pq", "qp", "qq")}
        return Graph(
            name="plain_graph",
            vertices=vertices,
            edges=edges,
            vertex_property="v",
            unique_property="uid",
            vertex_labels={
                "": {"p", "q"},
                "p": {"p"},
                "q": {"q"},
                "p | q": {"p", "q"},
                "!q": {"p"},
                "thing": {"p", "q"},
            },
            edge_labels={
                "": set(edges),
                "pp": {"pp"},
                "pq | qp": {"pq", "qp"},
                "!pp": {"pq", "qp", "qq"},
                "same": {"pp", "qq"},
            },
        )

    def _labels(self, labels: dict[str, set[str]]) -> str:
        return self._random.choice(list(labels)) if self._one_in(3) else ""

    def _vertex(self, graph: Graph, names: list[str]) -> Vertex:
        name = None if self._one_in(6) else self._random.choice(names)
        floor = self._random.randrange(3) if name and self._one_in(6) else None
        return Vertex(name, self._labels(graph.vertex_labels), floor)

    def _edge(self, graph: Graph) -> Edge:
        name = f"x{next(self._names)}" if self._one_in(2) else None
        lengths = self._random.choice(LENGTHS) if self._one_in(2) else None
        if lengths and lengths[2] > self._edges_left:
            lengths = None
        self._edges_left -= lengths[2] if lengths else 1
        floor = self._random.randrange(3) if name and self._one_in(3) else None
        labels = self._labels(graph.edge_labels)
        return Edge(name, self._random.choice(">><-"), labels, lengths, floor)

    def _path(self, graph: Graph, start: Vertex, most: int, names: list[str]) -> Path:
        steps = []
        for _ in range(self._random.randint(1, most)):
            if self._edges_left > 0:
                steps.append((self._edge(graph), self._vertex(graph, names)))
        return Path(start, steps)

    def _where(self, graph: Graph, part: Part) -> list[Exists | Compare]:
        names = part.vertex_names()
        found: list[Exists | Compare] = []
        for _ in range(self._random.randrange(3)):
            a, b = self._random.choice(names), self._random.choice(names)
            kind = self._random.randrange(4)
            if kind == 0 and part.edge_names():
                x = self._random.choice(part.edge_names())
                found.append(Compare(x, "w", "<=", a, graph.vertex_property))
            elif kind == 1 and self._edges_left > 0:
                start = Vertex(a, self._labels(graph.vertex_labels))
                path = self._path(graph, start, 2, ["y", "z", b])
                found.append(Exists(Part(self._random.choice(MODES), [path]), self._one_in(2)))
            elif kind == 2:
                unique = graph.unique_property
                found.append(Compare(a, unique, self._random.choice(["<>", "<", "="]), b, unique))
            else:
                v = graph.vertex_property
                found.append(Compare(a, v, self._random.choice(["<", "<=", "<>"]), b, v))
        return found

    def _part(self, graph: Graph, start: Vertex, most: int, names: list[str]) -> Part:
        paths = [self._path(graph, start, most, names)]
        if self._one_in(3) and self._edges_left > 0:
            paths.append(self._path(graph, self._vertex(graph, names), 2, names))
        mode = self._random.choice(MODES)
        return Part(mode, paths, self._where(graph, Part(mode, paths)))

    def query(self, graph: Graph) -> tuple[str, str]:
        """Draw a query; return it with a GRAPH_TABLE clause, and in plain SQL."""
        self._edges_left = 5
        start = Vertex("a", self._labels(graph.vertex_labels))
        parts = [self._part(graph, start, 3, ["a", "b", "c"])]
        if self._one_in(4) and self._edges_left > 0:
            start = Vertex(self._random.choice(parts[0].vertex_names()))
            parts.append(self._part(graph, start, 1, ["d", "e"]))
        vertices = dict.fromkeys(n for p in parts for n in p.vertex_names())
        edges = [n for p in parts for n in p.edge_names()]
        readable = [f"{n}.{graph.vertex_property}" for n in vertices]
        readable += [f"{n}.{graph.unique_property}" for n in vertices] + [f"{n}.w" for n in edges]
        columns = []
        for _ in range(self._random.randint(1, 3)):
            one, two = self._random.choice(readable), self._random.choice(readable)
            column = f"{one} + {two}" if self._one_in(4) else one
            columns.append("7" if self._one_in(8) else column)
        shown = ", ".join(f"{text} AS c{i}" for i, text in enumerate(columns))
        match = " OPTIONAL MATCH ".join(match_text(graph, p) for p in parts)
        clause = f"GRAPH_TABLE ({graph.name} MATCH {match} COLUMNS ({shown}))"
        plain = f"({PlainSql(graph).query(parts, columns)})"
        around = self._random.choice(
            [
                "SELECT * FROM {} AS t",
                "SELECT * FROM {} AS t",
                "SELECT count(*) FROM {} AS t",
                "SELECT c0, count(*) FROM {} AS t GROUP BY c0",
                "SELECT count(*), sum(2), min(c0) FROM {} AS t",
                "SELECT DISTINCT c0 FROM {} AS t",
                "SELECT count(c0), sum(c0), avg(c0), min(c0), max(c0) FROM {} AS t",
                "SELECT c0 % 2, sum(c0), avg(c0), count(DISTINCT c0) FROM {} AS t GROUP BY c0 % 2",
                "SELECT * FROM {} AS t WHERE c0 > 1",
            ]
        )
        return around.format(clause), around.format(plain)

    def unique_subgraphs(self, graph: Graph) -> tuple[str, str]:
        """Draw a query that counts unique subgraphs on each set of vertices.

        Which match stands for its like is not said, so only the set can be compared. The plain SQL
        counts all matches and divides by the number of symmetries, found by trying.
        """
        size = self._random.randint(2, 4)
        names = ["a", "b", "c", "d"][:size]
        pairs = [(names[self._random.randrange(i)], names[i]) for i in range(1, size)]
        spare = [p for p in itertools.combinations(names, 2) if p not in pairs]
        pairs += [p for p in spare if self._one_in(2)]
        undirected = self._one_in(2)
        vertex_label = {n: self._labels(graph.vertex_labels) for n in names}
        labels = self._labels(graph.edge_labels)
        arrows = {}
        for one, two in pairs:
            way = (two, one) if self._one_in(2) else (one, two)
            arrows[way] = "-" if undirected else ">"
        paths = [
            Path(
                Vertex(s, vertex_label[s]), [(Edge(None, way, labels), Vertex(t, vertex_label[t]))]
            )
            for (s, t), way in arrows.items()
        ]
        part = Part("UNIQUE SUBGRAPHS", paths)

        def kept(image: dict[str, str]) -> bool:
            ways = {(image[s], image[t]) for s, t in arrows}
            if undirected:
                same = {frozenset(w) for w in ways} == {frozenset(w) for w in arrows}
            else:
                same = ways == set(arrows)
            # Labels are told apart as they are written.
            return same and all(vertex_label[n] == vertex_label[image[n]] for n in names)

        images = (dict(zip(names, p, strict=True)) for p in itertools.permutations(names))
        symmetries = sum(kept(image) for image in images)
        columns = [f"{n}.{graph.unique_property}" for n in names]
        shown = ", ".join(f"{text} AS c{i}" for i, text in enumerate(columns))
        cells = ", ".join(f"c{i}" for i in range(size))
        clause = f"GRAPH_TABLE ({graph.name} MATCH {match_text(graph, part)} COLUMNS ({shown}))"
        plain = f"({PlainSql(graph).query([part], columns)})"
        return (
            f"SELECT array_join(array_sort(array({cells})), ','), count(*) FROM {clause} "
            "GROUP BY 1",
            f"SELECT array_to_string(list_sort([{cells}]), ','), count(*) // {symmetries} "
            f"FROM {plain} AS t GROUP BY 1",
        )
