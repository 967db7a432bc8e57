"""Patterns, each written twice: as MATCH, and as plain SQL over vertices and edges.

It is written from docs/semantics.md and shares no code with Wreath. The plain SQL has no idea of a
pattern: a vertex is an alias of `V`, an edge one of `E`, lengths are a UNION ALL, and an optional
part is a LEFT JOIN.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

Row = tuple[int | None, ...]


@dataclass(frozen=True)
class Graph:
    """Rows of a graph, the name to match it by, and what a pattern may speak of."""

    name: str
    vertices: dict[str, list[Row]]  # table -> (id, v, uid)
    edges: dict[str, list[Row]]  # table -> (src, dst, w)
    vertex_property: str
    unique_property: str
    vertex_labels: dict[str, set[str]]  # text -> tables
    edge_labels: dict[str, set[str]]

    def ends(self, edge_table: str) -> tuple[str, str]:
        """Return the tables of both ends: those that an edge's table is named by."""
        return (edge_table[0], edge_table[1]) if edge_table else ("", "")


@dataclass(frozen=True)
class Vertex:
    name: str | None
    labels: str = ""
    floor: int | None = None


@dataclass(frozen=True)
class Edge:
    name: str | None
    direction: str
    labels: str = ""
    lengths: tuple[str, int, int] | None = None
    floor: int | None = None


@dataclass(frozen=True)
class Path:
    start: Vertex
    steps: list[tuple[Edge, Vertex]]


@dataclass(frozen=True)
class Exists:
    part: Part
    negated: bool


@dataclass(frozen=True)
class Compare:
    left: str
    left_property: str
    sign: str
    right: str
    right_property: str


@dataclass(frozen=True)
class Part:
    mode: str
    paths: list[Path]
    where: list[Exists | Compare] = field(default_factory=list)

    def vertex_names(self) -> list[str]:
        places = (v for p in self.paths for v in [p.start, *(v for _, v in p.steps)])
        return list(dict.fromkeys(v.name for v in places if v.name))

    def edge_names(self) -> list[str]:
        """Those that stand for one edge."""
        edges = (e for p in self.paths for e, _ in p.steps)
        return [e.name for e in edges if e.name and not e.lengths]


# --- as MATCH ------------------------------------------------------------------------------------


def _inside(name: str | None, labels: str, floor: int | None, name_of_property: str) -> str:
    words = [name or "", f"IS {labels}" if labels else ""]
    if floor is not None:
        words.append(f"WHERE {name}.{name_of_property} > {floor}")
    return " ".join(w for w in words if w)


def match_text(graph: Graph, part: Part) -> str:
    """Write a part of a clause as a user would."""

    def vertex(v: Vertex) -> str:
        return f"({_inside(v.name, v.labels, v.floor, graph.vertex_property)})"

    def edge(e: Edge) -> str:
        inside = f"[{_inside(e.name, e.labels, e.floor, 'w')}]"
        arrow = {">": f"-{inside}->", "<": f"<-{inside}-", "-": f"-{inside}-"}[e.direction]
        return arrow + (e.lengths[0] if e.lengths else "")

    def condition(c: Exists | Compare) -> str:
        if isinstance(c, Exists):
            return f"{'NOT ' if c.negated else ''}EXISTS {{ {match_text(graph, c.part)} }}"
        return f"{c.left}.{c.left_property} {c.sign} {c.right}.{c.right_property}"

    paths = ", ".join(
        vertex(p.start) + "".join(edge(e) + vertex(v) for e, v in p.steps) for p in part.paths
    )
    where = " WHERE " + " AND ".join(condition(c) for c in part.where) if part.where else ""
    return f"{part.mode} {paths}{where}".strip()


# --- as plain SQL --------------------------------------------------------------------------------


class PlainSql:
    """Writes parts as SELECTs over V (vid, label, v, uid) and E (eid, label, s, t, w)."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._aliases = itertools.count()

    def selects(
        self, part: Part, outer: dict[str, str], bound_by_id: str | None = None
    ) -> Iterator[tuple[dict[str, str], str]]:
        """Yield, for each choice of lengths, the alias of each name and the text from FROM on.

        `outer` are aliases of names from before; with `bound_by_id` they are columns of that
        relation instead, which hold ids.
        """
        edges = [e for p in part.paths for e, _ in p.steps]
        ranges = [range(e.lengths[1], e.lengths[2] + 1) if e.lengths else [1] for e in edges]
        for lengths in itertools.product(*ranges):
            yield self._select(part, iter(lengths), outer, bound_by_id)

    def _select(
        self, part: Part, lengths: Iterator[int], outer: dict[str, str], bound_by_id: str | None
    ) -> tuple[dict[str, str], str]:
        tables = [bound_by_id] if bound_by_id else []
        where: list[str] = []
        aliases = {} if bound_by_id else dict(outer)
        places: list[str] = []  # of vertices without a name
        taken: list[str] = []  # edges

        def new(kind: str) -> str:
            alias = f"{kind.lower()}{next(self._aliases)}"
            tables.append(f"{kind} {alias}")
            return alias

        def named_vertex(name: str) -> str:
            if name not in aliases:
                aliases[name] = new("V")
                if bound_by_id and name in outer:
                    where.append(f"{aliases[name]}.vid = {bound_by_id}.{name}")
            return aliases[name]

        def vertex(v: Vertex) -> str:
            if v.name:
                alias = named_vertex(v.name)
            else:
                alias = new("V")
                places.append(alias)
            where.extend(self._labels(alias, v.labels, self._graph.vertex_labels))
            if v.floor is not None:
                where.append(f"{alias}.{self._graph.vertex_property} > {v.floor}")
            return alias

        def one_edge(e: Edge, left: str, right: str) -> None:
            alias = new("E")
            taken.append(alias)
            forth = f"{alias}.s = {left}.vid AND {alias}.t = {right}.vid"
            back = f"{alias}.t = {left}.vid AND {alias}.s = {right}.vid"
            where.append({">": forth, "<": back, "-": f"(({forth}) OR ({back}))"}[e.direction])
            where.extend(self._labels(alias, e.labels, self._graph.edge_labels))
            if e.floor is not None:
                where.append(f"{alias}.w > {e.floor}")
            if e.name and not e.lengths:
                aliases[e.name] = alias

        for path in part.paths:
            left = vertex(path.start)
            for e, end in path.steps:
                length = next(lengths)
                right = vertex(end)
                if length == 0:
                    where.append(f"{left}.vid = {right}.vid")
                for k in range(length):
                    to = right
                    if k < length - 1:
                        to = new("V")
                        places.append(to)
                    one_edge(e, left, to)
                    left = to
                left = right

        if part.mode in ("DIFFERENT VERTICES", "UNIQUE SUBGRAPHS"):
            vertices = places + [aliases[n] for n in part.vertex_names()]
            where += [f"{a}.vid <> {b}.vid" for a, b in itertools.combinations(vertices, 2)]
        if part.mode == "DIFFERENT EDGES":
            where += [f"{a}.eid <> {b}.eid" for a, b in itertools.combinations(taken, 2)]
        where += [self._condition(c, aliases) for c in part.where]
        return aliases, (
            (f" FROM {', '.join(tables)}" if tables else "")
            + (f" WHERE {' AND '.join(where)}" if where else "")
        )

    def _labels(self, alias: str, text: str, tables: dict[str, set[str]]) -> list[str]:
        if not text:
            return []
        names = ", ".join(f"'{t}'" for t in sorted(tables[text]))
        return [f"{alias}.label IN ({names})"]

    def _condition(self, c: Exists | Compare, aliases: dict[str, str]) -> str:
        if isinstance(c, Compare):
            left, right = aliases[c.left], aliases[c.right]
            return f"{left}.{c.left_property} {c.sign} {right}.{c.right_property}"
        found = " OR ".join(f"EXISTS (SELECT 1{rest})" for _, rest in self.selects(c.part, aliases))
        return f"{'NOT ' if c.negated else ''}({found})"

    def query(self, parts: list[Part], columns: list[str]) -> str:
        """Write a MATCH and its OPTIONAL MATCHes; columns are `name.property` and sums of them."""
        names: dict[str, str] = {}  # name -> V or E
        ctes: list[str] = []
        for i, part in enumerate(parts):
            new = dict.fromkeys(part.vertex_names(), "V") | dict.fromkeys(part.edge_names(), "E")
            new = {n: kind for n, kind in new.items() if n not in names}
            before = f"m{i - 1}"
            selects = []
            for aliases, rest in self.selects(part, names, before if i else None):
                ids = [f"{aliases[n]}.{k.lower()}id AS {n}" for n, k in new.items()]
                rid = [f"{before}.rid AS rid"] if i else []
                selects.append(f"SELECT {', '.join(rid + ids)}{rest}")
            found = " UNION ALL ".join(selects)
            if i:
                ctes.append(f"o{i} AS MATERIALIZED ({found})")
                kept = ", ".join([f"{before}.{n}" for n in names] + [f"o{i}.{n}" for n in new])
                found = f"SELECT {kept} FROM {before} LEFT JOIN o{i} ON {before}.rid = o{i}.rid"
            numbered = f"SELECT row_number() OVER () AS rid, * FROM ({found})"
            ctes.append(f"m{i} AS MATERIALIZED ({numbered})")
            names |= new
        last = f"m{len(parts) - 1}"
        joins = "".join(
            f" LEFT JOIN {k} {n} ON {n}.{k.lower()}id = {last}.{n}" for n, k in names.items()
        )
        shown = ", ".join(f"{text} AS c{i}" for i, text in enumerate(columns))
        return f"WITH {', '.join(ctes)} SELECT {shown} FROM {last}{joins}"
