"""The queries of ../shared/peers/common/queries.py as SQL/PGQ text, and what C++ measures them by.

Tables: o (each edge once, src < dst), u (both directions), d (as given), seeds (100 vertices), v.
A tiny graph under the same names with a prefix gives the empty aggregate of the same shape.
"""

from __future__ import annotations

import itertools

TINY = "tiny_"
# A ring this long has no match of any pattern, and work enough for as many tasks as a large graph.
RING = 64

_CLIQUE4 = "(a)-[]->(b)-[]->(c)-[]->(d), (a)-[]->(c), (a)-[]->(d), (b)-[]->(d)"
_MATCH = {
    "tri_o": "{p}o MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c)",
    "tri_d": "{p}d MATCH (a)-[]->(b)-[]->(c)-[]->(a)",
    # The seeds are a vertex table, so the pattern itself is anchored there.
    "sel": (
        "{p}seeded MATCH (a IS seed)-[IS anchored]->(b), (a)-[IS anchored]->(c),"
        " (a)-[IS anchored]->(d), (b)-[IS e]->(c), (b)-[IS e]->(d), (c)-[IS e]->(d)"
        " WHERE b < c AND c < d"
    ),
    "path3": (
        "{p}d MATCH (a)-[]->(b)-[]->(c)-[]->(d)"
        " WHERE a % 100 = 7 AND d % 100 = 11 AND a <> c AND b <> d"
    ),
    "clique4": f"{{p}}o MATCH {_CLIQUE4}",
    "cycle4": (
        "{p}u MATCH (a)-[]->(b)-[]->(c)-[]->(d)-[]->(a) WHERE a < b AND a < c AND a < d AND b < d"
    ),
    "diamond": (
        "{p}u MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c), (a)-[]->(d), (b)-[]->(d)"
        " WHERE a < b AND c < d"
    ),
    "clique5": f"{{p}}o MATCH {_CLIQUE4}, (a)-[]->(e), (b)-[]->(e), (c)-[]->(e), (d)-[]->(e)",
    "house": (
        "{p}u MATCH (a)-[]->(b)-[]->(c)-[]->(d)-[]->(a), (a)-[]->(e), (b)-[]->(e)"
        " WHERE a < b AND c <> a AND d <> b AND e <> c AND e <> d"
    ),
}
QUERIES = list(_MATCH)

# Shapes whose count follows from smaller ones. Each is asked in four ways: as it stands, where all
# vertices differ (_diff), and both of them for each a (_a). cpp/shapes.cpp says what they are.
_SHAPES = {
    "bowtie": "(a)-[]->(b)-[]->(c)-[]->(a), (a)-[]->(d)-[]->(e)-[]->(a)",
    "cycle4": "(a)-[]->(b)-[]->(c)-[]->(d)-[]->(a)",
    "cycle5": "(a)-[]->(b)-[]->(c)-[]->(d)-[]->(e)-[]->(a)",
    "cycle6": "(a)-[]->(b)-[]->(c)-[]->(d)-[]->(e)-[]->(f)-[]->(a)",
    "tailtri": "(a)-[]->(b)-[]->(c)-[]->(a), (c)-[]->(d)",
    "tailk4": f"{_CLIQUE4}, (d)-[]->(e)",
    "theta": "(a)-[]->(b)-[]->(z), (a)-[]->(c)-[]->(z), (a)-[]->(d)-[]->(z)",
    "house": "(a)-[]->(b)-[]->(c)-[]->(d)-[]->(a), (a)-[]->(e), (b)-[]->(e)",
    "roof": "(a)-[]->(b)-[]->(c)-[]->(d)-[]->(a), (a)-[]->(e), (b)-[]->(e) WHERE e % 2 = 0",
}
_CALLED = {
    "bowtie": "bow tie",
    "cycle4": "4-cycle",
    "cycle5": "5-cycle",
    "cycle6": "6-cycle",
    "tailtri": "tailed triangle",
    "tailk4": "tailed 4-clique",
    "theta": "theta",
    "house": "house",
    "roof": "house, condition on the roof",
}
EACH = "_a"
SHAPES: dict[str, tuple[str, str]] = {}  # the name of a query -> a program, and its name there
for _shape, _text in _SHAPES.items():
    for _mode, _words in {"": "", "_diff": "DIFFERENT VERTICES "}.items():
        for _each in ("", EACH):
            # A shape as it stands is another query than the one of the peers with its name.
            _query = f"shape_{_shape}{_mode}{_each}"
            _MATCH[_query] = f"{{p}}u MATCH {_words}{_text}"
            SHAPES[_query] = ("shapes", _query.removeprefix("shape_"))
# Larger cliques: each once, and those at each a.
for _size in range(6, 11):
    _names = "abcdefghij"[:_size]
    _text = ", ".join(f"({x})-[]->({y})" for x, y in itertools.combinations(_names, 2))
    _order = " AND ".join(f"{x} < {y}" for x, y in itertools.pairwise(_names[1:]))
    _MATCH[f"clique{_size}"] = f"{{p}}o MATCH {_text}"
    _MATCH[f"clique{_size}{EACH}"] = f"{{p}}u MATCH {_text} WHERE {_order}"
    for _each in ("", EACH):
        SHAPES[f"clique{_size}{_each}"] = ("cliques", f"k{_size}{_each}")

# What a reader calls them.
NAMES = {
    "tri_o": "triangle",
    "tri_d": "directed 3-cycle",
    "sel": "4-clique at 100 seeds",
    "path3": "selective 3-path",
    "clique4": "4-clique",
    "cycle4": "4-cycle",
    "diamond": "diamond",
    "clique5": "5-clique",
    "house": "house",
}
for _query in SHAPES:
    _shape, *_how = _query.removeprefix("shape_").split("_")
    NAMES[_query] = _CALLED.get(_shape, f"{_shape.removeprefix('clique')}-clique")
    NAMES[_query] += ", all different" if "diff" in _how else ""
    NAMES[_query] += ", each a" if "a" in _how else ""

# Programs and the names they give to a query. cycle4_best counts wedges, cycle4 joins.
KERNEL = {query: "cycle4_best" if query == "cycle4" else query for query in QUERIES}
KERNEL_ROWS = {"tri_o": "tri_o_emit", "clique4": "clique4_emit"}
MARKS = ["tri_o", "clique4", "clique5"]
# Ours: the program, its name for the query, and how many of its matches are one of the query's,
# which has an order where the program counts every way round.
BEST: dict[str, tuple[str, str, int]] = {
    "tri_o": ("cliques", "tri", 1),
    "clique4": ("cliques", "k4", 1),
    "clique5": ("cliques", "k5", 1),
    "cycle4": ("shapes", "cycle4_diff", 8),
    "diamond": ("shapes", "diamond_diff", 4),
    "house": ("shapes", "house_diff", 2),
    **{query: (*named, 1) for query, named in SHAPES.items()},
}

# Vertices are in order in the tables' files, so their index is of the smallest kind.
GRAPH = """
CREATE OR REPLACE TEMPORARY PROPERTY GRAPH {p}seeded
  VERTEX TABLES ({p}v AS v KEY (id), {p}seeds AS seed KEY (id))
  EDGE TABLES (
    {p}u AS anchored SOURCE KEY (src) REFERENCES seed (id) DESTINATION KEY (dst) REFERENCES v (id),
    {p}u AS e SOURCE KEY (src) REFERENCES v (id) DESTINATION KEY (dst) REFERENCES v (id))
"""


def rows(query: str, *, tiny: bool = False) -> str:
    """Return the text that gives a row for each match, over the graph or over the tiny one."""
    return f"SELECT * FROM {_table(query, tiny)}"


def count(query: str, *, tiny: bool = False) -> str:
    """Return the text that counts the matches, over the graph or over the tiny one.

    Counts for each a are summed, each times a + 1, so that one number is right only if all are.
    """
    if query in SHAPES and query.endswith(EACH):
        groups = f"SELECT a, count(*) AS n FROM {_table(query, tiny)} GROUP BY a"
        return f"SELECT coalesce(sum(n * (cast(a AS decimal(10)) + 1)), 0) FROM ({groups})"
    return f"SELECT count(*) FROM {_table(query, tiny)}"


def _table(query: str, tiny: bool) -> str:
    return f"GRAPH_TABLE ({_MATCH[query].format(p=TINY if tiny else '')})"
