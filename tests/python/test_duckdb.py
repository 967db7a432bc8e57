"""Random patterns have the rows that DuckDB finds for the same question in plain SQL.

Graphs are of a few rows, with loops, parallel edges, equal rows and NULLs. Join modes take turns;
with WREATH_SOAK each case runs in all of them.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import duckdb
import pytest
from plain_sql import Graph, Row
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from random_patterns import Draw

SOAK = bool(os.environ.get("WREATH_SOAK"))
TIMES = 50 if SOAK else 1
CASES = {"edge_table": 16, "property_graph": 6, "unique_subgraphs": 18}
QUERIES_A_GRAPH = 5

SETTINGS = [
    {"spark.wreath.join.mode": "auto"},
    {"spark.wreath.join.mode": "broadcast"},
    {"spark.wreath.join.mode": "binary"},
    {"spark.wreath.enabled": "false"},
]

EDGE = "src int, dst int, w int"


def values(rows: list[Row]) -> str:
    return ", ".join(
        "(" + ", ".join("NULL" if c is None else str(c) for c in row) + ")" for row in rows
    )


def tell_spark(spark: SparkSession, graph: Graph) -> None:
    if graph.name == "plain_edges":
        rows = spark.createDataFrame(graph.edges[""], EDGE)
        rows.createOrReplaceTempView("plain_edges")
        return
    for table, rows_of in graph.vertices.items():
        rows = spark.createDataFrame(rows_of, "id int, v int, uid int")
        rows.createOrReplaceTempView(f"plain_{table}")
    for table, rows_of in graph.edges.items():
        spark.createDataFrame(rows_of, EDGE).createOrReplaceTempView(f"plain_{table}")
    vertices = ", ".join(
        f"plain_{t} AS {t} KEY (id) LABEL {t} PROPERTIES (id, v, uid) "
        "LABEL thing PROPERTIES (id, v, uid)"
        for t in graph.vertices
    )
    edges = ", ".join(
        f"plain_{t} AS {t} SOURCE KEY (src) REFERENCES {s} DESTINATION KEY (dst) REFERENCES {d} "
        f"LABEL {t} PROPERTIES (w)" + (" LABEL same PROPERTIES (w)" if s == d else "")
        for t, (s, d) in ((t, graph.ends(t)) for t in graph.edges)
    )
    spark.sql(
        f"CREATE OR REPLACE TEMPORARY PROPERTY GRAPH plain_graph VERTEX TABLES ({vertices}) "
        f"EDGE TABLES ({edges})"
    )


def tell_duckdb(graph: Graph) -> duckdb.DuckDBPyConnection:
    """Hold a vertex as table and key in one text, and edges between vertices that are there."""
    base = duckdb.connect()
    base.execute("CREATE TABLE V (vid VARCHAR, label VARCHAR, id INT, v INT, uid INT)")
    base.execute("CREATE TABLE E (eid VARCHAR, label VARCHAR, s VARCHAR, t VARCHAR, w INT)")
    for table, rows in graph.vertices.items():
        base.execute(
            f"INSERT INTO V SELECT '{table}:' || id, '{table}', id, v, uid "
            f"FROM (VALUES {values(rows)}) AS r(id, v, uid)"
        )
    for table, rows in graph.edges.items():
        source, target = graph.ends(table)
        base.execute(
            f"INSERT INTO E SELECT '{table}:' || number, '{table}', s.vid, t.vid, w FROM "
            f"(SELECT *, row_number() OVER () AS number "
            f"FROM (VALUES {values(rows)}) AS r(src, dst, w)) "
            f"JOIN V s ON s.vid = '{source}:' || src JOIN V t ON t.vid = '{target}:' || dst"
        )
    return base


def run(spark: SparkSession, settings: dict[str, str], query: str) -> Counter[Any] | str:
    """Return the rows as a bag, or the error."""
    for key, value in settings.items():
        spark.conf.set(key, value)
    try:
        return Counter(tuple(row) for row in spark.sql(query).collect())
    except PySparkException as error:
        return str(error)[:600]
    finally:
        for key in settings:
            spark.conf.unset(key)


@pytest.mark.parametrize("kind", CASES)
def test_random_patterns_have_the_rows_of_plain_sql_in_duckdb(
    spark: SparkSession, kind: str
) -> None:
    wrong = []
    refused, asked = 0, 0
    for case in range(TIMES * CASES[kind]):
        if case % QUERIES_A_GRAPH == 0:
            graphs = Draw(case)
            of_table = kind == "edge_table" or (kind == "unique_subgraphs" and case % 2 == 0)
            graph = graphs.edge_table() if of_table else graphs.property_graph()
            tell_spark(spark, graph)
            base = tell_duckdb(graph)
        draw = Draw(1_000_000 + case)
        drawn = draw.unique_subgraphs if kind == "unique_subgraphs" else draw.query
        query, plain = drawn(graph)
        expected = Counter(base.execute(plain).fetchall())
        for settings in SETTINGS if SOAK else [SETTINGS[case % len(SETTINGS)]]:
            found = run(spark, settings, query)
            asked += "broadcast" in settings.values()
            if isinstance(found, str) and "WREATH_CANNOT_USE" in found:
                refused += 1
                continue
            if found != expected:
                wrong.append(
                    f"case {case}, {settings}: {query}\nplain    {plain}\n"
                    f"{graph.vertices} {graph.edges}\nexpected {dict(expected)}\nfound    {found}\n"
                )
    spark.sql("DROP PROPERTY GRAPH IF EXISTS plain_graph")
    if kind == "edge_table":
        assert refused < asked, "no pattern ran on the index by name"
    assert not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:10])
