"""Graph.index: built once, pinned, seen and forgotten."""

from __future__ import annotations

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import wreath
from wreath import _jvm

PAIRS = "(a)-[]->(b)-[]->(a)"


def test_an_index_serves_matches_and_sql_until_it_is_forgotten(spark: SparkSession) -> None:
    edges = spark.range(6).selectExpr("id AS src", "(id * 5) % 6 AS dst").cache()
    edges.createOrReplaceTempView("indexed_edges")
    index = wreath.Graph(edges).index()
    try:
        assert index.edges == 6
        assert index.size_bytes > 0
        assert index.build_ms >= 0
        found = wreath.Graph(edges).match(PAIRS)
        assert found.count() == 6
        sql = spark.sql(f"SELECT * FROM GRAPH_TABLE (indexed_edges MATCH {PAIRS})")
        assert sql.count() == 6
        for df in (found, sql):
            assert "CachedCsrIndex" in _jvm.executed_plan(df)
        assert index.hits >= 2
        again = wreath.Graph(edges).index()
        assert again._id == index._id
    finally:
        index.unpersist()
    assert index.hits == 0
    built = wreath.Graph(edges).match(PAIRS)
    assert "CachedCsrIndex" not in _jvm.executed_plan(built)
    edges.unpersist()
    spark.catalog.dropTempView("indexed_edges")


def test_edges_that_may_change_unseen_are_refused(spark: SparkSession) -> None:
    edges = spark.range(3).selectExpr("id AS src", "id + CAST(rand() AS BIGINT) AS dst")
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(edges).index()
    assert caught.value.getCondition() == "WREATH_CANNOT_INDEX"
    assert caught.value.getSqlState() == "0A000"
    assert (caught.value.getMessageParameters() or {})["table"] == "the DataFrame of edges"


def test_the_right_column_is_indexed_when_the_ends_are_swapped(spark: SparkSession) -> None:
    edges = spark.createDataFrame([("x", "y")], "src string, dst string").cache()
    forward = wreath.Graph(edges).match("(a)-[]->(b), (a)-[]->(b)", columns=["a"])
    backward = wreath.Graph(edges, src="dst", dst="src").match(
        "(a)-[]->(b), (a)-[]->(b)", columns=["a"]
    )
    assert [row.a for row in forward.collect()] == ["x"]
    assert [row.a for row in backward.collect()] == ["y"]
    edges.unpersist()


def test_an_index_has_the_columns_it_was_asked_for(spark: SparkSession) -> None:
    edges = spark.range(6).selectExpr("id AS src", "(id * 5) % 6 AS dst", "id AS `w {0}`").cache()
    graph = wreath.Graph(edges)
    index = graph.index(columns=["w {0}"])
    try:
        found = graph.match("(a)-[x]->(b)-[]->(a)", columns=["x.`w {0}` AS w"])
        assert "CachedCsrIndex" in _jvm.executed_plan(found)
        assert sorted(row.w for row in found.collect()) == list(range(6))
        assert index.hits >= 1
        with pytest.raises(TypeError, match="list of names"):
            graph.index(columns="w")
        with pytest.raises(AnalysisException):
            graph.index(columns=["nothing"])
    finally:
        index.unpersist()
        edges.unpersist()


def test_rows_after_a_count_add_columns_to_the_index(spark: SparkSession) -> None:
    edges = spark.range(6).selectExpr("id AS src", "(id * 5) % 6 AS dst", "id * 2 AS w").cache()
    graph = wreath.Graph(edges)
    index = graph.index()
    try:
        assert graph.match(PAIRS).count() == 6
        rows = graph.match("(a)-[x]->(b)-[]->(a)", columns=["x.w"]).collect()
        assert sorted(row.w for row in rows) == [0, 2, 4, 6, 8, 10]
        # The same index: it has grown, and nothing else was built.
        assert [row["id"] for row in spark.sql("SHOW GRAPH INDEXES").collect()].count(
            index._id
        ) == 1
        assert index.hits >= 1
    finally:
        index.unpersist()
        edges.unpersist()
