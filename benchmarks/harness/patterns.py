"""The queries of ../shared/peers/common/queries.py as SQL/PGQ text, and what C++ measures them by.

Tables: o (each edge once, src < dst), u (both directions), d (as given), seeds (100 vertices), v.
A tiny graph under the same names with a prefix gives the empty aggregate of the same shape.
"""

from __future__ import annotations

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

# Programs and the names they give to a query. cycle4_best counts wedges, cycle4 joins.
KERNEL = {query: "cycle4_best" if query == "cycle4" else query for query in QUERIES}
KERNEL_ROWS = {"tri_o": "tri_o_emit", "clique4": "clique4_emit"}
MARKS = ["tri_o", "clique4", "clique5"]
BEST = ["cycle4", "diamond", "house"]

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
    return f"SELECT * FROM GRAPH_TABLE ({_MATCH[query].format(p=TINY if tiny else '')})"


def count(query: str, *, tiny: bool = False) -> str:
    """Return the text that counts the matches, over the graph or over the tiny one."""
    return f"SELECT count(*) FROM GRAPH_TABLE ({_MATCH[query].format(p=TINY if tiny else '')})"
